"""From features to a label with a probability."""

import numpy as np
import pytest
from readings import CONTRADICTED, NEUTRAL, SUPPORTED, claim, evidence, reading

from veracite.engine.judging.decision import bundled_decision, label_of
from veracite.engine.judging.features import NAMES, features
from veracite.engine.words import Label, Scores

MILL = evidence("mill", ["The mill burned down in 1904.", "It stood by the river."], "Mill")


def feature(name: str, said: str, rows: tuple[float, float, float] = NEUTRAL) -> float:
    values = features(reading(claim(said), [MILL], [rows], {}, joint=rows))
    assert values.shape == (len(NAMES),)
    return float(values[NAMES.index(name)])


def test_the_bundled_decision_was_fitted_on_the_features_of_this_code() -> None:
    assert bundled_decision().features == NAMES


@pytest.mark.parametrize(
    ("scores", "label", "probability"),
    [
        (Scores(0.7, 0.2, 0.1), Label.SUPPORTED, 0.7),
        (Scores(0.1, 0.2, 0.7), Label.CONTRADICTED, 0.7),
        (Scores(0.1, 0.8, 0.1), Label.NOT_FOUND, 0.8),
        (Scores(0.5, 0.3, 0.2), Label.UNCERTAIN, 0.5),
    ],
)
def test_the_leading_reading_is_the_label_unless_it_is_too_weak(
    scores: Scores, label: Label, probability: float
) -> None:
    assert label_of(scores, uncertain_below=0.6) == (label, probability)


def test_scores_are_probabilities() -> None:
    decision = bundled_decision()
    for rows in (SUPPORTED, NEUTRAL, CONTRADICTED):
        said = reading(claim("The mill burned down in 1904."), [MILL], [rows], {}, joint=rows)
        scores = decision.scores(features(said))
        assert scores.supported + scores.neutral + scores.contradicted == pytest.approx(1)
        assert min(scores.supported, scores.neutral, scores.contradicted) >= 0


@pytest.mark.parametrize(
    ("denied", "outvoted"),
    [("The bell was installed in October 1987.", True), ("The tower was repaired in 1989.", False)],
)
def test_what_is_read_jointly_does_not_outvote_a_plain_denial(denied: str, outvoted: bool) -> None:
    hall = evidence(
        "hall", ["The bell was installed in October 1987.", "The tower was repaired in 1989."]
    )
    said = reading(
        claim("The bell was installed in October 1989."),
        [hall],
        [SUPPORTED],
        {denied: CONTRADICTED},
        joint=SUPPORTED,
    )
    told = dict(zip(NAMES, features(said), strict=True))
    assert bool(told["supported jointly"] < 0) is outvoted
    assert bool(told["supported by a passage"] < 0) is outvoted


def test_the_verifiers_word_counts() -> None:
    decision = bundled_decision()

    def supported(rows: tuple[float, float, float]) -> float:
        said = reading(
            claim("The mill burned in 1904."),
            [MILL],
            [rows],
            {"The mill burned down in 1904.": rows},
            joint=rows,
        )
        return decision.scores(features(said)).supported

    assert supported(SUPPORTED) > supported(NEUTRAL) > supported(CONTRADICTED)


@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        ("coverage by a sentence", "The bridge fell.", "The mill burned."),
        ("names missing everywhere", "The mill burned.", "The mill of Anna Berg burned."),
        ("numbers in conflict", "The mill burned in 1904.", "The mill burned in 1911."),
        ("numbers found in a passage", "The mill burned in 1911.", "The mill burned in 1904."),
        ("negation differs", "The mill burned down.", "The mill never burned down."),
        ("stated word for word", "In 1904 the mill burned.", "The mill burned down in 1904."),
        ("word pairs in common", "Down the mill 1904 burned.", "The mill burned down in 1904."),
    ],
)
def test_a_plain_measure_rises_with_what_it_measures(name: str, low: str, high: str) -> None:
    assert feature(name, low) < feature(name, high)


def test_features_are_finite_whatever_the_probabilities() -> None:
    for rows in ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0)):
        values = features(reading(claim("A"), [MILL], [rows], {}, joint=rows))
        assert np.isfinite(values).all()
