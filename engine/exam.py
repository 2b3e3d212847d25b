"""The entrance exam of a language model: what it is worth beside the verifier, on labelled items.
And of a verifier of one's own, whose numbers are put on the scale of the bundled one by it.

The items (``exam.jsonl``) were written for this and are in no other set. Those of judging are read
by the verifier and by the model, as in a check; from both comes what the model's log odds are to
count in the decision. The others are answered by the skills of writing, and tell whether the model
picks the right passages, corrects an answer, cites and keeps to a form.

The outcome is kept beside the store's models under the SHA-256 of the file, so that it holds
wherever the file lies.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from veracite.engine import settings
from veracite.engine.bootstrap import (
    Floats,
    Interval,
    Marks,
    bootstrap,
    calibration_error,
    mean,
    roc_auc,
)
from veracite.engine.errors import SettingsError
from veracite.engine.events import Asked, Opening, Predicted, SkillEvent, Steps, Unusable
from veracite.engine.exam_outcome import FOLDER, Exercised, Judging, Outcome, Reader
from veracite.engine.judge.cascade import listen
from veracite.engine.judge.decision import Reading, Say, bundled_decision
from veracite.engine.judge.judge import Judge
from veracite.engine.judge.tuning import log_odds, sigmoid
from veracite.engine.own_verifier import Fit, conditions, fit_of, place_of
from veracite.engine.paths import Paths
from veracite.engine.skills.base import Skills
from veracite.engine.types import Claim, Label
from veracite.index.documents import Document, Evidence, Passage, Sentence
from veracite.index.sentences import sentence_spans
from veracite.models.bundled import bundled_verifier, stored_verifier
from veracite.models.errors import ModelError
from veracite.models.files import disk_errors, quoted, write_private
from veracite.models.gguf import needed, read_header
from veracite.models.store import Store
from veracite.models.verifier import Scale, meant_by

if TYPE_CHECKING:
    from veracite.engine.models import OpenModels

T = TypeVar("T")
Encode = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts to unit vectors, shape (n, dimension)."""

SCHEMA = "veracite.exam/1"
LONGEST = 96
"""Tokens of what is written: twice what a right answer takes. Who goes on has not answered."""
_QUICK, _FEWER = 27, 3
"""Premises of a quick exam, of three claims each; and of so many items of writing it has one."""
_MOST = 2
"""Passages that are picked, at most."""
_WEIGHTS = np.geomspace(0.05, 3, 20)
"""What is tried for a weight, in standard deviations of the model's log odds."""
_MARK = re.compile(r"\[(\d+)\]")
_CHANCE = 0.5
"""The AUC of a judge who guesses."""
_FLAT = 1e-3
_SILENT = (0.0, -1000.0)
"""The line of a number that tells nothing: what it stands for never counts."""
_RIDGE, _TURNS = 0.1, 25
"""Of the regression that puts the verifier's log odds on the items' scale."""


class Judged(msgspec.Struct, frozen=True, tag_field="kind", tag="judge"):
    """An item of judging: each premise has a claim of each label."""

    group: int
    """Of the premise."""
    premise: str
    claim: str
    label: Label


class Picked(msgspec.Struct, frozen=True, tag_field="kind", tag="pick"):
    """Which passages answer a question."""

    question: str
    passages: tuple[str, ...]
    answers: frozenset[int]
    """Their places, from 0."""


class Refined(msgspec.Struct, frozen=True, tag_field="kind", tag="refine"):
    """What is left of a draft that a passage puts right."""

    draft: str
    passage: str
    must: tuple[str, ...]
    must_not: tuple[str, ...]


class Cited(msgspec.Struct, frozen=True, tag_field="kind", tag="cite"):
    """An answer with citations."""

    question: str
    passages: tuple[str, ...]
    must: tuple[str, ...]
    cites: frozenset[int]
    """The places of the passages that a right answer cites, from 0."""


Exercise = Picked | Refined | Cited
_KINDS = {Picked: "Picked passages", Refined: "Corrections", Cited: "Cited answers"}


def items(*, quick: bool = False) -> tuple[list[Judged], list[Exercise]]:
    """The items of judging and of writing, or some of either."""
    lines = files(__package__).joinpath("exam.jsonl").read_bytes().splitlines()
    every = [msgspec.json.decode(line, type=Judged | Exercise) for line in lines]
    judging = [item for item in every if isinstance(item, Judged)]
    writing = [item for item in every if not isinstance(item, Judged)]
    if not quick:
        return judging, writing
    groups = list(dict.fromkeys(item.group for item in judging))
    some = {groups[place] for place in np.linspace(0, len(groups) - 1, _QUICK).astype(int)}
    return [item for item in judging if item.group in some], writing[::_FEWER]


