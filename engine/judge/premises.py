"""What the verifier reads of a claim's passages: at most eight premises, each with its source.

CEG (section 3.3) judges a claim against all its documents at once. A verdict has to quote, so each
premise here knows its sentences: the two nearest to the claim one by one, the three nearest each
with its neighbours (a table's row alone, under its heading), the two best passages, and the few
sentences that together have most of the claim. A sentence seldom says by itself whom it is about.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from typing import Literal

from veracite.engine.claims.coreference import noun_of, refers_back
from veracite.engine.types import Claim
from veracite.engine.wording.lists import one_of
from veracite.engine.wording.overlap import Terms
from veracite.index.documents import Evidence, Passage, Sentence

Kind = Literal["sentence", "window", "passage", "joint"]
SentencesOf = Callable[[Passage], Sequence[Sentence]]
"""Cuts a passage into its sentences."""

_ALONE, _WINDOWS, _PASSAGES = 2, 3, 2
"""Sentences that are read alone, and between their neighbours; passages that are read whole."""
_JOINED = 4
"""Sentences of the joint premise, at most."""
_ELSEWHERE = 0.2
"""The share of the claim, by the weight of its words, that a sentence of another document than the
nearest one's adds to the joint premise at least."""
_JOINT = " … "
_BAR, _NAMED = " | ", ": "
"""Between a row's cells; between a column's name and what its cell holds."""
_MEANING = 0.5
"""What a passage's similarity counts for its sentences, beside their share of the claim's words."""
_HEADED = 0.5
"""What a word counts that only the heading has, or the sentence before."""
_LEAST_LETTERS = 12
"""A sentence with fewer signs is a leftover of a layout, unless a table's row."""
_SMALL = one_of("around nouns")
_INTRODUCES = rf"\ban? (?:(?!(?:{_SMALL})\b)[\w-]+ ){{{{0,3}}}}{{}}(?=\W*$|[,.;:)]| (?:{_SMALL})\b)"
"""A sentence that says what something is: "is a white lighthouse on"."""
_NAMES = re.compile(r"(?:\D|\b(?:1[5-9]|20)\d\d\b)*")
"""Of a table's columns: words, or years."""
_LEAST_CELLS = 3
"""Of a row that says nothing without the names of its columns."""


@dataclass(frozen=True)
class Candidate:
    """A sentence of a passage that was found."""

    passage: Passage
    rank: int
    """Place of its passage among the claim's evidence, from 0."""
    sentence: Sentence
    place: int
    """Among the passage's sentences."""
    text: str
    """As it is read: a table's row under the names of its columns."""
    before: str
    """The sentence before it, where it refers to that one's subject; else empty."""
    about: str
    """The last sentence before it that opens with no pronoun itself; else empty."""
    beside: Sequence["Candidate"] = field(default=(), compare=False, repr=False)
    """All of its passage."""

    @property
    def is_row(self) -> bool:
        """Whether it is one of a table with the names of its columns: it says all by itself."""
        _, *cells = self.sentence.text.split(_BAR)
        return bool(cells) and all(_NAMED in cell for cell in cells)

    @cached_property
    def behind(self) -> "Candidate | None":
        """The sentence that tells whom it means, or what: "The lighthouse" of "is a lighthouse"."""
        if self.is_row:
            return None
        if self.before:
            return self.beside[self.place - 1]
        noun = noun_of(self.sentence.text) or "\0"  # which no text has
        one = re.compile(_INTRODUCES.format(noun), re.IGNORECASE)
        return next((c for c in self.beside[: self.place][::-1] if one.search(c.text)), None)

    @property
    def led(self) -> tuple["Candidate", ...]:
        """The sentence, behind the one that tells whom or what it means."""
        return (self.behind, self) if self.behind else (self,)

    @property
    def told(self) -> str:
        """Both as one text."""
        return " ".join(c.text for c in self.led)


@dataclass(frozen=True)
class Premise:
    """A text that the verifier reads as one, and the sentences that it is made of."""

    kind: Kind
    candidates: tuple[Candidate, ...]
    """In the order in which they are read; those that a verdict may quote."""
    text: str

    @property
    def around(self) -> str:
        """All that tells whom and what it is about: headings, passages, the documents' names."""
        passages = dict.fromkeys(c.passage for c in self.candidates)
        return "\n".join(f"{p.document.path}\n{p.heading or ''}\n{p.text}" for p in passages)


