"""Methods answer beside the plain ways, with the tools of ``veracite ask``."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import tiny_gguf
from labelled import DOCUMENTS, QUESTIONS, write_rows

from veracite.engine.claims.citation_marks import parse
from veracite.engine.evaluation.answers import Answerer, marked, variants
from veracite.engine.evaluation.items import (
    Answered,
    Asked,
    Predicting,
    Prediction,
    Question,
    Source,
)
from veracite.engine.evaluation.models import Models, apart
from veracite.engine.evaluation.predict import ask
from veracite.engine.judge.cache import Memory
from veracite.engine.paths import Paths
from veracite.engine.types import Answer, Citation, Claim, Label, Relation, Verdict

READ = "retrieve-read"
FEWER = "retrieve-read:k=4"
SOURCES = {name: Source(name, text, name.title()) for name, text in DOCUMENTS.items()}
MILL = Question(
    "mill", "When did the Harrow mill burn down?", (("1904",),), (SOURCES["bees"], SOURCES["mill"])
)
STAMPS = Question("stamps", "Which stamps does Lisbon's mayor own?", (("Peru",),), MILL.sources)


@pytest.fixture(scope="module")
def told(
    models: Models, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[tuple[str, str], Prediction]]:
    """What is said to two questions, by question and method."""
    with Memory(tmp_path_factory.mktemp("memory") / "verdicts.sqlite") as memory:
        named = variants((READ, FEWER))
        answerer = Answerer(models, Predicting(), named, memory, lambda *_: True, SOURCES)
        libraries = apart([q.sources for q in (MILL, STAMPS)], models.encoder)
        yield {(p.item, p.method): p for p in answerer.predictions([MILL, STAMPS], libraries)}


def finish(data: Path, models: Models, root: Path, *methods: str) -> Answered:
    *_, last = ask(Asked("answer", (data,), methods=methods), models, root)
    assert isinstance(last, Answered)
    return last


def test_every_supported_sentence_cites_the_document_it_stands_in(
    told: dict[tuple[str, str], Prediction],
) -> None:
    said = told["mill", READ]
    assert said.text is not None
    assert "1904 [1]." in said.text
    assert said.found == ("mill", "bees"), "best first"
    sentences = parse(said.text)
    assert said.supported == (len(sentences), len(sentences))
    for sentence in sentences:
        assert sentence.citations == (1,)
        assert sentence.statement.removesuffix(".") in DOCUMENTS["mill"]


def test_what_it_cost_is_kept(told: dict[tuple[str, str], Prediction]) -> None:
    said = told["mill", READ]
    assert said.cost is not None
    assert said.supported is not None
    assert (said.cost.searches, said.cost.calls) == (1, 0)
    assert said.cost.judged == said.supported[1]
    assert said.seconds == said.cost.seconds > 0


def test_a_claim_and_its_passages_are_judged_once_for_all_methods(
    told: dict[tuple[str, str], Prediction],
) -> None:
    first, second = (told["mill", method] for method in (READ, FEWER))
    assert first.text == second.text
    assert first.cost is not None
    assert second.cost is not None
    assert (first.cost.remembered, second.cost.remembered) == (0, second.cost.judged)


def test_where_the_library_answers_nothing_the_answer_is_empty_and_counted(
    told: dict[tuple[str, str], Prediction],
) -> None:
    said = told["stamps", READ]
    assert (said.text, said.supported) == ("", (0, 0))
    assert said.found, "what was looked at"


def test_sentences_without_support_get_no_mark() -> None:
    said = [
        ("It burned [sic] in 1904.", Label.SUPPORTED, [("/b", "supports"), ("/a", "supports")]),
        ("Was it rebuilt?", Label.SUPPORTED, [("/a", "supports"), ("/a", "supports")]),
        ("It was sold [3].", Label.UNCERTAIN, [("/a", "supports")]),
        ("It shut in 1911.", Label.CONTRADICTED, [("/a", "contradicts"), ("/b", "supports")]),
        ("1904", Label.SUPPORTED, [("/a", "supports")]),
    ]
    text = "  ".join(sentence for sentence, *_ in said)
    verdicts: list[Verdict] = []
    for sentence, label, cited in said:
        start = text.index(sentence, verdicts[-1].claim.end if verdicts else 0)
        claim = Claim(sentence, start, start + len(sentence), sentence, sentence)
        quotes = tuple(_citation(file, relation) for file, relation in cited)
        verdicts.append(Verdict(claim, label, 1.0, None, "test", "", quotes))
    numbers = {"/a": 1, "/b": 2}
    assert marked(Answer("?", text, tuple(verdicts)), numbers.__getitem__) == (
        "It burned [sic] in 1904 [2][1].  Was it rebuilt [1]?  It was sold.  It shut in 1911.  "
        "1904 [1]."
    )


def test_a_method_that_comes_later_is_asked_alone_and_the_run_is_the_same(
    models: Models, tmp_path: Path
) -> None:
    data = write_rows(tmp_path / "questions.jsonl", QUESTIONS)
    first = finish(data, models, tmp_path / "runs", READ)
    then = finish(data, models, tmp_path / "runs", FEWER, READ)
    assert first.run == then.run
    assert list(first.said) == [READ, "given", "top-passage", "top-sentences"]
    assert list(then.said) == [FEWER, *first.said]
    lines = (then.run / "predictions.jsonl").read_text().splitlines()
    kept = [(row["item"], row["method"]) for row in map(json.loads, lines)]
    assert len(kept) == len(set(kept)) == 5 * len(QUESTIONS)
    assert {method: then.said[method] for method in first.said} == first.said


def test_a_language_model_writes_where_one_is_named(tmp_path: Path) -> None:
    data = write_rows(tmp_path / "questions.jsonl", QUESTIONS[:1])
    file = tiny_gguf.make(tmp_path / "tiny.gguf", context=4096)
    paths = Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")
    with_model = Models(1, file=file, paths=paths)
    try:
        answered = finish(data, with_model, tmp_path / "runs", READ)
    finally:
        with_model.close()
    assert any(model.startswith("prompted tiny@") for model in answered.record["models"])
    (said,) = answered.said[READ].values()
    assert said.cost is not None
    assert said.cost.calls > 0
    assert said.cost.prefilled > 0


def _citation(file: str, relation: str) -> Citation:
    kind: Relation = "supports" if relation == "supports" else "contradicts"
    return Citation(file, None, 0, 1, "q", kind, 0.9, "0" * 64, "q")
