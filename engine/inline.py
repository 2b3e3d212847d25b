"""Inline markup: from a block's source to plain prose that still knows where each character stood.

Own scanner rather than markdown-it's inline parser: that one gives no offsets. It runs in linear
time on any input, and where it errs, only the cleaned text suffers: offsets are exact by
construction.
"""

import html
import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from veracite.index.documents import Span

__all__ = ["Prose", "Removed", "to_prose"]


@dataclass(frozen=True, slots=True)
class Removed:
    """A stretch of the source that the prose leaves out (a citation mark, an emphasis marker)."""

    start: int
    end: int
    leads: bool
    """True if it belongs to what follows (an opening marker), False if to what stands before."""


@dataclass(frozen=True, slots=True)
class Prose:
    """Plain text of one block. Character i comes from ``source[starts[i]:ends[i]]``."""

    text: str
    """One line: no markup, no citation marks, no control characters, single spaces."""
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    breaks: tuple[int, ...]
    """Positions in ``text`` where a line that was meant to end does end, ascending."""
    removed: tuple[Removed, ...]
    """In order of position, not overlapping."""
    links_only: bool = False
    """True if every word of it stands in a link."""


# What is invisible or moves the cursor: terminal escapes, control, bidirectional and zero-width
# characters, soft hyphens, half a surrogate pair.
_INVISIBLE = (
    r"\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff"
)
_IGNORABLE = (
    r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]|\x1b\][^\x07\x1b\n]{0,512}(?:\x07|\x1b\\)|\x1b[@-_]?"
    rf"|[{_INVISIBLE}]"
)
_NUMBERS = r"\d{1,3}(?:\s?[,;–—-]\s?\d{1,3}){0,30}"
_SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_EDITORIAL = (
    r"(?:citation|clarification|attribution|quotation|verification|page|year)s? needed|when\?|who\?"
    r"|which\?|where\?|by whom\?|according to whom\?"
    r"|dubious[^\[\]]{0,20}|better source[^\[\]]{0,20}"
    r"|verify|(?:note|nb|n) \d{1,3}"
)
# Only forms that cannot be a fact of their own: "(Smith, 2020)" alone may be a place and its year.
_AUTHOR = r"(?:[A-Z][\w'’.-]*,? ?(?:and|&|et al\.?)?,? ?){1,6}"
_PAGES = r"(?:, ?pp?\. ?\d+(?:[–-]\d+)?)?"
_AUTHOR_YEAR = rf"{_AUTHOR},? (?:19|20)\d\d[a-z]?{_PAGES}"
_PARENTHESES = (
    r"\((?=[^()\n]{4,200}\))(?=[^()]*(?:et al|&|, pp?\. ?\d|; ?[A-Z]))"
    rf"(?:see |e\.g\.,? |cf\. )?{_AUTHOR_YEAR}(?:; ?{_AUTHOR_YEAR}){{0,9}}\)"
)
_CITATION = (
    rf"\[\[?{_NUMBERS}\]?\](?:\([^()\s]{{0,500}}\))?|\[\^[^\[\]\s]{{1,60}}\]"
    rf"|\[(?:{_EDITORIAL})\]|(?<=[^\s\[(])\[[a-z]\]|\[(?:see )?-?@[^\[\]\n]{{1,200}}\]"
    rf"|【[^【】\n]{{1,80}}】|\\cite[a-z]{{0,6}}(?:\[[^\[\]\n]{{0,80}}\])?\{{[^{{}}\n]{{1,200}}\}}"
    rf"|(?:(?<=[.,;:!?”’\"')\]])|(?<=[^\W\d_]{{3}}))[{_SUPERSCRIPT}]+(?:[⁻˒,–][{_SUPERSCRIPT}]+)*(?!\w)"
    rf"|{_PARENTHESES}"
)
_URL = rf"(?:https?://|www\.)[^\s<>\[\]\"`|{_INVISIBLE}]{{1,2000}}"
_BARE_URL = rf"(?:https?://|www\.)[^\s<>()\[\]\"`|{_INVISIBLE}]{{1,2000}}"
_CITATION_X = _CITATION.replace(" ", "[ ]")  # spaces count in a verbose pattern only in brackets
_TAIL = r"\((?:[^()\n\\]|\\.|\([^()\n]{0,300}\)){0,1000}\)|\[[^\[\]\n]{0,200}\]"
_TAG_NAMES = (
    r"(?:a|abbr|article|aside|b|big|blockquote|body|br|center|cite|code|dd|del|details|dfn|div|dl|dt|em"
    r"|figcaption|figure|font|footer|h[1-6]|head|header|hr|html|i|img|input|ins|kbd|li|main|mark|nav"
    r"|ol|p|picture|q|s|section|small|source|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot"
    r"|th|thead|tr|tt|u|ul|var|video|wbr)"
)
_MARKDOWN = re.compile(
    rf"""
    (?P<ignorable>{_IGNORABLE})
  | (?P<citation>{_CITATION_X})
  | (?P<linked_url>\(\s?<?{_BARE_URL}>?\s?\))
  | (?P<hard>[ ]{{2,}}\n|\\\n|[ ]?<br[ ]?/?>\s?)
  | (?P<escape>\\[!-/:-@\[-`{{-~])
  | (?P<ticks>`+)
  | (?P<comment><!--(?s:.){{0,10000}}?-->)
  | (?P<autolink><(?:https?://|mailto:)[^\s<>{_INVISIBLE}]{{1,2000}}>)
  | (?P<mark_tag><sup>\s?(?:<a[^<>]{{0,500}}>)?\s?\[?{_NUMBERS}\]?\s?(?:</a>)?\s?</sup>)
  | (?P<tag></?{_TAG_NAMES}(?:\s[^<>]{{0,1000}})?/?>)
  | (?P<url>{_URL})
  | (?P<entity>&(?:\#\d{{1,7}}|\#[xX][0-9a-fA-F]{{1,6}}|[A-Za-z][A-Za-z0-9]{{1,31}});)
  | (?P<open>!?\[)
  | (?P<close>\](?:{_TAIL})?)
  | (?P<delimiter>\*+|_+|~~+)
  | (?P<space>\s+)
    """,
    re.VERBOSE,
)
_PLAIN = re.compile(
    rf"""
    (?P<ignorable>{_IGNORABLE})
  | (?P<citation>{_CITATION_X})
  | (?P<url>{_URL})
  | (?P<space>\s+)
    """,
    re.VERBOSE,
)
_CODE_PART = re.compile(rf"(?P<ignorable>{_IGNORABLE})|(?P<space>\s+)|[^\s{_INVISIBLE}]+")
_IGNORED = re.compile(_IGNORABLE)
_SOURCE_LINK = re.compile(
    r"\(?(?:[\w-]+\.)+[a-z]{2,10}(?:/\S*)?\)?|\d{1,3}|sources?|link|ref(?:erence)?", re.I
)
_BREAKING_TAG = re.compile(
    r"</?(?:p|div|li|tr|td|th|h[1-6]|dd|dt|summary|details|section|hr)\b", re.I
)


