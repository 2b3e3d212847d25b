"""Numbers and dates: what a claim says beside what the evidence says."""

import pytest

from veracite.engine.judge.weighing import Outcome, is_near, weigh
from veracite.engine.wording.quantities import extract, measures


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("born March 31, 1942", (1942, 3, 31)),
        ("born 31 March 1942", (1942, 3, 31)),
        ("on 1942-03-31", (1942, 3, 31)),
        ("in Sept. 1942", (1942, 9, None)),
        ("on 5 May", (None, 5, 5)),
        ("in 1942", (1942, None, None)),
        ("on 11/30/2007", (2007, 11, 30)),
        ("on 30.11.2007", (2007, 11, 30)),
    ],
)
def test_dates_are_read_in_every_form(text: str, date: tuple[int | None, ...]) -> None:
    (found,) = extract(text)
    assert (found.kind, found.date) == ("date", date)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("3,512,000 copies", "number", 3_512_000),
        ("3.5 million copies", "number", 3_500_000),
        ("two hundred and fifty horses", "number", 250),
        ("forty-five per cent", "percent", 45),
        ("$20 million", "money", 20_000_000),
        ("the 2nd floor", "ordinal", 2),
        ("at 17:30", "time", 1050),
        ("at 5:30 p.m.", "time", 1050),
        ("at 12:00 am", "time", 0),
        ("at 1045 CST", "time", 645),
    ],
)
def test_numbers_are_read_in_every_form(text: str, kind: str, value: float) -> None:
    (found,) = extract(text)
    assert (found.kind, found.value) == (kind, value)


@pytest.mark.parametrize("text", ["no one came", "one of them", "model T2000", "nothing at all"])
def test_what_is_no_quantity_is_left_alone(text: str) -> None:
    assert extract(text) == ()


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        ("born 31 March 1942", "born March 31, 1942", "match"),
        ("born in 1942", "born March 31, 1942", "match"),
        ("born 31 March 1942", "born in 1942", "conflict"),
        ("in the 1980s", "in 1991", "conflict"),
        ("3.5 million copies", "3,512,000 copies", "match"),
        ("about 3,400 copies", "3,512 copies", "match"),
        ("more than 3,400 copies", "3,512 copies", "match"),
        ("more than 3,400 copies", "3,212 copies", "conflict"),
        ("nearly 3,400 copies", "3,512 copies", "conflict"),
        ("3,512 copies", "over 3,500 copies", "match"),
        ("4 May 2019", "on 3/5/2019", "conflict"),
        ("at 10:45", "at 1045 local time", "match"),
        ("at 10:45", "1045 boats", "missing"),
        ("twelve boats", "12% of boats", "missing"),
        ("in 1995", "the 1993-94 season", "conflict"),
        ("in 1912", "since 1911-10 in all", "conflict"),
        ("5.5 km wide", "5.5 metres wide", "conflict"),
        ("2,100 kg", "2.1 tonnes", "match"),
        ("about sixty members", "the door opens below 60 °C", "conflict"),
        ("12 boats", "12 km", "conflict"),
        ("sixty members", "60 people", "match"),
        ("half past nine", "at 9:30 pm", "match"),
        ("less than half of the boats", "45 percent of the boats", "match"),
        ("half of the boats", "45 percent of the boats", "conflict"),
        ("60", "60 °C", "match"),
    ],
)
def test_quantities_meet_their_own_kind(claim: str, evidence: str, outcome: Outcome) -> None:
    (comparison,) = weigh(measures(claim), measures(evidence))
    assert comparison.outcome == outcome


@pytest.mark.parametrize(
    ("claim", "evidence", "near"),
    [
        ("in 1872", "in 1871", True),
        ("in 1872", "in 1901", False),
        ("on 5 March 1968", "on 4 March 1968", True),
        ("on 3 March", "on 28 November", False),
        ("at 18:30", "at 18:00", True),
        ("at 18:30", "at 9:00", False),
        ("three rooms", "four rooms", True),
        ("12 per cent", "15 per cent", True),
        ("12 per cent", "50 per cent", False),
        ("131 feet", "131 metres", True),
        ("60 mph", "60 miles per hour", False),
        ("$99.89", "$99.99", True),
        ("41 metres", "4000 cm", True),
    ],
)
def test_near_figures_are_told_from_others(claim: str, evidence: str, near: bool) -> None:
    assert any(map(is_near, weigh(measures(claim), measures(evidence)))) is near


def test_a_number_that_matches_is_no_conflict_for_another() -> None:
    outcomes = [c.outcome for c in weigh(measures("from 1942 to 1950"), measures("in 1942"))]
    assert outcomes == ["match", "missing"]


def test_spans_point_at_the_words() -> None:
    text = "It cost $20 million in May 2010."
    assert [text[q.start : q.end] for q in extract(text)] == ["$20 million", "May 2010"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It expires on 20 July.", ["20 July"]),
        ("It expired on 3 Jan. 2020.", ["3 Jan. 2020"]),
        ("In the COVID-19 pandemic", []),
        ("In the mid-1990s", ["1990s"]),
        ("Those under 18 may enter on 3 May.", ["18", "3 May"]),
        ("It opens at 9 in the morning.", ["9 in the morning"]),
    ],
)
def test_a_quantity_ends_where_its_words_do(text: str, expected: list[str]) -> None:
    assert [measure.quantity.text for measure in measures(text)] == expected
