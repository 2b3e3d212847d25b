"""What denies a sentence beyond doubt.

Two signs are taken for a denial, and nothing else: what a check takes for one, if it is plain, and
another figure where the verifier sees the very statement. It cannot tell 1957 from 1958, but that a
sentence says when Meridian was founded it can; so a claim is read as far as its figure ("Meridian
was founded in 1957"), without what else its sentence says. Both must speak of the same subject.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from veracite.engine.comparing.permissions import allows_and_forbids
from veracite.engine.comparing.premises import Candidate
from veracite.engine.comparing.reading import Reading
from veracite.engine.comparing.sameness import RawText, apart
from veracite.engine.comparing.sides import Sides
from veracite.engine.comparing.topics import happens_once, topic_of
from veracite.engine.facts.measures import Measure, measures, weigh
from veracite.engine.facts.names import names
from veracite.engine.judging.conflicts import dates_otherwise, opposed
from veracite.engine.wording.overlap import Word, content_words, coverage, words
from veracite.engine.words import Citation, Claim
from veracite.index.documents import Passage, Sentence

__all__ = ["Statement", "statements"]

_PLAIN = 0.8
"""A sentence without another figure must contradict a claim this probably,"""
_RELATED = 0.5
"""and have this much of it under its heading."""
_SAME = 0.75
"""One with another figure must have this much of what is said of it under its heading,"""
_OWN = 0.6
"""and this much without; all of it where the claim names nothing."""
_TOLD = 0.75
"""and must say something of it so probably, by the verifier or because it dates it otherwise."""
_POINTING = re.compile(r"\b(?:this|these|our|my|your|here|above|below)\b", re.IGNORECASE)
"""What means another thing in another document."""
_COUNTED = re.compile(r"\s[a-z][\w-]+")
"""What is counted, behind its number."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim, or a claim as far as one of its figures."""

    claim: Claim
    file: str
    """Of its quote."""
    heading: str
    """Above its quote."""
    quoted: frozenset[tuple[str, int]]
    """What its answer quotes, by the document's SHA-256 and start: all answer one question."""
    figure: Measure | None = None
    counted: str | None = None
    """The stem of what the figure is the number of."""

    def may_be_denied_in(
        self, passage: Passage, sentences: Callable[[Passage], Sequence[Sentence]]
    ) -> bool:
        """Whether a sentence of a passage speaks of it at all, by its words alone."""
        return any(
            self._is_near(Candidate(passage, 0, one)) or self._is_forbidden(one)
            for one in sentences(passage)
        )

    def denials(self, reading: Reading, raw_text: RawText) -> Iterator[tuple[Candidate, float]]:
        """The sentences that deny it, with the probabilities that they do.

        Args:
            reading: Of its claim.
            raw_text: As ``sameness.apart``.
        """
        if self.figure is None:
            for candidate in reading.premises.judged:
                if self._is_forbidden(candidate.sentence):
                    yield candidate, _PLAIN
            for candidate, _, probability in opposed(reading, "contradicts", [], raw_text):
                if probability >= _PLAIN and self._is_near(candidate):
                    yield candidate, probability
            return
        rows = zip(reading.premises.judged, reading.of_sentences, strict=True)
        for candidate, row in rows:
            dated = _PLAIN if dates_otherwise(self.claim, candidate.sentence.text) else 0.0
            told = max(dated, float(1 - row[1]))
            if (
                told >= _TOLD
                and self._is_near(candidate)
                and apart(self.claim, candidate, raw_text) is None
            ):
                yield candidate, told

    def _is_forbidden(self, told: Sentence) -> bool:
        """Whether one of both allows what the other forbids, whatever document it stands in."""
        return self.figure is None and allows_and_forbids(self.claim.hypothesis, told.text)

    def _is_near(self, candidate: Candidate) -> bool:
        text = candidate.sentence.text
        if self.figure is None:
            related = coverage(content_words(self.claim.statement), candidate.stems) >= _RELATED
            return related and self._is_of_its_subject(candidate) and self._is_of_its_time(text)
        there = _stems(text)
        said = _without_figures(self.claim.statement)
        own = _OWN if topic_of(self.claim.statement).names else 1.0
        return (
            coverage(said, candidate.stems) >= _SAME
            and coverage(said, there) >= own
            and (self.counted is None or self.counted in there)
            and _conflicts(self.figure, measures(text))
            and Sides(self.claim, candidate).is_parallel
            and self._is_of_its_subject(candidate)
        )

    def _is_of_its_subject(self, candidate: Candidate) -> bool:
        """Whether each says all that the other's subject is called, and no other of a series.

        What names nothing ("Filming began", "this accident") is only what its own document means,
        unless one answer quotes both, and they differ in nothing but their figures.
        """
        said, told = self.claim.hypothesis, candidate.sentence.text
        if any(_POINTING.search(text) or text.count(":") > 1 for text in (said, told)):
            return False
        is_known = candidate.passage.document.path == self.file or self._is_same(candidate)
        if not is_known and not self._is_named(candidate.passage):
            return False
        here = _stems(f"{self.heading} {said}")
        there = _stems(f"{candidate.passage.heading or ''} {told}")
        mine = {word.stem for word in content_words(said[: topic_of(said).end])}
        theirs = {stem for name in topic_of(told).names for stem in name.stems}
        ordinals = [m for m in measures(said) if m.quantity.kind == "ordinal"]
        same = all(c.outcome != "conflict" for c in weigh(ordinals, measures(told)))
        return same and mine <= there and theirs <= here

    def _is_same(self, candidate: Candidate) -> bool:
        """Whether the answer quotes it, and it says the same but for figures."""
        told = candidate.sentence
        if (candidate.passage.document.sha256, told.start) not in self.quoted:
            return False
        mine, theirs = _without_figures(self.claim.statement), _without_figures(told.text)
        return {word.stem for word in mine} == {word.stem for word in theirs}

    def _is_named(self, passage: Passage) -> bool:
        """Whether its subject has a name: a lone first word is one if it is elsewhere, too."""
        topic, sure = topic_of(self.claim.hypothesis), names(self.claim.hypothesis)
        if any(name.start < topic.end for name in sure):
            return True
        around = f"{self.heading}: {passage.heading or ''}: {passage.text}"
        known = {name.text for name in names(around)}
        return any(
            name.text.isupper() or any(name.text in other.split() for other in known)
            for name in topic.names
        )

    def _is_of_its_time(self, told: str) -> bool:
        """Whether no other day of what comes again is told, nor a figure that a limit allows."""
        said = self.claim.hypothesis
        figures = measures(said)
        differing = [
            figure
            for figure, found in zip(figures, weigh(figures, measures(told)), strict=True)
            if found.outcome == "conflict"
        ]
        return all(
            figure.limit is None and (figure.quantity.kind != "date" or happens_once(said))
            for figure in differing
        )


