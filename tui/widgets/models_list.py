"""All models, by where they are."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from veracite.engine.wrap import width_of
from veracite.tui.screens.models_sheets import HEADINGS, row

if TYPE_CHECKING:
    from veracite.models.store.catalogue import Listed

__all__ = ["ModelsList"]


class ModelsList(OptionList):
    """A line for each model, below a heading for each place where models can be."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter",
            "screen.details",
            "Details",
            show=False,
            tooltip="show the model's files and their hashes",
            id="models.details",
        ),
    ]

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(id=id)
        self._free = 0
        self._rows: list[Listed | str] = []
        """A model, or a heading."""

    @property
    def model(self) -> "Listed | None":
        """The one that is highlighted."""
        line = self._rows[self.highlighted] if self.highlighted is not None else None
        return None if isinstance(line, str) else line

    def show(self, models: Sequence["Listed"], free: int, name: str | None = None) -> None:
        """Show these, with one highlighted.

        Args:
            name: Of that one; None is the one that was highlighted, wherever it is now.
        """
        name = name or (self.model.name if self.model else None)
        place = self.highlighted or 0
        self._free = free
        self._rows = []
        for state, heading in HEADINGS.items():
            if some := [model for model in models if model.state == state]:
                self._rows += [heading, *some]
        self._fill()
        places = [i for i, line in enumerate(self._rows) if not isinstance(line, str)]
        same = [i for i in places if self._called(i) == name]
        near = [i for i in places if i >= place]
        self.highlighted = next(iter([*same, *near, *reversed(places)]), None)

    def on_resize(self) -> None:
        """Another width has room for more or less; without any there is nothing to fill."""
        if not self.scrollable_content_region.width:
            return
        place = self.highlighted
        self._fill()
        self.highlighted = place

    def _called(self, place: int) -> str:
        line = self._rows[place]
        return line.name if not isinstance(line, str) else ""

    def _fill(self) -> None:
        width = self.scrollable_content_region.width
        names = [line.name for line in self._rows if not isinstance(line, str)]
        longest = max(map(width_of, names), default=0)
        self.set_options(
            Option(row(line, self._free, width, longest))
            if not isinstance(line, str)
            else Option(Content.styled(line, "bold $primary"), disabled=True)
            for line in self._rows
        )
