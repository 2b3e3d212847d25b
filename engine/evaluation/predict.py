"""Every prediction that an evaluation takes, as a stream of events: load, ask, keep."""

import hashlib
import json
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Any, cast

from veracite.engine.errors import InputError, SettingsError
from veracite.engine.evaluation import answers, statements
from veracite.engine.evaluation.answers import Answerer, Variant, variants
from veracite.engine.evaluation.citations import Entailment
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import (
    Item,
    Loaded,
    Predicting,
    Prediction,
    Query,
    Question,
    Source,
    Statement,
    Task,
)
from veracite.engine.evaluation.libraries import (
    Collection,
    Quotable,
    apart,
    shelf,
    together,
    written,
)
from veracite.engine.evaluation.models import Models
from veracite.engine.evaluation.results import DataFile
from veracite.engine.evaluation.runs import Run, data_files, identity, record
from veracite.engine.evaluation.splits import SplitKind
from veracite.engine.evaluation.statements import SELFCHECK, ChoiceJudge, StatementJudge, selfcheck
from veracite.engine.events import Predicted
from veracite.engine.judge.cache import Memory
from veracite.engine.methods.catalogue import BEST
from veracite.engine.settings import Retrieval
from veracite.index.documents import Evidence
from veracite.index.library import Library
from veracite.index.progress import SyncEvent

_SEARCHES = {
    "hybrid": "BM25 and embeddings, fused, as `veracite check` searches",
    "dense": "the sentence encoder's embeddings alone",
    "lexical": "BM25 alone",
    "random": "documents in random order",
}
METHODS: Mapping[Task, Mapping[str, str]] = {
    "detect": statements.METHODS,
    "attribute": statements.METHODS,
    "choose": statements.CHOOSING,
    "retrieve": _SEARCHES,
    "answer": answers.METHODS,
}
"""Each task's methods with what they do; questions are answered by those of ``variants`` too."""

_CHUNK = 16
"""Items that are predicted and kept together."""
_SIZES: Mapping[Task, int] = {"retrieve": 50, "answer": 4}
"""The same where they take less or more time."""
_DEPTH = 100
"""Documents that are kept of each ranking."""
_LISTS = ("qampari",)
"""Formats whose answers are lists with commas."""
_AGAINST_CONTRADICTION = ("felm",)
"""Formats in which only an actual error is nonfactual (CEG, Table 12)."""
_WITH_PASSAGES = ("asqa", "qampari", "eli5", "quotesum", "hotpotqa", "musique", "qed", "squad")
"""Formats of questions whose rows bring passages."""

_Ask = Callable[[Sequence[Any]], Sequence[Prediction]]
"""Gives every method's predictions of some items."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be evaluated."""

    task: Task
    files: tuple[Path, ...]
    format: str | None = None
    """Of the files; None recognises it."""
    methods: tuple[str, ...] = ()
    """Those to report; all if none is named. For ``answer`` those that answer, beside the plain
    ones (``veracite.engine.evaluation.answers``); the best one if none is named."""
    limit: int | None = None
    """Items drawn at random from the seed; None takes all."""
    split: SplitKind = "halves"
    predicting: Predicting = field(default_factory=Predicting)
    score: str | None = None
    """ "supported" or "not-contradicted"; None goes by the format."""
    label_map: Mapping[str, bool] = field(default_factory=dict)
    """Labels of the set to true or false, instead of the format's own map."""
    command: tuple[str, ...] = ()

    @property
    def is_split(self) -> bool:
        """Whether thresholds are chosen on a part of the items."""
        return self.task in ("detect", "attribute")


@dataclass(frozen=True, slots=True)
class Answered:
    """Every method has said what it says of every item."""

    asked: Asked
    loaded: Loaded
    predicting: Predicting
    """The settings as they were used."""
    said: Mapping[str, Mapping[str, Prediction]]
    """By method and item; items that a method said nothing of are missing."""
    files: tuple[DataFile, ...]
    record: Mapping[str, Any]
    run: Path
    """The folder with the record and every prediction."""


