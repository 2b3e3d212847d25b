"""Every prediction that an evaluation takes, as a stream of events: load, ask, keep.

A run is one evaluation's folder, with its record and every prediction as it was made. A stop at any
moment costs at most the items in hand: the same command goes on from the last whole line. Other
settings, models or data make another folder. It holds the user's texts, so only the user can read
it. The record names no host and no user, and files without their folders. Items are judged by
libraries of their documents: each item's own, or one of all.
"""

import hashlib
import html
import json
import os
import random
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from dataclasses import asdict, dataclass, replace
from importlib import metadata
from pathlib import Path, PurePath
from typing import Any, BinaryIO

import msgspec

from veracite.engine.claims.segmentation import segment
from veracite.engine.errors import CheckError, InputError, disk_errors
from veracite.engine.evaluation.answering import Answerer, Entailment, Variant, variants
from veracite.engine.evaluation.formats import files_of, load
from veracite.engine.evaluation.items import (
    METHODS,
    SELFCHECK,
    Answered,
    Asked,
    Item,
    Loaded,
    Prediction,
    Query,
    Question,
    Source,
    Statement,
    Task,
)
from veracite.engine.events import Opening, Predicted
from veracite.engine.failures import shortfall
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.judge import Judge, PairScorer
from veracite.engine.libraries import own_documents, require_documents
from veracite.engine.methods.catalogue import BEST
from veracite.engine.models import OpenModels, Quotable
from veracite.engine.paths import for_owner
from veracite.engine.report.phrases import LISTED, counted
from veracite.engine.retrieve import Search
from veracite.engine.settings import Retrieval
from veracite.engine.types import Claim, Label, Verdict
from veracite.engine.version import __version__
from veracite.engine.wording.overlap import content_words, coverage
from veracite.index.documents import Document, Evidence
from veracite.index.library import Library
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.index.progress import SyncEvent
from veracite.index.sources import Patterns
from veracite.index.storage import FolderLock
from veracite.models.encoder import Encoder
from veracite.models.files import private_folder, write_whole

_LIBRARIES = ("hnswlib", "numpy", "onnxruntime", "tantivy", "tokenizers")
"""The libraries that a score can depend on."""
_SETTINGS = ("scope", "against_contradiction", "seed", "limit")
_ROOMS = Path(__file__).parents[2]
_PREDICTING = ("engine/**/*", "index/**/*", "models/*")
_COUNTING = ("calibrate", "figures", "report")
"""What only counts and shows predictions: they do not depend on it."""

_CHUNK = 16
"""Items that are predicted and kept together."""
_SIZES: Mapping[Task, int] = {"retrieve": 50, "answer": 1}
"""The same where they take less or more time."""
_DEPTH = 100
"""Documents that are kept of each ranking."""
_AGAINST_CONTRADICTION = ("felm",)
"""Formats in which only an actual error is nonfactual (CEG, Table 12)."""


# --- The libraries that items go by -----------------------------------------------------------

Shared = tuple[Library, Mapping[str, str]]
"""A library of all items, and the ids of its documents by their paths, where they are others."""


def apart(sources: Sequence[tuple[Source, ...]], encoder: Encoder) -> list[MemoryLibrary]:
    """A library in memory for each item's documents; their passages are encoded together."""
    vectors = Vectors(encoder.encode)
    libraries = [
        MemoryLibrary(
            [Text(f"{item}/{number}", s.text, s.title) for number, s in enumerate(own)], vectors
        )
        for item, own in enumerate(sources)
    ]
    vectors.of([text for library in libraries for text in library.passage_texts])
    return libraries


def written(sources: Iterable[Source], folder: Path) -> dict[str, str]:
    """Write documents as HTML files, one for each distinct document; their names to ids.

    The name is a hash of the content: the same documents are the same files, whatever their order.

    Raises:
        CheckError: The folder cannot be written.
    """
    names: dict[str, str] = {}
    with saving("documents", folder):
        private_folder(folder)
        for source in sources:
            page = _page(source).encode("utf-8", "replace")
            name = f"{hashlib.sha256(page).hexdigest()[:24]}.html"
            names.setdefault(name, source.id)
            if not (folder / name).exists():
                partial = folder / f"{name}.partial"
                partial.write_bytes(page)
                partial.replace(folder / name)
    return names


def saving(what: str, folder: Path) -> AbstractContextManager[None]:
    """Write inside.

    Raises:
        CheckError: The folder cannot be written.
    """
    advice = "See that the folder is yours and its disk has room, then run the same command again."
    return disk_errors(f"The {what} cannot be saved in {folder}", advice, CheckError)


