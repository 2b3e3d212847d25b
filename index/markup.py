"""What is notation and not text in a stretch of Markdown.

The block structure was found by a parser (``veracite.index.readers.markdown``); here only inline
notation and the marks between blocks go: emphasis, code ticks, link targets, footnote marks, HTML
tags, entities, escapes, list markers, quote marks, table rules. Works on any substring, so brackets
and emphasis need not be balanced.
"""

import html
import re

from veracite.index.cleaning import Edit

__all__ = ["markdown_edits"]

_TOKEN = re.compile(
    r"""
      (?P<line>(?:\A|\n)[ \t]*(?:
          (?:>[ \t]?)+(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)? # quote marks
        | (?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?  # list markers
        | (?:`{3,}|~{3,})[^\n]*                          # code fences
        | \|?(?:[ \t]*:?-{3,}:?[ \t]*\|?)+[ \t]*(?=\n|\Z)   # table rules, thematic breaks
        | :{3,}[^\n]*                                    # Pandoc's fenced divisions
        | \#{1,6}[ \t]+
        | \|                                             # a row's first edge
      ))
    | (?P<edge>\|[ \t]*(?=\n|\Z))                       # a row's last edge
    | (?P<code>(?<!`)(?P<ticks>`{1,3})(?!`)
        (?P<inner>(?:[^`]{1,2000}+|(?!(?P=ticks)(?!`))`++){1,50}+)
        (?P=ticks)(?!`))
    | (?P<escape>\\[!-/:-@\[-`{-~])
    | (?P<break>\\(?=\n))
    | (?P<comment><!--(?:(?!<!--).){0,5000}?-->)
    | (?P<autolink><(?P<address>(?:https?://|mailto:)[^<>\s]{1,2000})>)
    | (?P<tag></?(?P<name>[A-Za-z][A-Za-z0-9]{0,15})(?:\s[^<>]{0,500})?/?>)
    | (?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});)
    | (?P<footnote>\[\^[^\]\s]{1,50}\]:?)
    | (?P<target>\]\(\s*(?:<[^<>\n]{0,2000}>|(?:[^()\s\\]|\\.|\([^()\s]{0,500}\)){0,2000})
        (?:\s+(?:"[^"]{0,500}"|'[^']{0,500}'))?\s*\))
    | (?P<reference>\]\[[^\[\]]{0,200}\])
    | (?P<open>!?\[)
    | (?P<close>\])
    | (?P<emphasis>\*{1,3}|~~|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w))
    """,
    re.VERBOSE | re.DOTALL,
)


def markdown_edits(raw: str) -> list[Edit]:
    """The edits that leave the text a reader of the rendered page would see."""
    edits: list[Edit] = []
    brackets: list[re.Match[str]] = []
    for match in _TOKEN.finditer(raw):
        start, end = match.span()
        kind = match.lastgroup
        token = match.group()
        if kind == "line":
            edits.append((start, end, "\n" if token[0] == "\n" else ""))
        elif kind == "code" or match.group("inner") is not None:
            inner = match.span("inner")
            edits += [(start, inner[0], ""), (inner[1], end, "")]
        elif kind == "escape":
            edits.append((start, start + 1, ""))
        elif match.group("address") is not None:
            edits += [(start, start + 1, ""), (end - 1, end, "")]
        elif kind in ("edge", "break", "comment", "footnote"):
            edits.append((start, end, ""))
        elif match.group("name") is not None:
            edits.append((start, end, " " if match.group("name").lower() in ("br", "p") else ""))
        elif kind == "entity":
            character = html.unescape(token)
            if character != token:
                edits.append((start, end, character))
        elif kind == "open":
            brackets.append(match)
        elif kind == "close":
            if brackets:
                brackets.pop()
        elif kind in ("target", "reference"):
            if brackets:
                opening = brackets.pop()
                edits.append((opening.start(), opening.end(), ""))
                edits.append((start, end, ""))
            elif kind == "target":
                edits.append((start, end, ""))
        elif _is_emphasis(raw, start, end):
            edits.append((start, end, ""))
    edits.sort()
    return edits


def _is_emphasis(raw: str, start: int, end: int) -> bool:
    """Whether a run of asterisks or the like can open or close emphasis where it stands."""
    before = raw[start - 1] if start else " "
    after = raw[end] if end < len(raw) else " "
    if before.isspace() and after.isspace():
        return False
    return not (
        before.isalnum() and after.isalnum() and raw[start] == "*" and end - start == 1
    ) and (not (before.isdigit() and after.isdigit()))
