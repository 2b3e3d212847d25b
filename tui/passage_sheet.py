"""A quote in the text around it, as the reader of passages shows it; texts only."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from veracite.engine.display import neutralise
from veracite.tui.flow import flow
from veracite.tui.quotes import cut, deciding, window

if TYPE_CHECKING:
    from veracite.engine.surroundings import Surroundings

__all__ = ["Parts", "parts"]

_PARAGRAPH = "\n\n"
_LONGEST, _KEPT = 12_000, 4_000
"""Characters of a quote that is shown whole, and those that are kept of a longer one."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A stretch of a document."""

    before: Content
    paragraph: Content
    """With the quote in it."""
    after: Content
    place: int = 0
    """The character of the paragraph that is to be seen first."""


def parts(found: "Surroundings", claim: str = "") -> Parts:
    """What comes before the quote's paragraph, the paragraph, and what comes after.

    Args:
        claim: What the quote is to bear out or refute, if there is such a thing.
    """
    text = flow(found.text.replace("\r\n", " \n"))  # no offset changes
    begin = text.rfind(_PARAGRAPH, 0, found.start)
    begin = begin + len(_PARAGRAPH) if begin >= 0 else 0
    end = text.find(_PARAGRAPH, found.end)
    end = end if end >= 0 else len(text)
    lead = _told(text, begin, found.start, found.pages)
    shown, place = _quote(text[found.start : found.end], claim)
    return Parts(
        _told(text, 0, max(0, begin - len(_PARAGRAPH)), found.pages),
        Content.assemble(lead, (shown, "bold underline"), _told(text, found.end, end, found.pages)),
        _told(text, min(len(text), end + len(_PARAGRAPH)), len(text), found.pages),
        len(lead.plain) + place,
    )


def _quote(quote: str, claim: str) -> tuple[str, int]:
    """As much of it as is shown, and where in that the words are that it has of the claim's."""
    start, end = window(quote, claim, _LONGEST, _KEPT)
    before, after = cut(quote, start, end)
    place = start + deciding(quote[start:end], claim)
    head = f"{before}{neutralise(quote[start:place], lines=True)}"
    return f"{head}{neutralise(quote[place:end], lines=True)}{after}", len(head)


def _told(text: str, start: int, end: int, pages: tuple[tuple[int, int], ...]) -> Content:
    """A stretch of the text, a line before each page that begins in it."""
    return Content.assemble(*_pieces(text, start, end, pages))


def _pieces(
    text: str, start: int, end: int, pages: tuple[tuple[int, int], ...]
) -> Iterator[str | tuple[str, str]]:
    for place, page in pages:
        if start <= place < end:
            yield neutralise(text[start:place], lines=True)
            apart = "" if text[:place].endswith(_PARAGRAPH) else "\n"
            yield (f"{apart}── page {page} ──\n", "$primary")
            start = place
    yield neutralise(text[start:end], lines=True)
