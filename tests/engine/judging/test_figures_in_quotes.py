"""A claim whose figure stands in no quote is not supported by it."""

from pathlib import Path

import pytest

from veracite.engine.events import Finished
from veracite.engine.judging.grounds import states_figures
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.words import Label
from veracite.engine.workbench import Workbench

SAMPLES = Path(__file__).parents[2] / "samples" / "library"
OPENED = "It was taken up the hill in six pieces, and the observatory opened on 21 September 1968."


@pytest.mark.parametrize(
    ("statement", "stated"),
    [
        ("The observatory opened in September 1968.", True),
        ("About 500 people came to the opening in 1968.", False),
        ("It opened on 22 September 1968.", False),
        ("It had two owners, and it opened in 1968.", True),  # few are named one by one
        ("It was the first of its kind.", True),
        ("Some 40 percent of the people came.", False),
    ],
)
def test_every_figure_must_stand_in_the_quotes_small_numbers_aside(
    statement: str, stated: bool
) -> None:
    assert states_figures(statement, [OPENED]) is stated


def test_figures_may_stand_in_different_quotes() -> None:
    statement = "In 1968 some 500 people came."
    assert not states_figures(statement, [OPENED])
    assert states_figures(statement, [OPENED, "We counted 503 people at the gate."])


def test_a_claim_with_a_figure_of_its_own_is_not_supported(tmp_path: Path) -> None:
    """The verifier takes this one for supported, with 68 %."""
    paths = Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")
    text = "About 500 people came to the opening in 1968."
    with Workbench(CheckSettings(), paths) as bench:
        last = list(bench.check(text, against=(SAMPLES,)))[-1]
    assert isinstance(last, Finished)
    (verdict,) = last.report.verdicts
    assert verdict.scores
    assert verdict.scores.supported > 0.6
    assert verdict.label is Label.UNCERTAIN
    assert "500" in verdict.explanation
