"""Verdicts on comparisons, which a sentence of the library has either way round."""

from dataclasses import replace

from veracite.engine.comparing.comparatives import compares
from veracite.engine.comparing.reading import Reading
from veracite.engine.judging.citations import RawText, quotation
from veracite.engine.judging.explanations import explain
from veracite.engine.words import Label, Relation, Scores, Verdict

__all__ = ["by_comparisons"]

_SO = Scores(0.9, 0.08, 0.02)
"""Of a claim that a sentence says so, and turned round of one that it denies. Chosen."""


def by_comparisons(verdict: Verdict, reading: Reading, raw_text: RawText) -> Verdict:
    """What the comparisons of a claim's passages leave of a verdict.

    Args:
        verdict: Of the judge.
        reading: What it rests on.
        raw_text: Gives a document's extracted text.
    """
    premises = reading.premises
    if not reading.pertains or reading.verbatim is not None:
        return verdict
    for candidate in (c for c in premises.candidates if c.tells):
        so = compares(premises.claim.hypothesis, candidate.sentence.text)
        label = Label.SUPPORTED if so else Label.CONTRADICTED
        if so is None:
            continue
        relation: Relation = "supports" if so else "contradicts"
        scores = _SO if so else Scores(_SO.contradicted, _SO.neutral, _SO.supported)
        quote = quotation(candidate.passage, candidate.sentence, relation, _SO.supported, raw_text)
        return replace(
            verdict,
            label=label,
            probability=_SO.supported,
            scores=scores,
            explanation=explain(reading, label, (quote,)),
            citations=(quote,),
        )
    return verdict
