"""Answers come with marks that lead to documents, and their citations are judged at once."""

import re
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from labelled import DOCUMENTS

from veracite.engine.claims.citation_marks import parse, without_marks
from veracite.engine.evaluation.answers import Answerer
from veracite.engine.evaluation.items import Predicting, Prediction, Question, Source
from veracite.engine.evaluation.models import Models, apart, together
from veracite.engine.judge.cache import Memory

SOURCES = {name: Source(name, text, name.title()) for name, text in DOCUMENTS.items()}
MILL = Question(
    "mill", "When did the Harrow mill burn down?", (("1904",),), (SOURCES["bees"], SOURCES["mill"])
)
BARE = Question("bare", "Who was Anna Berg?", (("the owner",),), ())


class Words:
    """A judge that follows words: each of the statement's has to stand in a premise."""

    def __call__(self, premises: Sequence[str], statement: str) -> bool:
        there = set(re.findall(r"\w+", " ".join(premises).lower()))
        return set(re.findall(r"\w+", statement.lower())) <= there


def answered(models: Models, *questions: Question) -> dict[tuple[str, str], Prediction]:
    libraries = apart([q.sources for q in questions], models.encoder)
    with TemporaryDirectory() as folder, Memory(Path(folder) / "verdicts.sqlite") as memory:
        answerer = Answerer(models, Predicting(), (), memory, Words(), SOURCES)
        return {(p.item, p.method): p for p in answerer.predictions(questions, libraries)}


def test_sentences_of_the_documents_are_cited_by_their_place(models: Models) -> None:
    told = answered(models, MILL)["mill", "top-sentences"]
    assert told.text is not None
    assert told.found[0] == "mill"
    for sentence in parse(told.text):
        (number,) = sentence.citations
        assert sentence.statement.removesuffix(".") in SOURCES[told.found[number - 1]].text
    assert "1904 [1]." in told.text


def test_the_best_passage_is_answered_word_for_word(models: Models) -> None:
    told = answered(models, MILL)["mill", "top-passage"]
    assert told.text is not None
    assert without_marks(told.text) == DOCUMENTS["mill"]
    assert {n for s in parse(told.text) for n in s.citations} == {1}
    assert told.found == ("mill", "bees"), "what was retrieved, best first"
    assert told.cited == (1.0, 1.0)


def test_at_most_three_sentences_in_reading_order(models: Models) -> None:
    text = answered(models, MILL)["mill", "top-sentences"].text
    assert text is not None
    said = [sentence.statement.removesuffix(".") for sentence in parse(text)]
    assert len(said) == 3
    in_mill = [DOCUMENTS["mill"].index(s) for s in said if s in DOCUMENTS["mill"]]
    assert in_mill == sorted(in_mill)


def test_an_answer_that_the_file_brings_cites_its_own_documents(models: Models) -> None:
    given = Question(
        "mill", MILL.text, MILL.answers, MILL.sources,
        output="The Harrow mill burned down in 1904 [2]. Bees sleep at night [2]. Nothing.",
    )  # fmt: skip
    told = answered(models, given)["mill", "given"]
    assert told.text == given.output
    assert told.found == ("bees", "mill")
    assert told.cited == pytest.approx((1 / 3, 0.5), abs=1e-6)
    assert told.seconds == 0


def test_without_an_answer_in_the_file_nothing_is_given(models: Models) -> None:
    assert {method for _, method in answered(models, MILL)} == {"top-passage", "top-sentences"}


def test_without_documents_the_answer_is_empty(models: Models) -> None:
    told = answered(models, BARE, MILL)
    for method in ("top-passage", "top-sentences"):
        assert (told["bare", method].text, told["bare", method].found) == ("", ())
        assert told["bare", method].cited == (0.0, 0.0)
        assert told["mill", method].found


def test_marks_in_the_documents_are_not_taken_for_citations(models: Models) -> None:
    noted = Source("mill", "The mill burned down in 1904.[3] It was never rebuilt [1, 2].")
    question = Question("q", "When did the mill burn down?", (("1904",),), (noted,))
    told = answered(models, question)["q", "top-passage"]
    assert told.text == "The mill burned down in 1904 [1]. It was never rebuilt [1]."


def test_in_one_library_documents_of_other_questions_are_found(
    models: Models, tmp_path: Path
) -> None:
    question = Question("q", "How tall is the lighthouse?", (("31",),), (SOURCES["bees"],))
    with ExitStack() as opened:
        *_, last = together(list(SOURCES.values()), tmp_path, models.encoder, opened)
        assert isinstance(last, tuple)
        library, ids = last
        memory = opened.enter_context(Memory(tmp_path / "verdicts.sqlite"))
        answerer = Answerer(models, Predicting(k=3), (), memory, Words(), SOURCES, ids)
        for told in answerer.predictions([question], [library]):
            assert told.found[0] == "lighthouse"
            assert len(told.found) == 3
