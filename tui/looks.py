"""How the app looks: its theme, and what a terminal without Unicode is shown."""

import re
from collections.abc import Sequence

from textual.app import App
from textual.binding import Binding
from textual.filter import LineFilter
from textual.screen import Screen

from veracite.tui.plain import Plain
from veracite.tui.themes import DARK, THEMES, mixed

__all__ = ["Looks"]

_FUNCTION_KEY = re.compile(r"f\d+")


class Looks(App[None]):
    """The part of the app that is about its look."""

    def dress(self, theme: str, encoding: str) -> None:
        """Begin in a theme.

        Args:
            theme: Its name; one that there is not gives way to the dark one.
            encoding: Of the terminal.
        """
        self._plain = () if encoding.lower().startswith("utf") else (Plain(encoding),)
        for each in THEMES:
            self.register_theme(each)
        self._begin_in(theme if theme in self.available_themes else DARK.name)

    def _begin_in(self, name: str) -> None:
        """Take a theme; where Textual, which begins in a dark one, has nothing to undo, without
        the watchers, which would have every style sheet read twice more."""
        theme = self.available_themes[name]
        if not theme.dark or theme.ansi:
            self.theme = name
            return
        self.set_reactive(Looks.theme, name)
        self.stylesheet.set_variables(self.get_css_variables())

    def get_css_variables(self) -> dict[str, str]:
        """The theme's colours and those mixed from them."""
        variables = super().get_css_variables()
        return variables | mixed(self.current_theme.name, variables)

    def get_key_display(self, binding: Binding) -> str:
        """A key as a person writes it, by its name where the terminal has no arrows."""
        shown = super().get_key_display(binding)
        if _FUNCTION_KEY.fullmatch(shown):
            return shown.upper()
        return shown if shown.isascii() or not self._plain else binding.key

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Textual's own, and ours where the terminal does not write Unicode."""
        return [*super().get_line_filters(), *self._plain]

    def styled(self, room: Screen[None]) -> Screen[None]:
        """A room at its first visit, for which Textual would read every style sheet once or twice
        more, although none has changed; all that it needs is the app's own style."""
        self.stylesheet.update(self)
        room._css_update_count = self._css_update_count
        return room