@dataclass(slots=True)
class _Piece:
    """A token of the block: some source, and what is left of it."""

    start: int
    """In the joined block, not in the source; so is ``end``."""
    end: int
    text: str
    literal: bool = True
    """True if ``text`` is the source itself, character for character."""
    leads: bool = False
    breaks: bool = False
    mark: bool = False
    """A citation mark: the space before it goes if punctuation follows."""
    linked: bool = False


@dataclass(slots=True)
class _Scan:
    """The state of one block's scan."""

    source: str
    pieces: list[_Piece] = field(default_factory=list)
    brackets: deque[int] = field(default_factory=lambda: deque(maxlen=32))
    """Pieces that are a "[" or "![" still open; deep nesting forgets the outermost."""
    delimiters: dict[str, list[int]] = field(default_factory=dict)
    """Open runs of emphasis, by character."""

    def add(self, start: int, end: int, text: str | None = None, **options: bool) -> None:
        literal = text is None
        kept = self.source[start:end] if text is None else text
        self.pieces.append(_Piece(start, end, kept, literal, **options))


def to_prose(source: str, spans: Sequence[Span], *, markdown: bool = True) -> Prose:
    """The prose of a block whose content stands at ``spans`` of the source, one span a line.

    Args:
        markdown: False keeps every character but citation marks and what is invisible.
    """
    spans = [span for span in spans if span.start < span.end]
    block = "\n".join(source[span.start : span.end] for span in spans)
    scan = _Scan(block)
    if markdown:
        _scan_markdown(scan)
    else:
        _scan_plain(scan)
    return _flatten(scan.pieces, _Offsets(spans), _intended_breaks(block))


def _scan_plain(scan: _Scan) -> None:
    position = 0
    for match in _PLAIN.finditer(scan.source):
        start, end = match.span()
        if position < start:
            scan.add(position, start)
        kind = match.lastgroup
        if kind == "space":
            scan.add(start, end, " ")
        elif kind == "url":
            scan.add(start, end, linked=True)
        else:
            scan.add(start, end, "", mark=kind == "citation")
        position = end
    if position < len(scan.source):
        scan.add(position, len(scan.source))


