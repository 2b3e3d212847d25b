"""How well the citations of an answer support it, by ALCE's definitions (Gao et al. 2023).

A sentence is *supported* (citation recall) if it cites and the cited documents together entail
it. A citation is *precise* if its sentence is supported, and the document entails it alone or the
sentence's other citations do not without it. Both are averaged over an answer, then over answers.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from veracite.engine.claims.citation_marks import CitedSentence, parse
from veracite.engine.evaluation.items import Source
from veracite.engine.judge.judge import PairScorer
from veracite.engine.wording.overlap import content_words, coverage
from veracite.index.sentences import sentence_spans

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


_BETWEEN = " \u2026 "
"""Between documents that are joined."""


@dataclass(frozen=True, slots=True)
class AnswerScore:
    """The citations of an answer; both are 0 where there are none."""

    recall: float
    """The share of its sentences that their citations support."""
    precision: float
    """The share of its citations that are precise."""


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
    sentences = parse(output, question)
    if not any(sentence.statement for sentence in sentences):
        return AnswerScore(0.0, 0.0)
    judged = [_judge(sentence, premises, entails) for sentence in sentences]
    precise = [mark for _, marks in judged for mark in marks]
    recall = sum(supported for supported, _ in judged) / len(judged)
    return AnswerScore(recall, sum(precise) / len(precise) if precise else 0.0)


def _judge(
    sentence: CitedSentence, premises: Sequence[str], entails: Entails
) -> tuple[bool, list[bool]]:
    """Whether a sentence is supported, and whether each of its first three citations is precise."""
    counted = sentence.citations[:_AT_MOST]
    wrong = any(not 1 <= number <= len(premises) for number in sentence.citations)
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
    return supported, [supported and not is_needless(number) for number in counted]


def _premise(document: Source) -> str:
    return f"Title: {document.title}\n{document.text}" if document.title else document.text


class Entailment:
    """The bundled verifier as the judge of citations, in place of ALCE's TRUE (T5-11B).

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
