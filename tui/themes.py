"""How the app looks: its themes, and the colours and symbols of verdicts."""

from textual.color import Color
from textual.content import Content
from textual.theme import Theme

from veracite.engine.report.beside import State
from veracite.engine.report.phrases import LABEL_WORDS, SYMBOLS
from veracite.engine.types import Label, Relation

# Of success, warning, error and accent Textual mixes those of texts: paler ones for dark ground,
# darker ones for light.
DARK = Theme(
    name="veracite-dark",
    primary="#7aa2c8",
    accent="#a478d9",
    foreground="#d6d8dc",
    background="#16181d",
    surface="#1b1e24",
    panel="#22262e",
    success="#69b269",
    warning="#d59b29",
    error="#df3f3f",
)
LIGHT = Theme(
    name="veracite-light",
    primary="#2f6496",
    accent="#7a4fa8",
    foreground="#24272c",
    background="#fbfaf8",
    surface="#f4f2ee",
    panel="#e9e6e0",
    success="#35a246",
    warning="#d18200",
    error="#ff4040",
    dark=False,
)
CONTRAST = Theme(
    name="veracite-contrast",
    primary="#66ccff",
    accent="#ff64ff",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    success="#17ff17",
    warning="#ffcb00",
    error="#ff3131",
)
THEMES = (DARK, LIGHT, CONTRAST)


def mixed(theme: str, variables: dict[str, str]) -> dict[str, str]:
    """Colours mixed from those of a theme, any theme.

    ``muted`` is for what matters less, ``current`` lies behind the claim that is shown. Both are
    opaque, unlike Textual's own: a text area knows no transparency.
    """
    if theme.startswith("ansi"):
        named = {"muted": "ansi_bright_black", "text-accent": "ansi_magenta"}
        return named | {"current": "ansi_default"}  # app.tcss reverses it instead
    foreground, background, primary = (
        Color.parse(variables[name]) for name in ("foreground", "background", "primary")
    )
    return {
        "muted": background.blend(foreground, 0.8 if theme == CONTRAST.name else 0.68).hex,
        "current": background.blend(primary, 0.28).hex,
    }


PENDING = "○"
"""The symbol of a claim that has no verdict yet."""

OVERRIDDEN = "*"
"""Stands behind the symbol of a claim whose label a person gave."""

EARLY = "…"
"""Stands there while the label goes by words alone, and is still to be judged."""

_SHADES = "$text-success $text-error $text-warning $text-accent $muted"
COLOURS = dict(zip(Label, _SHADES.split(), strict=True))
"""Variables of the theme; app.tcss gives the claims in the text the same ones."""


def named_label(label: Label, words: str = "") -> Content:
    """Such as ``✓ supported``; the words in a style of their own if they are to have one."""
    return Content.assemble(
        (f"{SYMBOLS[label]} ", f"bold {COLOURS[label]}"),
        (LABEL_WORDS[label], f"{words} {COLOURS[label]}" if words else ""),
    )


STATES: dict[State, tuple[str, str]] = {
    "found": ("=", COLOURS[Label.SUPPORTED]),
    "conflict": ("≠", COLOURS[Label.CONTRADICTED]),
    "reworded": ("≈", "$muted"),
    "missing": ("∅", COLOURS[Label.NOT_FOUND]),
}
"""The symbol and colour of what became of a claim's words."""

RELATIONS: dict[Relation, tuple[str, str]] = {
    "supports": (SYMBOLS[Label.SUPPORTED], COLOURS[Label.SUPPORTED]),
    "contradicts": (SYMBOLS[Label.CONTRADICTED], COLOURS[Label.CONTRADICTED]),
    "nearest": ("·", "$primary"),
}
"""The symbol and colour of a quote."""


def style_class(label: Label | None) -> str:
    """The component class that styles this label in app.tcss."""
    return f"label--{label.value.replace('_', '-') if label else 'pending'}"


_BAR = 16
"""Cells."""


def bar(done: int, total: int) -> Content:
    """How far something is."""
    full = round(_BAR * done / total) if total else 0
    return Content.assemble(("━" * full, "$primary"), ("─" * (_BAR - full), "$muted"))
