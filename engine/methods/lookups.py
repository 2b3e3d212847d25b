"""Claims looked up and judged, with the passages that each was judged by."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from veracite.engine.errors import SettingsError
from veracite.engine.events import Retrieved
from veracite.engine.methods.base import Steps, Tools, unique
from veracite.engine.setting_values import parse_labels
from veracite.engine.settings import Retrieval
from veracite.engine.types import Claim, Label, Verdict
from veracite.index.documents import Evidence, Passage

UNSUPPORTED = (Label.CONTRADICTED, Label.NOT_FOUND, Label.UNCERTAIN)
"""The labels of claims that were checked and are not supported."""


@dataclass(frozen=True, slots=True)
class LookedUp:
    """A claim's verdict and the passages that it rests on."""

    verdict: Verdict
    evidence: tuple[Evidence, ...]
    """Best first; none for what is not checkable."""


def look_up(
    claims: Sequence[Claim],
    tools: Tools,
    *,
    k: int,
    mode: Retrieval,
    threshold: float | None = None,
) -> Steps[tuple[LookedUp, ...]]:
    """As ``Tools.look_up``, with the passages that were found for each claim."""
    found: dict[int, tuple[Evidence, ...]] = {}
    steps = tools.look_up(claims, k=k, mode=mode, threshold=threshold)
    try:
        while True:
            event = next(steps)
            if isinstance(event, Retrieved):
                found[event.index] = event.evidence
            yield event
    except StopIteration as end:
        verdicts: tuple[Verdict, ...] = end.value
    finally:
        steps.close()
    return tuple(LookedUp(verdict, found.get(i, ())) for i, verdict in enumerate(verdicts))


def passages_of(wrong: Iterable[LookedUp], most: int) -> list[Passage]:
    """The passages found for claims, each once, at most so many: every claim's best one first."""
    ranked = sorted((item for one in wrong for item in one.evidence), key=lambda item: item.rank)
    return [item.passage for item in unique(ranked)[:most]]


def unsupported_labels(name: str, value: str) -> tuple[Label, ...]:
    """The labels that a setting names.

    Raises:
        SettingsError: A word is no label, or the label of a claim that nothing is wrong with.
    """
    labels = parse_labels(value)
    if not set(labels) <= set(UNSUPPORTED):
        raise SettingsError(
            f"{name} is {value!r}, which names claims that nothing is wrong with.",
            f"Valid: {', '.join(UNSUPPORTED)}, or none.",
        )
    return labels