def together(
    sources: Sequence[Source], root: Path, encoder: Encoder, opened: ExitStack
) -> Generator[SyncEvent, None, Shared]:
    """Open the one library of all documents and read them; returns it and its files' ids by path.

    Every run that has the same documents has the same library, in a folder below ``root``.
    """
    said = sorted({f"{source.title}\0{source.text}" for source in sources})
    digest = hashlib.sha256("\0".join(said).encode("utf-8", "surrogatepass")).hexdigest()
    place = root / digest[:12]
    names = written(sources, place / "documents")
    library = Library(place / "index", encode=encoder.encode, encoder_id=encoder.id)
    opened.enter_context(library)
    library.add([place / "documents"])
    yield from library.sync()
    return library, {d.path: names[PurePath(d.path).name] for d in library.documents()}


def chosen(
    asked: Asked, models: OpenModels, opened: ExitStack
) -> Generator[SyncEvent, None, Shared]:
    """Open the library of the user's that all items go by, and bring it up to date."""
    models.open_encoder()
    library = opened.enter_context(models.library(asked.against, []))
    if isinstance(asked.against, tuple):
        library.choose(Patterns())  # whatever an earlier check chose among them
    yield from library.sync()
    if own := [path for file in asked.files for path in own_documents(str(file), library)]:
        raise InputError(
            f"The set itself is among the documents that decide ({PurePath(own[0]).name}).",
            "Keep it in another folder.",
        )
    require_documents(library, ())
    return library, {}


def _page(source: Source) -> str:
    paragraphs = [p for p in re.split(r"\n\s*\n", source.text) if p.strip()]
    body = "\n".join(f"<p>{html.escape(p)}</p>" for p in paragraphs)
    title = f"<title>{html.escape(source.title)}</title>" if source.title else ""
    return f'<!doctype html><html lang="en"><meta charset="utf-8">{title}<body>\n{body}\n</body>\n'


# --- The run's folder -------------------------------------------------------------------------


class Run:
    """The predictions of one evaluation, kept on disk as they come.

    Args:
        folder: Made if missing; what is in it is gone on with.
        identity: What the predictions depend on: data, models, settings, seed, versions.

    Raises:
        CheckError: It cannot be written, or another process is at work in it. Also from ``add``.
    """

    def __init__(self, folder: Path, identity: Mapping[str, object]) -> None:
        self.folder = folder
        self._path = folder / "predictions.jsonl"
        self.done: dict[tuple[str, str], Prediction] = {}
        """What is kept, by item and method."""
        with saving("predictions", folder), ExitStack() as opened:
            private_folder(folder)
            if not opened.enter_context(FolderLock(folder).held()):
                raise CheckError(
                    f"Another evaluation is at work in {folder}.", "Wait until it has ended."
                )
            write_whole(folder / "run.json", f"{json.dumps(identity, indent=1, sort_keys=True)}\n")
            if self._path.exists():
                self._read()
            self._file: BinaryIO = opened.enter_context(open(self._path, "ab", opener=for_owner))
            self._opened = opened.pop_all()

    def add(self, prediction: Prediction) -> None:
        """Keep a prediction; whatever ends this process then, it is there."""
        with saving("predictions", self.folder):
            self._file.write(f"{json.dumps(asdict(prediction), sort_keys=True)}\n".encode())
            self.done[prediction.item, prediction.method] = prediction
            self._file.flush()

    def close(self) -> None:
        """Close the file and let others at the folder."""
        with saving("predictions", self.folder):
            self._opened.close()

    def _read(self) -> None:
        """Take in the whole lines, and cut off what a stop left unfinished."""
        whole = 0
        for line in self._path.read_bytes().split(b"\n")[:-1]:
            try:
                prediction = msgspec.convert(json.loads(line), Prediction)
            except ValueError:
                break
            self.done[prediction.item, prediction.method] = prediction
            whole += len(line) + 1
        os.truncate(self._path, whole)


# --- The record -------------------------------------------------------------------------------


def ids_of(models: OpenModels) -> list[str]:
    """The models that a prediction depends on."""
    others = (models.open_reranker(), models.writer)
    return [models.open_encoder().id, models.judge().id, *(one.id for one in others if one)]


def record(asked: Asked, loaded: Loaded, models: OpenModels) -> dict[str, Any]:
    """What a run's predictions depend on, so that somebody else can repeat it, ready for JSON."""
    return {
        "veracite": __version__,
        "code": code_digest(),
        "seed": asked.seed,
        "models": ids_of(models),
        "prompts": [p.id for p in models.writer.prompts.all() if p.file] if models.writer else [],
        "settings": {
            **models.settings(),
            **{name: getattr(asked, name) for name in _SETTINGS},
            "format": loaded.format,
        },
        "data": list(data_files(asked.files)),
        "libraries": {name: metadata.version(name) for name in _LIBRARIES},
    }


