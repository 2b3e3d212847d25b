"""Something to read over the screen: the keys, a report, the log."""

import re
from collections import deque
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.keys import REPLACED_KEYS, key_to_character
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from veracite.engine.display import neutralise
from veracite.tui.keys import bindings

_LEAST = 12
"""Cells that the text has however narrow the screen is."""


def hung(name: Content, text: Content, column: int, width: int) -> Content:
    """The name, and the text beside it; below it where the name is too long.

    Args:
        column: The cell in which the text begins.
        width: Of both, in cells.
    """
    indent = Content(" " * column)
    lines = [indent + line for line in text.wrap(max(_LEAST, width - column))]
    if name.cell_length < column:
        beside = name + lines[0][name.cell_length :]
        return Content("\n").join([beside, *lines[1:]])
    return Content("\n").join([name, *lines])


_USUAL = 69
"""Cells, before they are known: those of a box where there is room."""


class Fitted(Static):
    """Knows how its text is laid out for so many cells."""

    def __init__(self, id: str | None = None) -> None:  # noqa: A002 (Textual's own name)
        super().__init__(id=id)
        self._laid_out: Callable[[int], Content] | None = None
        self._width = 0
        """Cells that the text was laid out for."""

    def fit(self, laid_out: Callable[[int], Content]) -> "Fitted":
        """Show this text from now on."""
        self._laid_out = laid_out
        self._width = self.size.width or _USUAL
        self.update(laid_out(self._width))
        return self

    def on_resize(self) -> None:
        """There may be another width."""
        if self._laid_out is not None and self._width != self.size.width:
            self.fit(self._laid_out)


_HERE, _VIEW, _ELSEWHERE, _EVERYWHERE = _TITLES = (
    "Here", "In this view", "Elsewhere in this view", "Everywhere"
)  # fmt: skip
_COLUMN = 15
"""Cells of the keys."""
_MORE = """\
The mouse works too: it selects text, which Ctrl+C copies. Ctrl+P finds every action by its name.
Other keys: a table [keys] in the config file, such as "check.next" = "ctrl+g"."""

Keys = dict[str, dict[str, list[str]]]
"""By title, the nearest first: what can be done, and its keys."""


def help_keys(screen: Screen[object]) -> Keys:
    """What the keys do, first those of what has the focus, as they are mapped now."""
    sections: Keys = {title: {} for title in _TITLES}
    named: dict[tuple[str, str], str] = {}  # one of an action's keys may have a tooltip only
    known: set[tuple[str, str]] = set()
    for title, binding in (*_active(screen), *_elsewhere(screen)):
        key = screen.app.get_key_display(binding.with_key(binding.key))
        told = _uncapitalised(binding.tooltip or binding.description)
        if told and (key, told) not in known:
            known.add((key, told))
            told = named.setdefault((title, binding.action), told)
            shown = sections[title].setdefault(told, [])
            shown += [key] if key not in shown else []
    everywhere = sorted(sections[_EVERYWHERE].items(), key=lambda row: _place(row[1]))
    sections[_EVERYWHERE] = dict(everywhere)
    return {title: rows for title, rows in sections.items() if rows}


def _active(screen: Screen[object]) -> Iterator[tuple[str, Binding]]:
    """What keys do now, and the title that this belongs under."""
    for key, active in screen.active_bindings.items():
        if _is_written(screen, key) or not active.enabled:
            continue
        if not _is_usual(active.node, active.binding):
            yield _title(screen, active.node, active.binding), active.binding


def _elsewhere(screen: Screen[object]) -> Iterator[tuple[str, Binding]]:
    """What keys do where the focus is not: in what else one can go to, in what a view shows later
    (its ``elsewhere``), and those of the view that a text field takes for letters."""
    app = screen.app
    if screen.is_modal:
        return
    for node in (screen, *screen.focus_chain, *getattr(screen, "elsewhere", ())):
        bindings = node._bindings.copy()
        bindings.apply_keymap(app._keymap)
        for key, binding in bindings:
            active = screen.active_bindings.get(key)
            if active is not None and active.node is node and not _is_written(screen, key):
                continue
            if not _is_usual(node, binding) and app._check_action_state(binding.action, node):
                yield _ELSEWHERE, binding