def opened(file: Path, paths: Paths) -> "OpenModels":
    """What an exam is taken with: the models of a check, on this machine's settings.

    Raises:
        SettingsError: A setting is wrong.
    """
    from veracite.engine.models import OpenModels

    asked = {"model": str(file), "judge": "bundled", "judge_by": "choose"}
    return OpenModels(replace(settings.load(paths, asked).check, calibration=None), paths)


def tested(file: Path, paths: Paths) -> Outcome | None:
    """What came of a model's exam; None if it took none, or none as it would be used now."""
    with suppress(ModelError, SettingsError), closing(opened(file, paths)) as models:
        return models.tested()
    return None


def take(
    models: "OpenModels", file: Path, paths: Paths, *, quick: bool = False
) -> Iterator[Opening | Predicted | SkillEvent | Outcome]:
    """Has a language model take the exam; the outcome comes last, and is kept.

    Args:
        models: As ``opened`` gives them; the caller closes them.
        file: The model's.
        paths: Where outcomes are, and what is known of files.
        quick: With fewer items, which gives wider intervals and so a smaller say.

    Raises:
        Cancelled: ``models.cancel`` was called; nothing is kept.
        ModelError: The model cannot be used, or the outcome cannot be kept.
    """
    judging, writing = items(quick=quick)
    yield from models.open_generator(writes=True)
    assert models.writer is not None
    assert models.generator is not None
    judge, by = replace(models.judge(), sentences=sentences_of), models.conditions
    memory = needed(read_header(file), models.generator.context).total
    done: list[SkillEvent] = []
    brief = replace(models.writer, prompts=models.writer.prompts.limited(LONGEST))
    exercises = yield from _exercised(brief, writing, done)
    readings = yield from verified(judge, models.open_encoder().encode, judging)
    shown = [(0,)] * len(readings)
    said, heard = yield from noted(listen(models.writer, readings, shown), done)
    bare = [one.passages[0].supported if one.passages[0] else 0.5 for one in said]
    judged = judgement(judging, readings, np.concatenate(heard), np.array(bare))
    read, written = _paces([event for event in done if isinstance(event, Asked)])
    outcome = Outcome(
        model=models.writer.writer.id,
        sha256=models.generator.sha256,
        by=by,
        quick=quick,
        judging=judged,
        exercises=exercises,
        read=read,
        written=written,
        memory=memory,
    )
    with disk_errors(paths.models):
        kept = paths.models / FOLDER / f"{outcome.sha256}.json"
        write_private(kept, msgspec.json.encode(outcome))
    yield outcome


def judgement(
    judging: Sequence[Judged], readings: Sequence[Reading], model: Floats, bare: Floats
) -> Judging:
    """What a model's judging is worth beside the verifier's.

    Args:
        judging: The items.
        readings: The verifier's, of each.
        model: The model's log odds for and against without its bias, shape (n, 2); nan where it
            says nothing.
        bare: What it takes for the probability that a claim is supported, shape (n,).
    """
    network = log_odds(decided(readings))
    groups = [str(item.group) for item in judging]
    supported, contradicted = _marks(judging)
    other = np.flatnonzero(~supported)
    own = [groups[place] for place in other]
    held, gain = fitted(network[:, 0], model[:, 0], supported, groups)
    against, _ = fitted(network[other, 1], model[other, 1], contradicted[other], own)
    return Judging(
        items=len(judging),
        verifier=reader(sigmoid(network[:, 0]), supported, judging),
        model=reader(bare, supported, judging),
        both=reader(sigmoid(network[:, 0] + held.of(model[:, 0])), supported, judging),
        gain=gain,
        says=(held, against),
    )


def _marks(judging: Sequence[Judged]) -> tuple[Marks, Marks]:
    """Which items are supported, and which contradicted; each of shape (n,)."""
    labels = np.array([item.label for item in judging], object)
    return labels == Label.SUPPORTED, labels == Label.CONTRADICTED


def decided(readings: Sequence[Reading]) -> Floats:
    """The probability of either side of each claim, by the decision; shape (n, 2)."""
    decision = bundled_decision()
    return np.array([[side.max() for side in decision.sides(one)] for one in readings])


def reader(probabilities: Floats, supported: Marks, judging: Sequence[Judged]) -> Reader:
    """How well somebody tells the supported claims among the items, shape (n,)."""
    auc = bootstrap(roc_auc(probabilities, supported), [str(item.group) for item in judging])
    return Reader(auc, calibration_error(probabilities, supported))