@dataclass(frozen=True)
class Premises:
    """All that one claim is judged by."""

    claim: Claim
    terms: Terms
    evidence: tuple[Evidence, ...]
    candidates: tuple[Candidate, ...]
    """Every sentence of the passages, nearest to the claim first."""
    premises: tuple[Premise, ...]

    def nearest(self, premise: Premise) -> Candidate:
        """The sentence of a premise that has most of the claim."""
        return max(premise.candidates, key=lambda c: self.terms.share(self.terms.found(c.text)))

    @cached_property
    def near(self) -> dict[str, float]:
        """The similarity of each passage to the claim, by its id."""
        return {i.passage.id: i.cosine or 0.0 for i in self.evidence}


def passage_premise(passage: Passage) -> str:
    """A passage as a premise: its heading in front."""
    return f"{passage.heading}: {passage.text}" if passage.heading else passage.text


def compose(
    claim: Claim,
    evidence: Sequence[Evidence],
    sentences: SentencesOf,
    fits: Callable[[str, str], bool],
) -> Premises:
    """Lays out what a claim is judged by.

    Args:
        claim: What is judged.
        evidence: Its passages, best first; at least one.
        sentences: Cuts a passage into its sentences.
        fits: Whether the verifier reads all of a premise beside a claim.
    """
    terms = Terms(claim.hypothesis)
    found = [c for rank, item in enumerate(evidence) for c in _cut(item.passage, rank, sentences)]
    rare = terms.rarity([terms.found(c.text) for c in found])
    near = {item.passage.id: max(0.0, item.cosine or 0.0) for item in evidence}

    def worth(candidate: Candidate) -> float:
        own = terms.found(candidate.text)
        headed = terms.found(f"{candidate.passage.heading or ''} {candidate.before}") - own
        share = terms.share(own, rare) + _HEADED * terms.share(headed, rare)
        return share + _MEANING * near[candidate.passage.id]

    ordered = sorted(found, key=lambda c: (-worth(c), c.rank, c.sentence.start))
    distinct = list({c.sentence.text: c for c in reversed(ordered)}.values())[::-1]
    made = [Premise("sentence", c.led, alone(c, terms)) for c in distinct[:_ALONE]]
    made += _windows(distinct, len(made), terms)
    made += _whole(evidence, found, near, terms)
    made += _together(distinct, terms, rare, lambda text: fits(text, claim.hypothesis))
    kept = {premise.text: premise for premise in reversed(made)}
    premises = tuple(premise for premise in made if kept[premise.text] is premise)
    return Premises(claim, terms, tuple(evidence), tuple(ordered), premises)


def _cut(passage: Passage, rank: int, sentences: SentencesOf) -> list[Candidate]:
    own = [s for s in sentences(passage) if len(s.text) >= _LEAST_LETTERS or "|" in s.text]
    own = own or [Sentence(passage.start, passage.end, passage.page, passage.text)]
    texts = [sentence.text for sentence in own]
    about, made = "", list[Candidate]()
    for place, sentence in enumerate(own):
        refers = refers_back(sentence.text)
        before = texts[place - 1] if place and refers else ""
        read = under_names(sentence.text, texts) if "|" in sentence.text else sentence.text
        made.append(Candidate(passage, rank, sentence, place, read, before, about, made))
        about = about if refers else sentence.text
    return made


def under_names(row: str, beside: Sequence[str]) -> str:
    """A table's row below the one that names its columns; anything else as it is.

    Args:
        row: A sentence.
        beside: The sentences of its passage in order, itself among them.
    """
    cells = row.count("|") + 1
    if cells < _LEAST_CELLS or row not in beside:
        return row
    above = reversed(beside[: beside.index(row)])
    names = [row, *takewhile(lambda line: line.count("|") + 1 == cells, above)][-1]
    return f"{names}\n{row}" if names != row and _NAMES.fullmatch(names) else row


