"""What a quote plainly tells of another case is no support, whatever the verifier says."""

import pytest

from veracite.engine.comparing.premises import Candidate
from veracite.engine.judging.grounds import says_otherwise
from veracite.engine.words import Claim
from veracite.index.documents import Document, Passage, Sentence

HISTORY = "A short history of Kestrel Hill"
FOUND = "On 27 January 2003, Colin Prewett and Hana Novotná found an unknown asteroid."


def says(statement: str, sentence: str, heading: str = HISTORY) -> str | None:
    claim = Claim(statement, 0, len(statement), statement, statement)
    document = Document("history.md", "0" * 64, "md")
    passage = Passage(document, 0, len(sentence), None, heading, sentence, "p")
    return says_otherwise(claim, Candidate(passage, 0, Sentence(0, len(sentence), None, sentence)))


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("In winter it opens on Saturdays.", "In summer we open on the first Saturday only."),
        ("The dome was moved in four pieces.", "It was taken up the hill in six pieces."),
        ("Tomasz Wilk found an unknown asteroid in 2003.", FOUND),
        (
            "The old reflector is on show at Kestrel Hill.",
            "The old reflector is on show in the Wenlow town museum.",
        ),
        ("Edith Marlow became chair in 1970.", "Edith Marlow stepped down as chair in 1970."),
        ("Costs rose in 1970.", "Costs fell in 1970."),
        ("Marlow sued the council.", "The council sued Marlow in 1970 over the dome."),
        ("Children pay £4.50.", "Admission is free for children; adults pay £4.50."),
        ("The motion was carried.", "The motion was lost."),
        (
            "The works closed because of the fire of 1928.",
            "The works closed in 1931, and not, as is told, because of the fire of 1928.",
        ),
        (
            "The bricks of the station came from Osmerby.",
            "The bricks of the hall came from Osmerby; those of the station did not.",
        ),
        ("WKEY still holds a licence.", "The WKEY licence was held by WVJT."),
        ("Ann Holm is the treasurer.", "Present: Bo Lind (treasurer), Ann Holm (secretary)."),
        ("The tank of the Calder 50 holds 6 litres.", "The Calder 30 has a tank of 6 litres."),
        ("Ducks are mammals.", "Brooding ducks may be caught by mammals, such as foxes."),
        ("E4 means that the room is too cold.", "E2: the room is too cold."),
        (
            "The shuttle runs from the harbour to the market.",
            "A shuttle runs from the market to the harbour.",
        ),
    ],
)
def test_another_case_is_no_support(statement: str, sentence: str) -> None:
    assert says(statement, sentence)


def test_a_heading_with_a_part_of_a_name_does_not_make_it_the_subject() -> None:
    assert says("Tomasz Wilk found an unknown asteroid in 2003.", FOUND, "The Wilk telescope")
    assert not says("Tomasz Wilk found an unknown asteroid in 2003.", FOUND, "Tomasz Wilk")


TABLE = "Iwan Roberts Full name Iwan Wyn Roberts Years Team Apps " + "1986 Watford 63 " * 40
PROSE = "The club, which was founded in the year of the flood, is one of the oldest of all and "


