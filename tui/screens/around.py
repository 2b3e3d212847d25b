"""A box with a stretch of a document and what stands before and after it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.tui.advice import advice
from veracite.tui.passage_sheet import parts
from veracite.tui.worker import apart

if TYPE_CHECKING:
    from veracite.engine.surroundings import Surroundings

__all__ = ["AroundScreen"]


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
    async def read(self, fetch: Callable[[], "Surroundings"], known: str) -> None:
        """Show what is fetched; if it cannot be, why, and what is known without it."""
        try:
            found = await apart(fetch)
        except USER_ERRORS as error:
            self._show(
                Content.styled(neutralise(f"{error.message} {advice(error)}"), "$text-error"),
                Content(neutralise(known, lines=True)),
                Content(""),
            )
        else:
            self._show(*parts(found))

    def _show(self, *contents: Content) -> None:
        for static, content in zip(self._parts, contents, strict=True):
            static.update(content)
            static.display = bool(content.plain.strip())
        self.call_after_refresh(self._box.scroll_to_widget, self._parts[1], animate=False)
