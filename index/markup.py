"""What is inline notation and not text in a stretch of Markdown.

Own scanner rather than markdown-it's inline parser: that one gives no offsets. It works on any
substring, so brackets and emphasis need not be balanced. Every pattern takes linear time on any
input: what repeats is bounded, or is never tried again. The block structure is found by a parser;
here only inline notation goes, and in documents the marks between blocks: list markers, quote
marks, table rules.
"""

import html
import re
from bisect import bisect_left
from collections import deque
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

from veracite.index.documents import Span

TERMINAL = r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]|\x1b\][^\x07\x1b\n]{0,512}(?:\x07|\x1b\\)|\x1b[@-_]?"
"""A terminal's control sequence."""

NUMBERS = r"\d{1,3}(?:\s?[,;–—-]\s?\d{1,3}){0,30}"
"""What citation marks hold: "1", "2, 3", "12–14"."""

_TARGET = r"\((?:[^()\s]|\([^()\s]{0,100}\)){0,500}+(?:\s\"[^\"]{0,500}\")?\)"
_NOTE = rf"(?:{NUMBERS}|[a-z]{{1,2}}|(?:note|nb|n)\s\d{{1,3}})"
# Converters escape some of the brackets: "[\[3\]](#note)".
NUMBERED = (
    rf"(?<!\bp\.\s)(?<!\bpp\.\s)(?:\[{NUMBERS}\](?:{_TARGET})?"
    rf"|\\?\[\\?\[{_NOTE}\\?\]\\?\]{_TARGET})"
)
"""A citation mark in brackets, with its target where it has one; verbose. "p. [3](...)" is none."""

_URL = (
    r"(?:https?://|www\.)[^\s<>\[\]\\\"`|\x00-\x1f\u200b-\u200f\u202a-\u202e\u2060-\u206f]{1,2000}"
)
_INLINE = r"""
  | (?P<hard>\\(?=\n))
  | (?P<escape>\\[!-/:-@\[-`{-~])
  | (?P<ticks>`+)
  | (?P<comment><!--(?s:(?!<!--).){0,10000}?-->)
  | (?P<autolink><(?:https?://|mailto:)[^\s<>]{1,2000}>)
  | (?P<tag></?[A-Za-z][A-Za-z0-9-]{0,30}(?:\s[^<>]{0,1000})?/?>)
  | (?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)
  | (?P<target>\]\(\s{0,20}+
      (?:<[^<>\n]{0,2000}>|(?:[^()\s\\]++|\\.|\([^()\s]{0,500}\)){0,2000}+)
      (?:\s{1,20}+(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\)))?\s{0,20}+\)
      |\]\([ ]?(?:https?://|[./\#])[^()\n]{0,500}\))
  | (?P<reference>\]\[[^\[\]]{0,200}\])
  | (?P<open>!?\[)
  | (?P<close>\])
  | (?P<delimiter>\*+|_+|~~+)
"""


def grammar(marks: str, *, markdown: bool = True) -> re.Pattern[str]:
    """The pattern of the notation that ``notation`` takes away.

    Args:
        marks: A verbose pattern without groups of its own, tried before all other notation: what
            else goes as a whole. Where it starts with a line break, the line break stays.
        markdown: False knows nothing but these marks and addresses.
    """
    inline = _INLINE if markdown else ""
    first = rf"(?P<ignorable>{TERMINAL}) | (?P<mark>{marks})"
    return re.compile(rf"{first} | (?P<url>{_URL}) {inline}", re.VERBOSE)


DOCUMENT = grammar(
    rf"""
    (?:\A|\n)[ \t]*+(?:
        (?:>[ \t]?)+(?:(?:[-*+]|\d{{1,3}}[.)])[ \t]+)?             # quote marks
      | (?:[-*+]|\d{{1,3}}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?          # list markers
      | (?:`{{3,}}|~{{3,}})[^\n]*                                  # code fences
      | \|?(?:[ \t]*:?-{{3,}}+:?[ \t]*\|?)++[ \t]*(?=\n|\Z)        # table rules, thematic breaks
      | :{{3,}}[^\n]*                                              # Pandoc's fenced divisions
      | \#{{1,6}}[ \t]+
      | \|                                                         # a row's first edge
    )
  | \|[ \t]*(?=\n|\Z)                                              # a row's last edge
  | (?<=[^\s\[({{]){NUMBERED}                                      # citations
  | \[\^[^\[\]\s]{{1,60}}\]:?                                      # footnotes
    """
)
"""Markdown with the marks between blocks."""

