"""Statements are judged as the product judges claims, and by simpler measures beside it."""

from dataclasses import replace

import pytest

from veracite.engine.evaluation.items import METHODS, Prediction, Source, Statement
from veracite.engine.evaluation.predict import StatementJudge, apart, claims_of
from veracite.engine.models import OpenModels

MILL = (
    "The Harrow mill burned down in 1904. It was never rebuilt. Its owner was Anna Berg, who had "
    "bought it from her uncle in 1889."
)
TRUE = "The Harrow mill burned down in 1904."
FALSE = "The Harrow mill burned down in 1911."
UNFOUNDED = "The mayor of Lisbon collects postage stamps from Peru."


def statement(text: str, *sources: str, before: tuple[str, ...] = (), name: str = "s") -> Statement:
    found = tuple(Source(f"{name}/{place}", source) for place, source in enumerate(sources))
    return Statement(name, name, text, True, "true", found, before)


def texts(of: Statement) -> list[str]:
    return [claim.statement for claim in claims_of(of)]


def test_the_text_before_is_context_and_no_claim() -> None:
    before = ("Anna Berg was born in Harrow.", "Anna Berg bought a mill.")
    assert texts(statement("It burned. It shut.")) == ["It burned.", "It shut."], "as a draft is"
    (claim,) = claims_of(statement("She sold it in 1911.", before=before))
    assert claim.statement == "She sold it in 1911."
    assert "Anna Berg" in claim.query
    (alone,) = claims_of(statement("She sold it in 1911."))
    assert "Anna Berg" not in alone.query


@pytest.mark.parametrize(
    ("before", "text"),
    [
        (("She was born in the town of",), "Harrow."),
        (("She was born in",), "Harrow. She bought a mill."),
        (("Her uncle sold it to J.",), "Berg in 1889."),
    ],
)
def test_where_a_sentence_runs_over_the_border_the_sets_border_counts(
    before: tuple[str, ...], text: str
) -> None:
    assert texts(statement(text, before=before)) == texts(statement(text))
    assert "".join(texts(statement(text, before=before))).startswith(text.split(".")[0])


def said_of(
    models: OpenModels, *statements: Statement, lenient: bool = False
) -> dict[tuple[str, str], Prediction]:
    """The predictions by item and method, of statements that are given ids by their place."""
    named = [replace(s, id=str(place)) for place, s in enumerate(statements)]
    collection = apart([s.sources for s in named], models.open_encoder())
    judge = StatementJudge(models.judge(), models.search, lenient)
    made = list(judge.predictions(named, collection))
    found = {(p.item, p.method): p for p in made}
    assert len(found) == len(made) == len(named) * len(METHODS["detect"])
    return found


def score(prediction: Prediction) -> float:
    assert prediction.score is not None
    return prediction.score


def test_statements_get_the_products_labels_and_are_as_true_as_their_least_true_claim(
    models: OpenModels,
) -> None:
    said = said_of(
        models, *(statement(text, MILL) for text in (TRUE, FALSE, UNFOUNDED, f"{TRUE} {FALSE}"))
    )
    assert [said[str(n), "veracite"].label for n in range(4)] == [
        "supported", "contradicted", "not_found", "contradicted",
    ]  # fmt: skip
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
    spent = [said["0", m].seconds for m in ("length", "similarity", "verifier", "veracite")]
    assert spent == sorted(spent), "the product takes the time of all its parts"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (f"{TRUE} {UNFOUNDED}", "not_found"),
        (f"{FALSE} {UNFOUNDED}", "contradicted"),
        (f"{TRUE} Who rebuilt it?", "supported"),
        ("Who rebuilt it?", "not_checkable"),
    ],
)
def test_the_worst_label_of_the_claims_is_the_statements(
    models: OpenModels, text: str, label: str
) -> None:
    assert said_of(models, statement(text, MILL))["0", "veracite"].label == label


def test_a_statement_without_documents_has_found_nothing(models: OpenModels) -> None:
    said = said_of(models, statement(TRUE))
    assert said["0", "veracite"].label == "not_found"
    assert {score(said["0", m]) for m in ("veracite", "verifier", "overlap", "similarity")} == {0}
    assert said["0", "veracite"].problem is None
    lenient = said_of(models, statement(TRUE), lenient=True)
    assert score(lenient["0", "veracite"]) == 1.0, "nothing contradicts it"


def test_a_statement_without_a_sentence_is_a_problem(models: OpenModels) -> None:
    said = said_of(models, statement("---", MILL), statement(TRUE, MILL))
    assert said["0", "veracite"].problem
    assert said["0", "veracite"].label == "not_checkable"
    assert said["1", "veracite"].problem is None


def test_not_to_be_contradicted_is_enough_where_the_set_asks_no_more(models: OpenModels) -> None:
    said = said_of(models, *(statement(t, MILL) for t in (TRUE, FALSE, UNFOUNDED)), lenient=True)
    scores = [score(said[str(n), "veracite"]) for n in range(3)]
    assert min(scores[0], scores[2]) > 0.7
    assert scores[1] < 0.4


def test_overlap_is_the_share_of_words_that_the_documents_and_titles_have(
    models: OpenModels,
) -> None:
    titled = Statement("s", "s", TRUE, True, "true", (Source("a", "It burned.", "Harrow mill"),))
    untitled = statement(TRUE, "It burned.")
    said = said_of(models, untitled, titled, statement(TRUE, MILL), statement("Owls hoot.", MILL))
    least, more, all_words, none = (score(said[str(n), "overlap"]) for n in range(4))
    assert 0 < least < more < all_words == 1, "the title has two more words, and not the year"
    assert none == 0
