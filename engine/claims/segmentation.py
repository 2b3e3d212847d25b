"""From a draft to its claims: one claim a sentence, with the exact span it stands at."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from operator import attrgetter

from veracite.engine.claims.checkability import (
    FRAGMENT,
    as_statement,
    introduces_facts,
    is_fragment,
    is_reference,
    names_source,
    why_not_checkable,
)
from veracite.engine.claims.coreference import Context
from veracite.engine.claims.markup import DraftBlock, Prose, read_blocks, to_prose
from veracite.engine.language import latin_only, of_sentences, unsupported
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
_SCRIPT = re.compile(r"<(?:script|style)\b", re.IGNORECASE)
_ENTRY = re.compile(r"\s*(?:\[\^?[\w-]{1,40}\]:?|\d{1,3}[.)])\s")


def segment(text: str, *, markdown: bool = True) -> tuple[Claim, ...]:
    """Cut a draft into claims, in order of position; their spans do not overlap.

    Every sentence becomes one claim, also those that cannot be checked, which say why. What holds
    no words (rules, images, comments, front matter) becomes none.

    Args:
        text: The draft as given; Markdown or plain text.
        markdown: False takes every character as text.
    """
    context = Context()
    # Short blocks do not tell their language; the draft as a whole does.
    language = unsupported(latin_only(text[:5000]))
    claims: list[Claim] = []
    header: tuple[str, ...] = ()
    bibliography: int | None = None
    for block in read_blocks(text, markdown=markdown):
        if block.kind != "table_row":
            context.leave_lists(block.depth + (block.kind == "table_head"))
        if block.kind == "table_head":
            header = tuple(to_prose(text, [cell]).text for cell in block.spans)
            claims.extend(_whole(text, block, "; ".join(filter(None, header)), HEADING))
        elif block.kind == "table_row":
            claims.extend(_table_row(text, block, header, context, language))
        elif block.kind == "code":
            statement = to_prose(text, block.spans, markdown=False).text
            claims.extend(_whole(text, block, statement, CODE))
        elif block.kind == "heading":
            heading = to_prose(text, block.spans, markdown=markdown).text
            context.enter(heading, block.level)
            if bibliography is None or block.level <= bibliography:
                bibliography = block.level if _BIBLIOGRAPHY.fullmatch(heading) else None
            claims.extend(_whole(text, block, heading, HEADING))
        else:
            prose = to_prose(text, block.spans, markdown=markdown)
            claims.extend(_prose(text, block, prose, context, language, bibliography is not None))
    return tuple(claims)


def _whole(source: str, block: DraftBlock, statement: str, reason: str) -> Iterator[Claim]:
    """A block that is one claim which cannot be checked."""
    start, end = block.spans[0].start, block.spans[-1].end
    if any(map(str.isalnum, statement)):
        yield Claim(source[start:end], start, end, statement, statement, reason)


def _table_row(
    source: str, block: DraftBlock, header: Sequence[str], context: Context, hint: str | None
) -> Iterator[Claim]:
    """One claim a row: its cells with the names of their columns."""
    cells = [to_prose(source, [cell]).text for cell in block.spans]
    parts = [
        f"{name}: {cell}" if name else cell
        for name, cell in zip([*header, *[""] * len(cells)], cells, strict=False)
        if cell
    ]
    start, end = block.spans[0].start, block.spans[-1].end
    if any(any(map(str.isalnum, cell)) for cell in cells):
        statement = "; ".join(parts)
        [language] = of_sentences([statement], hint=hint)
        reason = FRAGMENT if len(parts) < 2 else _unread(language)
        query = context.read(statement, item_depth=block.depth + 1).query
        yield Claim(source[start:end], start, end, statement, query, reason)


def _prose(
    source: str,
    block: DraftBlock,
    prose: Prose,
    context: Context,
    hint: str | None,
    in_bibliography: bool,
) -> Iterator[Claim]:
    """The sentences of a paragraph or a list item."""
    is_item = block.kind == "list_item"
    first = source[block.spans[0].start : block.spans[0].end]
    listed = is_item or in_bibliography or _ENTRY.match(first) is not None
    if block.kind == "footnote" and names_source(prose.text):
        yield from _whole(source, block, prose.text, REFERENCE)
        return
    if block.kind == "html" and not prose.text:
        code = to_prose(source, block.spans, markdown=False).text
        yield from _whole(source, block, code if _SCRIPT.search(code) else "", CODE)
        return
    if (listed and is_reference(prose.text)) or (in_bibliography and _is_source(prose)):
        yield from _whole(source, block, prose.text, REFERENCE)
        return
    sentences = _sentences(prose)
    spans = _with_markup(sentences, prose)
    statements = [prose.text[sentence.start : sentence.end] for sentence in sentences]
    languages = of_sentences(statements, hint=hint)
    for sentence, span, statement, language in zip(
        sentences, spans, statements, languages, strict=True
    ):
        if not any(map(str.isalnum, statement)):
            continue
        reason = why_not_checkable(statement, links_only=prose.links_only) or _unread(language)
        if reason is None:
            reason = _why_no_statement(
                statement, _stands_alone(sentence, prose), is_item, context.lead_in(block.depth)
            )
        reading = context.read(statement, item_depth=block.depth if is_item else 0)
        shown = source[span.start : span.end]
        yield Claim(shown, span.start, span.end, statement, reading.query, reason, reading.resolved)
        if statement.endswith(":"):
            context.lead_ins[block.depth] = statement


def _is_source(prose: Prose) -> bool:
    return prose.links_only or "http" in prose.text or is_fragment(prose.text)


def _unread(language: str | None) -> str | None:
    return (
        None if language is None else f"written in {language}, which the bundled models do not read"
    )


def _why_no_statement(
    statement: str, alone: bool, is_item: bool, lead_in: str | None
) -> str | None:
    """A list item counts if its lead-in makes it assert something, or as "name: value"."""
    if statement.endswith(":") and (is_fragment(statement) or len(statement.split()) <= 5):
        return FRAGMENT
    if not is_fragment(statement) or as_statement(statement):
        return None
    if is_item and lead_in is not None:
        return None if introduces_facts(lead_in) else FRAGMENT
    return FRAGMENT if is_item or alone else None


def _sentences(prose: Prose) -> list[Span]:
    """Sentences of the prose; a line that was meant to end ends one."""
    borders = [0, *prose.breaks, len(prose.text)]
    return [
        Span(first + span.start, first + span.end)
        for first, last in pairwise(borders)
        for span in sentence_spans(prose.text[first:last])
    ]


def _stands_alone(sentence: Span, prose: Prose) -> bool:
    """True if a sentence is all of its block or of a line that was meant to end."""
    borders = {0, len(prose.text), *prose.breaks}
    # A border lies on either side of the space between two lines.
    starts = not borders.isdisjoint((sentence.start - 1, sentence.start))
    return starts and not borders.isdisjoint((sentence.end, sentence.end + 1))


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
        elif mark.leads or starts[following] < spans[following].start:
            starts[following] = min(starts[following], mark.start)
        elif following:
            ends[following - 1] = max(ends[following - 1], mark.end)
    return list(map(Span, starts, ends))
