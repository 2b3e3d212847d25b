"""The checked text as its author meant it to look: Markdown as HTML, with its claims marked.

Claims are marked in the source, by punctuation that it does not hold, before markdown-it parses it;
what the marks would change is shown without them. Nothing of the text becomes markup but what this
module writes: raw HTML stays text, of links and pictures the words are shown.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from veracite.engine.claims.markup import FRONT_MATTER
from veracite.engine.display import neutralise
from veracite.engine.report.phrases import LABEL_WORDS
from veracite.engine.types import Report, Verdict

if TYPE_CHECKING:
    from markdown_it.token import Token
    from markupsafe import Markup

_SIGNS = [c for c in map(chr, range(0x2E00, 0x2E5E)) if unicodedata.category(c)[0] == "P"]
"""Punctuation that hardly any text has: emphasis begins and ends beside it."""
_TAGS = frozenset("ul ol li blockquote table thead tbody tr th td em strong p hr br".split())
_ENDS = tuple(".!?…:;,”’\"')]")
"""How a line ends that goes on or is a sentence."""


def render(report: Report, listed: Collection[int]) -> "Markup":
    """The text of a report, an element of HTML for each block of Markdown.

    Args:
        listed: Numbers of the claims, from 1, that the page lists: what is marked leads there.
    """
    from markupsafe import Markup

    source = report.source
    opening, closing = [sign for sign in (*_SIGNS, "", "") if sign not in source or not sign][:2]
    claims = report.verdicts if closing else ()  # a text of all these signs has no marked claims
    writer = _Writer(claims, listed, opening, closing)
    if not report.settings.get("markdown", True):
        return Markup(f'<div class="plain">{writer.text(writer.signed(source))}</div>')
    begin = int(source.startswith("\ufeff"))
    front = FRONT_MATTER.match(source, begin)
    begin, head = (front.end(), front.group()) if front else (begin, "")
    plain, marked = _parse(source[begin:]), _parse(writer.signed(source, begin))
    if [(one.type, one.level) for one in marked] != [(one.type, one.level) for one in plain]:
        marked = plain
    for token, original in zip(marked, plain, strict=True):
        if writer.unsigned(token) != writer.unsigned(original):
            token.children, token.content = original.children, original.content
    blocks = "".join(writer.blocks(marked))
    return Markup(f"<pre>{writer.text(head)}</pre>\n{blocks}" if head else blocks)


def _parse(text: str) -> "list[Token]":
    from markdown_it import MarkdownIt

    # As claims are found: indented lines of a draft are paragraphs. HTML is read as text.
    parser = MarkdownIt("commonmark", {"html": False})
    return parser.enable("table").disable("code").parse(text)


@dataclass(slots=True)
class _Writer:
    """Writes tokens as HTML, and knows which claim it is in."""

    verdicts: Sequence[Verdict]
    listed: Collection[int]
    opening: str
    """Stands on both sides of a claim's number, where the claim begins."""
    closing: str
    """Stands where a claim ends."""
    claim: int = 0
    """From 1; 0 where there is none."""
    linked: int = 0
    """The last claim that has its link."""
    level: int = 0
    """Of the last heading, counted without gaps."""
    last: str = ""
    """What was written last."""
    flows: bool = False
    """Whether line breaks are no more than blanks."""

    def signed(self, source: str, begin: int = 0) -> str:
        """The source from a place on, with the signs of claims."""
        parts, position = [], begin
        claims = enumerate((verdict.claim for verdict in self.verdicts), start=1)
        for number, claim in sorted(claims, key=lambda one: (one[1].start, one[0])):
            if claim.start >= position:
                sign = f"{self.opening}{number}{self.opening}"
                parts += [source[position : claim.start], sign]
                parts += [source[claim.start : claim.end], self.closing]
                position = claim.end
        return "".join([*parts, source[position:]])

    def unsigned(self, token: "Token") -> list[tuple[str, str]]:
        """What a token is made of, without signs."""
        if token.children is not None:
            return [part for child in token.children for part in self.unsigned(child)]
        content = self._signs.sub("", token.content)
        return [(token.type, content)] if content or token.type != "text" else []

    @property
    def _signs(self) -> "re.Pattern[str]":
        return re.compile(rf"{self.opening}(\d+){self.opening}|{self.closing}")

    def blocks(self, tokens: "Sequence[Token]") -> Iterator[str]:
        """The elements of blocks."""
        for token in tokens:
            self.flows = token.type == "inline"
            if self.flows:
                yield from self.inline(token.children or [])
            elif token.type == "fence":
                yield f"<pre>{self.text(token.content)}</pre>\n"
            elif token.type == "heading_open":
                self.level = min(int(token.tag[1]), self.level + 1)
                yield f"<h{min(6, self.level + 2)}>"
            elif token.type == "heading_close":
                yield f"</h{min(6, self.level + 2)}>\n"
            elif token.tag in _TAGS and not token.hidden:
                yield self._tag(token)

    def inline(self, tokens: "Sequence[Token]") -> Iterator[str]:
        """What stands in a block; lines that were wrapped flow again."""
        run = ""
        for token in tokens:
            if token.type == "softbreak":
                run += "\n"
            elif token.type in ("code_inline", "image") or token.tag in _TAGS:
                yield self.text(run)
                run = ""
                if token.type == "image":
                    yield from self.inline(token.children or [])
                elif token.type == "code_inline":
                    yield f"<code>{self.text(token.content)}</code>"
                else:
                    yield self._tag(token)
            else:
                run += token.content
        yield self.text(run)

    def text(self, text: str) -> str:
        """A stretch of text, escaped, in which claims may begin and end."""
        if not self.closing:
            return self._piece(text)
        # Split: text, number or None, text, ...
        first, *rest = self._signs.split(text)
        written = [self._piece(first)]
        for number, piece in zip(rest[::2], rest[1::2], strict=True):
            self.claim = int(number or 0)
            written.append(self._piece(piece))
        return "".join(written)

    def _piece(self, text: str) -> str:
        from markupsafe import escape

        before, self.last = self.last.rstrip(), text or self.last
        if text == "\n" and self.flows and not self.claim and not before.endswith(_ENDS):
            return "<br>\n"  # a line between two claims that was meant to end
        shown = str(escape(neutralise(text, lines=True)))
        if not (text and self.claim):
            return shown
        label = self.verdicts[self.claim - 1].label
        about = f'class="{label.value}" title="{LABEL_WORDS[label]}"'
        if self.claim not in self.listed or self.claim == self.linked:
            return f"<span {about}>{shown}</span>"
        self.linked = self.claim
        return f'<a id="text-{self.claim}" href="#claim-{self.claim}" {about}>{shown}</a>'

    def _tag(self, token: "Token") -> str:
        start = token.attrGet("start") if token.type == "ordered_list_open" else None
        slash = "/" if token.nesting < 0 else ""
        end = "" if token.nesting > 0 or token.type.startswith(("em", "strong")) else "\n"
        number = f' start="{int(start)}"' if start else ""
        return f"<{slash}{token.tag}{number}>{end}"