def statements(
    claim: Claim, quote: Citation, quoted: frozenset[tuple[str, int]]
) -> Iterator[Statement]:
    """A claim, and the claim as far as each figure behind its verb that has but one right value.

    These are dates of what happens only once, and numbers, prices and shares if nothing tells when.
    """
    file, heading = quote.file, quote.heading or ""
    yield Statement(claim, file, heading, quoted)
    text = claim.hypothesis
    figures, verb = measures(text), topic_of(text).end
    is_dated = any(figure.quantity.kind in ("date", "time") for figure in figures)
    for figure in figures:
        quantity = figure.quantity
        is_date = quantity.kind == "date"
        if quantity.kind in ("ordinal", "time") or figure.until or figure.limit:
            continue
        if not 0 < verb < quantity.start or (is_dated and not is_date):
            continue
        noun = None if is_date else _COUNTED.match(text, quantity.end)
        said = f"{text[: noun.end() if noun else quantity.end]}."
        if is_date and not happens_once(said):
            continue
        counted = content_words(noun.group()) if noun else ()
        short = Claim(said, 0, len(said), said, said)
        yield Statement(short, file, heading, quoted, figure, counted[0].stem if counted else None)


def _conflicts(figure: Measure, stated: Sequence[Measure]) -> bool:
    """Whether another figure stands in place of one, and nothing tells of another time."""
    if figure.quantity.kind != "date" and any(s.quantity.kind == "date" for s in stated):
        return False
    (found,) = weigh([figure], stated)
    return found.outcome == "conflict"


def _without_figures(text: str) -> list[Word]:
    figures = [figure.quantity for figure in measures(text)]
    return [w for w in content_words(text) if not any(f.start <= w.start < f.end for f in figures)]


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.stem for word in words(text))
