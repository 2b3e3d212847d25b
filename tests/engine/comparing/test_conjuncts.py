"""A claim that puts together what a sentence says apart is not supported by it."""

from pathlib import Path

import pytest

from veracite.engine.comparing.conjuncts import names_nowhere, put_together
from veracite.engine.events import Finished
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.words import Label
from veracite.engine.workbench import Workbench

STUDIES = "Anna Kovač studied in Prague and teaches in Leeds."
BUILDINGS = "The school has two buildings: the old one was built in 1904 and the new one in 1968."
HOURS = "The library opens at 8:30 and closes at 17:00."
MUSEUM = "The harbour museum was founded in 1961 and closed in 1993."
TICKETS = "Tickets cost £4 for children and £9 for adults."
BIRTH = (
    "Iwan Wyn Roberts was born in Bangor, Gwynedd, on 26 June 1968, and grew up in Barmouth, Wales."
)


@pytest.mark.parametrize(
    ("quote", "swapped", "right"),
    [
        (STUDIES, "Anna Kovač teaches in Prague.", "Anna Kovač teaches in Leeds."),
        (STUDIES, "Anna Kovač studied in Leeds.", "Anna Kovač studied in Prague."),
        (BUILDINGS, "The new building was built in 1904.", "The new building was built in 1968."),
        (BUILDINGS, "The old building was built in 1968.", "The old building was built in 1904."),
        (HOURS, "The library closes at 8:30.", "The library closes at 17:00."),
        (HOURS, "The library opens at 17:00.", "The library opens at 8:30."),
        (MUSEUM, "The museum was closed in 1961.", "The museum was closed in 1993."),
        (MUSEUM, "The museum was founded in 1993.", "The museum was founded in 1961."),
        (TICKETS, "Tickets cost £9 for children.", "Tickets cost £4 for children."),
        (TICKETS, "Tickets for adults cost £4.", "Tickets for adults cost £9."),
        (BIRTH, "Iwan Roberts was born in Barmouth.", "Iwan Roberts was born in Bangor."),
        (BIRTH, "Roberts was born in Barmouth, Wales.", "Roberts was born in Bangor, Wales."),
    ],
)
def test_a_fact_must_stand_in_the_conjunct_of_the_claims_other_words(
    quote: str, swapped: str, right: str
) -> None:
    assert not put_together(swapped, [quote])
    assert put_together(right, [quote])


@pytest.mark.parametrize(
    ("quote", "statement"),
    [
        ("He played for Leicester, Watford and Norwich City in 1993.", "He played for Norwich."),
        ("He won gold medals in Sydney and Athens.", "He won gold in Athens."),
        ("He was born on June 26, 1968, and died in Paris in 1990.", "He was born in 1968."),
        (MUSEUM, "The museum existed until 1993."),
        (MUSEUM, "The museum was founded in 1961 and closed in 1993."),
    ],
)
def test_what_a_list_shares_or_nobody_can_tell_is_left_alone(quote: str, statement: str) -> None:
    assert put_together(statement, [quote])


def test_another_quote_may_say_it() -> None:
    assert put_together("The library closes at 8:30.", [HOURS, "On Sundays it closes at 8:30."])


def test_names_behind_the_verb_are_looked_for_in_any_form() -> None:
    text = "Iwan Roberts grew up in Norway and came to the Football League in 1986."
    (lacking,) = names_nowhere("Roberts played in Cardiff in 1986.", [text])
    assert lacking.text == "Cardiff"
    assert not names_nowhere("Roberts had a Norwegian coach and joined the FL.", [text])
    assert not names_nowhere("Cardiff was where he lived.", [text])


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """A folder with one page of sentences of two facts each."""
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "notes.md").write_text(f"{STUDIES}\n\n{HOURS}\n\n{MUSEUM}\n", "utf-8")
    return folder


def test_swapped_facts_are_uncertain_and_the_true_ones_supported(
    tmp_path: Path, papers: Path
) -> None:
    """The verifier alone takes the first three for supported, with about 90 %."""
    paths = Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")
    text = (
        "Anna Kovač teaches in Prague.\n\nThe library closes at 8:30.\n\n"
        "The harbour museum was closed in 1961.\n\nThe library closes at 17:00.\n\n"
        "The harbour museum was closed in 1993.\n"
    )
    with Workbench(CheckSettings(), paths) as bench:
        last = list(bench.check(text, against=(papers,)))[-1]
    assert isinstance(last, Finished)
    labels = [verdict.label for verdict in last.report.verdicts]
    assert labels == [Label.UNCERTAIN] * 3 + [Label.SUPPORTED] * 2
    assert all(v.scores and v.scores.supported > 0.6 for v in last.report.verdicts)
