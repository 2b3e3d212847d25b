"""Readers for a quote or a passage, with what stands around it in its document."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.engine.report import phrases
from veracite.engine.report.markdown import excerpt
from veracite.engine.words import Citation, Verdict
from veracite.tui.advice import advice
from veracite.tui.desktop import copy, open_document
from veracite.tui.keys import bindings
from veracite.tui.quotes import cut, deciding, window
from veracite.tui.texts import flow
from veracite.tui.widgets.library_details import passage_place
from veracite.tui.worker import apart

if TYPE_CHECKING:
    from veracite.engine.surroundings import Surroundings
    from veracite.index.documents import Passage

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
    shown, place = _shown_quote(text[found.start : found.end], claim)
    return Parts(
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


class AroundScreen(ModalScreen[None]):
    """What its kinds share: the box, and reading beside the screen."""

    def __init__(self) -> None:
        super().__init__()
        self._box = VerticalScroll(classes="box wide")
        self._parts = [Static(id=name) for name in ("before", "quote", "after")]

    def compose(self) -> ComposeResult:
        """A box that scrolls, the stretch apart so that it can be scrolled to."""
        with self._box:
            yield from self._parts

    @work(exclusive=True)
    async def read(self, fetch: Callable[[], "Surroundings"], known: str, claim: str = "") -> None:
        """Show what is fetched; if it cannot be, why, and what is known without it.

        Args:
            claim: What the stretch is to bear out or refute, if there is such a thing.
        """
        try:
            found = await apart(fetch)
        except USER_ERRORS as error:
            self._show(
                Parts(
                    Content.styled(neutralise(f"{error.message} {advice(error)}"), "$text-error"),
                    Content(neutralise(known, lines=True)),
                    Content(""),
                )
            )
        else:
            self._show(parts(found, claim))

    def _show(self, found: Parts) -> None:
        for static, content in zip(
            self._parts, (found.before, found.paragraph, found.after), strict=True
        ):
            static.update(content)
            static.display = bool(content.plain.strip())
        self.call_after_refresh(self._open_at, found.paragraph[: found.place])

    def _open_at(self, lead: Content) -> None:
        """Scroll to the quote's paragraph; to the line behind ``lead`` where that is far below."""
        paragraph, height = self._parts[1], self._box.size.height
        line = len(lead.wrap(max(1, paragraph.size.width))) - 1
        if line < height // 2:
            self._box.scroll_to_widget(paragraph, animate=False)
        else:
            self._box.scroll_to(y=paragraph.virtual_region.y + line - height // 3, animate=False)


class PassageScreen(AroundScreen):
    """One quote at a time, the best first.

    Args:
        verdict: Has at least one citation.
        fetch: Reads what stands around a quote; called beside the screen.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("quote")

    def __init__(self, verdict: Verdict, fetch: Callable[[Citation], "Surroundings"]) -> None:
        super().__init__()
        self._verdict = verdict
        self._fetch = fetch
        self._number = 0

    @property
    def citation(self) -> Citation:
        """Whose surroundings are shown."""
        return self._verdict.citations[self._number]

    def on_mount(self) -> None:
        """Begin with the first quote."""
        self.action_quote(0)

    def action_quote(self, step: int) -> None:
        """Go to another quote of the verdict, going round at the end."""
        self._number = (self._number + step) % len(self._verdict.citations)
        of = f"{self._number + 1} of {len(self._verdict.citations)}, n p  " if self._many else ""
        self._box.border_title = Content(phrases.file_and_page(self.citation, phrases.base_name))
        self._box.border_subtitle = f"{of}o opens the file  y copies  Esc closes"
        fetch, claim = partial(self._fetch, self.citation), self._verdict.claim.statement
        self.read(fetch, self.citation.context, claim)

    def action_open(self) -> None:
        """Open the file in the system's viewer."""
        self.run_worker(open_file(self.notify, self.citation.file))

    def action_copy(self) -> None:
        """Copy the claim with its verdict and citations, as Markdown."""
        self.run_worker(copy_claim(self.app, self._verdict))

    @property
    def _many(self) -> bool:
        return len(self._verdict.citations) > 1


async def open_file(notify: Callable[..., object], file: str) -> None:
    """Open a document in the system's viewer; what stands against it is told."""
    opening: Awaitable[None] = apart(partial(open_document, Path(file)))
    try:
        await opening
    except USER_ERRORS as error:
        notify(neutralise(f"{error.message} {error.advice}"), severity="error", markup=False)


async def copy_claim(app: App[None], verdict: Verdict) -> None:
    """Copy a claim with its verdict and citations, as Markdown."""
    await copy(app, excerpt(verdict, str), "the claim and its citations")


class LibraryReader(AroundScreen):
    """One passage at a time.

    Args:
        passages: Of the hits, the best first.
        number: Which to begin with, from 0.
        fetch: Reads what stands around a passage; called beside the screen.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("hit")

    def __init__(
        self,
        passages: Sequence["Passage"],
        number: int,
        fetch: Callable[["Passage"], "Surroundings"],
    ) -> None:
        super().__init__()
        self._passages = passages
        self._number = number
        self._fetch = fetch

    @property
    def passage(self) -> "Passage":
        """The one that is shown."""
        return self._passages[self._number]

    def on_mount(self) -> None:
        """Begin with the passage that was asked for."""
        self.action_passage(0)

    def action_passage(self, step: int) -> None:
        """Go to another hit, going round at the end."""
        self._number = (self._number + step) % len(self._passages)
        of = f"{self._number + 1} of {len(self._passages)}, n p"
        self._box.border_title = Content(passage_place(self.passage))
        self._box.border_subtitle = f"{of}  o opens the file  Esc closes"
        self.read(partial(self._fetch, self.passage), self.passage.text)

    def action_open(self) -> None:
        """Open the file in the system's viewer."""
        self.run_worker(open_file(self.notify, self.passage.document.path))
