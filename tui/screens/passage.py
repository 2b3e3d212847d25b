"""A reader for what a verdict rests on: each quote with the pages around it."""

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.content import Content

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.engine.report import phrases
from veracite.engine.report.markdown import excerpt
from veracite.engine.words import Citation, Verdict
from veracite.tui.clipboard import copy
from veracite.tui.opening import open_document
from veracite.tui.screens.around import AroundScreen
from veracite.tui.worker import apart

if TYPE_CHECKING:
    from veracite.engine.surroundings import Surroundings

__all__ = ["PassageScreen", "copy_claim", "open_file"]


class PassageScreen(AroundScreen):
    """One quote at a time, the best first.

    Args:
        verdict: Has at least one citation.
        fetch: Reads what stands around a quote; called beside the screen.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "dismiss", "Close", key_display="esc"),
        Binding("n,right", "quote(1)", "Next quote"),
        Binding("p,left", "quote(-1)", "Previous quote"),
        Binding("o", "open", "Open the file"),
        Binding("y", "copy", "Copy claim and citations"),
    ]

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
