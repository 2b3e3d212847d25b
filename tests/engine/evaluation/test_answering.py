"""Answers come with marks that lead to documents, and their citations are judged at once."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import tiny_gguf
from labelled import DOCUMENTS, QUESTIONS, write_rows
from reports import citation

from veracite.engine.claims.citation_marks import parse, without_marks
from veracite.engine.errors import SettingsError
from veracite.engine.evaluation.answering import Answerer, Entailment, marked, variants
from veracite.engine.evaluation.items import Answered, Asked, Prediction, Question, Source
from veracite.engine.evaluation.predict import apart, ask
from veracite.engine.judge.cache import Memory
from veracite.engine.models import OpenModels
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Answer, Claim, Label, Relation, Verdict

READ, FEWER = "retrieve-read", "retrieve-read:k=4"
SOURCES = {name: Source(name, text, name.title()) for name, text in DOCUMENTS.items()}
MILL = Question(
    "mill", "When did the Harrow mill burn down?", (("1904",),), (SOURCES["bees"], SOURCES["mill"])
)
GIVEN = replace(
    MILL,
    id="given",
    output="The Harrow mill burned down in 1904 [2]. Bees sleep at night [2]. Nothing.",
)
BARE = Question("bare", "Who was Anna Berg?", (("the owner",),), ())
STAMPS = Question("stamps", "Which stamps does Lisbon's mayor own?", (("Peru",),), MILL.sources)
NOTED = Question(
    "noted",
    "When did the mill burn down?",
    (("1904",),),
    (Source("noted", "The mill burned down in 1904.[3] It was never rebuilt [1, 2]."),),
)


@pytest.fixture(scope="module")
def told(
    models: OpenModels, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[tuple[str, str], Prediction]]:
    """What is said to the questions, by question and method."""
    asked = (MILL, GIVEN, BARE, STAMPS, NOTED)
    sources = {**SOURCES, "noted": NOTED.sources[0]}
    with Memory(tmp_path_factory.mktemp("memory") / "verdicts.sqlite") as memory:
        named = variants((READ, FEWER))
        answerer = Answerer(models, named, memory, Entailment(models.open_verifier()), sources)
        libraries = apart([q.sources for q in asked], models.open_encoder())
        yield {(p.item, p.method): p for p in answerer.predictions(asked, libraries)}


Told = dict[tuple[str, str], Prediction]


def test_three_sentences_of_the_documents_are_cited_in_reading_order(told: Told) -> None:
    said = told["mill", "top-sentences"]
    assert said.text is not None
    assert "1904 [1]." in said.text
    sentences = parse(said.text)
    assert len(sentences) == 3
    places = []
    for sentence in sentences:
        (number,) = sentence.citations
        text = SOURCES[said.found[number - 1]].text
        places.append((number, text.index(sentence.statement.removesuffix("."))))
    assert places == sorted(places)


def test_the_best_passage_is_answered_word_for_word(told: Told) -> None:
    said = told["mill", "top-passage"]
    assert said.text is not None
    assert without_marks(said.text) == DOCUMENTS["mill"]
    assert {n for s in parse(said.text) for n in s.citations} == {1}
    assert said.found == ("mill", "bees"), "what was retrieved, best first"
    assert said.cited == (1.0, 1.0)
    noted = told["noted", "top-passage"].text
    assert noted == "The mill burned down in 1904 [1]. It was never rebuilt [1]."


def test_an_answer_that_the_file_brings_cites_its_own_documents(told: Told) -> None:
    said = told["given", "given"]
    assert (said.text, said.found) == (GIVEN.output, ("bees", "mill"))
    assert said.cited == pytest.approx((1 / 3, 0.5), abs=1e-6)
    assert ("mill", "given") not in told


def test_without_documents_the_answer_is_empty(told: Told) -> None:
    for method in ("top-passage", "top-sentences"):
        assert (told["bare", method].text, told["bare", method].found) == ("", ())
        assert told["bare", method].cited == (0.0, 0.0)


def test_a_methods_supported_sentences_cite_and_what_it_cost_is_kept(told: Told) -> None:
    first, second = (told["mill", method] for method in (READ, FEWER))
    assert first.text is not None
    assert first.found == ("mill", "bees"), "best first"
    for sentence in parse(first.text):
        assert sentence.citations == (1,)
        assert sentence.statement.removesuffix(".") in DOCUMENTS["mill"]
    assert first.cost is not None
    assert second.cost is not None
    assert first.supported == (first.cost.judged, len(parse(first.text)))
    assert (first.cost.searches, first.cost.calls) == (1, 0)
    assert first.cost.seconds > 0
    assert first.text == second.text
    assert (first.cost.remembered, second.cost.remembered) == (0, second.cost.judged)


def test_where_the_library_answers_nothing_the_answer_is_empty_and_counted(told: Told) -> None:
    said = told["stamps", READ]
    assert (said.text, said.supported) == ("", (0, 0))
    assert said.found, "what was looked at"


def test_sentences_without_support_get_no_mark() -> None:
    said: list[tuple[str, Label, list[tuple[str, Relation]]]] = [
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
        quotes = tuple(citation("q", relation, file=file) for file, relation in cited)
        verdicts.append(Verdict(claim, label, 1.0, None, "test", "", quotes))
    numbers = {"/a": 1, "/b": 2}
    assert marked(Answer("?", text, tuple(verdicts)), numbers.__getitem__) == (
        "It burned [sic] in 1904 [2][1].  Was it rebuilt [1]?  It was sold.  It shut in 1911.  "
        "1904 [1]."
    )


def finish(data: Path, models: OpenModels, root: Path, *methods: str) -> Answered:
    *_, last = ask(Asked("answer", (data,), methods=methods), models, root)
    assert isinstance(last, Answered)
    return last


def test_a_later_method_is_asked_alone_in_the_same_run(models: OpenModels, tmp_path: Path) -> None:
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
    settings = CheckSettings(threads=1, model=str(file), judge="bundled")
    with closing(OpenModels(settings, paths)) as with_model:
        answered = finish(data, with_model, tmp_path / "runs", READ)
    assert any(model.startswith("prompted tiny@") for model in answered.record["models"])
    (said,) = answered.said[READ].values()
    assert said.cost is not None
    assert said.cost.calls > 0
    assert said.cost.prefilled > 0


def test_settings_and_presets_follow_after_colons() -> None:
    names = ("vtg", "vtg:T=1", "vtg:asqa-table6", "vtg:asqa-table6:T=1")
    found = variants(("given", *names, "vtg"))
    assert [one.name for one in found] == list(names), "each once and the plain ones left out"
    plain, fewer, preset, both = (one.settings for one in found)
    assert fewer == replace(plain, T=1) != plain
    assert both == replace(preset, T=1) != preset
    with pytest.raises(SettingsError, match="no preset of vtg named 'asqa'"):
        variants(("vtg:asqa",))
