"""The second judge: what becomes of a language model's answers, and who is asked about what."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from mill import FALSE, TRUE, UNFOUNDED, write_documents
from readings import CONTRADICTED, NEUTRAL, SUPPORTED, claim, evidence, raw_text_of, reading
from stepping import value_of

from veracite.engine.events import Asked, Judged, Shortened, Steps, Warned
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.cascade import ModelJudge, Opinion, combined
from veracite.engine.judge.checking import Checking
from veracite.engine.judge.decision import Say, bundled_decision
from veracite.engine.judge.judge import Judge
from veracite.engine.retrieve import Search
from veracite.engine.types import Claim, Judgement, Label, Scores, Task, Verdict
from veracite.index.documents import Evidence
from veracite.index.library import Library
from veracite.models.verifier import Verifier

YES, NEITHER, NO = (Scores(*row) for row in (SUPPORTED, NEUTRAL, CONTRADICTED))
UNDECIDED = None
NOT_ONE = Judgement((UNDECIDED, UNDECIDED), None)
UNBIASED = Scores(1 / 3, 1 / 3, 1 / 3)
MILL = evidence("mill", ["The mill stood by the river.", "Fire took the mill in 1904."], "Mill")
TOWN = evidence("town", ["The town is old.", "The mill burned down in 1911."], "Town", rank=2)
CLAIM = claim("The mill burned down in 1904.")


@dataclass
class Scripted:
    """A language model that says the same of every passage, or what is in ``said``."""

    answer: Scores | None = YES
    said: Judgement | None = None
    asked: list[list[str]] = field(default_factory=list)
    too_long: Sequence[int] = ()
    """The passages that do not fit, each as often as it is asked about."""
    blank: Scores = UNBIASED
    """What it says beside an empty passage."""

    def judge(self, tasks: Sequence[Task], *, joint: bool = False) -> Steps[tuple[Judgement, ...]]:
        self.asked.append([task.claim.text for task in tasks])
        yield Asked("judge", "judge/1", 9, 0, 0, 0.1)
        for number in self.too_long:
            yield Shortened("judge", 0, 1, (f"passage {number}",))
        return tuple(
            (self.said or Judgement((self.answer,) * len(task.passages), None))
            if task.passages[0].text
            else Judgement((self.blank,), None)
            for task in tasks
        )


def first_judge(verifier: Verifier, items: Sequence[Evidence] = (MILL, TOWN)) -> Judge:
    return Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(*items))


def settled(
    verifier: Verifier,
    judgement: Judgement,
    *,
    said: Claim = CLAIM,
    items: Sequence[Evidence] = (MILL, TOWN),
    everything: bool = False,
    sentences: dict[str, tuple[float, float, float]] | None = None,
    says: tuple[Say, Say] | None = None,
    blank: Scores = UNBIASED,
) -> Verdict:
    """The verdict on a claim of which the verifier was unsure, after the model's judgement."""
    read = reading(said, items, sentences)
    first = first_judge(verifier, items)
    unsure = first.conclude(read, Scores(0.4, 0.3, 0.3))
    model = Scripted(said=judgement, blank=blank)
    judge = ModelJudge(model, "model", 2048, first, everything, says=says)
    (ruling,) = value_of(judge.judge([Opinion(unsure, read)]))
    return ruling.verdict


@pytest.mark.parametrize(
    ("passages", "joint", "expected"),
    [
        ([NEITHER, YES], None, Scores(0.9 * 0.975, 1 - 0.9 * 0.975 - 0.05 * 0.55, 0.05 * 0.55)),
        ([YES, NO], None, Scores(0.9 * 0.55, 0.1 * 0.1, 0.9 * 0.55)),
        ([NEITHER, NEITHER], NO, NO),
        ([YES, UNDECIDED], None, Scores(0.9 * 5 / 6, 1 - 0.75 - 0.55 / 3, 0.55 / 3)),
        ([UNDECIDED], None, Scores(1 / 3, 1 / 3, 1 / 3)),
    ],
)
def test_a_claim_is_what_its_plainest_passage_says_unless_another_one_says_the_opposite(
    passages: list[Scores | None], joint: Scores | None, expected: Scores
) -> None:
    found = combined(Judgement(tuple(passages), joint))
    assert (found.supported, found.neutral, found.contradicted) == pytest.approx(
        (expected.supported, expected.neutral, expected.contradicted)
    )


def test_the_quote_stands_in_the_passage_on_which_the_model_decided(verifier: Verifier) -> None:
    supported = settled(verifier, Judgement((YES, NEITHER), None))
    assert (supported.label, supported.judge) == (Label.SUPPORTED, "model")
    assert [c.quote for c in supported.citations] == ["Fire took the mill in 1904."]
    assert supported.citations[0].probability == pytest.approx(0.9)
    contradicted = settled(verifier, Judgement((NEITHER, NO), None))
    assert contradicted.label is Label.CONTRADICTED
    assert [c.quote for c in contradicted.citations] == ["The mill burned down in 1911."]


