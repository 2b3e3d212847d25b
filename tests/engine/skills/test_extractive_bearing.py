"""Quotes that speak plainly of something else than the question answer nothing."""

from collections.abc import Sequence

import pytest

from veracite.engine.skills.extractive.bearing import about, bearing
from veracite.engine.skills.extractive.questions import Question
from veracite.engine.skills.extractive.quotes import quotes_of
from veracite.index.memory import MemoryLibrary, Text

YARD = Text(
    "yard.txt",
    "The keel of the Olympic was laid first, and the Titanic followed. The Olympic was launched on "
    "20 October 1910. The Titanic was launched on 31 May 1911. The liner had three screws. "
    "Thomas Andrews launched a boat in 1909. Harland & Wolff launched her on a Wednesday. "
    "Apollo 11 landed on 20 July 1969. Apollo 12 landed on 19 November 1969.",
)
OTHER = Text(
    "bridge.txt", "A bridge is launched from its piers. It was launched in 1932 over the river."
)


def kept(question: str, texts: Sequence[Text]) -> list[str]:
    library = MemoryLibrary(texts, None)
    (found,) = library.search_many(["launched landed"], k=9, mode="lexical")
    passages = [item.passage for item in found]
    quotes = quotes_of(passages, library.sentences, library.raw_text)
    return [quote.text for quote in bearing(Question(question), quotes, library.raw_text)]


def test_another_of_the_same_kind_is_refused_and_what_may_be_meant_stays() -> None:
    found = kept("When was the Titanic launched?", [YARD])
    assert "The Olympic was launched on 20 October 1910." not in found
    assert "The Titanic was launched on 31 May 1911." in found
    assert "The liner had three screws." in found
    assert "Harland & Wolff launched her on a Wednesday." in found, "her may be the Titanic"
    assert "Thomas Andrews launched a boat in 1909." in found, "a person is no other ship"


@pytest.mark.parametrize(
    "question",
    [
        "When was the Olympic launched?",
        "Were the Titanic and the Olympic launched in one year?",
        "Which ship was launched before the Titanic?",
        "when was the titanic launched",
    ],
)
def test_what_the_question_names_or_asks_for_is_not_refused(question: str) -> None:
    assert "The Olympic was launched on 20 October 1910." in kept(question, [YARD])


def test_another_number_is_another_thing() -> None:
    found = kept("When did Apollo 11 land?", [YARD])
    assert "Apollo 11 landed on 20 July 1969." in found
    assert "Apollo 12 landed on 19 November 1969." not in found


def test_a_document_without_any_name_of_the_question_is_refused_beside_one_with() -> None:
    foreign = "A bridge is launched from its piers."
    assert foreign not in kept("When was the Titanic launched?", [YARD, OTHER])
    assert foreign in kept("When was the Lusitania launched?", [YARD, OTHER])
    assert foreign in kept("When was the ship launched on TV?", [YARD, OTHER])
    assert foreign in kept("When was the Titanic launched?", [OTHER])
    assert foreign not in kept("When did Thomas Andrews launch a boat?", [YARD, OTHER])
    for named in (
        Text("titanic.txt", OTHER.text),
        Text("a.txt", f"{OTHER.text} Like the titanic."),
    ):
        assert foreign in kept("When was the Titanic launched?", [YARD, named])
    initials = Text("a.txt", f"{OTHER.text} TA saw it.")
    assert foreign in kept("When did Thomas Andrews launch a boat?", [YARD, initials])


def test_a_heading_tells_of_what_a_document_speaks() -> None:
    headed = Text("a.txt", "A bridge is launched from its piers.", "Titanic")
    assert headed.text in kept("When was the Titanic launched?", [YARD, headed])


def test_what_a_document_begins_with_is_said_of_all_of_it() -> None:
    report = Text(
        "report.pdf",
        "The accident happened at Madill. " + "The sky was clear and the wind was light. " * 30
        + "The pilot lost control of the airplane.",
    )  # fmt: skip
    library = MemoryLibrary([report], None)
    (found,) = library.search_many(["accident pilot lost control"], k=9, mode="lexical")
    quotes = quotes_of([i.passage for i in found], library.sentences, library.raw_text)
    asked = Question("Why did the pilot at Madill lose control?")
    told = {quote.text: quote.about for quote in about(asked, quotes, library.raw_text)}
    assert told["The pilot lost control of the airplane."] == {"madill"}
    assert not told["The accident happened at Madill."], "it says so itself"
    assert asked.without({"madill"}) == "Why did the pilot at lose control?"


def test_what_is_said_of_a_relative_is_not_said_of_whom_is_asked_of() -> None:
    family = Text(
        "family.txt",
        "Anna Berg was launched as an actress in Split. Anna Berg's brother Marko was launched as a"
        " writer in Zadar. Anna Berg's career was launched by luck. Anna Berg's play about a"
        " brother was launched in Rome.",
    )
    brother = "Anna Berg's brother Marko was launched as a writer in Zadar."
    found = kept("Where was Anna Berg launched?", [family])
    assert brother not in found
    assert len(found) == 3
    assert brother in kept("Where was Anna Berg's brother launched?", [family])
    assert brother in kept("Who was launched before Anna Berg?", [family])