_TAGS = frozenset(
    """a abbr address article aside audio b big blockquote body br button caption center cite code
    col dd del details dfn div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5
    h6 head header hr html i iframe img input ins kbd label li link main mark meta nav ol option p
    picture pre q ruby rt s samp script section select small source span strike strong style sub
    summary sup svg table tbody td textarea tfoot th thead time title tr tt u ul var video
    wbr""".split()
)
_BLOCK_TAGS = frozenset(
    """blockquote caption dd details div dl dt h1 h2 h3 h4 h5 h6 hr li ol p section summary table td
    th tr ul""".split()
)
_TAG_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9-]{0,30})")
_CLOSING_TAG = re.compile(r"</([A-Za-z][A-Za-z0-9-]{0,30})>")

Role = Literal["", "opens", "mark"]


class Edit(NamedTuple):
    """Replace ``raw[start:end]`` by ``text``."""

    start: int
    end: int
    text: str = ""
    role: Role = ""
    """"opens": it belongs to what follows. "mark": a citation or the like, at what stands before;
    if punctuation follows, the space before it goes too."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link, an image or an address, with all of its notation."""

    start: int
    end: int
    shown: Span
    """The text that stands for it."""
    is_image: bool = False


@dataclass(frozen=True, slots=True)
class Notation:
    """What is notation in a stretch of text."""

    edits: tuple[Edit, ...]
    """They leave the text a reader of the rendered page would see. In order, not overlapping; a
    line that ends by a sign is replaced by a line break, a block that does by two."""
    links: tuple[Link, ...]
    """In order; a link may hold an image."""


def notation(raw: str, pattern: re.Pattern[str] = DOCUMENT) -> Notation:
    """Find the notation of a stretch of text; by default, of a document in Markdown."""
    scan = _Scan(raw)
    scan.run(pattern)
    return Notation(
        tuple(sorted(scan.edits)), tuple(sorted(scan.links, key=lambda link: link.start))
    )


@dataclass(slots=True)
class _Run:
    """A run of asterisks or the like that may open emphasis; its end is used up first."""

    start: int
    left: int
    role: Role | None
    """What becomes of the part that nothing closes: None if it is text."""


