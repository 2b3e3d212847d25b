"""The signs of inline notation, as patterns that a scan takes token by token.

Every pattern takes linear time on any input: what repeats is bounded, or is never tried again.
"""

import re

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
    """The pattern of the notation that ``veracite.index.markup.notation`` takes away.

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
