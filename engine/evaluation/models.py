"""What predictions are made with: the bundled models, and the libraries of the items' documents.

Evidence comes from each item's own documents, or from all items' documents as one library.
"""

import hashlib
import html
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from veracite.engine.errors import CheckError
from veracite.engine.evaluation.items import Source
from veracite.engine.judge.decision import bundled_decision
from veracite.engine.judge.judge import Judge, PairScorer
from veracite.engine.judge.tuning import Tuning, read_tuning
from veracite.engine.paths import Paths, private_folder
from veracite.engine.retrieve import Searchable
from veracite.engine.skills.extractive import SentenceEncoder
from veracite.index.documents import Document, Evidence, Passage, Sentence
from veracite.index.library import Library
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.index.progress import SyncEvent
from veracite.models.bundled import bundled_encoder, bundled_verifier
from veracite.models.encoder import Encoder
from veracite.models.verifier import Verifier

if TYPE_CHECKING:
    from veracite.engine.skills.prompted import PromptedSkills
    from veracite.models.generator import Generator

_Asked = TypeVar("_Asked", bound=Hashable)
_MOST = 50_000
"""Texts, or pairs, that are remembered: some 80 MB of vectors."""


class _Memory(Generic[_Asked]):
    """What a model said, for many methods on the same questions.

    A text, or a pair, gets the same numbers to the last bit in whichever batch it is.
    """

    def __init__(self, ask: Callable[[list[_Asked]], NDArray[np.float32]]) -> None:
        self._ask = ask
        self._known: dict[_Asked, NDArray[np.float32]] = {}

    def of(self, asked: Sequence[_Asked]) -> NDArray[np.float32]:
        """A row for each; only what is new is asked."""
        if len(self._known) > _MOST:
            self._known.clear()
        new = [one for one in dict.fromkeys(asked) if one not in self._known]
        if new:
            self._known.update(zip(new, self._ask(new), strict=True))
        return np.stack([self._known[one] for one in asked])


