"""The bundled verifier as the judge of citations, in place of ALCE's TRUE (T5-11B)."""

from collections.abc import Iterator, Sequence

from veracite.engine.judging.verify import PairScorer
from veracite.engine.wording.overlap import content_words, coverage
from veracite.index.sentences import sentence_spans

__all__ = ["Entailment"]

_BETWEEN = " \u2026 "


class Entailment:
    """Whether documents together entail a statement.

    They do if a piece of one of them does, or all of them joined. What is too long for the
    verifier is read in pieces; documents that are too long to be joined are joined by the sentence
    of each that has most of the statement's words.

    Args:
        verifier: Scores pairs.
        least: The probability from which on a statement is entailed.
    """

    def __init__(self, verifier: PairScorer, least: float = 0.5) -> None:
        self._verifier = verifier
        self._least = least
        self._known: dict[tuple[str, str], float] = {}

    def __call__(self, premises: Sequence[str], statement: str) -> bool:
        """Whether the premises together entail the statement; none entail nothing."""
        texts = [piece for premise in premises for piece in self._pieces(premise, statement)]
        if len(premises) > 1:
            texts.append(self._joined(premises, statement))
        new = [text for text in dict.fromkeys(texts) if (text, statement) not in self._known]
        if new:
            scores = self._verifier.score([(text, statement) for text in new])
            for text, row in zip(new, scores, strict=True):
                self._known[text, statement] = float(row[0])
        return any(self._known[text, statement] >= self._least for text in texts)

    def _pieces(self, premise: str, statement: str) -> Iterator[str]:
        """Runs of sentences that are as long as the verifier reads."""
        if self._verifier.fits(premise, statement):
            yield premise
            return
        begin = end = None
        for span in sentence_spans(premise):
            longer = premise[span.start if begin is None else begin : span.end]
            if begin is not None and not self._verifier.fits(longer, statement):
                yield premise[begin:end]
                begin = span.start
            begin, end = span.start if begin is None else begin, span.end
        if begin is not None:
            yield premise[begin:end]

    def _joined(self, premises: Sequence[str], statement: str) -> str:
        whole = _BETWEEN.join(premises)
        if self._verifier.fits(whole, statement):
            return whole
        wanted = content_words(statement)
        return _BETWEEN.join(
            max(
                [premise[span.start : span.end] for span in sentence_spans(premise)] or [premise],
                key=lambda sentence: coverage(wanted, {w.stem for w in content_words(sentence)}),
            )
            for premise in premises
        )
