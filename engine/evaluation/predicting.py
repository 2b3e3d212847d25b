"""From items to predictions: chunk by chunk, in one run's folder, skipping what is done."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

from veracite.engine.evaluation import answering, choices, searching, statements
from veracite.engine.evaluation.answering import Answerer
from veracite.engine.evaluation.choices import ChoiceJudge
from veracite.engine.evaluation.entailing import Entailment
from veracite.engine.evaluation.evidence import (
    Collection,
    Quotable,
    apart,
    shelf,
    together,
    written,
)
from veracite.engine.evaluation.items import (
    Choice,
    Item,
    Loaded,
    Prediction,
    Question,
    Source,
    Statement,
    Task,
)
from veracite.engine.evaluation.method_answers import method_answers
from veracite.engine.evaluation.models import Models
from veracite.engine.evaluation.progress import Predicted
from veracite.engine.evaluation.runs import Run
from veracite.engine.evaluation.searching import Searcher
from veracite.engine.evaluation.settings import Predicting
from veracite.engine.evaluation.statements import StatementJudge
from veracite.engine.evaluation.variants import Variant
from veracite.engine.judging.cache import Memory
from veracite.index.library import Library
from veracite.index.progress import SyncEvent

__all__ = ["METHODS", "Predicting", "answers_are_lists", "every_source", "predict"]

METHODS: Mapping[Task, Mapping[str, str]] = {
    "detect": statements.METHODS,
    "attribute": statements.METHODS,
    "choose": choices.METHODS,
    "retrieve": searching.METHODS,
    "answer": answering.METHODS,
}
"""Each task's methods with what they do; questions are answered by those of ``variants`` too."""

_CHUNK = 16
"""Items that are predicted and kept together."""
_SIZES: Mapping[Task, int] = {"retrieve": 50, "answer": 4}
"""The same where they take less or more time."""
_LISTS = ("qampari",)
"""Formats whose answers are lists with commas."""


def predict(
    loaded: Loaded,
    settings: Predicting,
    models: Models,
    run: Run,
    libraries: Path,
    variants: Sequence[Variant] = (),
) -> Iterator[SyncEvent | Predicted]:
    """Ask every method about every item that it has not been asked about in this run.

    Args:
        libraries: A folder for libraries of all items' documents, which are kept for other runs.
        variants: The methods that answer questions, beside the plain ones.
    """
    methods = [*METHODS[loaded.task], *(variant.name for variant in variants)]
    total = len(loaded.items)
    left = [item for item in loaded.items if not _is_done(run, item, methods)]
    done = total - len(left)
    yield Predicted(done, total)
    if not left:
        return
    with ExitStack() as opened:
        library, ids = None, None
        if settings.scope == "all" or loaded.task == "retrieve":
            place = shelf(every_source(loaded), libraries)
            ids = written(every_source(loaded), place / "documents")
            for event in together(place / "documents", place / "index", models.remembering, opened):
                if isinstance(event, Library):
                    library = event
                else:
                    yield event
        if loaded.task == "answer":
            ask = _question_asker(loaded, settings, models, library, ids, variants, run, opened)
        else:
            ask = _asker(loaded, settings, models, library, ids)
        size = _SIZES.get(loaded.task, _CHUNK)
        for start in range(0, len(left), size):
            chunk = left[start : start + size]
            run.add(ask(chunk))
            done += len(chunk)
            yield Predicted(done, total)


def _is_done(run: Run, item: Item, methods: Sequence[str]) -> bool:
    needed = [m for m in methods if m != "given" or getattr(item, "output", None) is not None]
    return run.has(item.id, needed)


def answers_are_lists(loaded: Loaded) -> bool:
    """Whether answers are lists with commas."""
    return loaded.format in _LISTS


def every_source(loaded: Loaded) -> list[Source]:
    """The documents of the set as a whole and of its items, some of them several times."""
    own = [source for item in loaded.items for source in getattr(item, "sources", ())]
    return [*loaded.corpus, *own]


def _asker(
    loaded: Loaded,
    settings: Predicting,
    models: Models,
    library: Library | None,
    ids: Mapping[str, str] | None,
) -> Callable[[Sequence[Any]], list[Prediction]]:
    """What gives the predictions of a chunk of the task's items."""
    task = loaded.task
    if task == "retrieve":
        assert library is not None
        assert ids is not None
        return Searcher(library, ids, settings.seed).predictions

    def collection(sources: Sequence[tuple[Source, ...]]) -> Collection:
        return _collection(sources, models, library)

    judge = _statement_judge(settings, models)
    if task == "choose":
        chooser = ChoiceJudge(judge, settings.seed)

        def chosen(items: Sequence[Choice]) -> list[Prediction]:
            twice = [choice.sources for choice in items for _ in range(2)]
            return chooser.predictions(items, collection(twice))

        return chosen

    def judged(items: Sequence[Statement]) -> list[Prediction]:
        return judge.predictions(items, collection([s.sources for s in items]))

    return judged


def _question_asker(
    loaded: Loaded,
    settings: Predicting,
    models: Models,
    library: Library | None,
    ids: Mapping[str, str] | None,
    variants: Sequence[Variant],
    run: Run,
    opened: ExitStack,
) -> Callable[[Sequence[Any]], list[Prediction]]:
    """What gives the answers to a chunk of questions that the run has not got yet."""
    memory = opened.enter_context(Memory(run.folder / "verdicts.sqlite"))
    answerer = Answerer(
        models.remembering,
        settings.k,
        ids,
        {source.id: source for source in every_source(loaded)},
        answers_are_lists(loaded),
        Entailment(models.verifier),
        method_answers(settings, models, tuple(variants), memory),
    )

    def answers(questions: Sequence[Question]) -> list[Prediction]:
        own = _collection([question.sources for question in questions], models, library)
        return answerer.predictions(questions, own.libraries, run.knows)

    return answers


def _collection(
    sources: Sequence[tuple[Source, ...]], models: Models, library: Library | None
) -> Collection:
    """The library of each item: its own, or the one of all."""
    if library is not None:
        return Collection([cast(Quotable, library)] * len(sources))
    return apart(sources, models.remembering)


def _statement_judge(settings: Predicting, models: Models) -> StatementJudge:
    return StatementJudge(
        judge=models.judge(settings.uncertain_below),
        encoder=models.encoder,
        k=settings.k,
        threshold=settings.threshold_of(models.encoder),
        retrieval=settings.retrieval,
        against_contradiction=settings.against_contradiction,
    )