def ask(
    asked: Asked,
    models: Models,
    root: Path,
    *,
    run: Path | None = None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Iterator[SyncEvent | Predicted | Answered]:
    """Load, and predict what is not yet predicted; last comes ``Answered``.

    Args:
        asked: What is to be evaluated.
        models: Opened as they are needed; the caller closes them.
        root: Folder of the runs, and of the libraries that they share.
        run: Folder of this run, if not below ``root``: the same evaluation has the same folder.
        clock: Tells the time, for the record.

    Raises:
        SettingsError: A method or a format is unknown, or a label that no row has is given a
            meaning.
        InputError: The data cannot be read or are too few or lack what a method needs, ``run`` is
            another run's, or the calibration cannot be used.
        CheckError: The run's folder cannot be written.
        LibraryError, ModelError: As for a check.
    """
    answering = _variants(asked, models)
    files = data_files(asked.files)
    loaded = load(asked.task, asked.files, asked.format, asked.label_map)
    _require_labels(loaded)
    _require_documents(loaded, models)
    by_format = loaded.format in _AGAINST_CONTRADICTION
    against = by_format if asked.score is None else asked.score == "not-contradicted"
    predicting = replace(asked.predicting, against_contradiction=against)
    loaded = _drawn(loaded, asked, predicting)
    kept = record(
        command=asked.command,
        files=files,
        models=models.ids,
        settings={
            **predicting.as_mapping(),
            "calibration": models.tuning.id if models.tuning else None,
            "limit": asked.limit,
            "format": loaded.format,
        },
        seed=predicting.seed,
        clock=clock,
    )
    held = {"task": asked.task, **identity(kept)}
    digest = hashlib.sha256(json.dumps(held, sort_keys=True).encode()).hexdigest()[:12]
    folder = run or root / f"{asked.task}-{digest}"
    with Run(folder, held) as opened:
        requested = (SELFCHECK,) if SELFCHECK in asked.methods else ()
        if requested:
            yield from _selfcheck(loaded, models, opened)
        yield from predict(loaded, predicting, models, opened, root / "libraries", answering)
        names = [*(variant.name for variant in answering), *METHODS[asked.task], *requested]
        said = {name: _said(loaded, opened, name) for name in names}
    settings = {**kept["settings"], **({"split": asked.split} if asked.is_split else {})}
    yield Answered(asked, loaded, predicting, said, files, {**kept, "settings": settings}, folder)


def answers_are_lists(loaded: Loaded) -> bool:
    """Whether answers are lists with commas."""
    return loaded.format in _LISTS


def every_source(loaded: Loaded) -> list[Source]:
    """The documents of the set as a whole and of its items, some of them several times."""
    own = [source for item in loaded.items for source in getattr(item, "sources", ())]
    return [*loaded.corpus, *own]


# --- What is asked ----------------------------------------------------------------------------


def _variants(asked: Asked, models: Models) -> tuple[Variant, ...]:
    """The methods that answer, the best one unless some are named; none for the other tasks.

    Raises:
        SettingsError: A method is unknown.
    """
    known = METHODS[asked.task]
    if asked.task == "answer":
        best = BEST["extractive" if models.writer is None else "prompted"]
        return variants(asked.methods or (best,))
    valid = (*known, SELFCHECK) if asked.task == "detect" else tuple(known)
    for method in asked.methods:
        if method not in valid:
            raise SettingsError(
                f"{asked.task} has no method {method!r}.", f"It has: {', '.join(valid)}."
            )
    return ()


def _require_labels(loaded: Loaded) -> None:
    """Raises SettingsError where a label is given a meaning that no row has."""
    if loaded.unmet_labels:
        raise SettingsError(
            f"No row has the label {', '.join(map(repr, loaded.unmet_labels))}.",
            f"The labels that are read are {', '.join(map(repr, sorted(loaded.label_map)))}.",
        )


def _require_documents(loaded: Loaded, models: Models) -> None:
    """Raises InputError where questions have neither documents nor answers nor a writer."""
    if loaded.task != "answer" or every_source(loaded) or models.writer is not None:
        return
    if any(isinstance(item, Question) and item.output is not None for item in loaded.items):
        return
    raise InputError(
        "Nothing can be answered: none of the questions comes with documents to answer from.",
        f"Give a set that brings passages ({', '.join(_WITH_PASSAGES)}; open-qa with ctxs), or a "
        "language model with --model that answers without.",
    )


def _drawn(loaded: Loaded, asked: Asked, predicting: Predicting) -> Loaded:
    """So many items, at random, in their order; the library stays that of all."""
    total, limit = len(loaded.items), asked.limit
    if asked.is_split and min(total, limit or total) < 2:
        few = "One item is too few: thresholds are chosen on some items, results are of others."
        raise InputError(
            " ".join([few, *loaded.left_out]) if total < 2 else few,
            "Give more items." if total < 2 else "Give a higher --limit.",
        )
    if limit is None or limit >= total:
        return loaded
    places = random.Random(predicting.seed).sample(range(total), limit)
    everything = every_source(loaded) if predicting.scope == "all" else loaded.corpus
    drawn = f"{limit:,} of {total:,} items, drawn at random from seed {predicting.seed}."
    return replace(
        loaded,
        items=tuple(loaded.items[place] for place in sorted(places)),
        corpus=tuple(everything),
        notes=(drawn, *loaded.notes),
    )


def _said(loaded: Loaded, run: Run, method: str) -> dict[str, Prediction]:
    found = ((item.id, run.get(item.id, method)) for item in loaded.items)
    return {item: prediction for item, prediction in found if prediction is not None}


# --- Chunk by chunk, skipping what is done ----------------------------------------------------


def predict(
    loaded: Loaded,
    settings: Predicting,
    models: Models,
    run: Run,
    libraries: Path,
    answering: Sequence[Variant] = (),
) -> Iterator[SyncEvent | Predicted]:
    """Ask every method about every item that it has not been asked about in this run.

    Args:
        libraries: A folder for libraries of all items' documents, which are kept for other runs.
        answering: The methods that answer questions, beside the plain ones.
    """
    methods = [*METHODS[loaded.task], *(variant.name for variant in answering)]

    def is_done(item: Item) -> bool:
        given = getattr(item, "output", None) is not None
        return run.has(item.id, [m for m in methods if m != "given" or given])

    left = [item for item in loaded.items if not is_done(item)]
    if not left:
        yield Predicted(len(loaded.items), len(loaded.items))
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
            memory = opened.enter_context(Memory(run.folder / "verdicts.sqlite"))
            asking = _answering(loaded, settings, models, library, ids, answering, memory, run)
        else:
            asking = _judging(loaded.task, settings, models, library, ids)
        size = _SIZES.get(loaded.task, _CHUNK)
        yield from _chunks(left, asking, run, size, len(loaded.items))


def _selfcheck(loaded: Loaded, models: Models, run: Run) -> Iterator[Predicted]:
    """Score every statement with samples that has no score in this run."""
    items = [one for one in loaded.items if isinstance(one, Statement) and one.samples]
    if not items:
        raise InputError(
            f"{SELFCHECK} compares a text with other answers of the same model, and these data "
            "hold none.",
            "Leave the method out, or give SelfCheckGPT's WikiBio file, which has them.",
        )
    left = [one for one in items if not run.knows(one.id, SELFCHECK)]

    def asking(chunk: Sequence[Statement]) -> list[Prediction]:
        return list(selfcheck(chunk, models.verifier))

    yield from _chunks(left, asking, run, _CHUNK, len(items))


def _chunks(
    left: Sequence[Item], asking: _Ask, run: Run, size: int, total: int
) -> Iterator[Predicted]:
    done = total - len(left)
    yield Predicted(done, total)
    for start in range(0, len(left), size):
        chunk = left[start : start + size]
        run.add(asking(chunk))
        done += len(chunk)
        yield Predicted(done, total)


def _judging(
    task: Task,
    settings: Predicting,
    models: Models,
    library: Library | None,
    ids: Mapping[str, str] | None,
) -> _Ask:
    """What gives the predictions of a chunk of statements, choices or queries."""
    if task == "retrieve":
        assert library is not None
        assert ids is not None
        shared, names = library, ids
        return lambda queries: searched(queries, shared, names, settings.seed)
    judge = StatementJudge(
        judge=models.judge(settings.uncertain_below),
        encoder=models.encoder,
        k=settings.k,
        threshold=settings.threshold_of(models.encoder.threshold),
        retrieval=settings.retrieval,
        against_contradiction=settings.against_contradiction,
    )

    def judged(items: Sequence[Any]) -> list[Prediction]:
        if task == "choose":
            twice = [choice.sources for choice in items for _ in range(2)]
            chooser = ChoiceJudge(judge, settings.seed)
            return chooser.predictions(items, _collection(twice, models, library))
        return judge.predictions(items, _collection([i.sources for i in items], models, library))

    return judged


def _answering(
    loaded: Loaded,
    settings: Predicting,
    models: Models,
    library: Library | None,
    ids: Mapping[str, str] | None,
    answering: Sequence[Variant],
    memory: Memory,
    run: Run,
) -> _Ask:
    """What gives the answers to a chunk of questions that the run has not got yet."""
    answerer = Answerer(
        models,
        settings,
        tuple(answering),
        memory,
        Entailment(models.verifier),
        {source.id: source for source in every_source(loaded)},
        ids,
        answers_are_lists(loaded),
    )

    def answered(questions: Sequence[Question]) -> list[Prediction]:
        own = _collection([question.sources for question in questions], models, library)
        return answerer.predictions(questions, own.libraries, run.knows)

    return answered


def _collection(
    sources: Sequence[tuple[Source, ...]], models: Models, library: Library | None
) -> Collection:
    """The library of each item: its own, or the one of all."""
    if library is not None:
        return Collection([cast(Quotable, library)] * len(sources))
    return apart(sources, models.remembering)


def searched(
    queries: Sequence[Query], library: Library, ids: Mapping[str, str], seed: int
) -> list[Prediction]:
    """The documents that each search finds, where its best passage stands, best first."""
    made: list[Prediction] = []
    modes: tuple[Retrieval, ...] = ("hybrid", "dense", "lexical")
    for mode in modes:
        began = time.perf_counter()
        found = library.search_many([q.text for q in queries], k=2 * _DEPTH, mode=mode)
        seconds = (time.perf_counter() - began) / max(1, len(queries))
        made += [
            _ranking(query, mode, _documents(evidence, ids), seconds)
            for query, evidence in zip(queries, found, strict=True)
        ]
    known = sorted(set(ids.values()))
    for query in queries:
        drawn = random.Random(f"{seed}/{query.id}").sample(known, min(_DEPTH, len(known)))
        made.append(_ranking(query, "random", drawn, 0.0))
    return made


def _documents(found: Sequence[Evidence], ids: Mapping[str, str]) -> list[str]:
    names = (PurePath(item.passage.document.path).name for item in found)
    return list(dict.fromkeys(ids[name] for name in names))[:_DEPTH]


def _ranking(query: Query, method: str, found: Sequence[str], seconds: float) -> Prediction:
    return Prediction(query.id, method, None, None, round(seconds, 6), found=tuple(found))