def code_digest(root: Path = _ROOMS) -> str:
    """The start of a SHA-256 over the code that predictions depend on.

    A version says too little to whoever works on the code: predictions of an older state would be
    taken for those of the present one.

    Args:
        root: The folder that holds the rooms ``engine``, ``index`` and ``models``.
    """
    whole = hashlib.sha256()
    for path in sorted({path for pattern in _PREDICTING for path in root.glob(pattern)}):
        counts = path.parent.name == "evaluation" and path.stem in _COUNTING
        if path.suffix in (".py", ".json", ".toml") and not counts:
            content = path.read_bytes()
            whole.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode() + content)
    return whole.hexdigest()[:12]


def data_files(paths: Iterable[Path]) -> Iterator[dict[str, str | int]]:
    """Name, SHA-256 and size of each file, and of every file of data in each folder, sorted.

    Names have no folders but those inside a folder that was given.

    Raises:
        InputError: A file is not there, or a folder holds no data.
    """
    for path in paths:
        for file in files_of(path):
            content, name = file.read_bytes(), file.relative_to(path.parent).as_posix()
            digest = hashlib.sha256(content).hexdigest()
            yield {"name": name, "sha256": digest, "bytes": len(content)}


# --- Loading, predicting and keeping ----------------------------------------------------------


def ask(
    asked: Asked, models: OpenModels, root: Path
) -> Iterator[Opening | SyncEvent | Predicted | Answered]:
    """Load, and predict what is not yet predicted; last comes ``Answered``.

    Args:
        asked: What is to be evaluated.
        models: Opened as they are needed; the caller closes them.
        root: Folder of the runs, where the same evaluation has the same folder, and of the
            libraries that they share.

    Raises:
        SettingsError: A method, a format or a label is unknown.
        InputError: The data cannot be read or are too few or lack what a method needs, or the
            calibration cannot be used.
        CheckError: The run's folder cannot be written.
        LibraryError, ModelError: As for a check.
    """
    answering = variants(asked.methods or (BEST,)) if asked.task == "answer" else ()
    loaded = load(asked.task, asked.files, asked.format, asked.label_map)
    if asked.against_contradiction is None:
        asked = replace(asked, against_contradiction=loaded.format in _AGAINST_CONTRADICTION)
    loaded = _drawn(loaded, asked)
    yield from models.open_generator(writes=True)
    bare = sum(not getattr(item, "sources", True) for item in loaded.items)
    if bare and not asked.against:
        told = f"{bare:,} of {len(loaded.items):,} come without documents."
        loaded = replace(loaded, notes=(*loaded.notes, told))
    _require_sense(loaded, asked, models)
    with ExitStack() as opened:
        shared: Shared | None = None
        kept = record(asked, loaded, models)
        if asked.against:
            shared = yield from chosen(asked, models, opened)
            loaded, kept = _decided(loaded, kept, shared[0])
        held = {"task": asked.task, **kept}
        digest = hashlib.sha256(json.dumps(held, sort_keys=True).encode()).hexdigest()[:12]
        folder = root / f"{asked.task}-{digest}"
        run = opened.enter_context(closing(Run(folder, held)))
        if SELFCHECK in asked.methods:
            yield from _selfchecked(loaded.items, models.open_verifier(), run)
        yield from _predict(loaded, asked, models, run, shared or root / "libraries", answering)
    more = [SELFCHECK] if SELFCHECK in asked.methods else [one.name for one in answering]
    names = [*more, *METHODS[asked.task]]
    ids = [item.id for item in loaded.items]
    said = {name: {i: run.done[i, name] for i in ids if (i, name) in run.done} for name in names}
    yield Answered(loaded, asked, said, kept, folder)


def _require_sense(loaded: Loaded, asked: Asked, models: OpenModels) -> None:
    """Find out before the work that it would show nothing.

    Raises:
        InputError: There are too few items, or they lack what a method needs.
    """
    if loaded.task in ("detect", "attribute") and len(loaded.items) < 2:
        few = "One item is too few: thresholds are chosen on some items, results are of others."
        raise InputError(" ".join([few, *loaded.notes]), "Give more items, or a higher --limit.")
    if SELFCHECK in asked.methods and not any(getattr(i, "samples", ()) for i in loaded.items):
        raise InputError(
            f"{SELFCHECK} judges a text by others that the same model wrote, and the set has none.",
            "Leave the method out, or give WikiBio GPT-3, or rows with a list of samples.",
        )
    given = any(isinstance(item, Question) and item.output for item in loaded.items)
    if loaded.task == "answer" and not (loaded.sources or asked.against or models.writer or given):
        raise InputError(
            "Nothing can be answered: none of the questions comes with documents to answer from.",
            "Give a set that brings passages, or documents with --against, or a language model "
            "with --model that answers without.",
        )


