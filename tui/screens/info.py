"""Something to read over the screen: the keys, a report."""

from collections.abc import Callable
from dataclasses import replace

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from veracite.tui.keys import bindings
from veracite.tui.widgets.fitted import Fitted, hung

_COLUMN = 15
"""Cells of the keys."""
_MORE = """\
The mouse works too: it selects text, which Ctrl+C copies. Ctrl+P finds every action by its name.
Other keys: a table [keys] in the config file, such as "check.next" = "ctrl+g"."""

Keys = dict[str, dict[str, list[str]]]
"""By title: what can be done, and its keys."""


def help_keys(screen: Screen[object]) -> Keys:
    """What the keys do on a screen and on all that is on it, then everywhere, as they are mapped
    now."""
    title = "Here" if screen.is_modal else "In this view"
    sections: Keys = {title: {}, "Everywhere": {}}
    for node in (screen, *screen.walk_children(), screen.app):
        rows = sections["Everywhere" if node is screen.app else title]
        bound = node._bindings.copy()
        bound.apply_keymap(screen.app._keymap)
        for _, binding in bound:
            told = binding.tooltip or (
                binding.description if screen.is_modal and binding.show else ""
            )
            if told and not binding.action.startswith("app."):
                shown = rows.setdefault(f"{told[:1].lower()}{told[1:]}", [])
                key = screen.app.get_key_display(replace(binding, key_display=None))
                shown += [key] if key not in shown else []
    return sections


def help_text(found: Keys, width: int) -> Content:
    """The keys in one column, what they do in another."""
    lines = []
    for title, rows in found.items():
        lines.append(Content.styled(title, "bold $primary"))
        for told, shown in rows.items():
            keys = Content.styled(", ".join(shown), "bold")
            lines.append(hung(keys, Content(told), _COLUMN, width))
        lines.append(Content(""))
    return Content("\n").join([*lines, Content.styled(_MORE, "$muted")])


class InfoScreen(ModalScreen[None]):
    """Something to read that any of the usual keys closes.

    Args:
        title: Of the box.
        content: To be read; or what lays it out for so many cells.
    """

    BINDINGS = bindings("info")

    def __init__(self, title: str, content: Content | Callable[[int], Content]) -> None:
        super().__init__()
        text = Static(content) if isinstance(content, Content) else Fitted().fit(content)
        self._box = VerticalScroll(text, classes="box")
        self._box.border_title = title
        self._box.border_subtitle = "Esc closes this"

    def compose(self) -> ComposeResult:
        """A box with a title that scrolls."""
        yield self._box
