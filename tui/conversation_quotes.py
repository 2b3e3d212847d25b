"""What the Ask room says of the quotes below an answer; texts only, no widgets."""

from textual.content import Content

from veracite.engine.display import neutralise
from veracite.engine.report import phrases
from veracite.engine.words import Citation
from veracite.tui.labels import RELATIONS

__all__ = ["nearest", "source", "unfolded"]

_NEAREST = "Nearest to the question in the documents:"
_BEGINNING = 160
"""Characters of a quote in a list, where it is cut to the width of the screen."""


def source(citation: Citation, number: int | None) -> Content:
    """One line for a quote: its number, how it bears on the answer, its place, its beginning."""
    symbol, colour = RELATIONS[citation.relation]
    return Content.assemble(
        _number(number),
        (f"{symbol} ", colour),
        (phrases.file_and_page(citation, phrases.base_name), "bold"),
        (f"  “{neutralise(citation.quote[:_BEGINNING])}”", "$muted"),
    )


def unfolded(head: Content, number: int | None) -> Content:
    """Above a quote's passage, in place of that line: what is known of it, behind its number."""
    before = Content.assemble(_number(number))
    return before + Content("\n" + " " * before.cell_length).join(head.split("\n"))


def nearest() -> Content:
    """Above the passages that an answer was not found in."""
    return Content.styled(_NEAREST, "bold")


def _number(number: int | None) -> tuple[str, str]:
    return f"[{number}] " if number else "", "bold $primary"
