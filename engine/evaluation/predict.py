"""Every prediction that an evaluation takes, as a stream of events: load, ask, keep.

A run is one evaluation's folder, with its record and every prediction as it was made. A stop at any
moment costs at most the items in hand: the same command goes on from the last whole line. A folder
holds one run; other settings, models or data make another. It holds the user's texts, so only the
user can read it. The record names no host, user or folder: paths are cut to their last name.
"""

import contextlib
import hashlib
import json
import os
import platform
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path, PurePath
from types import TracebackType
from typing import Any, Self, TextIO, cast

import msgspec

from veracite.engine.claims.segmentation import segment
from veracite.engine.errors import CheckError, InputError, SettingsError
from veracite.engine.evaluation import answers
from veracite.engine.evaluation.answers import Answerer, Entailment, Variant, are_lists, variants
from veracite.engine.evaluation.formats import load, parts_of
from veracite.engine.evaluation.items import (
    Answered,
    Asked,
    Choice,
    DataFile,
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
from veracite.engine.evaluation.models import (
    Models,
    Quotable,
    Shelf,
    apart,
    place_of,
    together,
    written,
)
from veracite.engine.events import Predicted
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.decision import Reading
from veracite.engine.judge.judge import Judge, PairScorer
from veracite.engine.methods.baselines import inconsistencies
from veracite.engine.methods.catalogue import BEST
from veracite.engine.paths import private_folder
from veracite.engine.retrieve import Search
from veracite.engine.settings import Retrieval
from veracite.engine.types import Claim, Label, Verdict
from veracite.engine.version import __version__
from veracite.engine.wording.overlap import content_words, coverage
from veracite.index.documents import Evidence
from veracite.index.library import Library
from veracite.index.progress import SyncEvent
from veracite.index.storage import FolderLock
from veracite.models.onnx import physical_cores

_LIBRARIES = ("hnswlib", "numpy", "onnxruntime", "tantivy", "tokenizers")
"""The libraries that a score can depend on."""
_PER_OCCASION = ("command", "machine", "started")
_ROOMS = Path(__file__).parents[2]
_PREDICTING = ("engine/**/*", "index/**/*", "models/*")
_COUNTING = ("bootstrap", "calibrate", "figures", "report")
"""What only counts and shows predictions: they do not depend on it."""

_RECORD = "run.json"
_PREDICTIONS = "predictions.jsonl"
_LOCK = "lock"


_JUDGING = {
    "veracite": "retrieval, verifier, decision, as in `veracite check`",
    "verifier": "the verifier's best premise, nothing else",
    "overlap": "the share of the statement's content words that its own documents have",
    "similarity": "the claim's highest cosine similarity to a passage",
    "length": "its characters with a minus: shorter is truer",
}
_CHOOSING = {
    **{name: about for name, about in _JUDGING.items() if name != "length"},
    "shorter": "the shorter answer",
    "first": "the answer that comes first",
}
SELFCHECK = "selfcheck-nli"
"""SelfCheck by NLI, for sets that carry other answers of the model that wrote a text; it takes a
pass of the verifier for each sentence and sample, so it runs only when it is asked for."""

_SEARCHES = {
    "hybrid": "BM25 and embeddings, fused, as `veracite check` searches",
    "dense": "the sentence encoder's embeddings alone",
    "lexical": "BM25 alone",
    "random": "documents in random order",
}
METHODS: Mapping[Task, Mapping[str, str]] = {
    "detect": _JUDGING,
    "attribute": _JUDGING,
    "choose": _CHOOSING,
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
_AGAINST_CONTRADICTION = ("felm",)
"""Formats in which only an actual error is nonfactual (CEG, Table 12)."""
_WITH_PASSAGES = ("asqa", "qampari", "eli5", "quotesum", "hotpotqa", "musique", "qed", "squad")
"""Formats of questions whose rows bring passages."""

_Ask = Callable[[Sequence[Any]], Sequence[Prediction]]
"""Gives every method's predictions of some items."""


# --- The run's folder -------------------------------------------------------------------------


class Run:
    """The predictions of one evaluation, kept on disk as they come.

    Args:
        folder: Made if missing.
        identity: What the predictions depend on: data, models, settings, seed, versions.

    Raises:
        InputError: The folder holds another run, or something that is no run.
        CheckError: It cannot be written, or another process is at work in it. Also from ``add``.
    """

    def __init__(self, folder: Path, identity: Mapping[str, object]) -> None:
        self.folder = folder
        self._path = folder / _PREDICTIONS
        self._done: dict[tuple[str, str], Prediction] = {}
        with _writing(folder):
            private_folder(folder)
            _claim(folder / _RECORD, identity)
            self._lock = FolderLock(folder / _LOCK)
            if not self._lock.acquire():
                raise CheckError(
                    f"Another evaluation is at work in {folder}.",
                    "Wait until it has ended, or name another folder with --run.",
                )
            try:
                self._read()
                self._file: TextIO = open(  # noqa: SIM115
                    self._path, "a", encoding="utf-8", newline="\n", opener=_for_owner
                )
            except BaseException:
                self._lock.release()
                raise

    def get(self, item: str, method: str) -> Prediction | None:
        """What this method said of this item; None if it has not been asked."""
        return self._done.get((item, method))

    def knows(self, item: str, method: str) -> bool:
        """Whether this method has been asked about this item."""
        return (item, method) in self._done

    def add(self, predictions: Iterable[Prediction]) -> None:
        """Keep predictions; they are on disk when this returns."""
        with _writing(self.folder):
            for prediction in predictions:
                line = json.dumps(asdict(prediction), ensure_ascii=True, sort_keys=True)
                self._file.write(f"{line}\n")
                self._done[prediction.item, prediction.method] = prediction
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file and let others at the folder."""
        try:
            with _writing(self.folder):
                self._file.close()
        finally:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _read(self) -> None:
        """Take in the whole lines, and cut off what a stop left unfinished."""
        if not self._path.exists():
            return
        whole = 0
        with self._path.open("rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                try:
                    prediction = msgspec.convert(json.loads(line), Prediction)
                except ValueError:
                    break
                self._done[prediction.item, prediction.method] = prediction
                whole += len(line)
        os.truncate(self._path, whole)


def _claim(path: Path, identity: Mapping[str, object]) -> None:
    """Write the run's identity, or see that it is the one that is there."""
    wanted = json.loads(json.dumps(identity, sort_keys=True))
    if path.exists():
        _require(path, wanted)
        return
    partial = path.with_suffix(".partial")
    if any(other != partial for other in path.parent.iterdir()):
        raise InputError(
            f"{path.parent} holds files that are no run of an evaluation.",
            "Name a folder that is empty or does not exist with --run.",
        )
    text = json.dumps(wanted, indent=1, sort_keys=True)
    with open(partial, "w", encoding="utf-8", opener=_for_owner) as file:
        file.write(f"{text}\n")
    partial.replace(path)


def _require(path: Path, wanted: Mapping[str, object]) -> None:
    try:
        held = json.loads(path.read_text("utf-8"))
    except ValueError:
        held = None
    if held == wanted:
        return
    differing = sorted(k for k in wanted if not isinstance(held, dict) or held.get(k) != wanted[k])
    raise InputError(
        f"{path.parent} holds another run (it differs in {', '.join(differing)}).",
        "Name another folder with --run, or delete this one.",
    )


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


@contextlib.contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CheckError(
            f"The predictions cannot be saved in {folder} ({error.strerror or error}).",
            "Name a folder of yours with room on its disk with --run.",
        ) from error


# --- The record -------------------------------------------------------------------------------


def this_machine() -> dict[str, Any]:
    """What a run's speed depends on, and its last bits may: physical cores that it may use."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return {
        "cpu": next(named, "") or platform.processor() or "unknown",
        "cores": physical_cores(),
        "architecture": platform.machine(),
        "system": platform.system(),
        "python": platform.python_version(),
    }


def record(
    *,
    command: Sequence[str],
    files: Iterable[DataFile],
    models: Iterable[str],
    settings: Mapping[str, Any],
    seed: int,
    clock: Callable[[], datetime],
) -> dict[str, Any]:
    """What a run records about itself, so that somebody else can repeat it, ready for JSON.

    Args:
        command: The words of the command line.
        models: Ids of the models that were asked.
        settings: What the run's predictions and figures depend on besides.
        clock: Tells the present time with its time zone.
    """
    return {
        "veracite": __version__,
        "code": code_digest(),
        "command": " ".join(map(_without_folders, command)),
        "started": clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "seed": seed,
        "models": [_private(model) for model in models],
        "settings": _private(settings),
        "data": [asdict(file) for file in files],
        "libraries": {name: _version(name) for name in _LIBRARIES},
        "machine": this_machine(),
    }


def identity(recorded: Mapping[str, Any]) -> dict[str, Any]:
    """What the predictions depend on: the record without when, where and by which words."""
    return {key: value for key, value in recorded.items() if key not in _PER_OCCASION}


def code_digest(root: Path = _ROOMS) -> str:
    """The start of a SHA-256 over the code that predictions depend on.

    A version says too little to whoever works on the code: predictions of an older state would be
    taken for those of the present one.

    Args:
        root: The folder that holds the rooms ``engine``, ``index`` and ``models``.
    """
    whole = hashlib.sha256()
    for path in sorted({path for pattern in _PREDICTING for path in root.glob(pattern)}):
        counts = path.parent.name == "evaluation" and path.stem.endswith(_COUNTING)
        if path.suffix in (".py", ".json", ".toml") and not counts:
            content = path.read_bytes()
            whole.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode() + content)
    return whole.hexdigest()[:12]


def data_files(paths: Iterable[Path]) -> tuple[DataFile, ...]:
    """Name, SHA-256 and size of each file, and of every file of data in each folder, sorted.

    Raises:
        InputError: A file cannot be read, or a folder holds no data.
    """
    return tuple(
        _data_file(file, file.relative_to(path.parent).as_posix())
        for path in paths
        for file in ([part.path for part in parts_of([path])] if path.is_dir() else [path])
    )


def _data_file(path: Path, name: str) -> DataFile:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return DataFile(name, digest, file.tell())
    except OSError as error:
        raise InputError(
            f"{path} cannot be read ({error.strerror or error}).",
            "Name a file that exists and that you may read.",
        ) from error


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _without_folders(argument: str) -> str:
    """``--data=/home/me/a.json`` to ``--data=a.json``; a label with a slash in it stays."""
    option, equals, value = argument.partition("=")
    if equals and "/" not in option:
        return f"{option}={PurePath(value).name or value}"
    if equals and not argument.startswith(("/", "~", ".")):
        return argument
    return PurePath(argument).name or argument


def _private(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _private(item) for key, item in sorted(value.items())}
    if isinstance(value, list | tuple):
        return [_private(item) for item in value]
    if isinstance(value, PurePath):
        return value.name
    if isinstance(value, str) and value.startswith(("/", "~")):
        return PurePath(value).name or value
    return value


# --- Loading, predicting and keeping ----------------------------------------------------------


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
    against = asked.predicting.against_contradiction
    if against is None:
        against = loaded.format in _AGAINST_CONTRADICTION
    predicting = replace(asked.predicting, against_contradiction=against)
    loaded = _drawn(loaded, asked, predicting)
    kept = record(
        command=asked.command,
        files=files,
        models=models.ids,
        settings={
            **asdict(predicting),
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
    yield Answered(asked, loaded, predicting, said, files, kept, folder)


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
    if loaded.task != "answer" or loaded.sources or models.writer is not None:
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
    if asked.task in ("detect", "attribute") and min(total, limit or total) < 2:
        few = "One item is too few: thresholds are chosen on some items, results are of others."
        raise InputError(
            " ".join([few, *loaded.left_out]) if total < 2 else few,
            "Give more items." if total < 2 else "Give a higher --limit.",
        )
    if limit is None or limit >= total:
        return loaded
    places = random.Random(predicting.seed).sample(range(total), limit)
    everything = loaded.sources if predicting.scope == "all" else loaded.corpus
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
        return all(run.knows(item.id, m) for m in methods if m != "given" or given)

    left = [item for item in loaded.items if not is_done(item)]
    if not left:
        yield Predicted(len(loaded.items), len(loaded.items))
        return
    with ExitStack() as opened:
        library, ids = None, None
        if settings.scope == "all" or loaded.task == "retrieve":
            place = place_of(loaded.sources, libraries)
            ids = written(loaded.sources, place / "documents")
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
        k=settings.k,
        threshold=models.encoder.threshold if settings.threshold is None else settings.threshold,
        retrieval=settings.retrieval,
        against_contradiction=bool(settings.against_contradiction),
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
        {source.id: source for source in loaded.sources},
        ids,
        are_lists(loaded),
    )

    def answered(questions: Sequence[Question]) -> list[Prediction]:
        own = _collection([question.sources for question in questions], models, library)
        return answerer.predictions(questions, own.libraries, run.knows)

    return answered


def _collection(
    sources: Sequence[tuple[Source, ...]], models: Models, library: Library | None
) -> Shelf:
    """The library of each item: its own, or the one of all."""
    if library is not None:
        return Shelf([cast(Quotable, library)] * len(sources))
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


# --- Statements and choices -------------------------------------------------------------------

_RIGHT, _WRONG = "right", "wrong"
_SEVERITY = (
    Label.CONTRADICTED,
    Label.NOT_FOUND,
    Label.UNCERTAIN,
    Label.SUPPORTED,
    Label.NOT_CHECKABLE,
)
"""Of several claims in one statement the first of these labels is the statement's."""


@dataclass(frozen=True, slots=True)
class StatementJudge:
    """The product's judge with what it needs to look things up.

    A statement of several sentences is as true as its least true claim.
    """

    judge: Judge
    k: int | None
    threshold: float | None
    retrieval: Retrieval
    against_contradiction: bool
    """Score by how little a statement is contradicted, not by how much it is supported."""

    def predictions(self, statements: Sequence[Statement], collection: Shelf) -> list[Prediction]:
        """What every method says of these statements, in no particular order."""
        started = time.perf_counter()
        claims = [claims_of(statement) for statement in statements]
        found = [self._find(collection.libraries[place], own) for place, own in enumerate(claims)]
        for place, per_claim in enumerate(found):
            for passages in per_claim:
                collection.own(place, passages)
        flat = [claim for own in claims for claim in own]
        evidence = [passages for per_claim in found for passages in per_claim]
        searched = time.perf_counter()
        judge = replace(self.judge, sentences=collection.sentences, raw_text=collection.raw_text)
        readings = dict(judge.read(flat, evidence))
        read = time.perf_counter()
        verdicts = {index: judge.conclude(reading) for index, reading in readings.items()}
        done = time.perf_counter()
        search, network, decide = searched - started, read - searched, done - read
        made: list[Prediction] = []
        first = 0
        for statement, own in zip(statements, claims, strict=True):
            places = range(first, first + len(own))
            first += len(own)
            made += self._all(
                statement,
                [flat[i] for i in places],
                [evidence[i] for i in places],
                [readings.get(i) for i in places],
                [verdicts.get(i) for i in places],
                (search / len(statements), network / len(statements), decide / len(statements)),
            )
        return made

    def _find(self, library: Quotable, claims: Sequence[Claim]) -> list[tuple[Evidence, ...]]:
        search = Search(library, self.k, self.threshold, self.retrieval)
        return search.gather(claims)

    def _all(
        self,
        statement: Statement,
        claims: Sequence[Claim],
        evidence: Sequence[Sequence[Evidence]],
        readings: Sequence[Reading | None],
        verdicts: Sequence[Verdict | None],
        seconds: tuple[float, float, float],
    ) -> Iterator[Prediction]:
        search, read, decide = seconds
        began = time.perf_counter()
        overlap = _overlap(statement)
        counting = time.perf_counter() - began
        network = [0.0 if r is None else float(r.probabilities[:, 0].max()) for r in readings]
        scores = {
            "veracite": (min(map(self._score, verdicts), default=0.0), search + read + decide),
            "verifier": (min(network, default=0.0), search + read),
            "overlap": (overlap, counting),
            "similarity": (min(map(_similarity, evidence), default=0.0), search),
            "length": (-float(len(statement.text)), 0.0),
        }
        cited = [c.document_sha256 for v in verdicts if v is not None for c in v.citations]
        for method, (score, spent) in scores.items():
            yield Prediction(
                item=statement.id,
                method=method,
                score=round(score, 6),
                label=_label(claims, verdicts) if method == "veracite" else None,
                seconds=round(spent, 6),
                found=tuple(dict.fromkeys(cited)) if method == "veracite" else (),
                problem=None if claims else "It holds no sentence.",
            )

    def _score(self, verdict: Verdict | None) -> float:
        if verdict is None or verdict.scores is None:
            return 1.0 if self.against_contradiction else 0.0
        if self.against_contradiction:
            return 1.0 - verdict.scores.contradicted
        return verdict.scores.supported


def claims_of(statement: Statement) -> tuple[Claim, ...]:
    """The statement's claims as ``veracite check`` cuts them, with the text before as context."""
    before = " ".join(statement.before)
    whole = f"{before} {statement.text}" if before else statement.text
    first = len(whole) - len(statement.text)
    own = [claim for claim in segment(whole, markdown=False) if claim.start >= first]
    if own and not any(map(str.isalnum, whole[first : own[0].start])):
        return tuple(own)
    # A sentence ran on over the border: the set's own borders count.
    return segment(statement.text, markdown=False)


def _label(claims: Sequence[Claim], verdicts: Sequence[Verdict | None]) -> str:
    labels = {
        Label.NOT_CHECKABLE
        if claim.not_checkable
        else (Label.NOT_FOUND if verdict is None else verdict.label)
        for claim, verdict in zip(claims, verdicts, strict=True)
    }
    return next((label for label in _SEVERITY if label in labels), Label.NOT_CHECKABLE)


def _overlap(statement: Statement) -> float:
    texts = (f"{source.title or ''} {source.text}" for source in statement.sources)
    stems = {word.stem for text in texts for word in content_words(text)}
    return coverage(content_words(statement.text), stems)


def _similarity(evidence: Sequence[Evidence]) -> float:
    return max((item.cosine or 0.0 for item in evidence), default=0.0)


@dataclass(frozen=True, slots=True)
class ChoiceJudge:
    """Judges "question answer" for both answers and takes the one with the higher score.

    Which of the two comes first is drawn for each item from the seed and the item's id; of equal
    scores the first wins, so a method that cannot tell gets half of them.
    """

    statements: StatementJudge
    seed: int

    def predictions(self, choices: Sequence[Choice], collection: Shelf) -> list[Prediction]:
        """What every method chooses. ``collection`` holds each choice's library twice in a row."""
        asked = [_as_statement(c, answer) for c in choices for answer in (_RIGHT, _WRONG)]
        said = {(p.item, p.method): p for p in self.statements.predictions(asked, collection)}
        return [
            prediction
            for choice in choices
            for prediction in (
                *(
                    self._by_score(choice, method, said)
                    for method in _CHOOSING
                    if method in _JUDGING
                ),
                self._taken(choice, "shorter", len(choice.wrong) - len(choice.right), 0.0),
                self._taken(choice, "first", 0.0, 0.0),
            )
        ]

    def _by_score(
        self, choice: Choice, method: str, said: dict[tuple[str, str], Prediction]
    ) -> Prediction:
        right, wrong = (said[f"{choice.id}/{answer}", method] for answer in (_RIGHT, _WRONG))
        margin = (right.score or 0.0) - (wrong.score or 0.0)
        return self._taken(choice, method, margin, right.seconds + wrong.seconds)

    def _taken(self, choice: Choice, method: str, margin: float, seconds: float) -> Prediction:
        if margin == 0:
            right_first = random.Random(f"{self.seed}/{choice.id}").random() < 0.5
            chosen = _RIGHT if right_first else _WRONG
        else:
            chosen = _RIGHT if margin > 0 else _WRONG
        return Prediction(choice.id, method, float(margin), chosen, round(seconds, 6))


def _as_statement(choice: Choice, answer: str) -> Statement:
    text = choice.right if answer == _RIGHT else choice.wrong
    return Statement(
        id=f"{choice.id}/{answer}",
        group=choice.id,
        text=f"{choice.question} {text}",
        truth=answer == _RIGHT,
        label=answer,
        sources=choice.sources,
    )


def selfcheck(statements: Sequence[Statement], verifier: PairScorer) -> Iterator[Prediction]:
    """How little the other answers of the same model contradict each statement, 0..1."""
    for one in statements:
        began = time.perf_counter()
        (inconsistency,) = inconsistencies([one.text], one.samples, verifier)
        spent = time.perf_counter() - began
        score = round(1.0 - inconsistency, 6)
        yield Prediction(one.id, SELFCHECK, score, None, round(spent, 6))
