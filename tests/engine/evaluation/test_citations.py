"""Citation recall and precision by ALCE's definitions, with its quirks mended."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from veracite.engine.claims.citation_marks import parse, without_marks
from veracite.engine.evaluation.answering import Entailment, score_answer
from veracite.engine.evaluation.items import Source
from veracite.engine.models import OpenModels

_LETTER = re.compile(r"\b[A-D]\b")


@dataclass
class Words:
    """A judge for whom a statement follows if the premises hold all its words A to D."""

    asked: list[tuple[int, str]] = field(default_factory=list)

    def __call__(self, premises: Sequence[str], statement: str) -> bool:
        self.asked.append((len(premises), statement))
        return set(_LETTER.findall(statement)) <= set(_LETTER.findall(" ".join(premises)))


DOCUMENTS = [Source("a", "A."), Source("b", "B."), Source("c", "A B."), Source("d", "D.")]


@pytest.mark.parametrize(
    ("output", "citations"),
    [
        ("It rains [1][2].", (1, 2)),
        ("It rains [1, 2].", (1, 2)),
        ("It rains [2–4][3].", (2, 3, 4)),
        ("It rains [3-1].", (3, 1)),
        ("It rains [2][1][2].", (2, 1)),
        ("It rains [0].", (0,)),
        ("It rains [sic].", ()),
        ("It rains. [2]", (2,)),
        ("It [1] rains [2].", (1, 2)),
    ],
)
def test_marks_are_read(output: str, citations: tuple[int, ...]) -> None:
    (sentence,) = parse(output)
    assert sentence.citations == citations


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("It rains [1][2].", "It rains."),
        ("It [1, 2] rains.", "It rains."),
        ("It rains. [3]", "It rains."),
        ("It rains.[3]Then not.", "It rains. Then not."),
        ("[1] says so, [2]", "says so,"),
        ("It was in [1999] [sic].", "It was in [1999] [sic]."),
        ("One [1]\ntwo [2]", "One\ntwo"),
    ],
)
def test_marks_are_taken_out(output: str, text: str) -> None:
    assert without_marks(output) == text


TALL, LATE = "The tower is tall.", "It was built late."


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (f"{TALL} [1] {LATE} [2, 3]\n\nNobody [4] knows.",
         [(TALL, (1,)), (LATE, (2, 3)), ("Nobody knows.", (4,))]),
        (f"{TALL} [1]. {LATE}", [(TALL, (1,)), (LATE, ())]),
        (f"[1] {TALL} [2] {LATE}", [(TALL, (1,)), (LATE, (2,))]),  # as the answer begins
        (f"{TALL}[1]\n\n[2] {LATE}", [(TALL, (1,)), (LATE, (2,))]),  # a line begins so
        (f"[1] {TALL}\n\n[2][3]", [(TALL, (1, 2, 3))]),  # on a line of their own
    ],
)  # fmt: skip
def test_marks_belong_to_the_sentence_that_they_stand_at(
    output: str, expected: list[tuple[str, tuple[int, ...]]]
) -> None:
    assert [(s.statement, s.citations) for s in parse(output)] == expected


@pytest.mark.parametrize(
    ("output", "recall", "precision", "why"),
    [
        ("It says A [1]. It says A and B [1][2]. It says B [1]. It says B.", 1 / 2, 3 / 4, ""),
        ("It says A [1][4].", 1.0, 1 / 2, "needless: it says nothing and the others suffice"),
        ("It says D [1][2][3][4].", 0.0, 0.0, "only the first three citations count"),
        ("It says A [0]. It says A [1].", 1 / 2, 1 / 2, "no document has this number"),
        ("It says A and B [1][1][1][2].", 1.0, 1.0, "cited twice counts once"),
        ("", 0.0, 0.0, "nothing is said"),
        ("[1][2]", 0.0, 0.0, "nothing but marks"),
    ],
)
def test_citations_count_as_in_alce(output: str, recall: float, precision: float, why: str) -> None:
    assert score_answer(output, DOCUMENTS, Words()) == pytest.approx((recall, precision)), why


def test_the_judge_reads_titles_and_statements_without_marks_and_is_asked_once() -> None:
    judge = Words()
    score_answer("It says A and B [1][2].", DOCUMENTS, judge)
    assert judge.asked == [(n, "It says A and B.") for n in (2, 1, 1)]
    seen: list[str] = []

    def look(premises: Sequence[str], statement: str) -> bool:
        seen.extend(premises)
        return True

    score_answer("So it is [1].", [Source("x", "Text.", title="Name")], look)
    assert seen == ["Title: Name\nText."]


MILL = "The Harrow mill burned down in 1904. Its ruin was sold to the parish."


def test_a_document_entails_what_it_says_also_at_its_end_and_not_more(models: OpenModels) -> None:
    entails = Entailment(models.open_verifier())
    statement = "The Harrow mill burned down in 1904."
    assert entails([MILL], statement)
    assert not entails([MILL], "The Harrow mill burned down in 1911.")
    long = " ".join(f"Hive number {n} stands beside the road to Arden." for n in range(90))
    assert not models.open_verifier().fits(f"{long} {MILL}", statement)
    assert entails([f"{long} {MILL}"], statement)
    assert not entails([long], statement)


def test_documents_together_entail_what_neither_does_alone(models: OpenModels) -> None:
    """Where they are too long to be joined, by the sentence of each that is nearest."""
    entails = Entailment(models.open_verifier())
    told = ["Anna Berg owned the Harrow mill.", "The Harrow mill burned down in 1904."]
    statement = "Anna Berg owned the Harrow mill, which burned down in 1904."
    hives = " ".join(f"Hive number {n} stands beside the road to Arden." for n in range(12))
    longer = [f"{hives} {one}" for one in told]
    assert not models.open_verifier().fits(" ".join(longer), statement)
    for premises in (told, longer):
        assert entails(premises, statement)
        assert not [one for one in premises if entails([one], statement)]