class _Scan:
    """The state of one scan; each handler gets a token's span and may return where to go on."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.edits: list[Edit] = []
        self.links: list[Link] = []
        # Deep nesting forgets the outermost.
        self._brackets: deque[Span] = deque(maxlen=32)
        self._runs: dict[str, list[_Run]] = {}

    def run(self, pattern: re.Pattern[str]) -> None:
        position = 0
        while match := pattern.search(self.raw, position):
            start, end = match.span()
            position = self._HANDLERS[match.lastgroup or ""](self, start, end) or end
        for runs in self._runs.values():
            for run in runs:
                self._drop_run(run)

    def _drop(self, start: int, end: int) -> None:
        self.edits.append(Edit(start, end))

    def _drop_mark(self, start: int, end: int) -> None:
        kept = "\n" if self.raw[start] == "\n" else ""
        self.edits.append(Edit(start, end, kept, "mark"))

    def _hard_break(self, start: int, end: int) -> None:
        self.edits.append(Edit(start, end, "\n"))

    def _unescape(self, start: int, end: int) -> None:
        self.edits.append(Edit(start, start + 1, role="opens"))

    def _code(self, start: int, end: int) -> int | None:
        same = self._ticks.get(end - start, [])
        found = bisect_left(same, end)
        if found == len(same):
            return None
        closing = same[found]
        self.edits += [
            Edit(start, end, role="opens"),
            Edit(closing, closing + end - start),
        ]
        return closing + end - start

    @cached_property
    def _ticks(self) -> dict[int, list[int]]:
        """Where runs of backticks start, by their length."""
        found: dict[int, list[int]] = {}
        for match in re.finditer("`+", self.raw):
            found.setdefault(len(match.group()), []).append(match.start())
        return found

    def _autolink(self, start: int, end: int) -> None:
        self.edits += [Edit(start, start + 1, role="opens"), Edit(end - 1, end)]
        self.links.append(Link(start, end, Span(start + 1, end - 1)))

    def _tag(self, start: int, end: int) -> int | None:
        match = _TAG_NAME.match(self.raw, start)
        name = match.group(1).lower() if match else ""
        if name not in _TAGS and name not in self._closed:
            return start + 1  # "<file>", "Vec<u8>"
        if name == "br":
            self._hard_break(start, end)
        else:
            kept = "\n\n" if name in _BLOCK_TAGS else ""
            closes = self.raw.startswith("</", start)
            self.edits.append(Edit(start, end, kept, "" if closes else "opens"))
        return None

    @cached_property
    def _closed(self) -> frozenset[str]:
        return frozenset(name.lower() for name in _CLOSING_TAG.findall(self.raw))

    def _url(self, start: int, end: int) -> int:
        # What closes a sentence or a bracket around the address is not part of it.
        kept = self.raw[start:end]
        while kept[-1] in ".,;:!?'*_~" or (kept[-1] == ")" and kept.count("(") < kept.count(")")):
            kept = kept[:-1]
        end = start + len(kept)
        self.links.append(Link(start, end, Span(start, end)))
        return end

    def _entity(self, start: int, end: int) -> None:
        decoded = html.unescape(self.raw[start:end])
        if decoded != self.raw[start:end]:
            self.edits.append(Edit(start, end, decoded))

    def _open(self, start: int, end: int) -> None:
        self._brackets.append(Span(start, end))

    def _close(self, start: int, end: int) -> None:
        if self._brackets:
            self._brackets.pop()

    def _target(self, start: int, end: int) -> None:
        if not self._brackets:
            # The link began before this stretch.
            self._drop(start, end)
        else:
            self._link(start, end)

    def _reference(self, start: int, end: int) -> None:
        if self._brackets:
            self._link(start, end)

    def _link(self, start: int, end: int) -> None:
        opening = self._brackets.pop()
        is_image = opening.end - opening.start == 2
        if not is_image:
            self._brackets.clear()  # no link stands within a link
        self.edits += [Edit(opening.start, opening.end, role="opens"), Edit(start, end)]
        self.links.append(Link(opening.start, end, Span(opening.end, start), is_image))

    def _delimiter(self, start: int, end: int) -> None:
        """Emphasis: match a closing run with the open runs of its character, innermost first."""
        before = self.raw[start - 1] if start else " "
        after = self.raw[end] if end < len(self.raw) else " "
        character = self.raw[start]
        inside = before.isalnum() and after.isalnum()
        literal = inside and (character == "_" or before.isdigit() or after.isdigit())
        open_runs = self._runs.setdefault(character, [])
        first = start
        while not literal and not before.isspace() and first < end and open_runs:
            opener = open_runs[-1]
            used = min(end - first, opener.left)
            opener.left -= used
            outer = opener.start + opener.left
            self.edits += [Edit(outer, outer + used, role="opens"), Edit(first, first + used)]
            first += used
            if not opener.left:
                open_runs.pop()
        role = _role_alone(before, after)
        if literal or (before.isalnum() and self.raw[start:end] == "*"):
            role = None  # "A* search", "Price*"
        run = _Run(first, end - first, role)
        if run.left and not literal and not after.isspace():
            open_runs.append(run)
        elif run.left:
            self._drop_run(run)

    def _drop_run(self, run: _Run) -> None:
        if run.role is not None:
            self.edits.append(Edit(run.start, run.start + run.left, role=run.role))

    _HANDLERS: ClassVar = {
        "ignorable": _drop,
        "mark": _drop_mark,
        "hard": _hard_break,
        "escape": _unescape,
        "ticks": _code,
        "comment": _drop_mark,
        "autolink": _autolink,
        "tag": _tag,
        "url": _url,
        "entity": _entity,
        "target": _target,
        "reference": _reference,
        "open": _open,
        "close": _close,
        "delimiter": _delimiter,
    }


def _role_alone(before: str, after: str) -> Role | None:
    """What emphasis is that is not closed: cut off at a sentence's border, or a sign of its own.

    "**One." and "Two.**" lose it; "2 * 3", "f(x)*g(x)" and "*.txt" do not.
    """
    if before.isspace() or before in "([\"'“‘":
        return "opens" if not after.isspace() and after not in ".,;:/)=" else None
    return "" if after.isspace() or after in ".,;:!?)]\"'”’" else None
