"""Sentences in a language that the models do not read are counted for the whole text."""

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


def test_languages_are_named_once_each() -> None:
    mixed = verdicts(ENGLISH, ENGLISH, GERMAN, GERMAN, FRENCH)
    assert not nothing_read(mixed)
    assert unread_note(mixed) == (
        "3 of 5 sentences are in German and French, which the bundled models do not read; "
        "they were not checked."
    )
    assert (unread_note(mixed[:3]) or "").endswith("do not read; it was not checked.")
