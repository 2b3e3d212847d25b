"""How the app looks: its themes, and the colours and symbols of verdicts."""

from textual.color import Color
from textual.content import Content
from textual.theme import Theme

from veracite.engine.report.beside import State
from veracite.engine.report.phrases import LABEL_WORDS, SYMBOLS
from veracite.engine.types import Label, Relation

DARK = Theme(
    name="veracite-dark",
    primary="#7aa2c8",
    secondary="#8fb8a8",
    accent="#b79ad6",
    foreground="#d6d8dc",
    background="#16181d",
    surface="#1b1e24",
    panel="#22262e",
    success="#8fbf8f",
    warning="#dfb76c",
    error="#e07a7a",
    dark=True,
    variables={
        "text-success": "#9ccc9c",
        "text-error": "#ea8080",
        "text-warning": "#e3bd72",
        "text-accent": "#c3a6e6",
    },
)
LIGHT = Theme(
    name="veracite-light",
    primary="#2f6496",
    secondary="#3f7f6c",
    accent="#7a4fa8",
    foreground="#24272c",
    background="#fbfaf8",
    surface="#f4f2ee",
    panel="#e9e6e0",
    success="#2f7d3a",
    warning="#a86a00",
    error="#b93333",
    dark=False,
    variables={
        "text-success": "#236b2e",
        "text-error": "#b02a2a",
        "text-warning": "#8a5600",
        "text-accent": "#6b3fa0",
    },
)
CONTRAST = Theme(
    name="veracite-contrast",
    primary="#66ccff",
    secondary="#66ffcc",
    accent="#ff99ff",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    success="#66ff66",
    warning="#ffdd33",
    error="#ff7777",
    dark=True,
    variables={
        "text-success": "#66ff66",
        "text-error": "#ff7777",
        "text-warning": "#ffdd33",
        "text-accent": "#ff99ff",
    },
)
THEMES = (DARK, LIGHT, CONTRAST)

_TRACKS = (
    "scrollbar-background",
    "scrollbar-background-hover",
    "scrollbar-background-active",
    "scrollbar-corner-color",
)


def mixed(theme: str, variables: dict[str, str]) -> dict[str, str]:
    """Colours mixed from those of a theme, any theme.

    ``muted`` is for what matters less, ``current`` lies behind the claim that is shown; scrollbars
    are there for who looks for them. All are opaque, unlike Textual's own: a text area knows no
    transparency.
    """
    if theme.startswith("ansi"):
        named = {"muted": "ansi_bright_black", "text-accent": "ansi_magenta"}
        return named | {"current": "ansi_default"}  # app.tcss reverses it instead
    foreground, background, primary = (
        Color.parse(variables[name]) for name in ("foreground", "background", "primary")
    )
    soft = 0.8 if theme == CONTRAST.name else 0.68
    bar = background.blend(foreground, 0.3).hex
    return {
        **dict.fromkeys(("scrollbar", "scrollbar-hover", "scrollbar-active"), bar),
        **dict.fromkeys(_TRACKS, background.hex),
        "muted": background.blend(foreground, soft).hex,
        "current": background.blend(primary, 0.28).hex,
    }


PENDING = "○"
"""The symbol of a claim that has no verdict yet."""

OVERRIDDEN = "*"
"""Stands behind the symbol of a claim whose label a person gave."""

COLOURS = {
    Label.SUPPORTED: "$text-success",
    Label.CONTRADICTED: "$text-error",
    Label.NOT_FOUND: "$text-warning",
    Label.UNCERTAIN: "$text-accent",
    Label.NOT_CHECKABLE: "$muted",
}
"""Variables of the theme; app.tcss gives the claims in the text the same ones."""


def named_label(label: Label) -> Content:
    """Such as ``✓ supported``."""
    return Content.assemble((f"{SYMBOLS[label]} ", f"bold {COLOURS[label]}"), LABEL_WORDS[label])


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
