"""Two columns: a name, and a text whose further lines stay in its column."""

from textual.content import Content

__all__ = ["hung"]

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
