"""Items are judged as the product judges claims; a run goes on where it was stopped.

Its record says what it was of and not where or whose.
"""

import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest
from labelled import DOCUMENTS, QUERIES, QUESTIONS, write_rows
from mill import FALSE, TRUE, UNFOUNDED, write_documents
from stepping import value_of

from veracite.engine.errors import CheckError, InputError
from veracite.engine.evaluation import predict
from veracite.engine.evaluation.figures import sum_up
from veracite.engine.evaluation.items import (
    METHODS,
    SELFCHECK,
    Answered,
    Asked,
    Prediction,
    Query,
    Source,
    Statement,
)
from veracite.engine.methods.cost import Cost
from veracite.engine.models import OpenModels

MILL = DOCUMENTS["mill"]


def statement(text: str, *sources: str, before: tuple[str, ...] = (), name: str = "s") -> Statement:
    found = tuple(Source(f"{name}/{place}", source) for place, source in enumerate(sources))
    return Statement(name, name, text, True, "true", found, before)


def texts(of: Statement) -> list[str]:
    return [claim.statement for claim in predict.claims_of(of)]


def test_the_text_before_is_context_and_no_claim() -> None:
    before = ("Anna Berg was born in Harrow.", "Anna Berg bought a mill.")
    assert texts(statement("It burned. It shut.")) == ["It burned.", "It shut."], "as a draft is"
    (claim,) = predict.claims_of(statement("She sold it in 1911.", before=before))
    assert claim.statement == "She sold it in 1911."
    assert "Anna Berg" in claim.query
    (alone,) = predict.claims_of(statement("She sold it in 1911."))
    assert "Anna Berg" not in alone.query


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (("She was born in the town of",), "Harrow."),
        (("She was born in",), "Harrow. She bought a mill."),
        (("Her uncle sold it to J.",), "Berg in 1889."),
    ],
)
def test_a_sentence_is_cut_where_the_set_cuts_it(before: tuple[str, ...], text: str) -> None:
    assert texts(statement(text, before=before)) == texts(statement(text))
    assert "".join(texts(statement(text, before=before))).startswith(text.split(".")[0])


def said_of(
    models: OpenModels, *statements: Statement, lenient: bool = False
) -> dict[tuple[str, str], Prediction]:
    """The predictions by item and method, of statements that are given ids by their place."""
    named = [replace(s, id=str(place)) for place, s in enumerate(statements)]
    collection = predict.apart([s.sources for s in named], models.open_encoder())
    judge = predict.StatementJudge(models.judge(), models.search, lenient)
    made = list(judge.predictions(named, collection))
    found = {(p.item, p.method): p for p in made}
    assert len(found) == len(made) == len(named) * len(METHODS["detect"])
    return found


def score(prediction: Prediction) -> float:
    assert prediction.score is not None
    return prediction.score


def test_a_statement_is_as_true_as_its_least_true_claim(models: OpenModels) -> None:
    labels = {
        TRUE: "supported",
        FALSE: "contradicted",
        UNFOUNDED: "not_found",
        f"{TRUE} {FALSE}": "contradicted",
        f"{TRUE} {UNFOUNDED}": "not_found",
        f"{FALSE} {UNFOUNDED}": "contradicted",
        f"{TRUE} Who rebuilt it?": "supported",
        "Who rebuilt it?": "not_checkable",
    }
    said = said_of(models, *(statement(text, MILL) for text in labels))
    assert [said[str(n), "veracite"].label for n in range(8)] == [*labels.values()]
    assert score(said["0", "veracite"]) > 0.8
    assert max(score(said[n, "veracite"]) for n in "12") < 0.3
    assert said["0", "verifier"].label is None
    for method in ("veracite", "verifier", "similarity"):
        both = [score(said[n, method]) for n in "01"]
        assert score(said["3", method]) == pytest.approx(min(both), abs=1e-5), method
    alone = said_of(models, statement(UNFOUNDED, MILL))
    for method in METHODS["detect"]:
        one, other = said["2", method], alone["0", method]
        assert (one.score, one.label) == (other.score, other.label), "whatever its neighbours are"


