"""The marks of a text that point at its sources and say nothing themselves.

As patterns, for drafts; and the sentences of an answer with what their marks (``[1][2]``,
``[1, 2]``, ``[1-3]``) cite.
"""

import re
from dataclasses import dataclass

from veracite.index.markup import NUMBERED, NUMBERS, grammar
from veracite.index.sentences import sentence_spans

_SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_AFTER_WORD = r"(?:(?<=[.,;:!?”’\"')\]])|(?<=[^\W\d_]{3}))"  # no power of a unit: "km²"
_EDITORIAL = (
    r"(?:citation|clarification|attribution|quotation|verification|page|year)s?[ ]needed"
    r"|when\?|who\?|which\?|where\?|by[ ]whom\?|according[ ]to[ ]whom\?|dubious[^\[\]]{0,20}"
    r"|better[ ]source[^\[\]]{0,20}|verify|(?:note|nb|n)[ ]\d{1,3}"
)
# Only forms that cannot be a fact of their own: "(Smith, 2020)" alone may be a place and its year.
_AUTHOR = r"(?:[A-Z][\w'’.-]*,?[ ]?(?:and|&|et[ ]al\.?)?,?[ ]?){1,6}"
_AUTHOR_YEAR = rf"{_AUTHOR},?[ ](?:19|20)\d\d[a-z]?(?:,[ ]?pp?\.[ ]?\d+(?:[–-]\d+)?)?"
_PARENTHESES = (
    r"\((?=[^()\n]{4,200}\))(?=[^()]*(?:et[ ]al|&|,[ ]pp?\.[ ]?\d|;[ ]?[A-Z]))"
    rf"(?:see[ ]|e\.g\.,?[ ]|cf\.[ ])?{_AUTHOR_YEAR}(?:;[ ]?{_AUTHOR_YEAR}){{0,9}}\)"
)
_CITATION = rf"""
    {NUMBERED}
  | \[\[{NUMBERS}\]\]
  | \[\^[^\[\]\s]{{1,60}}\]
  | \[(?:{_EDITORIAL})\]
  | (?<=[^\s\[(_*])\[[a-z]\](?:\([^()\s]{{0,500}}\)|(?!\())
  | \[(?:see[ ])?-?@[^\[\]\n]{{1,200}}\]
  | 【[^【】\n]{{1,80}}】
  | \\cite[a-z]{{0,6}}(?:\[[^\[\]\n]{{0,80}}\])?\{{[^{{}}\n]{{1,200}}\}}
  | {_AFTER_WORD}[{_SUPERSCRIPT}]+(?:[⁻˒,–][{_SUPERSCRIPT}]+)*(?!\w)
  | (?:{_AFTER_WORD}<sup>|<sup>(?=\s?[<\[]))
      \s?(?:<a[^<>]{{0,500}}>)?\s?\[?{NUMBERS}\]?\s?(?:</a>)?\s?</sup>
  | {_PARENTHESES}
"""
_ADDRESS = r"\(\s?<?(?:https?://|www\.)[^\s<>()\[\]\"`|]{1,2000}>?\s?\)"
# Code for a browser. No script within a script: every opening tag is looked at once.
_SCRIPT = (
    r"(?i:<(?:script|style)\b[^<>]{0,1000}>(?s:(?!<(?:script|style)\b).){0,10000}?"
    r"</(?:script|style)\s?>)"
)
MARKDOWN_DRAFT = grammar(rf"{_CITATION} | {_ADDRESS} | {_SCRIPT} | \A\[[ xX]\][ ]+")
"""Markdown, citation marks, addresses in brackets, and the box of a task."""
PLAIN_DRAFT = grammar(_CITATION, markdown=False)
"""Citation marks alone."""

_MARK = rf"\[\s?{NUMBERS}\s?\]"
_A_MARK = re.compile(_MARK)
_SPACED_MARK = re.compile(rf"(?<![^\S\n])[^\S\n]*{_MARK}")
_MARK_BEFORE_WORD = re.compile(rf"{_SPACED_MARK.pattern}(?=\w)")
_LEADING = re.compile(rf"((?:\s*{_MARK})+)\s*(?:[.,;:]+(?=\s|\Z))?\s*")
_PIECE = re.compile(r"(\d+)(?:\s?[–—-]\s?(\d+))?")


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence and what it cites."""

    statement: str
    """Without marks; empty if there are only marks."""
    citations: tuple[int, ...]
    """Numbers of documents from 1 as the marks have them, each once, in order."""


def without_marks(text: str) -> str:
    """A text without its citation marks and the blanks before them."""
    return _SPACED_MARK.sub("", _MARK_BEFORE_WORD.sub(" ", text)).strip()


def parse(output: str) -> tuple[CitedSentence, ...]:
    """The sentences of an answer and what their marks cite."""
    parts = _sentences(output)
    return tuple(CitedSentence(without_marks(part), _citations(part)) for part in parts)


def _sentences(output: str) -> list[str]:
    """The sentences with their marks, those that stand after the full stop included."""
    spans = sentence_spans(output)
    leads = bool(spans) and _A_MARK.match(output, spans[0].start) is not None
    found: list[str] = []
    for place, span in enumerate(spans):
        sentence = output[span.start : span.end]
        marks = _LEADING.match(sentence)
        if marks and found:
            only_marks = marks.end() == len(sentence)
            same_line = "\n" not in output[spans[place - 1].end : span.start]
            if only_marks or (same_line and not leads):
                found[-1] += marks.group(1)
                sentence = sentence[marks.end() :]
        if sentence:
            found.append(sentence)
    return found


def _citations(text: str) -> tuple[int, ...]:
    """The numbers within the marks, ranges written out, each once."""
    numbers: dict[int, None] = {}
    for mark in _A_MARK.findall(text):
        for first, last in _PIECE.findall(mark):
            start, stop = int(first), int(last or first)
            numbers |= dict.fromkeys(range(start, stop + 1) if start < stop else (start, stop))
    return tuple(numbers)