def _decided(
    loaded: Loaded, kept: dict[str, Any], library: Library
) -> tuple[Loaded, dict[str, Any]]:
    """What is evaluated by a library in place of the set's own documents, and its record."""
    held = sorted(f"{d.path}\0{d.sha256}\0{d.extractor}" for d in library.documents())
    digest = hashlib.sha256("\0".join(held).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    failed = library.status().failed
    by = f"Judged by {counted(len(held), 'document')}{shortfall(failed)} (sha256 {digest}), in "
    by += f"place of those that the set brings.{f' {LISTED}' if failed else ''}"
    items: list[Any] = [*loaded.items]
    bare = [
        replace(item, **{"gold" if isinstance(item, Question) else "sources": ()}) for item in items
    ]
    told = replace(loaded, items=tuple(bare), corpus=(), notes=(by, *loaded.notes))
    return told, kept | {"by": by}


def _drawn(loaded: Loaded, asked: Asked) -> Loaded:
    """So many items, at random, in their order; the library stays that of all."""
    total, limit = len(loaded.items), asked.limit
    if limit is None or limit >= total:
        return loaded
    places = random.Random(asked.seed).sample(range(total), limit)
    everything = loaded.sources if asked.scope == "all" else loaded.corpus
    drawn = f"{limit:,} of {total:,} items, drawn at random from seed {asked.seed}."
    return replace(
        loaded,
        items=tuple(loaded.items[place] for place in sorted(places)),
        corpus=tuple(everything),
        notes=(drawn, *loaded.notes),
    )


def _predict(
    loaded: Loaded,
    asked: Asked,
    models: OpenModels,
    run: Run,
    shared: Shared | Path,
    answering: tuple[Variant, ...],
) -> Iterator[SyncEvent | Predicted]:
    """Ask every method about every item that it has not been asked about in this run.

    Args:
        shared: What all items go by, or a folder for libraries of all items' documents, which are
            kept for other runs.
        answering: The methods that answer questions, beside the plain ones.
    """
    task, total = loaded.task, len(loaded.items)
    methods = [*METHODS[task], *(variant.name for variant in answering)]

    def is_done(item: Item) -> bool:
        given = isinstance(item, Question) and item.output is not None
        return all((item.id, m) in run.done for m in methods if m != "given" or given)

    left = [item for item in loaded.items if not is_done(item)]
    yield Predicted(total - len(left), total)
    if not left:
        return
    encoder = models.open_encoder()
    with ExitStack() as opened:
        if isinstance(shared, Path) and (asked.scope == "all" or task == "retrieve"):
            shared = yield from together(loaded.sources, shared, encoder, opened)
        library, ids = (None, None) if isinstance(shared, Path) else shared
        judge = StatementJudge(models.judge(), models.search, bool(asked.against_contradiction))
        answerer: Answerer | None = None
        if task == "answer":
            memory = opened.enter_context(Memory(run.folder / "verdicts.sqlite"))
            documents = _Cited(loaded.sources, library)
            entails = Entailment(models.open_verifier())
            answerer = Answerer(models, answering, memory, entails, documents, ids)

        def asking(items: Sequence[Any]) -> Iterable[Prediction]:
            if task == "retrieve" and library and ids is not None:
                return searched(items, library, ids)
            every = [item.sources for item in items]
            own: Sequence[Quotable] = [library] * len(every) if library else apart(every, encoder)
            if answerer:
                return answerer.predictions(items, own, run.done)
            return judge.predictions(items, own)

        size = _SIZES.get(task, _CHUNK)
        for start in range(0, len(left), size):
            for prediction in asking(left[start : start + size]):
                run.add(prediction)
            yield Predicted(min(total, total - len(left) + start + size), total)


class _Cited(dict[str, Source]):
    """Documents by id; those of a user's library, whose ids are paths, are read when cited."""

    def __init__(self, own: Iterable[Source], library: Library | None) -> None:
        super().__init__((source.id, source) for source in own)
        self._library = library
        self._held: dict[str, Document] = {}

    def __missing__(self, path: str) -> Source:
        if self._library is not None and path not in self._held:
            self._held = {document.path: document for document in self._library.documents()}
        if self._library is None or path not in self._held:
            raise CheckError(
                f"{path} has changed or is gone since it was searched.",
                "Run the same command again.",
            )
        one = self._held[path]
        self[path] = Source(path, self._library.raw_text(one), one.title)
        return self[path]


def searched(
    queries: Sequence[Query], library: Library, ids: Mapping[str, str]
) -> Iterator[Prediction]:
    """The documents that each search finds, where its best passage stands, best first."""
    modes: tuple[Retrieval, ...] = ("hybrid", "dense", "lexical")
    for mode in modes:
        found = library.search_many([q.text for q in queries], k=2 * _DEPTH, mode=mode)
        for query, evidence in zip(queries, found, strict=True):
            names = (ids[item.passage.document.path] for item in evidence)
            documents = tuple(dict.fromkeys(names))[:_DEPTH]
            problem = None if documents else "It found no document."
            yield Prediction(query.id, mode, found=documents, problem=problem)


# --- Statements -------------------------------------------------------------------------------


def _selfchecked(items: Sequence[Any], verifier: PairScorer, run: Run) -> Iterator[Predicted]:
    """Score statements by how little other texts of the same model contradict them.

    SelfCheckGPT with NLI (Manakul et al. 2023, section 5.4): the mean over the samples of
    P(contradicted) of the two, contradicted and supported; *neutral* has no part in it.
    """
    for done, item in enumerate(items, 1):
        if (item.id, SELFCHECK) not in run.done:
            rows = verifier.score([(sample, item.text) for sample in item.samples])
            against = rows[:, 2] / (rows[:, 0] + rows[:, 2] + 1e-9)
            score = round(1 - float(against.mean()), 6) if item.samples else None
            problem = None if item.samples else "It has no samples."
            run.add(Prediction(item.id, SELFCHECK, score, problem=problem))
        yield Predicted(done, len(items))


_SEVERITY = (Label.CONTRADICTED, Label.NOT_FOUND, Label.UNCERTAIN, Label.SUPPORTED)
"""Of several claims in one statement the first of these labels is the statement's."""


@dataclass(frozen=True, slots=True)
class StatementJudge:
    """The product's judge with what it needs to look things up.

    A statement of several sentences is as true as its least true claim.
    """

    judge: Judge
    search: Callable[[Quotable], Search]
    against_contradiction: bool
    """Score by how little a statement is contradicted, not by how much it is supported."""

    def predictions(
        self, statements: Sequence[Statement], libraries: Sequence[Quotable]
    ) -> Iterator[Prediction]:
        """What every method says of these statements, each by its library."""
        claims, evidence = [claims_of(statement) for statement in statements], []
        owners: dict[Document, Quotable] = {}
        for library, own in zip(libraries, claims, strict=True):
            for passages in self.search(library).gather(own):
                owners.update((found.passage.document, library) for found in passages)
                evidence.append(passages)
        judge = replace(
            self.judge,
            sentences=lambda passage: owners[passage.document].sentences(passage),
            raw_text=lambda document: owners[document].raw_text(document),
        )
        readings = dict(judge.read([claim for own in claims for claim in own], evidence))
        verdicts = {index: judge.conclude(reading) for index, reading in readings.items()}
        first = 0
        for statement, own in zip(statements, claims, strict=True):
            places = range(first, first + len(own))
            first += len(own)
            given = [verdicts.get(i) for i in places]
            network = [
                readings[i].probabilities[:, 0].max() if i in readings else 0 for i in places
            ]
            near = [max((e.cosine or 0.0 for e in evidence[i]), default=0.0) for i in places]
            for method, score in (
                ("veracite", min(map(self._score, given), default=0.0)),
                ("verifier", min(network, default=0.0)),
                ("overlap", _overlap(statement, [e for i in places for e in evidence[i]])),
                ("similarity", min(near, default=0.0)),
                ("length", -len(statement.text)),
            ):
                yield Prediction(
                    statement.id,
                    method,
                    score=round(float(score), 6),
                    label=_label(own, given) if method == "veracite" else None,
                    problem=None if own else "It holds no sentence.",
                )

    def _score(self, verdict: Verdict | None) -> float:
        scores = verdict.scores if verdict else None
        if self.against_contradiction:
            return 1.0 - scores.contradicted if scores else 1.0
        return scores.supported if scores else 0.0


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


def _overlap(statement: Statement, found: Sequence[Evidence]) -> float:
    """By the documents that it brings along, else by the passages that were found."""
    texts = [f"{source.title or ''} {source.text}" for source in statement.sources]
    texts = texts or [evidence.passage.text for evidence in found]
    stems = {word.stem for text in texts for word in content_words(text)}
    return coverage(content_words(statement.text), stems)
