"""Judging statements and choices as the product judges claims, and by simple measures beside it.

One pass over a statement gives every method's score, so that all are measured on the same
evidence: ``veracite`` (retrieval, verifier, decision, as ``veracite check``),
``verifier`` (the network's best premise alone), ``overlap``, ``similarity`` and ``length``.
"""

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veracite.engine.claims.segmentation import segment
from veracite.engine.evaluation.items import Choice, Prediction, Statement
from veracite.engine.evaluation.libraries import Collection, Quotable
from veracite.engine.judge.decision import Reading
from veracite.engine.judge.judge import Judge, PairScorer
from veracite.engine.methods.baselines import inconsistencies
from veracite.engine.retrieve import Search
from veracite.engine.settings import Retrieval
from veracite.engine.types import Claim, Label, Verdict
from veracite.engine.wording.overlap import content_words, coverage
from veracite.index.documents import Evidence
from veracite.models.encoder import Encoder

METHODS = {
    "veracite": "retrieval, verifier, decision, as in `veracite check`",
    "verifier": "the verifier's best premise, nothing else",
    "overlap": "the share of the statement's content words that its own documents have",
    "similarity": "the claim's highest cosine similarity to a passage",
    "length": "its characters with a minus: shorter is truer",
}
CHOOSING = {
    **{name: about for name, about in METHODS.items() if name != "length"},
    "shorter": "the shorter answer",
    "first": "the answer that comes first",
}
SELFCHECK = "selfcheck-nli"
"""SelfCheck by NLI, for sets that carry other answers of the model that wrote a text; it takes a
pass of the verifier for each sentence and sample, so it runs only when it is asked for."""

_RIGHT, _WRONG = "right", "wrong"
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
    k: int | None
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
        search = Search(library, self.k, self.threshold, self.retrieval)
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
        search, read, decide = seconds
        began = time.perf_counter()
        overlap = _overlap(statement)
        counting = time.perf_counter() - began
        network = [0.0 if r is None else float(r.probabilities[:, 0].max()) for r in readings]
        scores = {
            "veracite": (min(map(self._score, verdicts), default=0.0), search + read + decide),
            "verifier": (min(network, default=0.0), search + read),
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


@dataclass(frozen=True, slots=True)
class ChoiceJudge:
    """Judges "question answer" for both answers and takes the one with the higher score.

    Which of the two comes first is drawn for each item from the seed and the item's id; of equal
    scores the first wins, so a method that cannot tell gets half of them.
    """

    statements: StatementJudge
    seed: int

    def predictions(self, choices: Sequence[Choice], collection: Collection) -> list[Prediction]:
        """What every method chooses. ``collection`` holds each choice's library twice in a row."""
        asked = [_as_statement(c, answer) for c in choices for answer in (_RIGHT, _WRONG)]
        said = {(p.item, p.method): p for p in self.statements.predictions(asked, collection)}
        return [
            prediction
            for choice in choices
            for prediction in (
                *(self._by_score(choice, method, said) for method in CHOOSING if method in METHODS),
                self._taken(choice, "shorter", len(choice.wrong) - len(choice.right), 0.0),
                self._taken(choice, "first", 0.0, 0.0),
            )
        ]

    def _by_score(
        self, choice: Choice, method: str, said: dict[tuple[str, str], Prediction]
    ) -> Prediction:
        right, wrong = (said[f"{choice.id}/{answer}", method] for answer in (_RIGHT, _WRONG))
        margin = (right.score or 0.0) - (wrong.score or 0.0)
        return self._taken(choice, method, margin, right.seconds + wrong.seconds)

    def _taken(self, choice: Choice, method: str, margin: float, seconds: float) -> Prediction:
        if margin == 0:
            right_first = random.Random(f"{self.seed}/{choice.id}").random() < 0.5
            chosen = _RIGHT if right_first else _WRONG
        else:
            chosen = _RIGHT if margin > 0 else _WRONG
        return Prediction(choice.id, method, float(margin), chosen, round(seconds, 6))


def _as_statement(choice: Choice, answer: str) -> Statement:
    text = choice.right if answer == _RIGHT else choice.wrong
    return Statement(
        id=f"{choice.id}/{answer}",
        group=choice.id,
        text=f"{choice.question} {text}",
        truth=answer == _RIGHT,
        label=answer,
        sources=choice.sources,
    )


def selfcheck(statements: Sequence[Statement], verifier: PairScorer) -> Iterator[Prediction]:
    """How little the other answers of the same model contradict each statement, 0..1."""
    for one in statements:
        began = time.perf_counter()
        (inconsistency,) = inconsistencies([one.text], one.samples, verifier)
        spent = time.perf_counter() - began
        score = round(1.0 - inconsistency, 6)
        yield Prediction(one.id, SELFCHECK, score, None, round(spent, 6))
