"""``veracite trace``: what ``--trace`` wrote, for people."""

import io
import sys
from collections.abc import Iterable, Iterator

import click

from veracite.engine.story import Part, tell
from veracite.engine.trace import read
from veracite.tui import console
from veracite.tui.cli.running import content_of
from veracite.tui.console import Look
from veracite.tui.service import namer
from veracite.tui.text_report import ASCII, LOOKS, story_lines

_STYLES = {
    "heading": ("bold",),
    "beginning": ("dim",),
    "dim": ("dim",),
    "warning": ("yellow",),
}


@click.group
def trace() -> None:
    """Everything that happened in a check or an answer."""


@trace.command
@click.argument("file", type=click.Path())
def show(file: str) -> None:
    """Tell as a story what --trace wrote to FILE.

    What was asked, searched and found, drafted, kept and rejected, how it was judged and by whom,
    what was chosen and why, and what it cost.
    """
    look = Look.of(sys.stdout)
    # What is no UTF-8 in the lines stays a gap in the story.
    lines = io.StringIO(content_of(file, "trace").decode("utf-8", "replace"))
    story = tell(read(lines, file), namer(None))
    console.write("\n".join(_rendered(story, look)).lstrip("\n") + "\n")


def _rendered(story: Iterable[Part], look: Look) -> Iterator[str]:
    """Lines of the screen; an empty one after whatever took several paragraphs."""
    before = 0
    for part in story:
        if part.depth == 0 or (part.at is not None and before > 1):
            yield ""
        before = part.depth
        styles = LOOKS[part.label] if part.label else _STYLES.get(part.style, ())
        # Where there is no Unicode, the dots of what is cut take two columns more.
        for time, words in story_lines(part, look.width if look.unicode else look.width - 2):
            yield time + look.paint(words if look.unicode else words.translate(ASCII), *styles)
