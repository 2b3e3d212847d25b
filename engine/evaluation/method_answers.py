"""What methods answer, with their tools set up as ``veracite ask`` does."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from veracite.engine.evaluation.evidence import Quotable
from veracite.engine.evaluation.items import Prediction, Question
from veracite.engine.evaluation.marking import cited_paths, marked
from veracite.engine.evaluation.models import Models
from veracite.engine.evaluation.remembering import RememberingVerifier
from veracite.engine.evaluation.settings import Predicting
from veracite.engine.evaluation.variants import Variant
from veracite.engine.events import Retrieved
from veracite.engine.judging.cache import Memory
from veracite.engine.judging.checking import Checking
from veracite.engine.judging.evidence import Search
from veracite.engine.judging.verify import Judge
from veracite.engine.methods.base import Steps, StepsEvent, Tools
from veracite.engine.methods.cost import Meter
from veracite.engine.methods.events import Searched, Selected
from veracite.engine.methods.running import run
from veracite.engine.settings import Retrieval
from veracite.engine.skills.base import Skills
from veracite.engine.skills.extractive import ExtractiveSkills, SentenceEncoder
from veracite.engine.words import Answer, Label
from veracite.index.documents import Evidence, Passage

__all__ = ["MethodAnswers", "method_answers"]


@dataclass(frozen=True, slots=True)
class MethodAnswers:
    """Answers questions by methods, every sentence with a verdict of the product's judge.

    Whoever writes, the bundled judge gives the verdicts: so all are measured by the same one.
    """

    variants: tuple[Variant, ...]
    judge: Judge
    """Which can quote from nothing yet."""
    encoder: SentenceEncoder
    memory: Memory
    """Verdicts, so that a claim and its passages are judged once for all methods."""
    k: int
    """Of a check's search, as are these:"""
    threshold: float | None
    retrieval: Retrieval
    prompted: Skills | None = None
    """A language model's; None leaves the writing to the bundled models."""

    def answer(
        self,
        question: Question,
        library: Quotable,
        variant: Variant,
        document: Callable[[str], str],
    ) -> Prediction:
        """What a method answers to a question; marks are places in ``Prediction.found``, from 1.

        Args:
            question: What is asked.
            library: Where it is looked up.
            variant: How.
            document: From a path in the library to the document's id.
        """
        meter = Meter()
        answer, events = _through(
            run(variant.method, question.text, self._tools(library), variant.settings), meter
        )
        cited = [path for verdict in answer.verdicts for path in cited_paths(verdict)]
        found = list(dict.fromkeys(map(document, [*_selected(events), *_found(events), *cited])))
        supported = sum(verdict.label is Label.SUPPORTED for verdict in answer.verdicts)
        return Prediction(
            item=question.id,
            method=variant.name,
            score=None,
            label=None,
            seconds=round(meter.cost.seconds, 6),
            text=marked(answer, lambda path: found.index(document(path)) + 1),
            found=tuple(found),
            supported=(supported, len(answer.verdicts)),
            cost=replace(meter.cost, seconds=round(meter.cost.seconds, 6)),
        )

    def _tools(self, library: Quotable) -> Tools:
        judge = replace(self.judge, sentences=library.sentences, raw_text=library.raw_text)
        search = Search(library, self.k, self.threshold, self.retrieval, raw_text=library.raw_text)

        def passages(query: str) -> list[Passage]:
            (found,) = library.search_many([query], k=self.k, threshold=None, mode=self.retrieval)
            return [item.passage for item in found]

        skills = self.prompted or ExtractiveSkills(self.encoder, judge, passages)
        return Tools(skills, library, Checking(search, judge, self.memory))


def method_answers(
    settings: Predicting, models: Models, variants: tuple[Variant, ...], memory: Memory
) -> MethodAnswers:
    """The methods with the models that an evaluation has."""
    judge = models.judge(settings.uncertain_below)
    return MethodAnswers(
        variants=variants,
        judge=replace(judge, verifier=RememberingVerifier(judge.verifier)),
        encoder=models.remembering,
        memory=memory,
        k=settings.k,
        threshold=settings.threshold_of(models.encoder),
        retrieval=settings.retrieval,
        prompted=models.writer,
    )


def _through(steps: Steps[Answer], meter: Meter) -> tuple[Answer, list[StepsEvent]]:
    events: list[StepsEvent] = []
    while True:
        try:
            event = next(steps)
        except StopIteration as end:
            answer: Answer = end.value
            return answer, events
        meter.take(event)
        events.append(event)


def _selected(events: Iterable[StepsEvent]) -> list[str]:
    """Paths of the passages that were selected last, best first."""
    selections = [event.kept for event in events if isinstance(event, Selected)]
    return _paths(selections[-1]) if selections else []


def _found(events: Iterable[StepsEvent]) -> list[str]:
    """Paths of what was found, in the order in which it was."""
    return [
        path
        for event in events
        if isinstance(event, (Searched, Retrieved))
        for path in _paths(event.evidence)
    ]


def _paths(evidence: Iterable[Evidence]) -> list[str]:
    return [item.passage.document.path for item in evidence]