PLAY, FIRE = "In a play the mill burned down in 1904.", "Fire took the mill in 1904."
ASH = "Of the mill nothing but ash was left in 1904."
LEANING = (0.4, 0.5, 0.1)


@pytest.mark.parametrize(
    ("told", "leaning", "cut", "quote"),
    [
        ([PLAY, FIRE], FIRE, {}, FIRE),
        ([PLAY, FIRE], None, {}, PLAY),
        ([FIRE, ASH], ASH, {}, ASH),
        ([FIRE, ASH], ASH, {0: FIRE}, FIRE),  # all that the model read
    ],
)
def test_of_what_the_model_read_of_that_passage_the_verifier_chooses_the_sentence(
    verifier: Verifier, told: list[str], leaning: str | None, cut: dict[int, str], quote: str
) -> None:
    sentences = {leaning: LEANING} if leaning else {}
    judgement, items = Judgement((YES,), None, cut), [evidence("mill", told, "Mill")]
    verdict = settled(verifier, judgement, items=items, sentences=sentences)
    assert [c.quote for c in verdict.citations] == [quote]


@pytest.mark.parametrize(
    ("said", "sentence", "judged", "label"),
    [
        (CLAIM.text, "The mill burned down in 1911.", YES, Label.SUPPORTED),
        (
            "In 2019 the yard employed 40 people.",
            "In 2015 the yard employed 62 people.",
            NO,
            Label.CONTRADICTED,
        ),
    ],
    ids=["another figure", "another time"],
)
def test_neither_a_model_nor_its_say_passes_the_guards(
    verifier: Verifier, said: str, sentence: str, judged: Scores, label: Label
) -> None:
    judgement, items = Judgement((judged,), None), [evidence("one", [sentence])]
    alone, heavy, silent = (
        settled(verifier, judgement, said=claim(said), items=items, says=says)
        for says in (None, (Say(9.0), Say(9.0)), (Say(0.0), Say(0.0)))
    )
    assert alone.label is not label
    assert {c.relation for c in alone.citations} == {"nearest"}
    assert (heavy.label, heavy.scores) == (silent.label, silent.scores)


def test_passages_that_disagree_leave_the_claim_uncertain_and_are_both_shown(
    verifier: Verifier,
) -> None:
    verdict = settled(verifier, Judgement((YES, NO), None))
    assert verdict.label is Label.UNCERTAIN
    assert [(c.file, c.relation) for c in verdict.citations] == [
        ("/mill", "supports"),
        ("/town", "contradicts"),
    ]
    assert verdict.disagreement is not None


def test_a_passage_that_the_model_was_not_shown_settles_nothing(verifier: Verifier) -> None:
    bees = evidence("bees", ["Bees sleep at night."], rank=2)
    verdict = settled(verifier, Judgement((YES,), None), items=[MILL, bees])
    assert verdict.label is Label.SUPPORTED
    assert verdict.scores == Scores(0.9, 0.08, 0.02)
    assert verdict.explanation.endswith(
        "because the verifier was unsure. It was not shown 1 passage in which the verifier finds "
        "no bearing on this."
    )


@pytest.mark.parametrize("everything", [False, True])
def test_what_the_model_does_not_decide_stays_uncertain_and_why_is_said(
    verifier: Verifier, everything: bool
) -> None:
    verdict = settled(verifier, NOT_ONE, everything=everything)
    assert verdict.judge == ("model" if everything else first_judge(verifier).id)
    half = settled(verifier, replace(NOT_ONE, cut={0: ""}), everything=everything)
    for asked in (verdict, half):
        assert asked.label is Label.UNCERTAIN
        assert asked.explanation.endswith("was asked and gave no usable answer.")
    unread = settled(verifier, replace(NOT_ONE, cut={0: "", 1: ""}), everything=everything)
    assert unread.label is Label.UNCERTAIN
    assert "A language model was not asked: its context is too small" in unread.explanation
    assert "no usable answer" not in unread.explanation


WEIGHTED = Say(1.0), Say(1.0)


def scores_after(verifier: Verifier, judgement: Judgement, **given: Any) -> Scores:
    verdict = settled(verifier, judgement, sentences={FIRE: LEANING}, **given)
    assert verdict.scores is not None
    return verdict.scores


def test_a_say_moves_the_decision_by_its_weight_and_less_its_bias(verifier: Verifier) -> None:
    silent = scores_after(verifier, Judgement((NEITHER, NEITHER), None), says=(Say(), Say()))
    unread = scores_after(verifier, NOT_ONE, says=WEIGHTED)
    assert unread == Scores(0.4, 0.3, 0.3)  # as it was
    yes = Judgement((YES, NEITHER), None)
    moved = [
        scores_after(verifier, yes, says=says).supported
        for says in ((Say(0.2), Say()), (Say(0.5), Say()), WEIGHTED)
    ]
    assert silent.supported < moved[0] < moved[1] < moved[2]
    everywhere = Judgement((YES, YES), None)
    assert scores_after(verifier, everywhere, says=WEIGHTED, blank=YES) == silent
    doubted = scores_after(verifier, Judgement((NEITHER, NEITHER), None), says=WEIGHTED)
    assert doubted.supported < silent.supported
    denied = Judgement((UNDECIDED, NO), None)
    assert scores_after(verifier, denied, says=WEIGHTED).contradicted > silent.contradicted


