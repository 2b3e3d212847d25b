"""Words thrown in are left out of what is read; what carries meaning stays."""

import pytest

from veracite.engine.wording.asides import without_asides


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("It was built in Hull, of all places.", "It was built in Hull."),
        ("A boat, of all things, hung there.", "A boat hung there."),
        ("Ada, in fact, sold the barn.", "Ada sold the barn."),
        ("In fact, the barn was sold.", "the barn was sold."),
        ("It turns out that the barn was sold.", "the barn was sold."),
        ("As it happens, Ada sold it.", "Ada sold it."),
        ("She won twice, no less.", "She won twice."),
        ("The King came, of course!", "The King came!"),
    ],
)
def test_an_aside_is_left_out(statement: str, said: str) -> None:
    assert without_asides(statement) == said


@pytest.mark.parametrize(
    "statement",
    [
        "The first of all places to be lit was Hull.",
        "Man is the measure of all things.",
        "Hull is the wettest of all places.",
        "The site, Indeed, was founded in 2004.",
        "Her film, Believe It or Not, won.",
        "It turns out that way.",
        "In fact checking it is known.",
        "No less than nine came.",
        "Of course books, nine were sold.",
        "Nine came, no less than in May.",
        "Indeed is a job site.",
        "It was built in Hull.",
    ],
)
def test_what_is_no_aside_stays(statement: str) -> None:
    assert without_asides(statement) == statement
