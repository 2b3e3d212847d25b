"""Answers to questions: what the file brings along, the plainest answers, and the methods'.

The plain ones are the best passage as it is, and its best sentences. Answers are marked as ALCE
writes them; what each cites is judged at once, since that takes longer than answering.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import PurePath
from typing import Any

import numpy as np

from veracite.engine.claims.citation_marks import CitedSentence, parse, without_marks
from veracite.engine.evaluation.items import METHODS, Prediction, Question, Source
from veracite.engine.events import Retrieved, Searched, Selected
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.checking import Checking
from veracite.engine.judge.judge import PairScorer
from veracite.engine.methods.base import Method, StepsEvent, Tools
from veracite.engine.methods.catalogue import configured
from veracite.engine.methods.cost import Meter
from veracite.engine.methods.running import run
from veracite.engine.models import OpenModels, Quotable
from veracite.engine.retrieve import ANSWERED
from veracite.engine.settings import Config
from veracite.engine.types import Answer, Label, Verdict
from veracite.engine.wording.overlap import content_words, coverage, stems
from veracite.index.embeddings import encoder_text
from veracite.index.sentences import sentence_spans

_PLAIN = METHODS["answer"]
_SENTENCES = 3
_ENDS = (".", "!", "?")


@dataclass(frozen=True, slots=True)
class Variant:
    """A method with settings: an ablation, a preset, or the method as its paper has it."""

    name: str
    """As it was asked for (``vtg:asqa-table6:T=1``); a row of the table."""
    method: Method
    settings: Any


def variants(names: Sequence[str]) -> tuple[Variant, ...]:
    """The methods behind names, each once; the plain ones are none.

    Args:
        names: Each a method, then a preset and settings, with a colon before each; settings go
            before the preset's.

    Raises:
        SettingsError: There is no such method, preset or setting, or a value is wrong.
    """
    found = []
    for name in dict.fromkeys(names):
        first, *parts = name.split(":")
        if first not in _PLAIN:
            presets, sets = ([p for p in parts if ("=" in p) is given] for given in (False, True))
            (one,) = configured([first], Config(), presets, sets)
            found.append(Variant(name, one.method, one.settings))
    return tuple(found)


Entails = Callable[[Sequence[str], str], bool]
"""Whether premises together entail a statement."""


@dataclass(frozen=True)
class Answerer:
    """Answers questions, with the tools of methods set up as ``veracite ask`` does.

    Whoever writes, the bundled judge gives the verdicts: so all are measured by the same one.
    """

    models: OpenModels
    variants: tuple[Variant, ...]
    memory: Memory
    """Verdicts, so that a claim and its passages are judged once for all methods."""
    entails: Entails
    """Judges citations."""
    sources: Mapping[str, Source]
    """Every document that can be cited, by id."""
    ids: Mapping[str, str] | None = None
    """Path to document id where all share a library, and are not the paths themselves; None where
    each question has its own library."""

    def predictions(
        self,
        questions: Sequence[Question],
        libraries: Sequence[Quotable],
        known: Container[tuple[str, str]] = (),
    ) -> Iterator[Prediction]:
        """What every method answers; marks are places in ``Prediction.found``, from 1.

        Args:
            questions: What is asked.
            libraries: The library of each.
            known: Which questions, by id, have been answered by which methods.
        """
        for question, library in zip(questions, libraries, strict=True):
            for answer in self._answers(question, library, known):
                documents = [self.sources[document] for document in answer.found]
                recall, precision = score_answer(answer.text or "", documents, self.entails)
                yield replace(answer, cited=(round(recall, 6), round(precision, 6)))

    def _answers(
        self, question: Question, library: Quotable, known: Container[tuple[str, str]]
    ) -> Iterator[Prediction]:
        if (question.id, "top-sentences") not in known:
            yield from self._plain(question, library)
        if question.output is not None and (question.id, "given") not in known:
            ids = tuple(source.id for source in question.sources)
            yield Prediction(question.id, "given", text=question.output, found=ids)
        for variant in self.variants:
            if (question.id, variant.name) not in known:
                yield self._by_method(question, library, variant)

    def _document(self, question: Question, path: str) -> str:
        """The id of a document by its path in the library."""
        if self.ids is not None:
            return self.ids.get(path, path)
        return question.sources[int(PurePath(path).name)].id

    # --- The plain ways -----------------------------------------------------------------------

    def _plain(self, question: Question, library: Quotable) -> Iterator[Prediction]:
        """The best passage, and the sentences nearest to the question in reading order."""
        k = self.models.search(library).k or ANSWERED
        (found,) = library.search_many([question.text], k=k, mode="hybrid")
        documents = [self._document(question, item.passage.document.path) for item in found]
        every = [
            (sentence.text, rank)
            for rank, item in enumerate(found)
            for sentence in library.sentences(item.passage)
        ]
        texts = [encoder_text(found[rank].passage.heading, text) for text, rank in every]
        vectors = self.models.open_encoder().encode([question.text, *texts])
        near = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[:_SENTENCES]
        cited = tuple(dict.fromkeys(documents))
        said = [with_marks(text, [cited.index(documents[rank]) + 1]) for text, rank in every]
        for method, places in (
            ("top-passage", [n for n, (_, rank) in enumerate(every) if rank == 0]),
            ("top-sentences", sorted(near)),
        ):
            text = " ".join(said[n] for n in places)
            yield Prediction(question.id, method, text=text, found=cited)

    # --- The methods --------------------------------------------------------------------------

    def _by_method(self, question: Question, library: Quotable, variant: Variant) -> Prediction:
        meter, events, answers = Meter(), [], []

        def answering() -> Iterator[StepsEvent]:
            search, judge = self.models.search(library), self.models.judge(library)
            checking = Checking(search, judge, self.memory)
            tools = Tools(self.models.skills(None, library), search.library, checking)
            answers.append((yield from run(variant.method, question.text, tools, variant.settings)))

        for event in answering():
            meter.take(event)
            events.append(event)
        (answer,) = answers
        cited = [path for verdict in answer.verdicts for path in _cited_paths(verdict)]
        paths = dict.fromkeys([*_looked_at(events), *cited])
        found = list(dict.fromkeys(self._document(question, path) for path in paths))
        supported = sum(verdict.label is Label.SUPPORTED for verdict in answer.verdicts)
        return Prediction(
            item=question.id,
            method=variant.name,
            text=marked(answer, lambda path: found.index(self._document(question, path)) + 1),
            found=tuple(found),
            supported=(supported, len(answer.verdicts)),
            cost=replace(meter.cost, seconds=round(meter.cost.seconds, 6)),
        )


def _looked_at(events: Iterable[StepsEvent]) -> Iterator[str]:
    """Paths of the passages that were selected last, best first, then of all that were found."""
    selections = [event.kept for event in events if isinstance(event, Selected)]
    searches = [event.evidence for event in events if isinstance(event, (Searched, Retrieved))]
    for evidence in (*selections[-1:], *searches):
        yield from (item.passage.document.path for item in evidence)


# --- Marks: every sentence with the numbers of the documents that support it ------------------


def marked(answer: Answer, number: Callable[[str], int]) -> str:
    """The answer's text with marks such as ``[1][2]``.

    Args:
        answer: Its sentences that are not supported get no mark.
        number: A document's path to its number, from 1.
    """
    parts, end = [], 0
    for verdict in answer.verdicts:
        claim = verdict.claim
        numbers = dict.fromkeys(number(path) for path in _cited_paths(verdict))
        parts += [answer.text[end : claim.start], with_marks(claim.text, list(numbers))]
        end = claim.end
    return "".join([*parts, answer.text[end:]])


def with_marks(sentence: str, numbers: Sequence[int]) -> str:
    """A sentence with marks before its full stop; marks that it has itself are taken out."""
    plain = without_marks(sentence)
    if not numbers:
        return plain
    end = plain[-1] if plain.endswith(_ENDS) else "."
    marks = "".join(f"[{number}]" for number in numbers)
    return f"{plain.removesuffix(end).rstrip()} {marks}{end}"


def _cited_paths(verdict: Verdict) -> list[str]:
    """The documents that a supported sentence rests on, in order; of another sentence none."""
    if verdict.label is not Label.SUPPORTED:
        return []
    return [citation.file for citation in verdict.citations if citation.relation == "supports"]


# --- How well citations support an answer, by ALCE's definitions (Gao et al. 2023) ------------
#
# A sentence is *supported* (citation recall) if it cites and the cited documents together entail
# it. A citation is *precise* if its sentence is supported, and the document entails it alone or
# the sentence's other citations do not without it. Both are averaged over an answer, then over
# answers.

DIFFERENCES = (
    'Citations are counted as by ALCE, save that "[1, 2]" and "[1-3]" are two and three, a wrong '
    "one counts against precision and one given twice counts once, marks after a full stop belong "
    "to the sentence before, lists are judged by sentences, and an answer without text scores 0.",
    "The bundled verifier judges citations, and methods ask it too, which favours them: figures by "
    "ALCE's judge TRUE (T5-11B) do not compare. MAUVE and ASQA's own figures are not computed.",
)
"""How this differs from ALCE's released ``eval.py``, for the reader of a result."""

