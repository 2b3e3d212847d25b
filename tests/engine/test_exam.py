"""The entrance exam: what earns a language model its say, what is kept, and what is told of it."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from importlib.resources import files
from itertools import islice
from pathlib import Path
from shutil import copy
from threading import Event
from typing import Any

import exams
import numpy as np
import pytest
from mill import write_documents
from reports import report_of
from scripted_generator import READ, WRITTEN, ScriptedGenerator

from veracite.engine import exam
from veracite.engine.bootstrap import Floats
from veracite.engine.events import Asked, Opening, Warned
from veracite.engine.exam_outcome import Outcome, outcome_of, remark
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.skills import prompts
from veracite.engine.skills.prompted import PromptedSkills
from veracite.engine.skills.prompts import Prompts
from veracite.engine.types import Label
from veracite.engine.workbench import Workbench
from veracite.models.errors import Cancelled
from veracite.models.trial import require_trial

TRUTH = np.arange(150) % 3 == 0
GROUPS = [str(row // 3) for row in range(150)]


def test_there_are_enough_items_and_each_premise_has_one_of_each_label() -> None:
    judging, writing = exam.items()
    labels = Counter(item.label for item in judging)
    assert len(judging) >= 240
    assert set(labels) == {Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_FOUND}
    assert len(set(labels.values())) == 1
    assert len({(item.group, item.label) for item in judging}) == len(judging)
    assert len(writing) >= 40
    assert {type(item) for item in writing} == {exam.Picked, exam.Refined, exam.Cited}
    some, short = exam.items(quick=True)
    assert 80 <= len(some) < 90
    assert {item.label for item in some} == set(labels)
    assert {type(item) for item in short} == {type(item) for item in writing}


NETWORK = np.random.default_rng(1).normal(0, 2, 150) + np.where(TRUTH, 1.5, -1.5)
NOISE = np.random.default_rng(2).normal(0, 1, 150)


@pytest.mark.parametrize(
    ("heard", "earns"),
    [
        (np.where(TRUTH, 3.0, -3.0), True),
        (np.where(TRUTH, 6.0, 2.0) + NOISE, True),  # right in order, with a bias for yes
        (np.where(TRUTH, np.nan, -1.0) + NOISE, False),
        (np.full(150, 5.0), False),
        (np.full(150, 5.0) + NOISE / 9, False),
        (np.where(TRUTH, -3.0, 3.0) + NOISE, False),
        (NETWORK * 3, False),
    ],
    ids=["perfect", "biased", "silent on true ones", "yes", "nearly yes", "opposite", "an echo"],
)
def test_a_say_is_earned_by_what_the_verifier_does_not_know(heard: Floats, earns: bool) -> None:
    say, gain = exam.fitted(NETWORK, heard, TRUTH, GROUPS)
    assert (say.weight > 0) is earns
    assert (gain.low > 0) is earns
    assert np.isfinite(say.of(heard)).all()
    if earns:
        unsure, _ = exam.fitted(NETWORK[:30], heard[:30] + 3 * NOISE[:30], TRUTH[:30], GROUPS[:30])
        assert unsure.weight < say.weight


def answering(items: Sequence[exam.Judged], right: bool) -> Callable[..., Sequence[float]]:
    """A judge that knows every label, or one that says yes to everything."""

    def preferring(asked: str, options: Sequence[str]) -> Sequence[float]:
        (own,) = [i for i in items if f"Claim: {i.claim}\n" in asked]
        sure = own.label if right and own.premise in asked else Label.SUPPORTED
        if right and own.premise not in asked:
            return [1 / len(options)] * len(options)
        meant = {"supported": Label.SUPPORTED, "contradicted": Label.CONTRADICTED}
        return [0.96 if meant.get(o, Label.NOT_FOUND) is sure else 0.02 for o in options]

    return preferring


def answered(item: exam.Exercise) -> str:
    """What is right."""
    if isinstance(item, exam.Picked):
        return " ".join(str(place + 1) for place in item.answers)
    cites = item.cites if isinstance(item, exam.Cited) else ()
    return f"It is {' and '.join(item.must)} {''.join(f'[{place + 1}]' for place in cites)}."


@pytest.mark.parametrize("right", [True, False])
def test_who_knows_every_label_earns_a_say_and_who_says_yes_does_not(
    paths: Paths, model: Path, monkeypatch: pytest.MonkeyPatch, right: bool
) -> None:
    judging, writing = exams.shortened(monkeypatch, 4)
    ending = "" if right else " and so on" * exam.LONGEST
    replies_in_turn = [answered(item) + ending for item in writing]
    scripted = ScriptedGenerator(replies_in_turn, answering(judging, right))
    with closing(exam.opened(model, paths)) as models:
        list(models.open_generator(writes=True))
        models.close()
        models.generator, models.writer = scripted, PromptedSkills(scripted, Prompts.load())
        *events, outcome = exam.take(models, model, paths)
        models.generator = models.writer = None
    assert isinstance(outcome, Outcome)
    judged = outcome.judging
    assert judged.items == len(judging)
    assert judged.model.auc.estimate == (1.0 if right else 0.5)
    assert outcome.has_say is right
    assert (judged.both.error < judged.verifier.error) is right
    asked = [event for event in events if isinstance(event, Asked)]
    assert len(asked) == asked[-1].total == 2 * len(judging), "what is written is not shown"
    assert {done.items for done in outcome.exercises.values()} == {1}
    for done in (outcome.exercises[what] for what in ("Corrections", "Cited answers")):
        assert (done.right, done.kept) == (right, right), "who rambles has not answered"
    assert (outcome.read, outcome.written) == pytest.approx((READ, WRITTEN))
    assert outcome.memory > model.stat().st_size
    assert outcome_of(outcome.sha256, paths) == outcome
    (paths.models / ".exams" / f"{outcome.sha256}.json").write_bytes(b"{}")
    assert outcome_of(outcome.sha256, paths) is None


@pytest.mark.long
def test_a_real_model_takes_the_quick_exam(paths: Paths, real_model: Path) -> None:
    with closing(exam.opened(real_model, paths)) as models:
        *events, outcome = exam.take(models, real_model, paths, quick=True)
    assert isinstance(outcome, Outcome)
    assert exam.tested(real_model, paths) == outcome
    asked = [event for event in events if isinstance(event, Asked)]
    assert len({p for event in asked for p in event.options.values()}) > 2 * outcome.judging.items
    picked = outcome.exercises["Picked passages"]
    assert picked.kept == picked.items, "a grammar bounds it"


def test_an_exam_that_is_stopped_leaves_nothing(
    paths: Paths, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exams.shortened(monkeypatch, 1)
    with closing(exam.opened(model, paths)) as models:
        events = exam.take(models, model, paths)
        list(islice((event for event in events if isinstance(event, Asked)), 4))
        models.cancel()
        with pytest.raises(Cancelled):
            list(events)
    assert not paths.models.exists()


def edit_the_prompt(paths: Paths) -> None:
    """Have the user's own prompt judge."""
    name = "judge.veracite.toml"
    paths.prompts.mkdir(parents=True)
    ours = files(prompts).joinpath(name).read_text(encoding="utf-8")
    (paths.prompts / name).write_text(ours.replace("Claim: ", "Statement: "))