def test_without_documents_nothing_is_found_and_without_a_sentence_is_a_problem(
    models: OpenModels,
) -> None:
    said = said_of(models, statement(TRUE), statement("---", MILL))
    assert said["0", "veracite"].label == "not_found"
    assert {score(said["0", m]) for m in ("veracite", "verifier", "overlap", "similarity")} == {0}
    assert said["0", "veracite"].problem is None
    assert said["1", "veracite"].label == "not_checkable"
    assert said["1", "veracite"].problem


def test_not_to_be_contradicted_is_enough_where_the_set_asks_no_more(models: OpenModels) -> None:
    told = (*(statement(text, MILL) for text in (TRUE, FALSE, UNFOUNDED)), statement(TRUE))
    said = said_of(models, *told, lenient=True)
    scores = [score(said[str(n), "veracite"]) for n in range(4)]
    assert min(scores[0], scores[2]) > 0.7
    assert scores[1] < 0.4
    assert scores[3] == 1.0, "nothing contradicts what has no documents"


def test_overlap_is_the_share_of_words_in_documents_and_titles(models: OpenModels) -> None:
    titled = Statement("s", "s", TRUE, True, "true", (Source("a", "It burned.", "Harrow mill"),))
    untitled = statement(TRUE, "It burned.")
    said = said_of(models, untitled, titled, statement(TRUE, MILL), statement("Owls hoot.", MILL))
    least, more, all_words, none = (score(said[str(n), "overlap"]) for n in range(4))
    assert 0 < least < more < all_words == 1, "the title has two more words, and not the year"
    assert none == 0


LONG = " ".join(f"Hive number {n} stands beside the road to Arden." for n in range(60))
SOURCES = [*(Source(name, text) for name, text in DOCUMENTS.items()), Source("hives", LONG)]
QUERY_LIST = [Query(name, text, {relevant: 1}) for name, (text, relevant) in QUERIES.items()]


def shared_library(
    sources: Sequence[Source], folder: Path, models: OpenModels, opened: ExitStack
) -> predict.Shared:
    """One library of all documents, and its files' ids."""
    return value_of(predict.together(sources, folder, models.open_encoder(), opened))


