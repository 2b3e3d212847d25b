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
from veracite.engine.wording.contrasts import LIGHT, cases_apart, is_negation, opposites
from veracite.engine.wording.names import (
    Name,
    codes,
    in_family,
    is_stated,
    names,
    stands_in,
    stated_instead,
    word_before,
)
from veracite.engine.wording.overlap import Word, content_words, coverage, subject_end, words
from veracite.engine.wording.quantities import measures

_HYPHENATION = re.compile(r"(?<=\w)-\s*\n\s*(?=\w)")
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
        self._told = [
            quote.relation != "nearest" or coverage(self._said, stems) >= _CLOSE
            for quote, stems in zip(quotes, self._stems, strict=True)
        ]
        """Whether what a quote says instead may be held against the claim."""
        self._subject = subject_end(statement)
        self._taken: list[tuple[int, int]] = []

    def parts(self) -> Iterator[Aligned]:
        """Numbers and names before words, which may be part of them."""
        found: list[Aligned] = []
        for step in (self._codes, self._quantities, self._names, self._denials, self._words):
            for part in step():
                found.append(part)
                self._taken.append((part.start, part.end))
        denied = None
        if self._denied and not any(part.outcome == "conflict" for part in found):
            denied = self._denied_instead(found)
        for part in found:
            yield denied if denied and denied.start == part.start else part

    def _free(self, start: int, end: int) -> bool:
        return not any(start < e and s < end for s, e in self._taken)

    def _codes(self) -> Iterator[Aligned]:
        for mine in codes(self._statement):
            if not self._free(mine.start, mine.end):
                continue
            if any(is_stated(mine, text) for text in self._texts):
                yield Aligned(mine.start, mine.end, "name", "found")
                continue
            for index, citation in enumerate(self._quotes):
                other = stated_instead(mine, citation.quote)
                if other is not None and self._told[index]:
                    stated = Counterpart(other.text, index, other.start, other.end)
                    yield Aligned(mine.start, mine.end, "name", "conflict", stated)
                    break

    def _quantities(self) -> Iterator[Aligned]:
        claimed = [
            m for m in measures(self._statement) if self._free(m.quantity.start, m.quantity.end)
        ]
        rows = [weigh(claimed, measures(c.quote)) for c in self._quotes]
        above = [weigh(claimed, measures(c.heading or "")) for c in self._quotes]
        for number, measure in enumerate(claimed):
            own = measure.quantity
            kind: AlignedKind = "date" if own.kind in ("date", "time") else "number"
            compared = [(index, row[number]) for index, row in enumerate(rows)]
            same = [one for one in compared if one[1].outcome == "match"]
            if not same and any(row[number].outcome == "match" for row in above):
                yield Aligned(own.start, own.end, kind, "found")
                continue
            other = [c for c in compared if c[1].outcome == "conflict" and self._told[c[0]]]
            for index, comparison in (same or other)[:1]:
                if (stated := comparison.stated) is not None:
                    place = Counterpart(stated.text, index, stated.start, stated.end)
                    outcome: Outcome = "found" if same else "conflict"
                    yield Aligned(own.start, own.end, kind, outcome, place)
            if not (same or other or own.kind == "ordinal"):
                yield Aligned(own.start, own.end, kind, "missing")

    def _names(self) -> Iterator[Aligned]:
        own = [n for n in names(self._statement) if self._free(n.start, n.end)]
        lacking = [name for name in own if not self._has(name)]
        others = [
            (index, name)
            for index, citation in enumerate(self._quotes)
            if self._told[index]
            for name in names(citation.quote)
            if not stands_in(name, self._statement)
        ]
        for name in own:
            if name not in lacking:
                yield Aligned(name.start, name.end, "name", "found")
                continue
            instead = self._in_place_of(name, others, alone=len(lacking) == len(others) == 1)
            if instead is None:
                yield Aligned(name.start, name.end, "name", "missing")
            else:
                index, other = instead
                place = Counterpart(other.text, index, other.start, other.end)
                others.remove(instead)
                yield Aligned(name.start, name.end, "name", "conflict", place)

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
        """The name that a quote has behind the same word, or the only one on either side."""
        if alone and self._denied and self._is_about(others[0][0]):
            return others[0]
        before = word_before(self._statement, name.start)
        for index, other in others:
            if before and before == word_before(self._quotes[index].quote, other.start):
                return index, other
        return None

    def _is_about(self, index: int) -> bool:
        """Whether a quote has the claim's other words, so that a name may stand for a name."""
        rest = [word for word in self._said if not word.text[0].isupper()]
        return coverage(rest, self._stems[index]) >= _CLOSE

    def _denials(self) -> Iterator[Aligned]:
        denied = any(is_negation(w) for text in self._texts for w in words(text))
        for word in words(self._statement):
            if is_negation(word) and self._free(word.start, word.end):
                yield Aligned(word.start, word.end, "negation", "found" if denied else "missing")

    def _words(self) -> Iterator[Aligned]:
        instead = dict(self._contrary())
        around = {w.stem for c in self._quotes for w in words(c.context)}
        for word in self._said:
            light = word.stem in LIGHT or (len(word.text) < 3 and word.text.islower())
            if light or not self._free(word.start, word.end):
                continue
            if word in instead:
                yield Aligned(word.start, word.end, "word", "conflict", instead[word])
            else:
                known = [*self._stems, around] if word.end <= self._subject else self._stems
                said = any(in_family(word.stem, stems) for stems in known)
                yield Aligned(word.start, word.end, "word", "found" if said else "missing")

    def _contrary(self) -> Iterator[tuple[Word, Counterpart]]:
        """Words beside which a quote has the opposite, or another season or weekday."""
        for index, citation in enumerate(self._quotes):
            if not self._told[index]:
                continue
            found = list(opposites(self._statement, citation.quote)) if self._denied else []
            case = cases_apart(self._statement, citation.quote)
            for contrast in (*found, *((case,) if case else ())):
                other = contrast.other
                yield contrast.word, Counterpart(other.text, index, other.start, other.end)

    def _denied_instead(self, found: Sequence[Aligned]) -> Aligned | None:
        """The word of the claim that a quote denies ("can open", "cannot open")."""
        if any(part.kind == "negation" for part in found):
            return None
        plain = {(part.start, part.kind) for part in found}
        for index, citation in enumerate(self._quotes):
            there = words(citation.quote)
            for place, cue in enumerate(there):
                for other in there[place + 1 :] if is_negation(cue) else ():
                    mine = next((w for w in self._said if in_family(w.stem, {other.stem})), None)
                    if mine is not None and (mine.start, "word") in plain:
                        said = citation.quote[cue.start : other.end]
                        stated = Counterpart(said, index, cue.start, other.end)
                        return Aligned(mine.start, mine.end, "negation", "conflict", stated)
        return None


def _whole(quote: str) -> str:
    """A quote with the words joined that its lines break."""
    return _HYPHENATION.sub("", quote)
