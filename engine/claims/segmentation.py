"""From a draft to its claims: one claim a sentence, with the exact span it stands at."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from operator import attrgetter

from veracite.engine.claims import checkability
from veracite.engine.claims.checkability import FRAGMENT, is_fragment, why_not_checkable
from veracite.engine.claims.coreference import Context
from veracite.engine.claims.markup import DraftBlock, Prose, read_blocks, to_prose
from veracite.engine.language import of_sentences, unsupported, why_unread
from veracite.engine.types import Claim
from veracite.index.documents import Span
from veracite.index.sentences import sentence_spans

HEADING = "a heading"
CODE = "code"
REFERENCE = "a reference"

_BIBLIOGRAPHY = re.compile(
    r"(?:\d+\.? )?(?:references?|bibliography|works cited|literature(?: cited)?|sources?|citations?"
    r"|further reading|external links|see also|footnotes|endnotes)",
    re.IGNORECASE,
)


def segment(text: str, *, markdown: bool = True) -> tuple[Claim, ...]:
    """Cut a draft into claims, in order of position; their spans do not overlap.

    Every sentence becomes one claim, also those that cannot be checked, which say why. What holds
    no words (rules, images, comments, front matter) becomes none.

    Args:
        text: The draft as given; Markdown or plain text.
        markdown: False takes every character as text.
    """
    return tuple(_Draft(text, markdown).claims())


class _Draft:
    """A draft, and what is known of it up to a block."""

    def __init__(self, source: str, markdown: bool) -> None:
        self._source = source
        self._markdown = markdown
        self._context = Context()
        # Short blocks do not tell their language; the Latin letters of the whole draft do.
        self._language = unsupported("".join(c for c in source[:5000] if c < "\u0370"))
        self._header: list[str] = []
        self._bibliography: int | None = None
        """The level of the heading of references that the block stands under."""

    def claims(self) -> Iterator[Claim]:
        """In order of position."""
        for block in read_blocks(self._source, markdown=self._markdown):
            if block.kind != "table_row":
                self._context.leave_lists(block.depth + (block.kind == "table_head"))
            match block.kind:
                case "table_head":
                    self._header = self._cells(block)
                    yield from self._whole(block, "; ".join(filter(None, self._header)), HEADING)
                case "table_row":
                    yield from self._row(block)
                case "code":
                    code = to_prose(self._source, block.spans, markdown=False).text
                    yield from self._whole(block, code, CODE)
                case "heading":
                    heading = self._prose(block).text
                    self._context.enter(heading, block.level)
                    if self._bibliography is None or block.level <= self._bibliography:
                        found = _BIBLIOGRAPHY.fullmatch(heading)
                        self._bibliography = block.level if found else None
                    yield from self._whole(block, heading, HEADING)
                case _:
                    prose = self._prose(block)
                    if self._is_reference(block, prose.text):
                        yield from self._whole(block, prose.text, REFERENCE)
                    else:
                        yield from self._sentences(block, prose)

    def _prose(self, block: DraftBlock) -> Prose:
        return to_prose(self._source, block.spans, markdown=self._markdown)

    def _cells(self, block: DraftBlock) -> list[str]:
        return [to_prose(self._source, [cell]).text for cell in block.spans]

    def _whole(
        self, block: DraftBlock, statement: str, reason: str | None, query: str | None = None
    ) -> Iterator[Claim]:
        """A block that is one claim."""
        start, end = block.spans[0].start, block.spans[-1].end
        if any(map(str.isalnum, statement)):
            shown = self._source[start:end]
            yield Claim(shown, start, end, statement, query or statement, reason)

    def _row(self, block: DraftBlock) -> Iterator[Claim]:
        """One claim a row: its cells with the names of their columns."""
        cells = self._cells(block)
        named = zip_longest(self._header[: len(cells)], cells, fillvalue="")
        parts = [f"{name}: {cell}" if name else cell for name, cell in named if cell]
        if any(any(map(str.isalnum, cell)) for cell in cells):
            statement = "; ".join(parts)
            [language] = of_sentences([statement], hint=self._language)
            reason = FRAGMENT if len(parts) < 2 else why_unread(language)
            query = self._context.read(statement, item_depth=block.depth + 1).query
            yield from self._whole(block, statement, reason, query)

    def _is_reference(self, block: DraftBlock, text: str) -> bool:
        if block.kind == "footnote" and checkability.names_source(text):
            return True
        listed = self._bibliography is not None
        if listed and ("http" in text or is_fragment(text)):
            return True
        return (listed or block.kind == "list_item") and checkability.is_reference(text)

    def _sentences(self, block: DraftBlock, prose: Prose) -> Iterator[Claim]:
        """The sentences of a paragraph or a list item; a line that was meant to end ends one."""
        is_item = block.kind == "list_item"
        sentences: list[Span] = []
        alone: list[bool] = []
        for first, last in pairwise([0, *prose.breaks, len(prose.text)]):
            found = sentence_spans(prose.text[first:last])
            sentences += [Span(first + span.start, first + span.end) for span in found]
            alone += [len(found) == 1] * len(found)
        statements = [prose.text[sentence.start : sentence.end] for sentence in sentences]
        languages = of_sentences(statements, hint=self._language)
        for span, statement, language, is_alone in zip(
            _with_markup(sentences, prose), statements, languages, alone, strict=True
        ):
            if not any(map(str.isalnum, statement)):
                continue
            reason = why_not_checkable(statement) or why_unread(language)
            if reason is None:
                lead_in = self._context.lead_in(block.depth)
                reason = _why_no_statement(statement, is_alone, is_item, lead_in)
            reading = self._context.read(statement, item_depth=block.depth if is_item else 0)
            text, query = self._source[span.start : span.end], reading.query
            resolved = reading.resolved or reading.described
            place = (text, span.start, span.end)
            yield Claim(*place, statement, query, reason, resolved, reading.before)
            if statement.endswith(":"):
                self._context.lead_ins[block.depth] = statement


def _why_no_statement(
    statement: str, alone: bool, is_item: bool, lead_in: str | None
) -> str | None:
    """A list item counts if its lead-in makes it assert something, or as "name: value"."""
    if statement.endswith(":") and (is_fragment(statement) or len(statement.split()) <= 5):
        return FRAGMENT
    if not is_fragment(statement) or checkability.as_statement(statement):
        return None
    if is_item and lead_in is not None:
        return None if checkability.introduces_facts(lead_in) else FRAGMENT
    return FRAGMENT if is_item or alone else None


def _with_markup(sentences: Sequence[Span], prose: Prose) -> list[Span]:
    """The sentences' spans in the source, with the markup and the marks that belong to each.

    What stands between two belongs to the first, up to where something opens.
    """
    spans = [prose.span(sentence.start, sentence.end) for sentence in sentences]
    starts, ends = [span.start for span in spans], [span.end for span in spans]
    for mark in prose.removed if spans else ():
        following = bisect_right(spans, mark.start, key=attrgetter("start"))
        if following and mark.start < spans[following - 1].end:
            continue
        if following == len(spans):
            ends[-1] = max(ends[-1], mark.end)
        elif mark.role == "opens" or starts[following] < spans[following].start:
            starts[following] = min(starts[following], mark.start)
        elif following:
            ends[following - 1] = max(ends[following - 1], mark.end)
    return list(map(Span, starts, ends))
