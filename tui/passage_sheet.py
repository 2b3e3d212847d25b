"""A quote in the text around it, as the reader of passages shows it; texts only."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from textual.content import Content

from veracite.engine.display import neutralise
from veracite.tui.flow import flow

if TYPE_CHECKING:
    from veracite.engine.surroundings import Surroundings

__all__ = ["parts"]

_PARAGRAPH = "\n\n"


def parts(found: "Surroundings") -> tuple[Content, Content, Content]:
    """What comes before the quote's paragraph, the paragraph, and what comes after."""
    text = flow(found.text.replace("\r\n", " \n"))  # no offset changes
    begin = text.rfind(_PARAGRAPH, 0, found.start)
    begin = begin + len(_PARAGRAPH) if begin >= 0 else 0
    end = text.find(_PARAGRAPH, found.end)
    end = end if end >= 0 else len(text)
    quote = neutralise(text[found.start : found.end], lines=True)
    return (
        _told(text, 0, max(0, begin - len(_PARAGRAPH)), found.pages),
        Content.assemble(
            _told(text, begin, found.start, found.pages),
            (quote, "bold underline"),
            _told(text, found.end, end, found.pages),
        ),
        _told(text, min(len(text), end + len(_PARAGRAPH)), len(text), found.pages),
    )


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