_AT_MOST = 3
"""Citations of a sentence that count (ALCE, ``--at_most_citations``)."""


_BETWEEN = " \u2026 "
"""Between documents that are joined."""
_LEAST = 0.5
"""The probability from which on a statement is entailed."""


def score_answer(output: str, documents: Sequence[Source], entails: Entails) -> tuple[float, float]:
    """Judge the citations of one answer.

    Args:
        output: The answer with its marks; ``[1]`` is the first document.
        documents: What could be cited. The judge reads "Title: ..." and the text, as in ALCE.
        entails: The judge.

    Returns:
        Recall, the share of its sentences that their citations support, and precision, the share
        of its citations that are precise; 0 where there are none.
    """
    premises = [f"Title: {d.title}\n{d.text}" if d.title else d.text for d in documents]
    sentences = parse(output)
    if not any(sentence.statement for sentence in sentences):
        return 0.0, 0.0
    judged = [_judge(sentence, premises, entails) for sentence in sentences]
    precise = [mark for _, marks in judged for mark in marks]
    recall = sum(supported for supported, _ in judged) / len(judged)
    return recall, sum(precise) / len(precise) if precise else 0.0


def _judge(
    sentence: CitedSentence, premises: Sequence[str], entails: Entails
) -> tuple[bool, list[bool]]:
    """Whether a sentence is supported, and whether each of its first three citations is precise."""
    counted = sentence.citations[:_AT_MOST]
    wrong = any(not 1 <= number <= len(premises) for number in sentence.citations)

    @cache
    def holds(numbers: tuple[int, ...]) -> bool:
        return entails([premises[number - 1] for number in numbers], sentence.statement)

    def is_needless(number: int) -> bool:
        rest = tuple(other for other in counted if other != number)
        return not holds((number,)) and holds(rest)

    supported = bool(sentence.statement and counted and not wrong) and holds(counted)
    return supported, [supported and not is_needless(number) for number in counted]


