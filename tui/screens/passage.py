"""Readers for a quote or a passage, with what stands around it in its document."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.engine.types import Citation, Verdict
from veracite.tui.desktop import show_document
from veracite.tui.keys import bindings
from veracite.tui.quotes import cut, deciding, window
from veracite.tui.service import place_of
from veracite.tui.texts import flow
from veracite.tui.worker import Runner, apart

if TYPE_CHECKING:
    from veracite.engine.surroundings import Surroundings

_PARAGRAPH = "\n\n"
_LONGEST, _KEPT = 12_000, 4_000
"""Characters of a quote that is shown whole, and those that are kept of a longer one."""


Parts = tuple[Content, Content, Content, int]
"""What comes before the quote's paragraph, the paragraph, what comes after, and the character of
the paragraph that is to be seen first."""


def parts(found: "Surroundings", claim: str = "") -> Parts:
    """A stretch of a document.

    Args:
        claim: What the quote is to bear out or refute, if there is such a thing.
    """
    text = flow(found.text.replace("\r\n", " \n"))  # no offset changes
    begin = text.rfind(_PARAGRAPH, 0, found.start)
    begin = begin + len(_PARAGRAPH) if begin >= 0 else 0
    end = text.find(_PARAGRAPH, found.end)
    end = end if end >= 0 else len(text)
    lead = _told(text, begin, found.start, found.pages)
    shown, place = _shown_quote(text[found.start : found.end], claim)
    return (
        _told(text, 0, max(0, begin - len(_PARAGRAPH)), found.pages),
        Content.assemble(lead, (shown, "bold underline"), _told(text, found.end, end, found.pages)),
        _told(text, min(len(text), end + len(_PARAGRAPH)), len(text), found.pages),
        len(lead.plain) + place,
    )


def _shown_quote(quote: str, claim: str) -> tuple[str, int]:
    """As much of it as is shown, and where in that the words are that it has of the claim's."""
    start, end = window(quote, claim, _LONGEST, _KEPT)
    before, after = cut(quote, start, end)
    place = start + deciding(quote[start:end], claim)
    head = f"{before}{neutralise(quote[start:place], lines=True)}"
    return f"{head}{neutralise(quote[place:end], lines=True)}{after}", len(head)


def _told(text: str, start: int, end: int, pages: tuple[tuple[int, int], ...]) -> Content:
    """A stretch of the text, a line before each page that begins in it."""
    told: list[str | tuple[str, str]] = []
    for place, page in pages:
        if start <= place < end:
            apart = "" if text[:place].endswith(_PARAGRAPH) else "\n"
            told.append(neutralise(text[start:place], lines=True))
            told.append((f"{apart}── page {page} ──\n", "$primary"))
            start = place
    return Content.assemble(*told, neutralise(text[start:end], lines=True))


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A stretch of a document that is read with what stands around it."""

    title: str
    file: str
    known: str
    """Of the text, without opening the document."""
    fetch: Callable[[], "Surroundings"]
    """Called beside the screen."""


class PassageScreen(ModalScreen[None]):
    """A box with one excerpt at a time, in the text around it.

    Args:
        excerpts: At least one, the best first.
        number: Which to begin with, from 0.
        claim: What they are to bear out or refute, if there is such a thing.
    """

    BINDINGS = bindings("passage")

    def __init__(self, excerpts: Sequence[Excerpt], number: int = 0, *, claim: str = "") -> None:
        super().__init__()
        self._excerpts = excerpts
        self._number = number
        self._claim = claim
        self._parts = [Static(id=name) for name in ("before", "quote", "after")]
        self._box = VerticalScroll(*self._parts, classes="box wide")

    def compose(self) -> ComposeResult:
        """A box that scrolls, the stretch apart so that it can be scrolled to."""
        yield self._box

    def on_mount(self) -> None:
        """Begin with the excerpt that was asked for."""
        self.action_turn(0)

    @property
    def excerpt(self) -> Excerpt:
        """The one that is shown."""
        return self._excerpts[self._number]

    def action_turn(self, step: int) -> None:
        """Go to another excerpt, going round at the end."""
        self._number = (self._number + step) % len(self._excerpts)
        many = len(self._excerpts) > 1
        of = f"{self._number + 1} of {len(self._excerpts)}, n p  " if many else ""
        self._box.border_title = Content(self.excerpt.title)
        self._box.border_subtitle = f"{of}o opens the file  Esc closes"
        self._read(self.excerpt)

    def action_open(self) -> None:
        """Open the file in the system's viewer."""
        self.run_worker(show_document(self.app, self.excerpt.file))

    @work(exclusive=True)
    async def _read(self, excerpt: Excerpt) -> None:
        """Show what is fetched; if it cannot be, why, and what is known without it."""
        try:
            found = parts(await apart(excerpt.fetch), self._claim)
        except USER_ERRORS as error:
            why = Content.styled(neutralise(Runner.Failed.of(error).said), "$text-error")
            found = why, Content(neutralise(excerpt.known, lines=True)), Content(""), 0
        for static, content in zip(self._parts, found[:3], strict=True):
            static.update(content)
            static.display = bool(content.plain.strip())
        self.call_after_refresh(self._open_at, found[1][: found[3]])

    def _open_at(self, lead: Content) -> None:
        """Scroll to the quote's paragraph; to the line behind ``lead`` where that is far below."""
        paragraph, height = self._parts[1], self._box.size.height
        line = len(lead.wrap(max(1, paragraph.size.width))) - 1
        if line < height // 2:
            self._box.scroll_to_widget(paragraph, animate=False)
        else:
            self._box.scroll_to(y=paragraph.virtual_region.y + line - height // 3, animate=False)


def of_quotes(verdict: Verdict, fetch: Callable[[Citation], "Surroundings"]) -> PassageScreen:
    """A reader for the quotes of a verdict.

    Args:
        verdict: Has at least one citation.
        fetch: Reads what stands around a quote; called beside the screen.
    """
    excerpts = [
        Excerpt(place_of(each), each.file, each.context, partial(fetch, each))
        for each in verdict.citations
    ]
    return PassageScreen(excerpts, claim=verdict.claim.statement)
