"""The sentences of an answer and what their marks (``[1][2]``, ``[1, 2]``, ``[1-3]``) cite."""

import re
from dataclasses import dataclass

from veracite.index.markup import NUMBERS
from veracite.index.sentences import sentence_spans

_MARK = rf"\[\s?{NUMBERS}\s?\]"
_A_MARK = re.compile(_MARK)
_SPACED_MARK = re.compile(rf"(?<![^\S\n])[^\S\n]*{_MARK}")
_MARK_BEFORE_WORD = re.compile(rf"{_SPACED_MARK.pattern}(?=\w)")
_LEADING = re.compile(rf"((?:\s*{_MARK})+)\s*(?:[.,;:]+(?=\s|\Z))?\s*")
_COMMA = re.compile(r",(?![^\[\]]{0,200}\])")
"""A comma, except within brackets: "[1, 2]" is one mark."""
_PIECE = re.compile(r"(\d+)(?:\s?[–—-]\s?(\d+))?")


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence, or part of a list, and what it cites."""

    statement: str
    """Without marks; for a list the question goes before. Empty if there are only marks."""
    citations: tuple[int, ...]
    """Numbers of documents from 1 as the marks have them, each once, in order."""


def without_marks(text: str) -> str:
    """A text without its citation marks and the blanks before them."""
    return _SPACED_MARK.sub("", _MARK_BEFORE_WORD.sub(" ", text)).strip()


def listed(output: str) -> list[str]:
    """The parts of an answer that is a list with commas; an answer with a comma is cut in two."""
    parts = _COMMA.split(output.strip().rstrip(".").rstrip(","))
    return [part.strip() for part in parts if part.strip()]


def parse(output: str, question: str | None = None) -> tuple[CitedSentence, ...]:
    """The sentences of an answer and what they cite.

    Args:
        output: With marks such as ``[1][2]`` or ``[1, 2]``.
        question: Given if the answer is a list with commas (QAMPARI): each part is judged as the
            question followed by it.
    """
    parts = _sentences(output) if question is None else listed(output)
    before = "" if question is None else f"{question} "
    statements = [without_marks(part) for part in parts]
    return tuple(
        CitedSentence(before + statement if statement else "", _citations(part))
        for statement, part in zip(statements, parts, strict=True)
    )


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
