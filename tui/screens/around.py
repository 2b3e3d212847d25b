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
from veracite.tui.passage_sheet import Parts, parts
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