def _scan_markdown(scan: _Scan) -> None:
    source, position = scan.source, 0
    code = _CodeSpans(source)
    while match := _MARKDOWN.search(source, position):
        start, end = match.span()
        if position < start:
            scan.add(position, start)
        kind = match.lastgroup
        if kind == "ticks":
            _code_span(scan, code, start, end)
        else:
            _HANDLERS[kind or ""](scan, start, end)
        position = scan.pieces[-1].end
    if position < len(source):
        scan.add(position, len(source))


class _CodeSpans:
    """Finds the run of backticks that ends a code span, in time linear over the whole block."""

    def __init__(self, source: str) -> None:
        self._runs: dict[int, list[int]] = {}
        for match in re.finditer("`+", source):
            self._runs.setdefault(len(match.group()), []).append(match.start())

    def closing(self, start: int, end: int) -> int | None:
        runs = self._runs.get(end - start, [])
        found = bisect_left(runs, end)
        return runs[found] if found < len(runs) else None


def _code_span(scan: _Scan, code: _CodeSpans, start: int, end: int) -> None:
    closing = code.closing(start, end)
    if closing is None:
        scan.add(start, end)
        return
    scan.add(start, end, "", leads=True)
    for part in _CODE_PART.finditer(scan.source, end, closing):
        dropped = {"space": " ", "ignorable": ""}.get(part.lastgroup or "")
        scan.add(part.start(), part.end(), dropped)
    scan.add(closing, closing + end - start, "")


def _drop_mark(scan: _Scan, start: int, end: int) -> None:
    scan.add(start, end, "", mark=True)


def _drop_tag(scan: _Scan, start: int, end: int) -> None:
    breaks = _BREAKING_TAG.match(scan.source, start) is not None
    closing = scan.source.startswith("</", start)
    scan.add(start, end, " " if breaks else "", leads=not closing, breaks=breaks)


def _space(scan: _Scan, start: int, end: int) -> None:
    scan.add(start, end, " ")


def _hard_break(scan: _Scan, start: int, end: int) -> None:
    # A line that goes on in small letters goes on with its sentence.
    scan.add(start, end, " ", breaks=not scan.source[end : end + 1].islower())


def _keep_url(scan: _Scan, start: int, end: int) -> None:
    # What closes a sentence or a bracket around the address is not part of it.
    kept = scan.source[start:end]
    while kept and (
        kept[-1] in ".,;:!?'*_~" or (kept[-1] == ")" and kept.count("(") < kept.count(")"))
    ):
        kept = kept[:-1]
    middle = start + len(kept)
    scan.add(start, middle, linked=True)
    if middle < end:
        scan.add(middle, end)


def _unescape(scan: _Scan, start: int, end: int) -> None:
    scan.add(start, start + 1, "", leads=True)
    scan.add(start + 1, end)


def _autolink(scan: _Scan, start: int, end: int) -> None:
    scan.add(start, start + 1, "", leads=True)
    scan.add(start + 1, end - 1, linked=True)
    scan.add(end - 1, end, "")


def _decode_entity(scan: _Scan, start: int, end: int) -> None:
    written = scan.source[start:end]
    decoded = html.unescape(written)
    if decoded == written:
        scan.add(start, end)
    else:
        scan.add(start, end, " " if decoded.isspace() else _IGNORED.sub("", decoded))


def _open_bracket(scan: _Scan, start: int, end: int) -> None:
    scan.brackets.append(len(scan.pieces))
    scan.add(start, end)


def _close_bracket(scan: _Scan, start: int, end: int) -> None:
    """End a link or image if a target follows; otherwise the brackets are text."""
    opener = scan.brackets.pop() if scan.brackets else None
    if opener is None or end == start + 1:
        scan.add(start, start + 1)
        return
    opening = scan.pieces[opener]
    inside = scan.pieces[opener + 1 :]
    shown = "".join(piece.text for piece in inside).strip()
    is_image = opening.end - opening.start == 2
    if not is_image:
        scan.brackets.clear()  # no link stands within a link
    opening.text = ""
    if is_image or _SOURCE_LINK.fullmatch(shown):
        opening.mark = True
        for piece in inside:
            piece.text, piece.leads, piece.breaks, piece.mark = "", False, False, True
        scan.add(start, end, "", mark=True)
        return
    opening.leads = True
    for piece in inside:
        piece.linked = True
    scan.add(start, end, "")


