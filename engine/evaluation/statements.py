"""Judging labelled statements as the product judges claims, and by the simple measures beside it.

One pass over a statement gives every method's score, so that all are measured on the same
evidence: ``veracite`` (retrieval, verifier, decision and rules, as ``veracite check``),
``verifier`` (the network's best passage alone), ``overlap``, ``similarity`` and ``length``.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veracite.engine.claims.segmentation import segment
from veracite.engine.comparing.reading import Reading
from veracite.engine.evaluation.evidence import Collection, Quotable
from veracite.engine.evaluation.items import Prediction, Statement
from veracite.engine.judging.evidence import Search
from veracite.engine.judging.verify import Judge
from veracite.engine.settings import Retrieval
from veracite.engine.wording.overlap import content_words, coverage
from veracite.engine.words import Claim, Label, Verdict
from veracite.index.documents import Evidence
from veracite.models.encoder import Encoder

__all__ = ["METHODS", "StatementJudge", "claims_of"]

METHODS = {
    "veracite": "retrieval, verifier, decision and rules, as in `veracite check`",
    "verifier": "the verifier's best passage, nothing else",
    "overlap": "the share of the statement's content words that its own documents have",
    "similarity": "the claim's highest cosine similarity to a passage",
    "length": "its characters with a minus: shorter is truer",
}
_SEVERITY = (
    Label.CONTRADICTED,
    Label.NOT_FOUND,
    Label.UNCERTAIN,
    Label.SUPPORTED,
    Label.NOT_CHECKABLE,
)
"""Of several claims in one statement the first of these labels is the statement's."""


@dataclass(frozen=True, slots=True)
class StatementJudge:
    """The product's judge with what it needs to look things up.

    A statement of several sentences is as true as its least true claim.
    """

    judge: Judge
    encoder: Encoder
    k: int
    threshold: float | None
    retrieval: Retrieval
    against_contradiction: bool
    """Score by how little a statement is contradicted, not by how much it is supported."""

    def predictions(
        self, statements: Sequence[Statement], collection: Collection
    ) -> list[Prediction]:
        """What every method says of these statements, in no particular order."""
        started = time.perf_counter()
        claims = [claims_of(statement) for statement in statements]
        found = [self._find(collection.libraries[place], own) for place, own in enumerate(claims)]
        for place, per_claim in enumerate(found):
            for passages in per_claim:
                collection.own(place, passages)
        flat = [claim for own in claims for claim in own]
        evidence = [passages for per_claim in found for passages in per_claim]
        searched = time.perf_counter()
        judge = replace(self.judge, sentences=collection.sentences, raw_text=collection.raw_text)
        readings = dict(judge.read(flat, evidence))
        read = time.perf_counter()
        verdicts = {index: judge.conclude(reading) for index, reading in readings.items()}
        done = time.perf_counter()
        search, network, decide = searched - started, read - searched, done - read
        made: list[Prediction] = []
        first = 0
        for statement, own in zip(statements, claims, strict=True):
            places = range(first, first + len(own))
            first += len(own)
            made += self._all(
                statement,
                [flat[i] for i in places],
                [evidence[i] for i in places],
                [readings.get(i) for i in places],
                [verdicts.get(i) for i in places],
                (search / len(statements), network / len(statements), decide / len(statements)),
            )
        return made

    def _find(self, library: Quotable, claims: Sequence[Claim]) -> list[tuple[Evidence, ...]]:
        search = Search(library, self.k, self.threshold, self.retrieval, raw_text=library.raw_text)
        return search.gather(claims)

    def _all(
        self,
        statement: Statement,
        claims: Sequence[Claim],
        evidence: Sequence[Sequence[Evidence]],
        readings: Sequence[Reading | None],
        verdicts: Sequence[Verdict | None],
        seconds: tuple[float, float, float],
    ) -> Iterator[Prediction]:
        search, network, decide = seconds
        began = time.perf_counter()
        overlap = _overlap(statement)
        counting = time.perf_counter() - began
        network_scores = [0.0 if r is None else float(r.of_passages[:, 0].max()) for r in readings]
        scores = {
            "veracite": (min(map(self._score, verdicts), default=0.0), search + network + decide),
            "verifier": (min(network_scores, default=0.0), search + network),
            "overlap": (overlap, counting),
            "similarity": (min(map(_similarity, evidence), default=0.0), search),
            "length": (-float(len(statement.text)), 0.0),
        }
        cited = [c.document_sha256 for v in verdicts if v is not None for c in v.citations]
        for method, (score, spent) in scores.items():
            yield Prediction(
                item=statement.id,
                method=method,
                score=round(score, 6),
                label=_label(claims, verdicts) if method == "veracite" else None,
                seconds=round(spent, 6),
                found=tuple(dict.fromkeys(cited)) if method == "veracite" else (),
                problem=None if claims else "It holds no sentence.",
            )

    def _score(self, verdict: Verdict | None) -> float:
        if verdict is None or verdict.scores is None:
            return 1.0 if self.against_contradiction else 0.0
        if self.against_contradiction:
            return 1.0 - verdict.scores.contradicted
        return verdict.scores.supported


def claims_of(statement: Statement) -> tuple[Claim, ...]:
    """The statement's claims as ``veracite check`` cuts them, with the text before as context."""
    before = " ".join(statement.before)
    whole = f"{before} {statement.text}" if before else statement.text
    first = len(whole) - len(statement.text)
    own = [claim for claim in segment(whole, markdown=False) if claim.start >= first]
    if own and not any(map(str.isalnum, whole[first : own[0].start])):
        return tuple(own)
    # A sentence ran on over the border: the set's own borders count.
    return segment(statement.text, markdown=False)


def _label(claims: Sequence[Claim], verdicts: Sequence[Verdict | None]) -> str:
    labels = {
        Label.NOT_CHECKABLE
        if claim.not_checkable
        else (Label.NOT_FOUND if verdict is None else verdict.label)
        for claim, verdict in zip(claims, verdicts, strict=True)
    }
    return next((label for label in _SEVERITY if label in labels), Label.NOT_CHECKABLE)


def _overlap(statement: Statement) -> float:
    texts = (f"{source.title or ''} {source.text}" for source in statement.sources)
    stems = {word.stem for text in texts for word in content_words(text)}
    return coverage(content_words(statement.text), stems)


def _similarity(evidence: Sequence[Evidence]) -> float:
    return max((item.cosine or 0.0 for item in evidence), default=0.0)