@pytest.fixture(scope="module")
def shared(
    models: OpenModels, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[predict.Shared]:
    with ExitStack() as opened:
        yield shared_library(SOURCES, tmp_path_factory.mktemp("library"), models, opened)


@pytest.fixture(scope="module")
def told(shared: predict.Shared) -> dict[tuple[str, str], Prediction]:
    return {(p.item, p.method): p for p in predict.searched(QUERY_LIST, *shared)}


def test_the_relevant_document_comes_first(told: dict[tuple[str, str], Prediction]) -> None:
    assert set(told) == {(q.id, method) for q in QUERY_LIST for method in METHODS["retrieve"]}
    for name, (_, relevant) in QUERIES.items():
        assert told[name, "hybrid"].found[0] == relevant
    assert told["q1", "lexical"].found[0] == "mill"
    assert told["q3", "dense"].found[0] == "bees"
    for said in told.values():
        assert len({*said.found}) == len(said.found), "once, though a document has many passages"


MILL_PAGE = Source(
    "mill", "The Harrow mill burned down in 1904.\n\nIt was never rebuilt.", "The mill"
)
BEES = Source("bees", "Bees sleep at night.")


def test_the_order_of_documents_makes_no_other_library(models: OpenModels, tmp_path: Path) -> None:
    found = []
    for sources in ([MILL_PAGE, BEES], [BEES, MILL_PAGE, Source("copy", BEES.text)], [MILL_PAGE]):
        with ExitStack() as opened:
            shared_library(sources, tmp_path, models, opened)
        found.append(len(list(tmp_path.iterdir())))
    assert found == [1, 1, 2]


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(CheckError, match="The documents cannot be saved"):
        predict.written([MILL_PAGE], tmp_path / "file" / "documents")


@pytest.mark.parametrize(
    "evil", ["</title><script>alert(1)</script>", "<!-- a comment", "&lt;b&gt; & </p>", "a\ud800b"]
)
def test_a_documents_words_are_no_markup(models: OpenModels, tmp_path: Path, evil: str) -> None:
    said = f"The code is {evil} and nothing else.\n\nIt was never rebuilt."
    with ExitStack() as opened:
        sources = [Source("evil", said, f"About {evil}")]
        library, names = shared_library(sources, tmp_path, models, opened)
        assert library.status().documents == len(names) == 1
        ((found,),) = library.search_many(["the code"], k=1, mode="lexical")
        shown = evil.replace("\ud800", "?")
        told = [sentence.text for sentence in library.sentences(found.passage)]
        assert told == said.replace(evil, shown).split("\n\n")
        assert found.passage.heading == f"About {shown}"
        assert library.raw_text(found.passage.document).count(shown) >= 1


IDENTITY = {"data": "3f2a", "seed": 0}


def opened(folder: Path) -> closing[predict.Run]:
    return closing(predict.Run(folder, IDENTITY))


def _prediction(item: str) -> Prediction:
    return Prediction(item, "overlap", 0.25, None, "Ünïcode\u2028text", ("a", "b"))


def test_predictions_come_back_in_one_evaluation_at_a_time_to_its_owner_alone(
    tmp_path: Path,
) -> None:
    answer = replace(
        _prediction("2"),
        text="lone \ud800 surrogate",
        cited=(0.5, 0.25),
        supported=(1, 2),
        cost=Cost(calls=2, searches=3, seconds=0.25),
    )
    folder = tmp_path / "runs" / "run"
    with opened(folder) as run:
        run.add(_prediction("1"))
        run.add(answer)
        assert {stat.S_IMODE(f.stat().st_mode) for f in (folder, folder.parent)} == {0o700}
        assert {stat.S_IMODE(f.stat().st_mode) for f in folder.iterdir()} == {0o600}
        with pytest.raises(CheckError, match="Another evaluation is at work"):
            predict.Run(folder, IDENTITY)
    with opened(folder) as run:
        assert run.done == {("1", "overlap"): _prediction("1"), ("2", "overlap"): answer}


@pytest.mark.parametrize("kept", range(0, 800, 53))
def test_a_stop_at_any_byte_loses_only_what_was_unfinished(tmp_path: Path, kept: int) -> None:
    with opened(tmp_path / "run") as run:
        for n in range(3):
            run.add(_prediction(str(n + 1)))
    path = tmp_path / "run" / "predictions.jsonl"
    content = path.read_bytes()
    path.write_bytes(content[:kept])
    whole = content[:kept].count(b"\n")
    with opened(tmp_path / "run") as run:
        assert len(run.done) == whole
        for n in range(whole, 3):
            run.add(_prediction(str(n + 1)))
    assert path.read_bytes() == content
    lines = content.splitlines(keepends=True)
    path.write_bytes(lines[0] + b"\0\0\0\n" + lines[2])
    with opened(tmp_path / "run") as run:
        assert [*run.done] == [("1", "overlap")], "what follows a damaged line is made anew"


def test_other_code_has_another_digest_unless_it_only_shows(tmp_path: Path) -> None:
    def changed(name: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{path.read_text() if path.exists() else ''}#")
        return predict.code_digest(tmp_path)

    seen = [changed(name) for name in (
        "engine/judge/judge.py", "engine/judge/judge.py", "engine/judge/decision.json",
        "index/readers/pdf.py", "models/onnx.py", "engine/types.py",
        "engine/evaluation/predict.py", "engine/evaluation/formats.py",
    )]  # fmt: skip
    assert len({*seen}) == len(seen)
    assert changed("engine/evaluation/figures.py") == seen[-1]
    assert changed("tui/app.py") == seen[-1]
    (tmp_path / "models/onnx.py").rename(tmp_path / "models/other.py")
    assert predict.code_digest(tmp_path) not in seen


def finish(asked: Asked, models: OpenModels, tmp_path: Path) -> Answered:
    *_, last = predict.ask(asked, models, tmp_path / "runs")
    assert isinstance(last, Answered)
    return last


def test_a_limit_leaves_all_documents_in_one_library(models: OpenModels, tmp_path: Path) -> None:
    data = write_rows(tmp_path / "questions.jsonl", QUESTIONS)
    answered = finish(Asked("answer", (data,), limit=1, scope="all"), models, tmp_path)
    texts = {source.text for source in answered.loaded.sources}
    assert texts == {DOCUMENTS[name] for name in ("mill", "bees", "school", "lighthouse")}
    assert sum_up(answered).items == 1
    (said,) = answered.said["top-passage"].values()
    assert len(said.found) > 2, "also what another question brings"
    own = finish(Asked("answer", (data,), limit=1), models, tmp_path)
    assert len({source.text for source in own.loaded.sources}) == 2


def test_a_persons_own_documents_decide_in_place_of_those_of_the_set(
    models: OpenModels, tmp_path: Path
) -> None:
    documents = write_documents(tmp_path / "documents", {"mill.txt": MILL})
    folder = write_documents(tmp_path / "set", {})
    rows = [
        {"text": text, "label": label, "evidence": other}
        for text, label, other in ((TRUE, True, ""), (FALSE, False, TRUE), (UNFOUNDED, False, ""))
    ]
    data = write_rows(folder / "rows.jsonl", rows)
    judged = Asked("detect", (data,), against=(documents,))
    answered = finish(judged, models, tmp_path)
    labels = [said.label for said in answered.said["veracite"].values()]
    assert labels == ["supported", "contradicted", "not_found"], "whatever the set brings"
    assert answered.said["overlap"]["1"].score == 1, "what was found"
    (documents / "more.txt").write_text(UNFOUNDED)
    again = finish(judged, models, tmp_path)
    assert again.run != answered.run, "by other documents it is another run"
    assert [*again.said["veracite"].values()][2].label == "supported"
    with pytest.raises(InputError, match="itself is among the documents"):
        finish(replace(judged, against=(tmp_path,)), models, tmp_path)

    data = write_rows(folder / "questions.jsonl", QUESTIONS[:1])
    asked = Asked("answer", (data,), against=(documents,))
    said = {m: next(iter(p.values())) for m, p in finish(asked, models, tmp_path).said.items()}
    assert said["top-passage"].found[0] == str(documents / "mill.txt")
    assert said["top-passage"].cited == (1, 1), "by the text that the library holds"
    assert said["given"].found == ("d1", "d2"), "which the set brings"


def test_statements_are_judged_by_other_texts_of_their_model_where_that_is_asked_for(
    models: OpenModels, tmp_path: Path
) -> None:
    samples = [f"{TRUE} It was never rebuilt.", "Bees sleep at night."]
    rows = [
        {"text": text, "label": text == TRUE, "evidence": MILL, "samples": own}
        for text, own in ((TRUE, samples), (FALSE, samples), (UNFOUNDED, []))
    ]
    asked = Asked("detect", (write_rows(tmp_path / "rows.jsonl", rows),), methods=(SELFCHECK,))
    made = finish(asked, models, tmp_path)
    true, false, none = made.said[SELFCHECK].values()
    read = models.open_verifier().score([(sample, FALSE) for sample in samples])
    against = (read[:, 2] / (read[:, 0] + read[:, 2])).mean()
    assert score(false) == pytest.approx(1 - against, abs=1e-5)
    assert score(false) < score(true)
    assert (none.score, none.problem) == (None, "It has no samples.")
    assert SELFCHECK in [row.method for row in sum_up(made).methods]
    plain = finish(replace(asked, methods=()), models, tmp_path)
    assert (plain.run, SELFCHECK in plain.said) == (made.run, False)