def _delimiter(scan: _Scan, start: int, end: int) -> None:
    """Emphasis: match a closing run with the open runs of its character, innermost first."""
    source = scan.source
    before = source[start - 1] if start else " "
    after = source[end] if end < len(source) else " "
    character = source[start]
    inside_word = before.isalnum() and after.isalnum()
    literal = inside_word and (character == "_" or before.isdigit() or after.isdigit())
    can_open = not after.isspace() and not literal
    can_close = not before.isspace() and not literal
    open_runs = scan.delimiters.setdefault(character, [])
    while can_close and start < end and open_runs:
        opener = scan.pieces[open_runs[-1]]
        used = min(end - start, len(opener.text))
        # The inner markers are the ones used up; an outer rest stays open.
        opener.text = opener.text[: len(opener.text) - used]
        opener.leads = True
        if not opener.text:
            open_runs.pop()
        scan.add(start, start + used, "")
        start += used
    if start < end:
        if can_open:
            open_runs.append(len(scan.pieces))
        scan.add(start, end)


_HANDLERS = {
    "ignorable": _drop_mark,
    "citation": _drop_mark,
    "linked_url": _drop_mark,
    "mark_tag": _drop_mark,
    "comment": _drop_mark,
    "hard": _hard_break,
    "escape": _unescape,
    "autolink": _autolink,
    "tag": _drop_tag,
    "url": _keep_url,
    "entity": _decode_entity,
    "open": _open_bracket,
    "close": _close_bracket,
    "delimiter": _delimiter,
    "space": _space,
}


class _Offsets:
    """From positions in the joined block to positions in the source."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans
        self._firsts: list[int] = []
        position = 0
        for span in spans:
            self._firsts.append(position)
            position += span.end - span.start + 1

    def start(self, position: int) -> int:
        """Where the character at ``position`` starts; for a line break, where the line ends."""
        line = bisect_right(self._firsts, position) - 1
        offset = self._spans[line].start + position - self._firsts[line]
        return min(offset, self._spans[line].end)

    def end(self, position: int) -> int:
        """Where the character before ``position`` ends."""
        return self.start(position - 1) + 1 if position else self._spans[0].start


def _flatten(pieces: Sequence[_Piece], offsets: _Offsets, line_ends: Sequence[int]) -> Prose:
    """Join what is left of the pieces, with single spaces and every character's offsets."""
    text: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    breaks: list[int] = []
    removed: list[Removed] = []
    after_mark = False
    hard = set(line_ends)
    words = linked = 0
    for piece in pieces:
        if piece.text == " ":
            if piece.breaks or not hard.isdisjoint(range(piece.start, piece.end)):
                breaks.append(len(text))
            if text and text[-1] != " ":
                text.append(" ")
                starts.append(offsets.start(piece.start))
                ends.append(offsets.end(piece.end))
            continue
        if piece.text:
            if after_mark and text and text[-1] == " " and piece.text[0] in ".,;:!?)":
                del text[-1], starts[-1], ends[-1]
            after_mark = False
            words += any(map(str.isalnum, piece.text))
            linked += piece.linked and any(map(str.isalnum, piece.text))
            text.extend(piece.text)
            first = offsets.start(piece.start)
            if piece.literal:
                starts.extend(range(first, first + len(piece.text)))
                ends.extend(range(first + 1, first + len(piece.text) + 1))
            else:
                last = offsets.end(piece.end)
                starts.extend([first] + [last] * (len(piece.text) - 1))
                ends.extend([last] * len(piece.text))
        if piece.literal or not piece.text:
            kept = piece.start + len(piece.text)
            if kept < piece.end:
                removed.append(Removed(offsets.start(kept), offsets.end(piece.end), piece.leads))
                after_mark = after_mark or piece.mark
    if text and text[-1] == " ":
        del text[-1], starts[-1], ends[-1]
    return Prose(
        "".join(text),
        tuple(starts),
        tuple(ends),
        tuple(position for position in dict.fromkeys(breaks) if 0 < position < len(text)),
        tuple(removed),
        links_only=0 < words == linked,
    )


_OPEN_ENDED = re.compile(
    r"(?:[,;:(–—-]|\b(?:a|an|the|of|in|on|at|to|by|for|from|with|and|or|but|as|that|which|is|was|are|were))$",
    re.I,
)


def _intended_breaks(block: str) -> list[int]:
    """Positions of line ends that are no mere wrapping: titles, addresses, verse, lists.

    A line was not wrapped if the next word would have fitted on it, and it ends like something
    complete while the next one starts like something new.
    """
    lines = block.split("\n")
    width = max(map(len, lines))
    found, position = [], 0
    for line, following in pairwise(lines):
        position += len(line) + 1
        words = following.split(maxsplit=1)
        stripped = line.strip()
        if not words or not stripped or _OPEN_ENDED.search(stripped):
            continue
        bullet = words[0] in "•‣▪●◦–—-*·"
        fits = len(line.rstrip()) + 1 + len(words[0]) <= 0.6 * width
        if bullet or (fits and (words[0][0].isupper() or words[0][0].isdigit())):
            found.append(position - 1)
    return found