class Entailment:
    """The bundled verifier as the judge of citations, in place of ALCE's TRUE (T5-11B).

    They do if a piece of one of them does, or all of them joined. What is too long for the
    verifier is read in pieces; documents that are too long to be joined are joined by the sentence
    of each that has most of the statement's words.

    Args:
        verifier: Scores pairs.
    """

    def __init__(self, verifier: PairScorer) -> None:
        self._verifier = verifier
        self._known: dict[tuple[str, str], float] = {}

    def __call__(self, premises: Sequence[str], statement: str) -> bool:
        """Whether the premises together entail the statement; none entail nothing."""
        texts = [piece for premise in premises for piece in self._pieces(premise, statement)]
        if len(premises) > 1:
            texts.append(self._joined(premises, statement))
        if new := [text for text in dict.fromkeys(texts) if (text, statement) not in self._known]:
            scores = self._verifier.score([(text, statement) for text in new])
            for text, row in zip(new, scores, strict=True):
                self._known[text, statement] = float(row[0])
        return any(self._known[text, statement] >= _LEAST for text in texts)

    def _pieces(self, premise: str, statement: str) -> Iterator[str]:
        """Runs of sentences that are as long as the verifier reads."""
        if self._verifier.fits(premise, statement):
            yield premise
            return
        first, spans = 0, sentence_spans(premise)
        for place, span in enumerate(spans):
            longer = premise[spans[first].start : span.end]
            if place > first and not self._verifier.fits(longer, statement):
                yield premise[spans[first].start : spans[place - 1].end]
                first = place
        if spans:
            yield premise[spans[first].start : spans[-1].end]

    def _joined(self, premises: Sequence[str], statement: str) -> str:
        whole = _BETWEEN.join(premises)
        if self._verifier.fits(whole, statement):
            return whole
        wanted = content_words(statement)
        return _BETWEEN.join(
            max(
                [premise[span.start : span.end] for span in sentence_spans(premise)] or [premise],
                key=lambda sentence: coverage(wanted, stems(sentence)),
            )
            for premise in premises
        )
