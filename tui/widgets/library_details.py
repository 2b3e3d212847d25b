"""One library: what it holds, the sources it follows, and the files that could not be read."""

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import OptionList, Static

from veracite.tui import library_sheets as sheets
from veracite.tui.shelf import Holding

__all__ = ["LibraryDetails", "Sources"]


class Sources(OptionList):
    """The files and folders that a library follows."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "r",
            "remove",
            "Remove source",
            tooltip="have the library forget this source",
            id="library.remove",
        ),
        Binding("delete", "remove", "Remove source", show=False),
    ]

    class Removed(Message):
        """The library should follow this one no longer."""

        def __init__(self, path: Path) -> None:
            super().__init__()
            self.path = path

    def __init__(self) -> None:
        super().__init__(id="sources")
        self._paths: tuple[Path, ...] = ()
        self._gone: int | None = None
        """The first that cannot be reached."""

    def show(self, holding: Holding, behind: Mapping[Path, int] | None) -> None:
        """List them; the one that is highlighted stays so."""
        held = holding.status
        place = self.highlighted if held and self._paths == held.sources else 0
        self._paths = held.sources if held else ()
        self.clear_options()
        if held:
            self.add_options([sheets.source(path, held, behind) for path in self._paths])
            self.highlighted = place if self._paths else None
            gone = (n for n, path in enumerate(self._paths) if sheets.is_gone(path, held, behind))
            self._gone = next(gone, None)
        self.display = bool(self._paths)

    def enter(self) -> None:
        """Go there, and first to what cannot be reached."""
        self.focus()
        if self._gone is not None:
            self.highlighted = self._gone

    def action_remove(self) -> None:
        """Ask for the highlighted one to be removed."""
        if self.highlighted is not None:
            self.post_message(self.Removed(self._paths[self.highlighted]))


class LibraryDetails(VerticalScroll):
    """Says everything there is to say about one library."""

    def __init__(self) -> None:
        super().__init__(id="details")
        self.head = Static(id="held")
        self.sources = Sources()
        self.failures = Static(id="failures")

    def compose(self) -> ComposeResult:
        """Counts, sources, failures."""
        yield self.head
        yield Static("Sources", classes="title")
        yield self.sources
        yield self.failures

    def show(self, holding: Holding | None, behind: Mapping[Path, int] | None) -> None:
        """Show a library; None where there is none.

        Args:
            behind: As in ``veracite.tui.shelf.Shelf``; None while it is not known.
        """
        self.query_one(".title").display = bool(holding and holding.status)
        self.head.update(sheets.details(holding) if holding else sheets.welcome())
        self.sources.show(holding or Holding("", None), behind)
        self.failures.update(sheets.failures(holding.status) if holding and holding.status else "")