def test_a_say_quotes_the_verifiers_sentence_and_tells_of_it(verifier: Verifier) -> None:
    judgement = Judgement((YES, UNDECIDED), None)
    verdict = settled(verifier, judgement, sentences={FIRE: LEANING}, says=WEIGHTED)
    assert (verdict.label, verdict.judge) == (Label.SUPPORTED, "model")
    assert [c.quote for c in verdict.citations] == [FIRE]
    assert "A language model had a say in this" in verdict.explanation


@dataclass
class Bench:
    """Everything a check needs, with a scripted language model."""

    library: Library
    first: Judge
    memory: Memory

    def check(
        self,
        texts: Sequence[str],
        model: Scripted | None,
        everything: bool = False,
        *,
        name: str = "model",
        context: int = 2048,
        says: tuple[Say, Say] | None = None,
    ) -> dict[str, Judged]:
        second = None
        if model is not None:
            second = ModelJudge(model, name, context, self.first, everything, says=says)
        search = Search(self.library, 4, None, "lexical")
        checking = Checking(search, self.first, self.memory, second)
        self.events = list(checking.judge_all([claim(text) for text in texts]))
        judged = [event for event in self.events if isinstance(event, Judged)]
        assert [event.done for event in judged] == list(range(1, len(texts) + 1))
        return {event.verdict.claim.text: event for event in judged}


@pytest.fixture
def bench(tmp_path: Path, verifier: Verifier) -> Iterator[Bench]:
    documents = write_documents(tmp_path / "documents")
    with Library(tmp_path / "library") as library, Memory(tmp_path / "v.sqlite") as memory:
        library.add([documents])
        list(library.sync())
        first = Judge(verifier, bundled_decision(), 0.6, library.sentences, library.raw_text)
        yield Bench(library, first, memory)


CLAIMS = [TRUE, FALSE, UNFOUNDED, "Anna Berg sold a mill.", "Bees dream of the queen at night."]


@pytest.fixture
def unsure(bench: Bench) -> Bench:
    """One whose verifier is unsure of some of the claims, and of some it is not."""
    labels = {text: event.verdict for text, event in bench.check(CLAIMS, None).items()}
    (middle,) = sorted(verdict.probability for verdict in labels.values())[2:3]
    bench.first = replace(bench.first, uncertain_below=middle)
    return bench


def test_only_a_usable_answer_of_that_model_asked_that_way_is_taken_over(unsure: Bench) -> None:
    unsure.check(CLAIMS, Scripted(UNDECIDED), everything=True)
    unsure.check(CLAIMS, Scripted(UNDECIDED))
    model = Scripted(NO)
    again = unsure.check(CLAIMS, model, everything=True)
    assert model.asked == [CLAIMS]
    assert not any(event.cached for event in again.values())
    ways: list[dict[str, Any]] = [{}, {"name": "other"}, {"context": 4096}]
    for asked in (*ways, {"says": WEIGHTED}, {"says": (Say(0.5), Say(1.0))}):
        for times in (1, 0):
            model = Scripted(YES)
            unsure.check(CLAIMS, model, **asked)
            assert len(model.asked) == times


def test_a_model_alone_judges_everything_that_was_found(bench: Bench) -> None:
    model = Scripted(NEITHER)
    verdicts = bench.check([*CLAIMS, "Xyzzy plugh."], model, everything=True)
    assert model.asked == [CLAIMS]
    assert {verdicts[text].verdict.judge for text in CLAIMS} == {"model"}
    assert [text for text in CLAIMS if verdicts[text].verdict.label is not Label.NOT_FOUND] == [
        TRUE  # which stands there word for word
    ]
    assert verdicts["Xyzzy plugh."].verdict.judge == "rules"
    again = bench.check([*CLAIMS, "Xyzzy plugh."], Scripted(YES), everything=True)
    assert all(event.cached for event in again.values())


def test_what_the_model_was_asked_is_told_and_what_did_not_fit_is_warned_of_once(
    unsure: Bench,
) -> None:
    for too_long, were in (((1,), "1 passage was"), ((1, 2, 1, 2, 2), "2 passages were")):
        unsure.check(CLAIMS, Scripted(YES, too_long=too_long), name=were)
        assert [event.skill for event in unsure.events if isinstance(event, Asked)] == ["judge"]
        warned = [event.message for event in unsure.events if isinstance(event, Warned)]
        assert warned == [
            f"{were} too long for the language model's context and left out or cut at the end "
            "of a sentence. A larger --context lets it read all."
        ]
