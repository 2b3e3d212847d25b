"""A claim's words beside its quotes, for every report that people read."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, TypeVar

from veracite.engine.judge.alignment import align
from veracite.engine.report.phrases import counted
from veracite.engine.types import Aligned, Citation, Label, Verdict
from veracite.engine.wording.overlap import content_words

T = TypeVar("T")
State = Literal["found", "conflict", "reworded", "missing"]

STATE_WORDS: dict[State, str] = {
    "found": "agrees",
    "conflict": "differs",
    "reworded": "in other words",
    "missing": "not in the quote",
}
COLUMNS = ("The claim says", "The document says")
"""What stands above the two parts of a pair."""
SPLIT = "The library disagrees with itself"
"""What stands above the two sides."""
_MOST = 6
"""Items of one kind that are listed."""
_AROUND = 3
"""Words kept on either side of what differs."""
_LONGEST = 240


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a claim; those that say nothing of their own have no state."""

    text: str
    state: State | None = None
    stated: str | None = None
    """What the document says instead."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A part of a sentence with some words around it; not neutralised."""

    before: str
    part: str
    after: str

    @property
    def text(self) -> str:
        """All of it."""
        return self.before + self.part + self.after


@dataclass(frozen=True, slots=True)
class Pair:
    """What the claim says, and what a document says in its place."""

    claim: Snippet
    document: Snippet
    citation: Citation


def words(verdict: Verdict) -> tuple[Aligned, ...]:
    """The claim's words, names, numbers, dates and negations beside the quotes, in order.

    Empty where nothing is quoted.
    """
    return align(verdict.claim.statement, verdict.citations, verdict.judged)


def stretches(text: str, spans: Iterable[tuple[int, int, T]]) -> Iterator[tuple[str, T | None]]:
    """A text cut at the borders of spans, in order and without a gap.

    Args:
        spans: Start, end and what stands there; in order of position.
    """
    position = 0
    for start, end, what in (*spans, (len(text), len(text), None)):
        if position < start:
            yield text[position:start], None
        if max(position, start) < end:
            yield text[max(position, start) : end], what
        position = max(position, end)


def pieces(verdict: Verdict) -> Iterator[Piece]:
    """The claim's statement cut at the borders of its words, in order and without a gap."""
    parts = ((part.start, part.end, part) for part in words(verdict))
    for text, part in stretches(verdict.claim.statement, parts):
        if part is None:
            yield Piece(text)
        else:
            stated = part.stated.text if part.stated and part.outcome == "conflict" else None
            yield Piece(text, _state(part, verdict.label), stated)


def summary(verdict: Verdict) -> list[tuple[State, str]]:
    """What agrees, what differs, and what the quotes do not say or say in other words.

    Of what agrees only names, numbers, dates and negations are told; what differs only where no
    pairs show it. Nothing for a claim that has no word in common with its quotes: there the
    explanation says enough.
    """
    statement = verdict.claim.statement
    told: dict[State, list[str]] = {state: [] for state in STATE_WORDS}
    for state, run in _runs(verdict):
        text = statement[run[0].start : run[-1].end]
        if state == "conflict" and run[0].stated is not None:
            text = f"{text} → {_one_line(run[0].stated.text)}"
        if state != "found" or run[0].kind != "word":
            told[state].append(text)
    if all(part.outcome == "missing" for part in words(verdict)):
        return []
    if pairs(verdict):
        told["conflict"] = []
    return [(state, _listed(items)) for state, items in told.items() if items]


def pairs(verdict: Verdict) -> list[Pair]:
    """For a contradicted claim what conflicts, else the one place where it differs from the quote;
    nothing where there is none."""
    if verdict.label is not Label.CONTRADICTED or not verdict.citations:
        return []
    statement = verdict.claim.statement
    found = []
    for part in words(verdict):
        if part.outcome == "conflict" and (stated := part.stated):
            citation = verdict.citations[stated.citation]
            document = _snippet(citation.quote, stated.start, stated.end)
            found.append(Pair(_snippet(statement, part.start, part.end), document, citation))
    return found or _apart(statement, verdict.citations[0])


def sides(verdict: Verdict) -> tuple[tuple[Citation, ...], tuple[Citation, ...]] | None:
    """Where the library disagrees with itself: what supports the claim, and what contradicts it."""
    split, quotes = verdict.disagreement, verdict.citations
    if split is None:
        return None
    return tuple(quotes[i] for i in split.supports), tuple(quotes[i] for i in split.contradicts)


def disagreements(verdicts: Iterable[Verdict]) -> str | None:
    """Such as ``The library disagrees with itself on 2 claims``; None if it does not."""
    count = sum(verdict.disagreement is not None for verdict in verdicts)
    return f"{SPLIT} on {counted(count, 'claim')}" if count else None


def _state(part: Aligned, label: Label) -> State:
    if part.outcome == "missing" and part.kind == "word" and label is Label.SUPPORTED:
        return "reworded"
    return part.outcome


def _runs(verdict: Verdict) -> list[tuple[State, list[Aligned]]]:
    """Neighbouring words that no quote has, with nothing but function words between them, as one;
    all else alone."""
    runs: list[tuple[State, list[Aligned]]] = []
    for part in words(verdict):
        state = _state(part, verdict.label)
        before, run = runs[-1] if runs else (None, [part])
        alike = state == before and state in ("missing", "reworded")
        between = verdict.claim.statement[run[-1].end : part.start]
        is_empty = not content_words(between) and not re.search(r"[,;:.!?()]", between)
        if alike and run[-1].kind == part.kind == "word" and is_empty:
            run.append(part)
        else:
            runs.append((state, [part]))
    return runs


def _listed(items: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(map(_one_line, items)))
    more = [f"{len(distinct) - _MOST} more"] if len(distinct) > _MOST else []
    return ", ".join([*distinct[:_MOST], *more])


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _snippet(text: str, start: int, end: int) -> Snippet:
    before, after = text[:start].lstrip(), text[end:].rstrip()
    kept = re.search(rf"(?:\S+\s+){{0,{_AROUND}}}\S*$", before[-_LONGEST:])
    following = re.match(rf"\S*(?:\s+\S+){{0,{_AROUND}}}", after[:_LONGEST])
    lead = kept.group() if kept else ""
    tail = following.group() if following else ""
    return Snippet(
        ("… " if len(lead) < len(before) else "") + lead,
        text[start:end],
        tail + (" …" if len(tail) < len(after) else ""),
    )


def _apart(statement: str, citation: Citation) -> list[Pair]:
    """The one place where a statement differs from a quote, if it is at most half of it."""
    mine, theirs = ([*re.finditer(r"\S+", text)] for text in (statement, citation.quote))
    own, other = ([word.group() for word in side] for side in (mine, theirs))
    steps = SequenceMatcher(None, own, other, autojunk=False).get_opcodes()
    match [step for step in steps if step[0] != "equal"]:
        case [("replace", start, end, first, last)] if 2 * (end - start) <= len(mine):
            claim = _snippet(statement, mine[start].start(), mine[end - 1].end())
            said = _snippet(citation.quote, theirs[first].start(), theirs[last - 1].end())
            return [Pair(claim, said, citation)]
    return []
