"""How verdicts look in the app; the words, and the symbols of the labels, are the reports'."""

from veracite.engine.report.beside import State
from veracite.engine.report.phrases import SYMBOLS
from veracite.engine.words import Label, Relation

__all__ = ["COLOURS", "OVERRIDDEN", "PENDING", "RELATIONS", "STATES", "style_class"]

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
