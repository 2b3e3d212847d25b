"""Raw text to the text that is indexed and judged, with a way back.

Per character, so that every cleaned span has its raw span: whitespace runs become one space, words
hyphenated at a line's end are joined, invisible and control characters are dropped, ligatures are
expanded. Nothing is composed or decomposed (NFC would move text between characters).

A word broken as "informa-\\ntion" loses its hyphen if both halves are lower-case letters and it is
no likely compound: neither half is one that commonly makes them ("well-\\nknown", "fact-\\nbased"),
and not both halves are common words while the whole is not ("data-\\ndriven"; the common words are
those of ``punkt.json``). Every other hyphen at a line's end stays, without the line break
("Anglo-\\nSaxon", "1990-\\n1995").
"""

import json
import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

from veracite.index.edits import Cleaned, Edit, closed_up, composed, edited
from veracite.index.grammar import NUMBERS, TERMINAL
from veracite.index.markup import notation

Markup = Literal["none", "markdown"]

_INVISIBLE = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e0fff"
)
_SPECIAL = re.compile(
    rf"""
    (?=[-\u2010\[\s{_INVISIBLE}\ufb00-\ufb06])(?![ ][^\s{_INVISIBLE}](?<=[^\s{_INVISIBLE}][ ].))(?:
      (?P<hyphen>(?<=[^\W\d_])[-\u2010\u00ad][{_INVISIBLE}]*[ \t]*(?:\r\n?|\n)[ \t]*(?=[^\W_]))
    | (?P<mark>(?<=[^\s\[({{{_INVISIBLE}])\[{NUMBERS}\])
    | (?P<blank>(?!(?<=[^\s{_INVISIBLE}])[ ](?![\s{_INVISIBLE}]|\Z))
        (?:{TERMINAL}|[\s{_INVISIBLE}])+)
    | (?P<ligature>[\ufb00-\ufb06])
    )
    """,
    re.VERBOSE,
)
_WORD_BEFORE = re.compile(r"[^\W\d_]+\Z")
_WORD_AFTER = re.compile(r"[^\W_]+")

_COMPOUND_FIRST = frozenset(
    "after all anti bi co cost counter cross decision deep double drug e early evidence ex"
    " far fast first five follow four front full government half hand hard heat high home ill"
    " in know large late left life light line long low machine mid middle mother multi near"
    " new non off old on one open over own post pre pro purpose quasi real right second self"
    " semi seven short single six small so state sub super ten third three time trade two"
    " ultra up user water well wide world year".split()
)
_COMPOUND_LAST = frozenset(
    "aged based born by century day dependent driven due edge effective free friendly grade"
    " in induced known led length level like line made making mile minded minute month off old"
    " only out owned page party point proof quality range rate related rich round run scale"
    " sensitive side size specific standing style term third thirds time to type up value wide"
    " wing year".split()
)
_SUSPENDED = frozenset(["and", "or", "to", "und", "et"])


def clean(raw: str, markup: Markup = "none") -> Cleaned:
    """Clean one stretch of raw text; offsets in the result count from the stretch's start.

    Args:
        raw: Any text, hostile or not.
        markup: What notation the raw text is in; "markdown" takes its inline markup away too.
    """
    if markup == "markdown":
        return clean_with(raw, notation(raw).edits)
    return edited(raw, _edits(raw))


def clean_with(raw: str, edits: Sequence[Edit]) -> Cleaned:
    """Clean a stretch of raw text whose notation and citation marks these edits take away."""
    first = edited(raw, closed_up(raw, edits))
    return composed(edited(first.text, _edits(first.text, marks=False)), first)


def _edits(raw: str, *, marks: bool = True) -> list[Edit]:
    edits: list[Edit] = []
    for match in _SPECIAL.finditer(raw):
        start, end = match.span()
        kind = match.lastgroup
        if kind == "hyphen":
            edits.append(Edit(start, end, _joint(raw, start, end)))
        elif kind == "mark":
            edits += [Edit(start, end)] if marks else []
        elif kind == "ligature":
            edits.append(Edit(start, end, unicodedata.normalize("NFKD", match.group())))
        elif start == 0 or end == len(raw) or not any(map(str.isspace, match.group())):
            edits.append(Edit(start, end, ""))
        else:
            edits.append(Edit(start, end, " "))
    return edits


def _joint(raw: str, start: int, end: int) -> str:
    """What stands between the two halves of a word that a line's end broke at a hyphen."""
    if raw[start] == "\u00ad":
        return ""
    before_match = _WORD_BEFORE.search(raw, max(0, start - 40), start)
    after_match = _WORD_AFTER.match(raw, end)
    before = before_match.group() if before_match else ""
    after = after_match.group() if after_match else ""
    if after in _SUSPENDED:
        return "- "
    compound = before in _COMPOUND_FIRST or after in _COMPOUND_LAST
    common = _common_words()
    if len(before) > 2 and len(after) > 2 and before in common and after in common:
        compound = compound or before + after not in common
    broken = before.islower() and after.isalpha() and after.islower() and len(before) > 1
    # "up-to-\ndate": the word before the break is itself the tail of a compound.
    chained = start - len(before) > 0 and raw[start - len(before) - 1] in "-\u2010"
    return "" if broken and not compound and not chained else "-"


@cache
def _common_words() -> frozenset[str]:
    stored = json.loads(files("veracite.index").joinpath("punkt.json").read_text("utf-8"))
    return frozenset(stored["ortho_context"])
