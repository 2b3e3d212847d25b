"""Choosing between two answers: by score, and by a drawn order where scores are equal."""

from veracite.engine.evaluation.items import METHODS, Choice, Prediction, Source
from veracite.engine.evaluation.predict import StatementJudge, apart
from veracite.engine.evaluation.predict import chosen as choose
from veracite.engine.models import OpenModels

MILL = (Source("mill", "The Harrow mill burned down in 1904. It was never rebuilt."),)
QUESTION = "When did the Harrow mill burn down?"


def choice(name: str, right: str, wrong: str) -> Choice:
    return Choice(name, QUESTION, right, wrong, MILL)


def chosen(
    models: OpenModels, *choices: Choice, seed: int = 0
) -> dict[tuple[str, str], Prediction]:
    judge = StatementJudge(models.judge(), models.search, False)
    collection = apart([c.sources for c in choices for _ in range(2)], models.open_encoder())
    made = list(choose(judge, choices, collection, seed))
    assert len(made) == len(choices) * len(METHODS["choose"])
    return {(p.item, p.method): p for p in made}


def test_the_answer_that_the_documents_support_is_chosen(models: OpenModels) -> None:
    told = chosen(
        models,
        choice("a", "It burned down in 1904.", "It burned down in 1911."),
        choice("b", "It burned down in 1904.", "It never burned."),
    )
    for name in "ab":
        assert told[name, "veracite"].label == told[name, "verifier"].label == "right"
        assert (told[name, "veracite"].score or 0) > 0.2
    assert [told[name, "shorter"].score for name in "ab"] == [0, -7]
    assert told["b", "shorter"].label == "wrong"
    assert told["a", "shorter"].label == told["a", "first"].label


def test_equal_scores_fall_to_whoever_comes_first(models: OpenModels) -> None:
    same = [choice(str(n), "It burned.", "It burned.") for n in range(6)]
    told = chosen(models, *same)
    for method in METHODS["choose"]:
        labels = [told[c.id, method].label for c in same]
        assert labels == [told[c.id, "first"].label for c in same], method
        assert {*labels} == {"right", "wrong"}, method


def test_the_order_is_drawn_from_the_seed_and_the_choice_alone(models: OpenModels) -> None:
    def firsts(names: range, seed: int) -> list[str | None]:
        same = [choice(str(n), "It burned.", "It burned.") for n in names]
        told = chosen(models, *same, seed=seed)
        return [told[c.id, "first"].label for c in same]

    told = firsts(range(40), 0)
    assert firsts(range(39, -1, -1), 0) == told[::-1]
    assert firsts(range(40), 1) != told
    assert 10 < told.count("right") < 30
