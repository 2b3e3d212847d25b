"""How well the citations of an answer support it, by ALCE's definitions (Gao et al. 2023).

A sentence is *supported* (citation recall) if it cites and the cited documents together entail
it. A citation is *precise* if its sentence is supported, and the document entails it alone or the
sentence's other citations do not without it. Both are averaged over an answer, then over answers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from veracite.engine.claims.citation_marks import CitedSentence, parse
from veracite.engine.evaluation.items import Source

__all__ = [
    "FIXED",
    "UNAVAILABLE",
    "AnswerScore",
    "Entails",
    "SentenceScore",
    "score_answer",
]

FIXED: tuple[str, ...] = (
    '"[1, 2]" and "[1-3]" are two and three citations; ALCE reads the first number only.',
    '"[0]" is a wrong citation; ALCE takes it for the last document.',
    "Wrong citations (documents that do not exist) count against precision; ALCE leaves out all"
    " citations of such a sentence. As in ALCE the sentence is not supported.",
    "A document cited twice in a sentence is one citation; ALCE counts two.",
    "An answer without text scores 0 and is counted; ALCE skips it.",
    "All lines of an answer count; ALCE cuts it at the first line break.",
    'Marks after a full stop ("... in 1889. [1] It ...") belong to the sentence before; ALCE gives'
    " them to the next one. Not so where the answer begins with a mark.",
    "The commas of a list are not looked for within marks; ALCE cuts"
    ' "[1, 2]" in two in a QAMPARI answer.',
    "A number of more than three digits in brackets is a year, not a citation; ALCE takes it for"
    " a wrong citation.",
    "Sentences are found by Veracite's splitter instead of NLTK's.",
)
"""How this differs from ALCE's released ``eval.py``, for the reader of a result."""

UNAVAILABLE: tuple[str, ...] = (
    "TRUE (T5-11B), the judge of ALCE's citation figures: another judge gives other figures",
    "Disambig-F1, QA-EM, QA-F1 and QA-Hit (ASQA): need a RoBERTa-large reader",
    "MAUVE: needs GPT-2 large",
    "Claim recall (ELI5): needs the claims and TRUE",
    "Decontextualised sentences (option --decontext): need a T5-3B",
)
"""ALCE's figures that are not computed, and why."""

Entails = Callable[[Sequence[str], str], bool]
"""Whether premises together entail a statement."""

_AT_MOST = 3
"""Citations of a sentence that count (ALCE, ``--at_most_citations``)."""


@dataclass(frozen=True, slots=True)
class SentenceScore:
    """A sentence and the judgement of its citations."""

    sentence: CitedSentence
    supported: bool
    counted: tuple[int, ...]
    """The first three citations."""
    precise: tuple[bool, ...]
    """Of each that is counted."""
    wrong: tuple[int, ...]
    """Citations of documents that do not exist."""


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """An answer's citations; recall, precision and F1 are 0 where there are none."""

    sentences: tuple[SentenceScore, ...]
    recall: float
    precision: float
    f1: float


def score_answer(
    output: str, documents: Sequence[Source], entails: Entails, *, question: str | None = None
) -> AnswerScore:
    """Judge the citations of one answer.

    Args:
        output: The answer with its marks; ``[1]`` is the first document.
        documents: What could be cited. The judge reads "Title: ..." and the text, as in ALCE.
        entails: The judge.
        question: See ``parse``.
    """
    premises = [_premise(document) for document in documents]
    scores = tuple(_judge(sentence, premises, entails) for sentence in parse(output, question))
    if not any(score.sentence.statement for score in scores):
        return AnswerScore(scores, 0.0, 0.0, 0.0)
    precise = [precise for score in scores for precise in score.precise]
    recall = sum(score.supported for score in scores) / len(scores)
    precision = sum(precise) / len(precise) if precise else 0.0
    return AnswerScore(scores, recall, precision, _f1(recall, precision))


def _judge(sentence: CitedSentence, premises: Sequence[str], entails: Entails) -> SentenceScore:
    counted = sentence.citations[:_AT_MOST]
    wrong = tuple(n for n in sentence.citations if not 1 <= n <= len(premises))
    judged: dict[tuple[int, ...], bool] = {}

    def holds(numbers: tuple[int, ...]) -> bool:
        if numbers not in judged:
            cited = [premises[number - 1] for number in numbers]
            judged[numbers] = entails(cited, sentence.statement)
        return judged[numbers]

    def is_needless(number: int) -> bool:
        rest = tuple(other for other in counted if other != number)
        return not holds((number,)) and holds(rest)

    supported = bool(sentence.statement and counted and not wrong) and holds(counted)
    precise = tuple(supported and not is_needless(number) for number in counted)
    return SentenceScore(sentence, supported, counted, precise, wrong)


def _premise(document: Source) -> str:
    return f"Title: {document.title}\n{document.text}" if document.title else document.text


def _f1(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision) if recall + precision != 0 else 0.0