def alone(candidate: Candidate, terms: Terms) -> str:
    """A sentence as it is read by itself: behind the one that tells whom it means, under its
    heading; a table's row under all of it, its first cell for what the others are of."""
    if not candidate.is_row:
        return _headed(candidate, candidate.told, terms)
    first, *cells = candidate.sentence.text.split(_BAR)
    name, _, value = first.partition(_NAMED)
    is_whose = value and not terms.found(name) and not re.search(r"\d", value)
    told = f"{value}: {', '.join(cells)}" if is_whose else ", ".join((first, *cells))
    heading = f"{candidate.passage.heading}. " if candidate.passage.heading else ""
    return f"{heading}{told.rstrip('.')}."


def _headed(candidate: Candidate, text: str, terms: Terms) -> str:
    """A text under as much of its heading as has words of the claim that the text lacks."""
    heading = candidate.passage.heading
    lacking = terms.weights.keys() - terms.found(text)
    if not heading or not lacking & terms.found(heading):
        return text
    parts = heading.split(" > ")
    own = [part for part in parts if lacking & terms.found(part)]
    return f"{' > '.join(own)}: {text}"


def _windows(distinct: Sequence[Candidate], read: int, terms: Terms) -> Iterator[Premise]:
    """The nearest sentences between their neighbours; one beside another of them is left out.

    Rows of tables stand alone here, too, but for those among the first ones, which were read so.
    """
    chosen = list[Candidate]()
    for place, c in enumerate(distinct):
        if len(chosen) == _WINDOWS:
            break
        if c.is_row and place >= read:
            chosen.append(c)
            yield Premise("sentence", (c,), alone(c, terms))
        near = (one.beside is c.beside and abs(one.place - c.place) <= 1 for one in chosen)
        if c.is_row or any(near):
            continue
        chosen.append(c)
        first, *others = c.beside[max(0, c.place - 1) : c.place + 2]
        text = _headed(c, " ".join((first.told, *(b.text for b in others))), terms)
        yield Premise("window" if others else "sentence", (*first.led, *others), text)


def _whole(
    evidence: Sequence[Evidence], found: Sequence[Candidate], near: dict[str, float], terms: Terms
) -> Iterator[Premise]:
    """The passages that are nearest to the claim, by words and by meaning."""
    shares = [terms.share(terms.found(passage_premise(item.passage))) for item in evidence]
    worth = [share + near[i.passage.id] for share, i in zip(shares, evidence, strict=True)]
    for best in sorted(range(len(worth)), key=lambda rank: -worth[rank])[:_PASSAGES]:
        own = tuple(c for c in found if c.rank == best)
        yield Premise("passage", own, _headed(own[0], evidence[best].passage.text, terms))


def _together(
    distinct: Sequence[Candidate], terms: Terms, rare: dict[str, float], fits: Callable[[str], bool]
) -> list[Premise]:
    """The sentences that together have most of the claim, chosen greedily, rare words first.

    Those of the nearest sentence's document come first. One of another document has to add a good
    part of the claim: less is a word in common by chance.
    """
    chosen: list[Candidate] = []
    lacking = frozenset(terms.weights)
    document = distinct[0].passage.document.path
    for is_own, least in ((True, 0.0), (False, _ELSEWHERE * math.fsum(rare.values()))):
        own = [c for c in distinct if (c.passage.document.path == document) is is_own]
        rest = [(c, terms.found(c.text)) for c in own]
        while rest and len(chosen) < _JOINED:
            gains = [math.fsum(map(rare.__getitem__, found & lacking)) for _, found in rest]
            if max(gains) <= least:
                break
            candidate, found = rest.pop(gains.index(max(gains)))
            if chosen and not fits(_joint([*chosen, candidate], terms).text):
                continue
            chosen.append(candidate)
            lacking -= found
            if candidate.is_row:
                rest = [(c, f) for c, f in rest if not (c.is_row and c.beside is candidate.beside)]
    return [] if len(chosen) < 2 else [_joint(chosen, terms)]


def _joint(candidates: Sequence[Candidate], terms: Terms) -> Premise:
    ordered = tuple(sorted(candidates, key=lambda c: (c.rank, c.sentence.start)))
    return Premise("joint", ordered, _JOINT.join(alone(c, terms) for c in ordered))
