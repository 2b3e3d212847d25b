"""Sentences in a language that the models do not read are counted for the whole text."""

import pytest

from veracite.engine.claims.segmentation import segment
from veracite.engine.judge.judge import unread
from veracite.engine.language import nothing_read, unread_note
from veracite.engine.types import Label, Verdict

GERMAN = "Die Mühle brannte im Jahr 1904 vollständig ab und wurde danach nie wieder aufgebaut."
FRENCH = "Le moulin a complètement brûlé pendant la nuit et il n'a jamais été reconstruit ensuite."
ENGLISH = "The mill burned down in the year 1904 and it was never rebuilt after that night."


def verdicts(*paragraphs: str) -> list[Verdict]:
    claims = segment("\n\n".join(paragraphs))
    return [
        unread(claim)
        if claim.not_checkable
        else Verdict(claim, Label.NOT_FOUND, 1.0, None, "rules", "")
        for claim in claims
    ]


@pytest.mark.parametrize("text", [ENGLISH, "Who rebuilt the old mill after the fire of that year?"])
def test_english_and_questions_need_no_note(text: str) -> None:
    read = verdicts(text)
    assert (unread_note(read), nothing_read(read)) == (None, False)


def test_a_wholly_foreign_text_was_not_checked() -> None:
    foreign = verdicts(GERMAN)
    assert nothing_read(foreign)
    assert unread_note(foreign) == (
        "1 of 1 sentence is in German, which the bundled models do not read; nothing was checked."
    )


def test_languages_are_named_once_each() -> None:
    mixed = verdicts(ENGLISH, ENGLISH, GERMAN, GERMAN, FRENCH)
    assert not nothing_read(mixed)
    assert unread_note(mixed) == (
        "3 of 5 sentences are in German and French, which the bundled models do not read; "
        "they were not checked."
    )
    assert (unread_note(mixed[:3]) or "").endswith("do not read; it was not checked.")
