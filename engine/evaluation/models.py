"""What predictions are made with: the bundled models, and the libraries of the items' documents.

Evidence comes from each item's own documents, or from all items' documents as one library.
"""

import hashlib
import html
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.engine.errors import CheckError
from veracite.engine.evaluation.items import Source
from veracite.engine.judge.decision import bundled_decision
from veracite.engine.judge.judge import Judge
from veracite.engine.judge.tuning import Tuning, read_tuning
from veracite.engine.paths import Paths, private_folder
from veracite.index.library import Library
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.index.progress import SyncEvent
from veracite.models.bundled import bundled_encoder, bundled_verifier
from veracite.models.encoder import Encoder
from veracite.models.verifier import Verifier

if TYPE_CHECKING:
    from veracite.engine.skills.prompted import PromptedSkills


@dataclass(eq=False)
class Models:
    """The models, opened when first used."""

    threads: int | None = None
    """For each of them; all physical cores by default."""
    _: KW_ONLY
    file: Path | None = None
    """A GGUF file: a language model that writes answers."""
    paths: Paths = field(default_factory=Paths.resolve)
    """Where prompts are, and what is known of language models."""
    calibration: Path | None = None
    """A file of ``veracite eval calibrate`` that verdicts obey."""
    without: Collection[str] = ()
    """Checks of the decision that are passed over."""

    @cached_property
    def encoder(self) -> Encoder:
        """The sentence encoder."""
        return bundled_encoder(threads=self.threads)

    @cached_property
    def verifier(self) -> Verifier:
        """The verifier."""
        return bundled_verifier(threads=self.threads)

    @cached_property
    def writer(self) -> "PromptedSkills | None":
        """The language model's skills; None if no file was named.

        Raises:
            ModelError: The file is no language model, or it cannot be loaded.
            SettingsError: One of the user's prompts cannot be used.
        """
        if self.file is None:
            return None
        from veracite.engine.skills.prompted import PromptedSkills
        from veracite.engine.skills.prompts import Prompts
        from veracite.models.generator import Generator

        prompts = Prompts.load(self.paths.prompts)
        self._generator = Generator.open(
            self.file, threads=self.threads, verified=self.paths.verified
        )
        return PromptedSkills(self._generator, prompts)

    @property
    def ids(self) -> tuple[str, ...]:
        """Everything that a prediction depends on besides data and settings."""
        written = [self.writer.id] if self.writer else []
        return (self.encoder.id, self.judge(0.0).id, *written)

    @cached_property
    def tuning(self) -> Tuning | None:
        """The calibration that verdicts obey.

        Raises:
            InputError: It cannot be read, or was fitted for other models.
        """
        if self.calibration is None:
            return None
        return read_tuning(self.calibration, self._untuned(0.0).models)

    def judge(self, uncertain_below: float) -> Judge:
        """The product's judge, which can quote from nothing yet.

        Raises:
            InputError: As for ``tuning``.
        """
        return replace(self._untuned(uncertain_below), tuning=self.tuning)

    def _untuned(self, uncertain_below: float) -> Judge:
        return Judge(
            self.verifier,
            bundled_decision().without(self.without),
            uncertain_below,
            sentences=lambda passage: (),
            raw_text=lambda document: "",
        )

    def close(self) -> None:
        """Lets go of them."""
        self.__dict__.pop("writer", None)
        for name in ("encoder", "verifier", "_generator"):
            if (model := self.__dict__.pop(name, None)) is not None:
                model.close()


# --- Libraries of the items' documents --------------------------------------------------------


Quotable = Library | MemoryLibrary
"""A library, on disk or in memory."""


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


@contextmanager
def saving(what: str, folder: Path) -> Iterator[None]:
    """Write inside.

    Raises:
        CheckError: The folder cannot be written.
    """
    try:
        yield
    except OSError as error:
        raise CheckError(
            f"The {what} cannot be saved in {folder} ({error.strerror or error}).",
            "See that the folder is yours and its disk has room, then run the same command again.",
        ) from error


def together(
    sources: Sequence[Source], root: Path, encoder: Encoder, opened: ExitStack
) -> Iterator[SyncEvent | tuple[Library, dict[str, str]]]:
    """Open the one library of all documents and read them; last come it and its files' ids.

    Every run that has the same documents has the same library, in a folder below ``root``.
    """
    said = sorted({f"{source.title}\0{source.text}" for source in sources})
    digest = hashlib.sha256("\0".join(said).encode("utf-8", "surrogatepass")).hexdigest()
    place = root / digest[:12]
    ids = written(sources, place / "documents")
    library = Library(place / "index", encode=encoder.encode, encoder_id=encoder.id)
    opened.enter_context(library)
    library.add([place / "documents"])
    yield from library.sync()
    yield library, ids


def _page(source: Source) -> str:
    paragraphs = [p for p in re.split(r"\n\s*\n", source.text) if p.strip()]
    body = "\n".join(f"<p>{html.escape(p)}</p>" for p in paragraphs)
    title = f"<title>{html.escape(source.title)}</title>" if source.title else ""
    return f'<!doctype html><html lang="en"><meta charset="utf-8">{title}<body>\n{body}\n</body>\n'