def _is_written(screen: Screen[object], key: str) -> bool:
    """Whether the key only writes a character where the focus is. Textual leaves such keys out, but
    not those that it has names of its own for, such as the slash."""
    character = key_to_character(REPLACED_KEYS.get(key, key))
    return screen.focused is not None and screen.focused.check_consume_key(key, character)


def help_text(found: Keys, width: int) -> Content:
    """The keys in one column, what they do in another."""
    return Content("\n").join(_help_lines(found, width))


def _help_lines(found: Keys, width: int) -> Iterator[Content]:
    for title, rows in found.items():
        yield Content.styled(title, "bold $primary")
        for told, shown in rows.items():
            yield hung(Content.styled(", ".join(shown), "bold"), Content(told), _COLUMN, width)
        yield Content("")
    yield Content.styled(_MORE, "$muted")


def _place(shown: list[str]) -> tuple[int, str]:
    """By the keys alone, whatever order a view has them in: F1 to F9, then with Ctrl."""
    return len(shown[0]), shown[0]


def _title(screen: Screen[object], node: DOMNode, binding: Binding) -> str:
    if node is screen.app or binding.action.startswith("app."):
        return _EVERYWHERE
    return _HERE if node is screen.focused or screen.is_modal else _VIEW


def _uncapitalised(text: str) -> str:
    """As the others, unless it begins with an abbreviation or a key."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def _is_usual(node: DOMNode, binding: Binding) -> bool:
    """Whether it belongs to Textual's own widgets, such as the arrow keys of a text field."""
    return not isinstance(node, App) and any(
        binding.action == each.action
        for kind in type(node).__mro__
        if kind.__module__.startswith("textual.")
        for each in Binding.make_bindings(kind.__dict__.get("BINDINGS", ()))
    )


class InfoScreen(ModalScreen[None]):
    """Something to read that any of the usual keys closes.

    Args:
        title: Of the box.
        content: To be read; or what lays it out for so many cells.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("info")

    def __init__(self, title: str, content: Content | Callable[[int], Content]) -> None:
        super().__init__()
        self._title = title
        self._content = content

    def compose(self) -> ComposeResult:
        """A box with a title that scrolls."""
        with VerticalScroll(classes="box") as box:
            box.border_title = self._title
            box.border_subtitle = "Esc closes this"
            content = self._content
            yield Static(content) if isinstance(content, Content) else Fitted().fit(content)


_MOST = 500
_CRASHES = 5
_LINES = 30
_COLOURS = {"error": "bold $text-error", "warning": "bold $text-warning"}
_REPAIRED = re.compile(r"The \w+ index lacked the newest changes and was brought up to date\.")
"""As ``veracite.index.derived`` writes it."""


def repaired(message: str) -> bool:
    """Whether this is about something that is in order again, with nothing left to do."""
    return _REPAIRED.fullmatch(message) is not None


class Journal:
    """What the app said since it was opened, and the details of what broke before.

    Args:
        crashes: The folder with the details of failures that nobody foresaw.
    """

    def __init__(self, crashes: Path | None) -> None:
        self._crashes = crashes
        self._said: deque[tuple[str, str, str]] = deque(maxlen=_MOST)

    def note(self, severity: str, message: str) -> None:
        """Something was said."""
        self._said.append((f"{datetime.now():%H:%M:%S}", severity, message))

    def content(self) -> Content:
        """Everything, the newest first."""
        said = [
            Content.assemble(
                (f"{time} ", "$muted"),
                (neutralise(message, lines=True), _COLOURS.get(severity, "")),
            )
            for time, severity, message in reversed(self._said)
        ]
        lines = said or [Content.styled("There are no messages yet.", "$muted")]
        return Content("\n").join([*lines, *self._details()])

    def _details(self) -> Iterator[Content]:
        """The newest crashes, of each its end, which says most."""
        if self._crashes is None or not self._crashes.is_dir():
            return
        files = sorted(self._crashes.glob("*.txt"), key=lambda f: f.stat().st_mtime, reverse=True)
        for file in files[:_CRASHES]:
            when = datetime.fromtimestamp(file.stat().st_mtime)
            yield Content.assemble("\n", (f"{when:%Y-%m-%d %H:%M} {neutralise(str(file))}", "bold"))
            end = file.read_text(encoding="utf-8", errors="replace").splitlines()[-_LINES:]
            yield Content(neutralise("\n".join(end), lines=True))