class RememberingEncoder:
    """The encoder, asked for new texts alone."""

    def __init__(self, encoder: Encoder) -> None:
        self.id = encoder.id
        self._memory = _Memory[str](encoder.encode)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of the texts, at least one; shape (len(texts), dimension)."""
        return self._memory.of(texts)


class RememberingVerifier:
    """The verifier, asked for new pairs alone."""

    def __init__(self, verifier: PairScorer) -> None:
        self._verifier = verifier
        self._memory = _Memory[tuple[str, str]](verifier.score)

    @property
    def id(self) -> str:
        """The verifier's."""
        return self._verifier.id

    def fits(self, premise: str, claim: str) -> bool:
        """Whether all of a premise is read beside a claim."""
        return self._verifier.fits(premise, claim)

    def score(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """Scores of the pairs, at least one, as ``PairScorer`` has them."""
        return self._memory.of(pairs)


class Models:
    """The models, opened when first used.

    Args:
        threads: For each of them; all physical cores by default.
        file: A GGUF file: a language model that writes answers.
        paths: Where prompts are, and what is known of language models.
        calibration: A file of ``veracite eval calibrate`` that verdicts obey.
        without: Checks of the decision that are passed over.
    """

    def __init__(
        self,
        threads: int | None = None,
        *,
        file: Path | None = None,
        paths: Paths | None = None,
        calibration: Path | None = None,
        without: Collection[str] = (),
    ) -> None:
        self._threads = threads
        self._file = file
        self._paths = paths or Paths.resolve()
        self._calibration = calibration
        self._without = without
        self._encoder: Encoder | None = None
        self._remembering: RememberingEncoder | None = None
        self._verifier: Verifier | None = None
        self._generator: Generator | None = None
        self._tuning: Tuning | None = None

    @property
    def encoder(self) -> Encoder:
        """The sentence encoder."""
        if self._encoder is None:
            self._encoder = bundled_encoder(threads=self._threads)
        return self._encoder

    @property
    def remembering(self) -> RememberingEncoder:
        """The same encoder, which encodes nothing twice."""
        if self._remembering is None:
            self._remembering = RememberingEncoder(self.encoder)
        return self._remembering

    @property
    def writer(self) -> "PromptedSkills | None":
        """The language model's skills; None if no file was named.

        Raises:
            ModelError: The file is no language model, or it cannot be loaded.
            SettingsError: One of the user's prompts cannot be used.
        """
        if self._file is None:
            return None
        from veracite.engine.skills.prompted import PromptedSkills
        from veracite.engine.skills.prompts import Prompts
        from veracite.models.generator import Generator

        if self._generator is None:
            self._generator = Generator.open(
                self._file, threads=self._threads, verified=self._paths.verified
            )
        return PromptedSkills(self._generator, Prompts.load(self._paths.prompts))

    @property
    def verifier(self) -> Verifier:
        """The verifier."""
        if self._verifier is None:
            self._verifier = bundled_verifier(threads=self._threads)
        return self._verifier

    @property
    def ids(self) -> tuple[str, ...]:
        """Everything that a prediction depends on besides data and settings."""
        writer = self.writer
        return (self.encoder.id, self.judge(0.0).id, *([writer.id] if writer else []))

    @property
    def tuning(self) -> Tuning | None:
        """The calibration that verdicts obey.

        Raises:
            InputError: It cannot be read, or was fitted for other models.
        """
        if self._tuning is None and self._calibration is not None:
            self._tuning = read_tuning(self._calibration, self._untuned(0.0).models)
        return self._tuning

    def judge(self, uncertain_below: float) -> Judge:
        """The product's judge, which can quote from nothing yet.

        Raises:
            InputError: As for ``tuning``.
        """
        return replace(self._untuned(uncertain_below), tuning=self.tuning)

    def _untuned(self, uncertain_below: float) -> Judge:
        return Judge(
            self.verifier,
            bundled_decision().without(self._without),
            uncertain_below,
            sentences=lambda passage: (),
            raw_text=lambda document: "",
        )

    def close(self) -> None:
        """Lets go of them."""
        for model in (self._encoder, self._verifier, self._generator):
            if model is not None:
                model.close()
        self._encoder = self._remembering = self._verifier = self._generator = None


# --- Libraries of the items' documents --------------------------------------------------------


class Quotable(Searchable, Protocol):
    """A library, on disk or in memory."""

    def sentences(self, passage: Passage, /) -> tuple[Sentence, ...]:
        """A passage's sentences."""
        ...

    def raw_text(self, document: Document, /) -> str:
        """A document's text."""
        ...


class Shelf:
    """The libraries of a group of items, asked by document."""

    def __init__(self, libraries: Sequence[Quotable]) -> None:
        self.libraries = libraries
        """One for each item, in their order; the same one again and again for scope "all"."""
        self._owners: dict[Document, Quotable] = {}

    def own(self, item: int, found: Iterable[Evidence]) -> None:
        """Remember which item's library found what."""
        for evidence in found:
            self._owners[evidence.passage.document] = self.libraries[item]

    def sentences(self, passage: Passage) -> Sequence[Sentence]:
        """The sentences of a passage that was found."""
        return self._owners[passage.document].sentences(passage)

    def raw_text(self, document: Document) -> str:
        """The text of a document that was found."""
        return self._owners[document].raw_text(document)


def apart(sources: Sequence[tuple[Source, ...]], encoder: SentenceEncoder) -> Shelf:
    """A library in memory for each item's documents; their passages are encoded together."""
    vectors = Vectors(encoder.encode)
    libraries = [
        MemoryLibrary(
            [Text(f"{item}/{number}", s.text, s.title) for number, s in enumerate(own)], vectors
        )
        for item, own in enumerate(sources)
    ]
    vectors.of([text for library in libraries for text in library.passage_texts])
    return Shelf(libraries)


def place_of(sources: Iterable[Source], root: Path) -> Path:
    """The folder for one library of these documents: the same one for every run that has them."""
    names = "\n".join(sorted({_name(_page(source)) for source in sources}))
    return root / hashlib.sha256(names.encode()).hexdigest()[:12]


def written(sources: Iterable[Source], folder: Path) -> dict[str, str]:
    """Write documents as HTML files, one for each distinct document; their names to ids.

    The name is a hash of the content: the same documents are the same files, whatever their order.

    Raises:
        CheckError: The folder cannot be written.
    """
    names: dict[str, str] = {}
    try:
        private_folder(folder)
        for source in sources:
            page = _page(source)
            name = _name(page)
            names.setdefault(name, source.id)
            if not (folder / name).exists():
                partial = folder / f"{name}.partial"
                partial.write_bytes(page.encode("utf-8", "replace"))
                partial.replace(folder / name)
        for left in folder.iterdir():
            if left.name not in names:
                left.unlink()
    except OSError as error:
        raise CheckError(
            f"The documents cannot be saved in {folder} ({error.strerror or error}).",
            "Free some space on its disk, then run the same command again.",
        ) from error
    return names


def together(
    documents: Path, index: Path, encoder: SentenceEncoder, opened: ExitStack
) -> Iterator[SyncEvent | Library]:
    """Open the one library of all documents and read them; the last thing it yields is it."""
    library = opened.enter_context(Library(index, encode=encoder.encode, encoder_id=encoder.id))
    library.add([documents])
    yield from library.sync()
    yield library


def _name(page: str) -> str:
    return hashlib.sha256(page.encode("utf-8", "surrogatepass")).hexdigest()[:24] + ".html"


def _page(source: Source) -> str:
    paragraphs = [p for p in re.split(r"\n\s*\n", source.text) if p.strip()]
    body = "\n".join(f"<p>{html.escape(p)}</p>" for p in paragraphs)
    title = f"<title>{html.escape(source.title)}</title>" if source.title else ""
    return f'<!doctype html><html lang="en"><meta charset="utf-8">{title}<body>\n{body}\n</body>\n'
