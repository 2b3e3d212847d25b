"""How the labels look in the app; their words and symbols are those of the reports."""

from veracite.engine.words import Label

__all__ = ["COLOURS", "PENDING", "style_class"]

PENDING = "○"
"""The symbol of a claim that has no verdict yet."""

COLOURS = {
    Label.SUPPORTED: "$text-success",
    Label.CONTRADICTED: "$text-error",
    Label.NOT_FOUND: "$text-warning",
    Label.UNCERTAIN: "$text-accent",
    Label.NOT_CHECKABLE: "$muted",
}
"""Variables of the theme; app.tcss gives the claims in the text the same ones."""


def style_class(label: Label | None) -> str:
    """The component class that styles this label in app.tcss."""
    return f"label--{label.value.replace('_', '-') if label else 'pending'}"
