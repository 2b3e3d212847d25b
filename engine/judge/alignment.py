"""Which words and numbers of a claim its quotes say, and what they say in place of others.

Deterministic and cautious: words are compared by stem, numbers and dates by value, in any form,
unit and range. Function words never count. A conflict needs something of its own kind in its own
place; what has no counterpart is only missing, perhaps because it is said in other words.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from veracite.engine.judge.weighing import weigh
from veracite.engine.types import Aligned, AlignedKind, Citation, Counterpart, Label, Outcome
from veracite.engine.wording.contrasts import LIGHT, cases_apart, is_denied, is_negation, opposites
from veracite.engine.wording.names import (
    Code,
    Name,
    codes,
    in_family,
    is_stated,
    names,
    stands_in,
    stated_instead,
    word_before,
)
from veracite.engine.wording.overlap import Word, content_words, coverage, words
from veracite.engine.wording.quantities import Quantity, measures

_HYPHENATION = re.compile(r"(?<=\w)-\s*\n\s*(?=\w)")
_Spot = Word | Name | Code | Quantity
_CLOSE = 0.5
"""The share of a claim that a quote must cover before what it says is held against it."""


@lru_cache(maxsize=4096)
def align(statement: str, citations: tuple[Citation, ...], label: Label) -> tuple[Aligned, ...]:
    """The parts of a statement that say something, in order, each beside the quotes.

    Args:
        citations: Of the verdict; those of its own relation, which come first, are looked at.
        label: Of the verdict.
    """
    if not citations:
        return ()
    quotes = [c for c in citations if c.relation == citations[0].relation]
    return tuple(sorted(_Alignment(statement, quotes, label).parts(), key=lambda p: p.start))


class _Alignment:
    """A statement beside the quotes; each step takes what it can tell and leaves the rest."""

    def __init__(self, statement: str, quotes: Sequence[Citation], label: Label) -> None:
        self._statement = statement
        self._quotes = quotes
        self._denied = label is Label.CONTRADICTED
        self._said = content_words(statement)
        self._texts = [f"{c.heading or ''}\n{_whole(c.quote)}" for c in quotes]
        self._stems = [{w.stem for w in words(text)} for text in self._texts]
        self._told = {
            place: quote.quote
            for place, quote in enumerate(quotes)
            if quote.relation != "nearest" or coverage(self._said, self._stems[place]) >= _CLOSE
        }
        """The quotes, by place, of which what they say instead may be held against the claim."""
        self._subject = max((word.end for word in self._said[:2]), default=0)
        """Where the first two words that carry weight end: they mostly name the subject."""
        self._found: list[Aligned] = []

    def parts(self) -> Iterator[Aligned]:
        """Numbers and names before words, which may be part of them."""
        for step in (self._codes, self._quantities, self._names, self._denials, self._words):
            for part in step():
                self._found.append(part)
                yield part

    def _free(self, own: _Spot) -> bool:
        return not any(own.start < p.end and p.start < own.end for p in self._found)

    def _codes(self) -> Iterator[Aligned]:
        for mine in codes(self._statement):
            others = ((place, stated_instead(mine, quote)) for place, quote in self._told.items())
            if not self._free(mine):
                continue
            if any(is_stated(mine, text) for text in self._texts):
                yield _part(mine, "name", "found")
            elif (instead := next((one for one in others if one[1]), None)) is not None:
                yield _part(mine, "name", "conflict", *instead)

    def _quantities(self) -> Iterator[Aligned]:
        claimed = [m for m in measures(self._statement) if self._free(m.quantity)]
        rows = [weigh(claimed, measures(c.quote)) for c in self._quotes]
        above = [weigh(claimed, measures(c.heading or "")) for c in self._quotes]
        for number, own in enumerate(m.quantity for m in claimed):
            kind: AlignedKind = "date" if own.kind in ("date", "time") else "number"
            compared = [(place, row[number]) for place, row in enumerate(rows)]
            same = [(at, c.stated) for at, c in compared if c.outcome == "match"]
            told = [(at, c) for at, c in compared if at in self._told]
            other = [(at, c.stated) for at, c in told if c.outcome == "conflict"]
            if same:
                yield _part(own, kind, "found", *same[0])
            elif any(row[number].outcome == "match" for row in above):
                yield _part(own, kind, "found")
            elif other:
                yield _part(own, kind, "conflict", *other[0])
            elif own.kind != "ordinal":
                yield _part(own, kind, "missing")

    def _names(self) -> Iterator[Aligned]:
        own = [n for n in names(self._statement) if self._free(n)]
        lacking = [name for name in own if not self._has(name)]
        others = [
            (place, name)
            for place, quote in self._told.items()
            for name in names(quote)
            if not stands_in(name, self._statement)
        ]
        for name in own:
            if name not in lacking:
                yield _part(name, "name", "found")
                continue
            instead = self._in_place_of(name, others, alone=len(lacking) == len(others) == 1)
            if instead is None:
                yield _part(name, "name", "missing")
            else:
                others.remove(instead)
                yield _part(name, "name", "conflict", *instead)

    def _has(self, name: Name) -> bool:
        """Whether the quotes, or what stands around them, name the same.

        Of a name behind the main verb a quote has at least a word: its heading tells no place.
        """
        texts = [*self._texts, *(c.context for c in self._quotes)]
        quotes = [_whole(c.quote) for c in self._quotes]
        full = name.stems <= {word.stem for text in texts for word in words(text)}
        if name.start >= self._subject:
            full = full and bool(name.stems & {w.stem for text in quotes for w in words(text)})
            texts = quotes
        return full or (len(name.stems) == 1 and any(stands_in(name, text) for text in texts))

    def _in_place_of(
        self, name: Name, others: Sequence[tuple[int, Name]], *, alone: bool
    ) -> tuple[int, Name] | None:
        """The name that a quote has behind the same word; or the only one on either side, where the
        quote has the claim's other words."""
        before = word_before(self._statement, name.start)
        rest = [word for word in self._said if not word.text[0].isupper()]
        for index, other in others:
            if alone and self._denied and coverage(rest, self._stems[index]) >= _CLOSE:
                return index, other
            if before and before == word_before(self._quotes[index].quote, other.start):
                return index, other
        return None

    def _denials(self) -> Iterator[Aligned]:
        denied = any(is_negation(w) for text in self._texts for w in words(text))
        for word in words(self._statement):
            if is_negation(word) and self._free(word):
                yield _part(word, "negation", "found" if denied else "missing")

    def _words(self) -> Iterator[Aligned]:
        instead = dict(self._contrary())
        is_plain = self._denied and not is_denied(self._statement)
        if is_plain and not instead and all(p.outcome != "conflict" for p in self._found):
            instead = dict(self._denied_word())
        around = {w.stem for c in self._quotes for w in words(c.context)}
        for word in dict.fromkeys((*self._said, *instead)):
            light = word.stem in LIGHT or (len(word.text) < 3 and word.text.islower())
            if light or not self._free(word):
                continue
            if word in instead:
                yield _part(word, "word", "conflict", *instead[word])
            else:
                known = [*self._stems, around] if word.end <= self._subject else self._stems
                said = any(in_family(word.stem, stems) for stems in known)
                yield _part(word, "word", "found" if said else "missing")

    def _contrary(self) -> Iterator[tuple[Word, tuple[int, Word]]]:
        """Words beside which a quote has the opposite, or another season or weekday."""
        for place, quote in self._told.items():
            found = list(opposites(self._statement, quote)) if self._denied else []
            case = cases_apart(self._statement, quote)
            for mine, other in (*found, *((case,) if case else ())):
                yield mine, (place, other)

    def _denied_word(self) -> Iterator[tuple[Word, tuple[int, Word]]]:
        """The first word of the claim that a quote denies ("never rebuilt")."""
        free = [word for word in self._said if word.stem not in LIGHT and self._free(word)]
        for place, quote in self._told.items():
            there = words(quote)
            for number, cue in enumerate(there):
                for other in there[number + 1 :] if is_negation(cue) else ():
                    if mine := next((w for w in free if in_family(w.stem, {other.stem})), None):
                        denied = Word(quote[cue.start : other.end], "", cue.start, other.end)
                        yield mine, (place, denied)
                        return


def _part(
    own: _Spot, kind: AlignedKind, outcome: Outcome, index: int = 0, other: _Spot | None = None
) -> Aligned:
    """What stands in a claim, and what a quote has in its place or likewise."""
    stated = Counterpart(other.text, index, other.start, other.end) if other else None
    return Aligned(own.start, own.end, kind, outcome, stated)


def _whole(quote: str) -> str:
    """A quote with the words joined that its lines break."""
    return _HYPHENATION.sub("", quote)