def fitted(
    network: Floats, model: Floats, truth: Marks, groups: Sequence[str]
) -> tuple[Say, Interval]:
    """What a model's log odds are to count beside the verifier's, and what that gains.

    Of all weights it is the one whose gain has the highest lower 95 % bound, so it is the smaller
    the less sure the gain is; where no bound is above zero, the model has no say. The gain is of
    the log loss and not of the AUC, because a label is made of a probability: a model that says
    yes to everything changes the order of no two claims, and still lowers the bar. The verifier's
    log odds are put on the items' scale first (Platt 1999), so that what helps is what the model
    knows, and not that both together are larger.

    Args:
        network: The verifier's log odds, shape (n,).
        model: The model's without its bias, shape (n,); nan where it says nothing.
        truth: Shape (n,).
        groups: Of the items; those of a group are drawn together.

    Returns:
        The say, and by how much it lowers the log loss of an item, in nats.
    """
    best = Say(), Interval(0.0, 0.0, 0.0)
    told = ~np.isnan(model)
    if not (truth[told].any() and (~truth[told]).any() and model[told].std()):
        return best
    centre = float(model[told & truth].mean() + model[told & ~truth].mean()) / 2
    slope, start = platt(network, truth)
    scaled = slope * network + start
    for weight in _WEIGHTS / model[told].std():
        say = Say(float(weight), centre)
        gains = _loss(scaled, truth) - _loss(scaled + say.of(model), truth)
        gain = bootstrap(mean(gains), groups)
        if gain.low > best[1].low:
            best = say, gain
    return best


def _loss(log_odds: Floats, truth: Marks) -> Floats:
    """The log loss of each item, in nats."""
    return np.logaddexp(0.0, np.where(truth, -log_odds, log_odds))


def platt(values: Floats, truth: Marks) -> tuple[float, float]:
    """Slope and intercept of the line that makes of values, shape (n,), the log odds that fit the
    truth best (Platt 1999; by Newton's method)."""
    rows = np.stack([values, np.ones_like(values)], axis=1)
    line = np.zeros(2)
    for _ in range(_TURNS):
        p = sigmoid(rows @ line)
        curvature = (rows * (p * (1 - p))[:, np.newaxis]).T @ rows + _RIDGE * np.eye(2)
        line += np.linalg.solve(curvature, rows.T @ (truth - p) - _RIDGE * line)
    slope, intercept = line.tolist()
    return slope, intercept


def verified(
    judge: Judge, encode: Encode, judging: Sequence[Judged]
) -> Generator[Predicted, None, list[Reading]]:
    """What a judge reads of the items; ``encode`` gives texts their vectors."""
    readings = []
    for number, item in enumerate(judging):
        yield Predicted(number, len(judging))
        premise, claim = encode([item.premise, item.claim])
        (passage,) = _passages([item.premise])
        found = Evidence(passage, 1, 1.0, float(premise @ claim), None)
        readings += [reading for _, reading in judge.read([_claim(item.claim)], [[found]])]
    return readings


def _claim(text: str) -> Claim:
    return Claim(text, 0, len(text), text, text)


def _passages(texts: Sequence[str]) -> list[Passage]:
    """Each of a document of its own."""
    return [Passage(Document(t, t, "exam"), 0, len(t), None, None, t, t) for t in texts]


def sentences_of(passage: Passage) -> list[Sentence]:
    """The sentences of a passage that is a document of its own."""
    spans = sentence_spans(passage.text)
    return [Sentence(s.start, s.end, None, passage.text[s.start : s.end]) for s in spans]


