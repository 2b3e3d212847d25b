"""From items to predictions: chunk by chunk, in one run's folder, skipping what is done."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from veracite.engine.evaluation import answering, choices, searching, statements
from veracite.engine.evaluation.answering import Answerer
from veracite.engine.evaluation.choices import ChoiceJudge
from veracite.engine.evaluation.entailing import Entailment
from veracite.engine.evaluation.evidence import (
    Collection,
    Quotable,
    Scope,
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
from veracite.engine.evaluation.models import Models
from veracite.engine.evaluation.progress import Predicted
from veracite.engine.evaluation.runs import Run
from veracite.engine.evaluation.searching import Searcher
from veracite.engine.evaluation.statements import StatementJudge
from veracite.engine.settings import Retrieval
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
"""Each task's methods with what they do."""

_CHUNK = 16
"""Items that are predicted and kept together."""
_QUERIES = 50
_LISTS = ("qampari",)
"""Formats whose answers are lists with commas."""


@dataclass(frozen=True, slots=True)
class Predicting:
    """What predictions depend on besides data and models."""

    scope: Scope = "each"
    """Whose documents an item is judged by: its own, or all items' as one library."""
    k: int = 6
    threshold: float | None = None
    """CEG's t; None takes the encoder's own."""
    retrieval: Retrieval = "hybrid"
    uncertain_below: float = 0.6
    against_contradiction: bool = False
    """Score statements by how little they are contradicted (FELM's reading of nonfactual)."""
    seed: int = 0

    def as_mapping(self) -> dict[str, object]:
        """Field names to values, for the record."""
        return asdict(self)


def predict(
    loaded: Loaded, settings: Predicting, models: Models, run: Run, libraries: Path
) -> Iterator[SyncEvent | Predicted]:
    """Ask every method about every item that it has not been asked about in this run.

    Args:
        libraries: A folder for libraries of all items' documents, which are kept for other runs.
    """
    methods = METHODS[loaded.task]
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
            for event in together(place / "documents", place / "index", models.encoder, opened):
                if isinstance(event, Library):
                    library = event
                else:
                    yield event
        ask = _asker(loaded, settings, models, library, ids)
        size = _QUERIES if loaded.task == "retrieve" else _CHUNK
        for start in range(0, len(left), size):
            chunk = left[start : start + size]
            run.add(ask(chunk))
            done += len(chunk)
            yield Predicted(done, total)


def _is_done(run: Run, item: Item, methods: Mapping[str, str]) -> bool:
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
        if library is not None:
            return Collection([cast(Quotable, library)] * len(sources))
        return apart(sources, models.encoder)

    if task == "answer":
        answerer = Answerer(
            models.encoder,
            settings.k,
            ids,
            {source.id: source for source in every_source(loaded)},
            answers_are_lists(loaded),
            Entailment(models.verifier),
        )

        def answers(items: Sequence[Question]) -> list[Prediction]:
            return answerer.predictions(items, collection([q.sources for q in items]).libraries)

        return answers
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


def _statement_judge(settings: Predicting, models: Models) -> StatementJudge:
    threshold = settings.threshold
    return StatementJudge(
        judge=models.judge(settings.uncertain_below),
        encoder=models.encoder,
        k=settings.k,
        threshold=models.encoder.threshold if threshold is None else threshold,
        retrieval=settings.retrieval,
        against_contradiction=settings.against_contradiction,
    )
