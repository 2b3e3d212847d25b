"""The app's screen as text: its characters, and below each row what sets them apart."""

import re
from collections import Counter

from rich.color import Color
from rich.style import Style
from textual.color import Color as Colour
from textual.widgets import Input, TextArea

from veracite.tui.app import VeraciteApp

_LETTERS = {
    "text-success": "s",
    "text-error": "e",
    "text-warning": "w",
    "text-accent": "a",
    "muted": "m",
}
"""The theme's colours that mean something, each with its letter in a drawing."""
_UNREADABLE = "!"
"""Stands below letters that are hardly brighter or darker than their ground."""
_LEAST = 0.1
"""Difference in brightness, from 0 to 1, under which they are."""
_CURRENT = "#"
"""Stands for the background of what is looked at."""
_THUMBS = str.maketrans(dict.fromkeys("▁▂▃▄▅▆▇", " "))
"""The ends of scrollbars, which are Textual's own affair."""
_UNSTEADY = re.compile(
    r"\d+(?= %)|(?<![\w.-])\d+\.\d+(?![\w.-])|@[0-9a-f]{12}| [0-9a-f]{12}\b"
    r"|(?<=verifier-)\d+|(?<=decision-)\d+|(?<=judge-)\d+|\d{4}-\d\d-\d\d \d\d:\d\d"
)
"""What differs between machines and moments: shares, times, sizes, scores, versions of models."""


def drawing(app: VeraciteApp) -> str:
    """What is on the screen; first a line with the theme and the screen's most common ground.

    Each row that has colours or bold letters is followed by one that says which, character by
    character: ``s``, ``e``, ``w``, ``a`` and ``m`` for the theme's colours of success, errors,
    warnings, accent and what matters less, as capitals where the letters are bold; ``b`` where
    they are bold alone; ``#`` where the ground is that of the claim that is looked at; ``!``
    where the letters cannot be read. What differs between machines is drawn as ``0``.
    """
    variables = app.get_css_variables()
    letters = {variables[name].lower(): letter for name, letter in _LETTERS.items()}
    for field in (*app.screen.query(TextArea), *app.screen.query(Input)):
        field.cursor_blink = False  # one cell more or less decides which ground is most common
    grounds: Counter[str | None] = Counter()
    rows = []
    for strip in app.screen._compositor.render_strips():
        marks = ""
        for text, style, _ in strip:
            grounds[_hex(style.bgcolor) if style else None] += len(text)
            letter = _letter(style, letters, variables["current"].lower())
            marks += _marks(text, letter)
        rows.append(f"|{_steady(strip.text)}".rstrip())
        if marks.strip():
            rows.append(f":{marks}".rstrip())
    (ground, _), *_ = grounds.most_common(1)
    return "\n".join([f"{app.theme} on {ground}, {app.size.width} x {app.size.height}", *rows, ""])


def _letter(style: Style | None, letters: dict[str, str], current: str) -> str:
    if style is None:
        return " "
    if _unreadable(style):
        return _UNREADABLE
    if _hex(style.bgcolor) == current:
        return _CURRENT
    letter = letters.get(_hex(style.color) or "", "b" if style.bold else " ")
    return letter.upper() if style.bold and letter != "b" else letter


def _marks(text: str, letter: str) -> str:
    """The letter below each character; lines and blocks may be faint."""
    faint = letter == _UNREADABLE
    return "".join(letter if c.isalnum() or not (c.isspace() or faint) else " " for c in text)


def _unreadable(style: Style) -> bool:
    if style.color is None or style.bgcolor is None:
        return False
    letters, ground = map(Colour.from_rich_color, (style.color, style.bgcolor))
    return abs(letters.brightness - ground.brightness) < _LEAST


def _hex(color: Color | None) -> str | None:
    return color.get_truecolor().hex if color else None


def _steady(text: str) -> str:
    return _UNSTEADY.sub(lambda found: "0".rjust(len(found[0])), text.translate(_THUMBS))
