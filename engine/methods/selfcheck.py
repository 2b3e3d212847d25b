"""SelfCheck by NLI: whether a model says the same when it is asked again (Manakul et al. 2023).

It judges a text and answers nothing, and it reads no documents: it stands beside the verdicts in an
evaluation and never in the place of one. So it is no method that can be asked, but a score.
"""

from collections.abc import Sequence

from veracite.engine.judge.judge import PairScorer


def inconsistencies(
    sentences: Sequence[str], samples: Sequence[str], verifier: PairScorer
) -> tuple[float, ...]:
    """How far other answers to the same question contradict each sentence, 0..1.

    The mean over the samples of P(contradicted) / (P(supported) + P(contradicted)), with the sample
    as the premise, which is cut where it is too long for the verifier.

    Args:
        sentences: Of the answer that is judged.
        samples: Other answers, drawn from the same model.
        verifier: Scores pairs.

    Raises:
        ValueError: There are no samples.
    """
    if not samples:
        raise ValueError("no samples")
    scores = verifier.score([(sample, one) for one in sentences for sample in samples])
    supported, contradicted = scores[:, 0], scores[:, 2]
    shares = contradicted / (supported + contradicted)
    return tuple(map(float, shares.reshape(len(sentences), len(samples)).mean(axis=1)))
