"""A stretch of a text replaced, and whether all else stands as it did."""

import re
import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from veracite.engine.claims.markup import read_blocks
from veracite.engine.types import Claim
from veracite.index.documents import Span

_GLUE = "\0"
"""Stands for what follows in the line, so that it is wrapped with the last word."""
_ENDS = (".", "!", "?", ":")
_UNPAIRED = re.compile(r"(?<!\w)[*_]+(?=\S)|(?<=\S)[*_]+(?!\w)|`+|~~|\[(?![^\[\]]*\])|\]\(")
"""What is shown of an emphasis, code or a link that does not close."""


@dataclass(frozen=True, slots=True)
class Splice:
    """``source[start:end]`` gives way to a text."""

    source: str
    start: int
    end: int
    text: str

    @property
    def result(self) -> str:
        """The whole text after it."""
        return self.source[: self.start] + self.text + self.source[self.end :]

    @property
    def stop(self) -> int:
        """Where the new stretch ends in the result."""
        return self.start + len(self.text)

    @property
    def shift(self) -> int:
        """How far it moves what stands behind it."""
        return self.stop - self.end


def laid_out(text: str, source: str, claim: Claim, *, markdown: bool) -> str:
    """A text fit to stand where a claim stands: in its line, or wrapped as its paragraph is.

    What has line breaks where the claim has some keeps them.
    """
    if "\n" in claim.text and "\n" in text:
        return re.sub(r"\r?\n", "\r\n" if "\r\n" in claim.text else "\n", text.strip())
    text = " ".join(text.split()) if "\n" in text else text.strip()
    for block in read_blocks(source, markdown=markdown):
        if block.spans[0].start <= claim.start < block.spans[-1].end:
            prose = not block.kind.startswith("table")
            return _wrapped(text, source, claim, block.spans) if prose else text
    return text


def _wrapped(text: str, source: str, claim: Claim, lines: Sequence[Span]) -> str:
    """Wrapped within the longest of some lines, each led by what leads the second one; in one
    line where every line is a sentence."""
    by_sentence = all(source[line.start : line.end].rstrip().endswith(_ENDS) for line in lines)
    if len(lines) == 1 or by_sentence:
        return text
    starts = [source.rfind("\n", 0, line.start) + 1 for line in lines]
    width = max(line.end - start for line, start in zip(lines, starts, strict=True))
    column = claim.start - (source.rfind("\n", 0, claim.start) + 1)
    after = len(source[claim.end :].split("\n", 1)[0].rstrip())
    wrapped = textwrap.wrap(
        text + _GLUE * after,
        width,
        initial_indent=" " * column,
        subsequent_indent=source[starts[1] : lines[1].start],
        break_long_words=False,
        break_on_hyphens=False,
    )
    newline = "\r\n" if "\r\n" in source[lines[0].start : lines[-1].end] else "\n"
    return newline.join(wrapped).strip(f" {_GLUE}")


def leaves_the_rest(
    splice: Splice, before: Sequence[Claim], after: Sequence[Claim], *, markdown: bool
) -> bool:
    """Whether each claim outside of the stretch reads as it did, and the blocks are the same.

    Args:
        before: The source's claims.
        after: The result's.
        markdown: How they were read.
    """
    outside = [
        (one.start + (splice.shift if one.start >= splice.end else 0), _form(one))
        for one in before
        if one.end <= splice.start or one.start >= splice.end
    ]
    there = [
        (one.start, _form(one))
        for one in after
        if one.start < splice.start or one.end > splice.stop or not splice.text
    ]
    if outside != there:
        return False
    blocks = [_blocks(text, markdown) for text in (splice.source, splice.result)]
    return not splice.text or blocks[0] == blocks[1]


def unpairs_markup(splice: Splice, *, markdown: bool) -> bool:
    """Whether an emphasis, code or a link opens without closing, or the other way round, that did
    not before (CommonMark, section 6)."""
    return markdown and bool(_unpaired(splice.result) - _unpaired(splice.source))


def _unpaired(text: str) -> Counter[str]:
    """The delimiters that a reader of the rendered text sees."""
    from markdown_it import MarkdownIt

    return Counter(
        mark
        for block in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
        if block.children
        for mark in _UNPAIRED.findall(
            "".join(
                "\n" if "break" in part.type else part.content
                for part in block.children
                if part.type not in ("code_inline", "html_inline")
            )
        )
    )


def _form(claim: Claim) -> tuple[str, str, str | None]:
    return claim.text, claim.statement, claim.not_checkable


def _blocks(text: str, markdown: bool) -> list[tuple[str, int, int, int]]:
    """Kind, level, depth and, of a row, the number of cells of each block."""
    return [
        (
            block.kind,
            block.level,
            block.depth,
            len(block.spans) if block.kind.startswith("table") else 0,
        )
        for block in read_blocks(text, markdown=markdown)
    ]