def _exercised(
    skills: Skills, writing: Sequence[Exercise], done: list[SkillEvent]
) -> Generator[Predicted | SkillEvent, None, dict[str, Exercised]]:
    """How the items of writing were answered; what happened is noted in ``done``, not shown."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for number, item in enumerate(writing):
        how_far = Predicted(number, len(writing))
        yield how_far
        before = len(done)
        kept, right = yield from noted(_is_right(skills, item), done, how_far)
        happened = done[before:]
        ended = all(e.generated < LONGEST for e in happened if isinstance(e, Asked))
        kept = kept and ended and not any(isinstance(event, Unusable) for event in happened)
        for place, add in enumerate((1, kept, right and ended)):
            counts[_KINDS[type(item)]][place] += add
    return {kind: Exercised(*numbers) for kind, numbers in counts.items()}


def _is_right(skills: Skills, item: Exercise) -> Steps[tuple[bool, bool]]:
    """Whether an item of writing is answered in the form asked for, and rightly."""
    if isinstance(item, Picked):
        picked = yield from skills.select(item.question, _passages(item.passages), _MOST)
        return True, set(picked[: len(item.answers)]) == item.answers
    if isinstance(item, Refined):
        draft = yield from skills.revise(
            item.draft, [_claim(item.draft)], _passages([item.passage])
        )
        said = draft.text.casefold()
        lacks = any(text.casefold() not in said for text in item.must)
        return True, not lacks and not any(text.casefold() in said for text in item.must_not)
    (draft,) = yield from skills.answer(item.question, _passages(item.passages))
    said, marks = draft.text.casefold(), {int(mark) - 1 for mark in _MARK.findall(draft.text)}
    holds = all(text.casefold() in said for text in item.must)
    return bool(marks), holds and marks == item.cites


def noted(
    steps: Steps[T], done: list[SkillEvent], told: Predicted | None = None
) -> Generator[Predicted | SkillEvent, None, T]:
    """The same, what happens being noted; ``told`` is said in its place."""
    while True:
        try:
            event = next(steps)
        except StopIteration as end:
            value: T = end.value
            return value
        done.append(event)
        yield told or event


def _paces(asked: Sequence[Asked]) -> tuple[float, float]:
    """Tokens a second that were read and that were written; 0 where there is nothing to go by.

    By least squares over the calls that wrote: others are made later, when the machine may be
    busier.
    """
    wrote = [event for event in asked if event.generated]
    tokens = np.array([(event.prefilled, event.generated) for event in wrote], float)
    each, *_ = np.linalg.lstsq(tokens.reshape(-1, 2), np.array([e.seconds for e in wrote]))
    read, written = (float(1 / seconds) if seconds > 0 else 0.0 for seconds in each)
    return read, written


# --- Of a verifier of one's own ----------------------------------------------------------------


def judge_by(
    store: Store, name: str, models: "OpenModels", labels: str | None = None
) -> Iterator[Predicted | Fit]:
    """Puts a verifier of the store to use as the judge; the fit, which is kept, comes last.

    Args:
        store: Where it is.
        name: Its own.
        models: Has the encoder.
        labels: What its numbers mean, in their order and with commas between; None where that
            stands in its config.json, or in an earlier exam, which is not taken again.

    Raises:
        ModelError: It is no verifier, does not say what its numbers mean, cannot be used, or does
            no better than chance.
    """
    manifest, folder = store.get(name), store.path(name)
    if manifest.kind != "verifier":
        raise ModelError(
            f"{name} cannot judge in place of the bundled verifier: it is of the kind "
            f"{manifest.kind}.",
            "Name a network that tells from two texts whether one supports the other.",
        )
    fit = None if labels else fit_of(folder)
    if fit is None:
        called = [str(one) for one in manifest.details.get("labels", ())]
        meant = meant_by(labels.split(",") if labels else called)
        if meant is None or len(meant) != len(called):
            raise ModelError(
                f"It is not clear what the numbers of {name} mean: {quoted(', '.join(called))}.",
                "Say it with --labels, in their order: supported and one or both of neutral and "
                "contradicted, such as --labels contradicted,supported,neutral.",
            )
        place = place_of(folder)
        fit = yield from _fit(folder, meant, models)
        if not fit.own.auc.low > _CHANCE:
            raise ModelError(
                f"{name} told supported claims from others no better than chance ({fit}).",
                "If its numbers mean something else than it says, give their labels in another "
                "order with --labels; else it is no judge.",
            )
        with disk_errors(folder):
            write_private(place, msgspec.json.encode(fit))
    store.choose("verifier", name)
    yield fit


def _fit(
    folder: Path, labels: Sequence[str], models: "OpenModels"
) -> Generator[Predicted, None, Fit]:
    """What comes of the exam, beside the bundled verifier on the same items."""
    (judging, _), by = items(), conditions(folder)
    read = []
    with closing(bundled_verifier()) as bundled, closing(stored_verifier(folder, labels)) as own:
        encode = models.open_encoder().encode
        for verifier in (own, bundled):
            judge = Judge(verifier, bundled_decision(), 0.0, sentences_of, lambda _: "")
            read.append((yield from verified(judge, encode, judging)))
    supported, contradicted = _marks(judging)
    ours, theirs = (
        log_odds(np.array([one.probabilities.max(axis=0) for one in readings])) for readings in read
    )
    other = np.flatnonzero(~supported)
    against = ours[other, 2], theirs[other, 2], contradicted[other]
    groups = [str(judging[place].group) for place in other]
    tells = bootstrap(roc_auc(against[0], against[2]), groups).low > _CHANCE
    held = _line(ours[:, 0], theirs[:, 0], supported)
    scale = Scale(held, _line(*against) if tells else _SILENT)
    read[0] = [Reading.of(one.premises, scale.applied(one.probabilities)) for one in read[0]]
    worth = (reader(decided(readings)[:, 0], supported, judging) for readings in read)
    return Fit(tuple(labels), by, scale, *worth)


def _line(ours: Floats, theirs: Floats, truth: Marks) -> tuple[float, float]:
    """Slope and intercept that put our log odds on the scale of theirs; as good as flat where ours
    say nothing."""
    (slope, start), (scale, offset) = platt(ours, truth), platt(theirs, truth)
    return max(_FLAT, slope / scale), (start - offset) / scale