@pytest.mark.parametrize(
    ("sentence", "heading", "expected"),
    [
        (TABLE, "", False),
        ("https://example.org/a/very/long/address/of-a-page?with=much&more=1 seen", "", False),
        ("Orchard (1997:112).", "Notes", False),
        ("Bellamy, Craig (2013).", "Wales > References", False),
        ("“Long-Term Pair Bonds in Harlequin Ducks”.", "Duck > Notes > Citations", False),
        ("Bird of the Year 2004.", "Duck > Notes > Sources", False),
        ("It rises from three sources.", "River > Sources", True),
        (PROSE * 8, "", True),
        ((PROSE * 8).upper(), "", True),
        ("Adults | £7", "Admission", True),
        ("TORWICK TOWN COUNCIL Report on the Closure of Fuller's Bridge, 18 June 2024", "", False),
        ("The Town Council of Torwick Closed Fuller's Bridge on 18 June 2024.", "", True),
        ("TORWICK TOWN COUNCIL CLOSED THE BRIDGE AND IT IS UNSAFE NOW", "", True),
        ("It was founded in Oslo (1990).", "", True),
        ("See https://example.org for how the club was founded.", "", True),
        ("No references are asked for.", "References needed", True),
        ("From: Ann Lee To: All Date: 6 May 2024 20:41 Subject: Re: Spring concert", "", False),
        ("From: Ann Lee To: All Subject: Re: Concert Thanks, but no.", "", True),
    ],
)
def test_a_table_run_together_or_a_reference_tells_nothing(
    sentence: str, heading: str, expected: bool
) -> None:
    document = Document("roberts.md", "0" * 64, "md")
    passage = Passage(document, 0, len(sentence), None, heading, sentence, "p")
    candidate = Candidate(passage, 0, Sentence(0, len(sentence), None, sentence))
    assert candidate.tells is expected


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("In summer it opens on Saturdays.", "In summer we open on the first Saturday only."),
        ("The dome was moved in six pieces.", "It was taken up the hill in six pieces."),
        ("Patients may still drink until six.", "You may drink water until six."),
        ("Ducks are birds.", "Ducks are birds that live with other birds."),
        (
            "The Wilk telescope was installed in October 1994.",
            "A new one was installed in October 1994 and named after Tomasz Wilk, who had died.",
        ),
        ("Two people found the asteroid.", FOUND),  # few are named one by one
        ("Colin Prewett found an unknown asteroid in 2003.", FOUND),
        ("Tomasz Wilk found an asteroid.", "He found an unknown asteroid in Penmouth."),
        ("The old reflector is on show at Wenlow.", "It is on show in the Wenlow town museum."),
        ("With the new motor a turn takes 95 seconds.", "It takes 95 seconds; the old took 200."),
        ("Photography without flash is permitted.", "Photography is permitted without flash."),
        ("Two of the members signed.", "Three of them came, and two others signed."),
        ("The observatory at Kestrel Hill opened in 1968.", "It opened in 1968."),
        ("Agnes Varga built it with Varga & Sons.", "Varga and Varga & Sons built it."),
        ("Varga & Sons built it in 1998.", "It was built by Varga & Sons in 1998."),
        ("The car park charges no fee.", "The car park is free."),
        ("The gate is not open at night.", "The gate is closed at night."),
    ],
)
def test_the_same_in_other_words_stays_support(statement: str, sentence: str) -> None:
    assert not says(statement, sentence)


@pytest.mark.parametrize(
    ("statement", "sentence", "how"),
    [
        ("Costs rose in 1970.", "Costs fell in 1970.", "opposite"),
        ("Agnes Varga built it in 1998.", "It was built by Varga & Sons in 1998.", "firm"),
        ("Karl Fenn added the wing.", "Karl Fenn drew it; Fenn & Partners added the wing.", "firm"),
        ("Four rooms are damp.", "It is damp in three rooms out of four.", "another number"),
        ("Visitors pay for the first hour.", "Parking is free for the first hour.", "opposite"),
        ("Marlow sued the council.", "The council sued Marlow in 1970.", "to whom"),
        ("Children pay £4.50.", "Admission is free for children; adults pay £4.50.", "figure"),
        ("The pool is open on Mondays.", "The pool is open daily except on Mondays.", "excepts"),
        ("The pool opens at 17:00.", "The pool is open from 10:00 to 17:00.", "other end"),
        (
            "It closes at 9:40 on Mondays.",
            "It closes at 7:15 on Mondays and at 9:40 on Fridays.",
            "another case",
        ),
    ],
)
def test_it_is_told_how(statement: str, sentence: str, how: str) -> None:
    assert how in (says(statement, sentence) or "")