@pytest.mark.parametrize("changed", ["prompt", "file", "nothing"])
def test_an_exam_holds_for_what_took_it(
    paths: Paths, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    """Somebody edits the prompt, or puts another model in the file's place, meanwhile."""
    exams.shortened(monkeypatch, 3)
    model = Path(copy(model, tmp_path / "copy.gguf"))
    with closing(exam.opened(model, paths)) as models:
        events = exam.take(models, model, paths)
        next(event for event in events if isinstance(event, Asked))
        if changed == "prompt":
            edit_the_prompt(paths)
        elif changed == "file":
            content = model.read_bytes()
            model.unlink()
            model.write_bytes(content[:-4] + bytes(4))
            require_trial(model, paths.verified, Event())
        *_, outcome = events
    assert isinstance(outcome, Outcome)
    assert (exam.tested(model, paths) == outcome) is (changed == "nothing")


def test_the_advice_to_take_an_exam_can_be_followed(paths: Paths) -> None:
    stored, other = paths.models / "tiny" / "tiny-q8.gguf", Path("/my models/tiny.gguf")
    for file, named in ((stored, "test tiny`"), (other, "test FILE`")):
        told = remark(file, paths, None, alone=False, wording=None)
        assert told is not None
        assert named in told
    told = remark(stored, paths, None, alone=False, wording="ceg")
    assert told is not None
    assert "models test" not in told
    assert "--wording" in told


def test_an_open_model_is_asked_by_the_prompt_as_it_is_now(paths: Paths, model: Path) -> None:
    with closing(exam.opened(model, paths)) as models:
        list(models.open_generator(writes=True))
        before = models.conditions
        edit_the_prompt(paths)
        list(models.open_generator(writes=True))
        assert models.writer is not None
        assert models.writer.prompt("judge").id == models.conditions[-1] != before[-1]


@pytest.mark.parametrize(
    ("asked", "weights", "by", "auc", "opens", "told"),
    [
        ({}, None, None, 0.8, False, "has no say in verdicts, and has not been tested"),
        ({}, (0.5, 0.5), "another verifier", 0.8, False, "has not been tested as it is used"),
        ({}, (0.0, 0.0), None, 0.8, False, "has no say in verdicts: in its exam it added"),
        ({}, (0.5, 0.0), None, 0.8, True, None),
        ({"judge": "gguf"}, None, None, 0.8, True, "judges by itself, and has not been tested"),
        ({"judge": "gguf"}, (0.5, 0.5), None, 0.6, True, "judged worse than the bundled verifier"),
        ({"judge": "gguf"}, (0.0, 0.0), None, 0.9, True, None),
        ({"joint": True}, (0.5, 0.5), None, 0.6, True, "judged worse than the bundled verifier"),
        ({"judge_by": "reasoning"}, (0.5, 0.5), None, 0.6, True, "judged worse than the bundled"),
        ({"judge_by": "reasoning"}, None, None, 0.8, True, "judges by itself, and has not been"),
    ],
)
def test_a_model_has_the_say_that_it_earned_and_the_report_tells_of_it(
    paths: Paths,
    model: Path,
    tmp_path: Path,
    asked: dict[str, Any],
    weights: tuple[float, float] | None,
    by: str | None,
    auc: float,
    opens: bool,
    told: str | None,
) -> None:
    documents = write_documents(tmp_path / "documents")
    settings = CheckSettings(
        retrieval="lexical", model=str(model), threads=1, uncertain_below=1.0, **asked
    )
    exams.passed(model, paths, *(weights or (0.0, 0.0)), auc=auc, by=by)
    if weights is None:
        for kept in (paths.models / ".exams").iterdir():
            kept.unlink()
    assert bool(exam.tested(model, paths)) is (weights is not None and by is None)
    with Workbench(settings, paths) as bench:
        events = list(bench.check("The mill burned in 1905 or so.", against=(documents,)))
    report = report_of(events)
    (verdict,) = report.verdicts
    assert any(isinstance(event, Opening) for event in events) is opens
    assert verdict.judge.startswith("tiny@") is opens
    assert ("say 0.50 and 0.00" in verdict.judge) is (opens and not asked)
    notes = [note for note in report.notes if "language model" in note]
    assert notes == [event.message for event in events if isinstance(event, Warned)]
    assert len(notes) == bool(told)
    assert told is None or told in notes[0]
