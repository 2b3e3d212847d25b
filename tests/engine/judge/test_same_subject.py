"""Contradicted needs a passage on the same subject and time; anything else is not found.

The real verifier and decision judge claims about a small invented library
(``same_subject.json``). Which label a single claim gets may change with them, so only the sums are
asserted, with room.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from readings import claim, evidence

from veracite.engine.events import Finished
from veracite.engine.judge.premises import Candidate
from veracite.engine.judge.sameness import apart
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Label, Verdict
from veracite.engine.workbench import Workbench
from veracite.index.documents import Sentence

DATA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "data" / "same_subject.json").read_text(encoding="utf-8")
)
CASES: list[dict[str, Any]] = DATA["claims"]
MOST_FALSE = 10
"""Of the 91 claims that nothing in the library contradicts; without the rules it is over 50."""
LEAST_TRUE = 28
"""Of the 49 that it does contradict."""


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> list[Verdict]:
    home = tmp_path_factory.mktemp("same")
    library = home / "library"
    library.mkdir()
    for document in DATA["documents"]:
        (library / document["name"]).write_text(document["text"], encoding="utf-8")
    text = "\n\n".join(case["claim"] for case in CASES)
    paths = Paths(home / "data", home / "cache", home / "config.toml")
    with Workbench(CheckSettings(), paths) as bench:
        last = list(bench.check(text, against=(library,)))[-1]
    assert isinstance(last, Finished)
    return list(last.report.verdicts)


def test_every_claim_is_judged_as_it_stands(verdicts: list[Verdict]) -> None:
    assert [v.claim.statement for v in verdicts] == [case["claim"] for case in CASES]
    assert Counter("not" in case for case in CASES).most_common() == [(True, 91), (False, 49)]


def test_what_speaks_of_something_else_contradicts_nothing(verdicts: list[Verdict]) -> None:
    wrong = {
        case["claim"]: f"{case['not']}: {verdict.explanation}"
        for case, verdict in zip(CASES, verdicts, strict=True)
        if "not" in case and verdict.label is Label.CONTRADICTED
    }
    assert len(wrong) <= MOST_FALSE, wrong


def test_what_speaks_of_the_same_still_contradicts(verdicts: list[Verdict]) -> None:
    missed = {
        case["claim"]: f"{verdict.label}: {verdict.explanation}"
        for case, verdict in zip(CASES, verdicts, strict=True)
        if "differs" in case and verdict.label is not Label.CONTRADICTED
    }
    assert 49 - len(missed) >= LEAST_TRUE, missed


def test_the_reason_is_told_and_the_passage_it_speaks_of_comes_first(
    verdicts: list[Verdict],
) -> None:
    told = [v for v in verdicts if v.explanation.startswith("The nearest passage speaks of ")]
    assert len(told) >= 15
    for verdict in told:
        assert verdict.label in (Label.NOT_FOUND, Label.UNCERTAIN)
        assert {citation.relation for citation in verdict.citations} == {"nearest"}


def why(said: str, told: str, heading: str | None = None, around: str = "") -> str | None:
    """Why a sentence does not contradict a claim."""
    passage = evidence("document", [told], heading).passage
    whole = evidence("document", [f"{around} {told}".strip()], heading).passage
    text = f"{heading}\n{whole.text}"
    sentence = Sentence(0, len(passage.text), None, told)
    return apart(claim(said), Candidate(whole, 0, sentence, 0, told, ""), lambda document: text)


@pytest.mark.parametrize(
    ("said", "told", "heading", "reason"),
    [
        ("In 2019 Harlow employed 40 people.", "In 2015 Harlow employed 62 people.", None,
         "passage speaks of 2015, not of 2019."),
        ("In 2019 Harlow employed 40 people.", "It employed 62 people.", "Harlow, report for 2015",
         "passage speaks of 2015, not of 2019."),
        ("In 2019 Harlow employed 40 people.", "From 2001 to 2015 Harlow employed 62 people.", None,
         "passage speaks of 2001 to 2015, not of 2019."),
        ("The Pell yard employed 85 people.", "The yard employed 62 people.", "Harlow yard",
         "passage speaks of Harlow, not of Pell."),
        ("The Vestby ferry carries 120 people.", "The Orlan ferry carries 300 people.", None,
         "passage speaks of Orlan, not of Vestby."),
        ("Carl Berg was born in 1931.", "Anna Berg was born in 1902.", None,
         "passage speaks of Anna Berg, not of Carl Berg."),
        ("Lumen 3 needs 8 GB.", "Lumen 2 needs 4 GB.", None,
         "passage speaks of Lumen 2, not of Lumen 3."),
        ("The trial in Sweden included 510 adults.", "The trial included 240 adults in Denmark.",
         None, "passage speaks of Denmark, not of Sweden."),
        ("The shop sells 650 loaves in summer.", "The shop sells 400 loaves in winter.", None,
         "passage speaks of winter, not of summer."),
        ("In the third quarter Harlow sold 9 boats.", "In the first quarter Harlow sold 4 boats.",
         None, "passage speaks of first quarter, not of third quarter."),
        ("The ferry carried 210 people.", "The ferry carries up to 300 people.", None,
         "passage speaks of at most 300, not of 210."),
        ("The library holds 11,400 books.", "The library holds at least 9,000 books.", None,
         "passage speaks of at least 9,000, not of 11,400."),
        ("The school in Oberau stayed open.", "In most towns the school closed.", "Oberau",
         "passage speaks only of “most towns”."),
        ("The bridge cost 15 million euros.", "The bridge was expected to cost 12 million euros.",
         None, "passage tells of a plan or forecast, not of what came of it (“expected”)."),
        ("The village was flooded.", "If the dam had broken, the village would have been flooded.",
         None, "passage tells of what would be, not of what is (“If the dam had”)."),
        ("Reit fled to Portugal.", "People said that the miller Reit had fled to Spain.", None,
         "passage tells of what was said or supposed, not of what is so (“People said”)."),
        ("In 2010 the admission for adults was £5.", "Admission for adults rose from £6 to £7.",
         None, "passage does not say what was so in 2010."),
        ("In 1999 the doors opened at 19:00.", "Doors open at 19:30.", None,
         "passage does not say what was so in 1999."),
        ("Adults paid £2 in 1998.", "It was agreed to raise adults from £5 to £7.", None,
         "passage does not say what was so in 1998."),
        ("Tom Wilk signed for Harlow in 1999.",
         "Tom Wilk scored his first goal on 16 September 1986; it was the only one against Harlow.",
         None, "sentence does not say “signed”."),
        ("The school in Ledmoor was built in 1950.", "The harbour at Ledmoor was built in 1871.",
         None, "passage speaks of the harbour, not of the school."),
        ("The lighthouse at Ledmoor has a green lamp.",
         "The Carrick Bay lighthouse has no green lamp.", None,
         "passage speaks of Carrick Bay, not of Ledmoor."),
        ("A day ticket to the lido costs £6.50.", "The repair of the lido cost £2.3 million.", None,
         "passage speaks of no day ticket."),
        ("A new ferry costs £9.", "The new kiosk costs £4.", None,
         "passage speaks of no new ferry."),
        ("Marchbank made 152 of the plates.", "Of 164 plates Marchbank made all but twelve.", None,
         "passage counts the others."),
        ("Gas came to the lido twelve years after the mains.", "Gas came to the lido in 1974.",
         None, "sentence does not say “twelve years after”."),
        ("Two of the nine plots have not been let.",
         "Nine plots fell vacant and seven of them have been let.", None,
         "passage counts the others."),
        ("Osmerby had more inhabitants in 1901 than now.",
         "Osmerby has 1,850 inhabitants, fewer than in 1901.", None,
         "passage compares the two the other way round."),
        ("On Sundays no physiotherapist is on the ward.",
         "The physiotherapists are on the ward every day except Sunday.", None,
         "passage excepts just that."),
        ("The Calder 50 holds 12 litres.", "The tank holds 6 litres.", "The Calder 30",
         "passage speaks of Calder 30, not of Calder 50."),
        ("Tom Wilk was married twice.", "It is named after Tom Wilk, who died in May.", None,
         "sentence does not say “married”."),
        ("Guests are welcome on Mondays.", "Guests are welcome on Sundays.", None,
         "passage speaks of Sundays, not of Mondays."),
        ("Tom Wilk signed for Harlow in 1999.", "Tom Wilk scored his first goal in 1986.", None,
         "sentence does not say “signed”."),
    ],
)  # fmt: skip
def test_what_sets_a_sentence_apart_is_named(
    said: str, told: str, heading: str | None, reason: str
) -> None:
    assert why(said, told, heading) == f"The nearest {reason}"


def test_a_document_that_never_names_the_subject_contradicts_nothing_about_it() -> None:
    told = "The organ was repaired at a cost of 38 pounds."
    said = "The organ of Wexcombe was repaired at a cost of 55 pounds."
    assert why(said, told) == ("The document of the nearest passage does not speak of Wexcombe.")
    assert why(said, told, around="The parish of Wexcombe met.") is None


def test_she_is_whom_the_sentence_before_names() -> None:
    told = "She was born in Lugo in 1994."
    passage = "Her sister Lucia Torres keeps goal. Ana Torres scored 31 goals."
    assert why("Lucia Torres was born in Vigo.", told, around=passage) == (
        "The nearest passage speaks of Ana Torres, not of Lucia Torres."
    )
    assert why("Ana Torres was born in Vigo.", told, around=passage) is None


@pytest.mark.parametrize(
    ("said", "told", "heading"),
    [
        ("Harlow was founded in 1931.", "Harlow was founded in 1921 by Otto Brand.", None),
        ("Harlow was founded in 1931 by Erik Sand.", "Harlow was founded in 1921 by Otto Brand.",
         None),
        ("Erik Sand founded Harlow.", "Otto Brand founded Harlow in 1921.", None),
        ("In 2015 Harlow employed 90 people.", "In 2015 the yard employed 62 people.", "Harlow"),
        ("In 2010 Harlow was led by Erik Sand.", "From 2006 to 2014 Harlow was led by Ada Lind.",
         None),
        ("In 2003 the tram was run by the city.", "Since 1988 it has been run by a cooperative.",
         "The tram"),
        ("The ferry was built in Rotterdam.", "The ferry was built in Gdansk in 1996.", None),
        ("Lumen 2 needs 16 GB.", "Lumen 2 needs 4 GB.", None),
        ("The ferry carries 310 people.", "The ferry carries up to 300 people.", None),
        ("The shop is open on Mondays.", "The shop is closed on Mondays.", None),
        ("The market is held on Mondays.", "The market is held on Sundays.", None),
        ("The glacier lies in the south.", "The glacier lies in the north.", None),
        ("Many visitors came.", "Few visitors came.", None),
        ("All ovens are heated with gas.", "Some ovens are heated with wood.", None),
        ("The bridge will cost 15 million.", "The bridge is expected to cost 12 million.", None),
        ("In 2010 the bridge was opened.", "The bridge was opened by Otto Brand.", None),
        ("In 2010 admission was £5.", "Admission was £6 in 2010.", None),
        ("The fire happened on 27 May 2007.", "On 17 May 2007 a fire destroyed the mill.", None),
        ("The rate rises to 21 per cent.", "The rate stays at 20 per cent.", None),
        ("The dome weighs 40 kg.", "The dome has a mass of 38 kg.", None),
        ("Erik Sand designed the Harlow bridge.", "The Harlow bridge is Otto Brand's work.", None),
        ("The WHO counted 40 cases.", "The World Health Organization counted 52 cases.", None),
        ("An adult ticket costs £7.", "Admission for adults has been £5 since 2019.", None),
    ],
)  # fmt: skip
def test_what_they_disagree_about_does_not_set_them_apart(
    said: str, told: str, heading: str | None
) -> None:
    assert why(said, told, heading) is None


def test_another_year_of_something_else_contradicts_nothing() -> None:
    said = "In 1850 the duck was invented."
    assert why(said, "This myth was debunked at Salford in 2003.", "Duck") == (
        "The nearest passage speaks of something else."
    )
    assert why(said, "The first duck was made of wood in 2003.", "Duck") is None
    assert why(said, "It came to be in 2003.", "Duck") is None


def test_a_time_within_the_hours_contradicts_nothing() -> None:
    told = "The pool is open from 10:00 to 17:00."
    assert "includes this one" in (why("The pool is open at noon.", told) or "")
    assert "includes" not in (why("The pool opens at noon.", told) or "")
