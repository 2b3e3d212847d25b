"""What came of a language model's entrance exam, and what people are told of it."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from veracite.engine.bootstrap import Interval
from veracite.engine.judge.decision import Say
from veracite.engine.paths import Paths

FOLDER = ".exams"
"""In the folder of the store's models."""


@dataclass(frozen=True, slots=True)
class Reader:
    """How well supported claims are told from others."""

    auc: Interval
    error: float
    """Expected calibration error of the probability that a claim is supported."""


@dataclass(frozen=True, slots=True)
class Exercised:
    """How many items of a kind there were, were answered in the form asked for, and rightly."""

    items: int
    kept: int
    right: int


@dataclass(frozen=True, slots=True)
class Judging:
    """What a model's judging is worth."""

    items: int
    verifier: Reader
    model: Reader
    """By itself."""
    both: Reader
    """The verifier with the model's say."""
    gain: Interval
    """By how much the say for a claim lowers the log loss of an item, in nats."""
    says: tuple[Say, Say]
    """For a claim and against it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an exam."""

    model: str
    """Name and the start of the file's SHA-256."""
    sha256: str
    by: tuple[str, ...]
    """What it holds for: verifier, decision and the prompt of judging."""
    quick: bool
    judging: Judging
    exercises: Mapping[str, Exercised]
    """By what was asked for."""
    read: float
    """Tokens a second."""
    written: float
    memory: int
    """Bytes that it takes with its context, on a GPU and beside it."""

    @property
    def has_say(self) -> bool:
        """Whether the model adds anything to the verifier."""
        return any(say.weight for say in self.judging.says)

    def __str__(self) -> str:
        """In a line."""
        own, verifier = self.judging.model.auc, self.judging.verifier.auc
        return (
            f"AUC {own} (verifier {verifier.estimate:.2f}): "
            f"{'it has a say' if self.has_say else 'it has no say'} in verdicts"
        )


def outcome_of(sha256: str | None, paths: Paths) -> Outcome | None:
    """What came of the exam of a model's file with this hash; None where there is nothing to go by.

    That is a file that was not tested or is not known, or an outcome that cannot be read.
    """
    with suppress(OSError, ValueError, RecursionError):
        kept = paths.models / FOLDER / f"{sha256}.json"
        return msgspec.json.decode(kept.read_bytes(), type=Outcome)
    return None


def name_in_store(file: Path, paths: Paths) -> str | None:
    """What the file of a model is called in the store; None of others."""
    return file.parent.name if file.parent.parent == paths.models else None


def remark(
    file: Path, paths: Paths, outcome: Outcome | None, *, alone: bool, wording: str | None
) -> str | None:
    """What is to be known of a language model that judges, or would: what happened, what to do.

    Args:
        file: The model's.
        paths: Where the store is.
        outcome: Of its exam, if it took one as it is used.
        alone: Whether it decides by itself what it judges.
        wording: Whose prompt it judges by, if not ours.
    """
    name = file.name
    if outcome is None:
        part = "judges by itself" if alone else "has no say in verdicts"
        command = f"veracite models test {name_in_store(file, paths) or 'FILE'}"
        advice = f"`{command}` finds out what its judgement is worth."
        if wording is not None:
            advice = f"Its exam is not taken with the prompts of {wording}: leave out --wording."
        told = f"The language model {name} {part}, and has not been tested as it is used here."
        return f"{told} {advice}"
    if not alone:
        told = f"The language model {name} has no say in verdicts: in its exam it added nothing."
        return None if outcome.has_say else told
    own, verifier = outcome.judging.model.auc.estimate, outcome.judging.verifier.auc.estimate
    if own >= verifier:
        return None
    return (
        f"The language model {name} judges by itself, and in its exam it judged worse than the "
        f"bundled verifier (AUC {own:.2f} and {verifier:.2f}). Leave out --judge, --judge-by and "
        "--joint to let it have the say that it earned."
    )
