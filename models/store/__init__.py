"""The folder of models: ``<models>/<name>/`` holds a manifest and the files that it lists.

A model appears there complete or not at all. What is being fetched lies in ``.staging``, on the
same disk, until it is moved into its place by one renaming.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from secrets import token_hex
from typing import Literal

import msgspec

from veracite.models.errors import ModelError
from veracite.models.files import blocks, disk_errors, is_name, require_name, sync, write_whole
from veracite.models.store.manifest import (
    MANIFEST,
    SCHEMA,
    Copied,
    Kind,
    ModelManifest,
    damaged,
    problems_of,
    read_manifest,
    recorded,
)

STAGING = ".staging"
"""The folder of a store in which models are put together."""
_FILES = "files"
_PRIVATE = ".tmp-"
"""No model's name begins so."""
_IN_USE = ".in-use.json"


@contextmanager
def staging(folder: Path, name: str | None = None) -> Iterator[Path]:
    """A folder to put something together in, kept by this process alone.

    Args:
        folder: What it is made in.
        name: Of what is put together. What was left in its folder by an earlier attempt is there,
            and stays. Without a name the folder is empty, and gone at the end.

    Raises:
        ModelError: Another process has it.
        OSError: The disk refuses.
    """
    place = folder / (name or f"{_PRIVATE}{token_hex(8)}")
    if name is None:
        for left in folder.glob(f"{_PRIVATE}*"):  # by processes that are no more
            with suppress(ModelError, OSError):
                _discard(left)
    with _held(place):
        files = place / _FILES
        files.mkdir(mode=0o700, exist_ok=True)
        try:
            yield files
        finally:
            if name is None:
                shutil.rmtree(place, ignore_errors=True)


def _discard(place: Path) -> None:
    """Delete what was left in a folder of this kind, if there is one; raises as ``staging``."""
    if place.exists():
        with _held(place):
            shutil.rmtree(place)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Create a folder and keep it for this process alone.

    Raises:
        ModelError: Another process has it.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise ModelError(
            f"Another process is already fetching {folder.name}.",
            "Wait until it has finished, then try again.",
        ) from None
    finally:
        os.close(descriptor)


@dataclass(frozen=True, slots=True)
class Verified:
    """All files of a model were compared with what is known of them."""

    name: str
    problems: Mapping[str, str]
    """By its path in the folder, what is wrong with a file; by "", why none could be looked at."""


def _checked(folder: Path, manifest: ModelManifest) -> Generator[Copied, None, dict[str, str]]:
    """What is wrong with a model's files, by size and SHA-256.

    Raises:
        ModelError: A file is there and cannot be opened.
        OSError: It cannot be read.
    """
    problems = problems_of(folder, manifest)
    for file in manifest.files:
        if file.path not in problems:
            found = yield from recorded(blocks(folder / file.path), file.path, file.size)
            if found != file:
                problems[file.path] = "its SHA-256 is another one"
    return problems


@dataclass(frozen=True, slots=True)
class _InUse:
    """What ``.in-use.json`` holds."""

    in_use: dict[str, str]
    schema: Literal["veracite.in-use/1"] = "veracite.in-use/1"


class Store:
    """The models that were pulled or imported.

    Args:
        folder: Where they are (``Paths.models``); need not exist, and is created when something
            is put there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> tuple[str, ...]:
        """Of all models, in alphabetical order, whether or not they can be used."""
        with disk_errors(self.folder):
            there = self.folder.iterdir() if self.folder.is_dir() else ()
            return tuple(sorted(f.name for f in there if is_name(f.name) and f.is_dir()))

    def get(self, name: str) -> ModelManifest:
        """What is known of a model.

        Raises:
            ModelError: There is none of this name, or its manifest is damaged.
        """
        return read_manifest(self.path(name))

    def path(self, name: str) -> Path:
        """The folder of a model.

        Raises:
            ModelError: There is none of this name.
        """
        if name not in self.names():
            raise ModelError(
                f"There is no model named {name!r} here.",
                "`veracite models list` shows all.",
                "no such model",
            )
        return self.folder / name

    def place(self, name: str) -> Path:
        """What is opened to use a model: a generator's file, the folder of any other.

        Raises:
            ModelError: There is no such model, its manifest is damaged, or the file of its weights
                is gone or of another size.
        """
        folder, manifest = self.path(name), self.get(name)
        first = manifest.files[0]
        file = folder / first.path
        if not file.is_file() or file.stat().st_size != first.size:
            raise damaged(
                name, f"The model {name} is damaged: {first.path} is missing or of the wrong size."
            )
        return file if manifest.kind == "generator" else folder

    def require_free(self, name: str) -> None:
        """Nothing, if no model is called so.

        Raises:
            ModelError: One is.
        """
        if (self.folder / name).exists():
            raise ModelError(
                f"There is a model named {name} already.",
                f"Remove it first with `veracite models remove {name}`, or import the new one "
                "under another name with --name.",
                "name taken",
            )

    @contextmanager
    def stage(self, name: str | None = None) -> Iterator[Path]:
        """A private folder on the store's disk, to put a model together and adopt it.

        Args:
            name: Of the model that is fetched. What an earlier, failed attempt at it put into the
                folder is still there, and stays if this one fails. Without a name, the folder is
                empty, and gone at the end.

        Raises:
            ModelError: Another process is fetching this model, or the disk refuses, now or within.
        """
        with disk_errors(self.folder):
            if name is not None:
                require_name(name)
            with staging(self.folder / STAGING, name) as folder:
                yield folder

    def adopt(self, staged: Path, manifest: ModelManifest) -> Path:
        """Move a staged model to its place; returns its folder.

        Args:
            staged: The folder that ``stage`` gave, or one beside it, with the files that the
                manifest lists and nothing else. Their hashes are the caller's to check. What is
                beside it is deleted.

        Raises:
            ModelError: There is one of this name, the files are not those of the manifest, or the
                disk refuses. Nothing has changed then.
        """
        require_name(manifest.name)
        place = self.folder / manifest.name
        with disk_errors(self.folder):
            for wrong, problem in problems_of(staged, manifest).items():
                raise ModelError(
                    f"The model {manifest.name} is not complete: {wrong}: {problem}.",
                    "Get the model again.",
                )
            self.require_free(manifest.name)
            said = {"schema": SCHEMA, **asdict(manifest)}
            write_whole(staged / MANIFEST, json.dumps(said, indent=2, ensure_ascii=False) + "\n")
            for path in (*staged.rglob("*"), staged):
                sync(path)
            os.rename(staged, place)
            sync(self.folder)
            shutil.rmtree(staged.parent, ignore_errors=True)
        return place

    def remove(self, name: str) -> None:
        """Delete a model, and what an interrupted pull of it left.

        Raises:
            ModelError: There is neither, another process is fetching it, or the disk refuses.
        """
        if not self.was_begun(name):
            self.path(name)
        with disk_errors(self.folder):
            _discard(self.folder / STAGING / name)
            if (self.folder / name).exists():
                with staging(
                    self.folder / STAGING
                ) as doomed:  # so that nobody ever sees half of it
                    os.rename(self.folder / name, doomed / name)
                    sync(self.folder)
        chosen = self._choices()
        if name in chosen.values():
            self._choose({kind: used for kind, used in chosen.items() if used != name})

    def verify(self, names: Iterable[str]) -> Iterator[Copied | Verified]:
        """Compare models with their manifests, one after the other; damage hides no other."""
        for name in names:
            try:
                with disk_errors(self.folder):
                    problems = yield from _checked(self.path(name), self.get(name))
            except ModelError as error:
                problems = {"": str(error)}
            yield Verified(name, problems)

    def was_begun(self, name: str) -> bool:
        """Whether a pull of a model was begun and not finished."""
        return is_name(name) and (self.folder / STAGING / name).exists()

    # --- The models, or files elsewhere, that are used where none is named ---------------------
    #
    # For each kind ``.in-use.json`` holds the name of a stored model, or the absolute path of a
    # file. All of these raise ModelError where it cannot be read or written.

    def choose(self, kind: Kind, model: str | Path | None) -> None:
        """Use a model from now on; of a damaged file nothing is kept.

        Args:
            model: The name of a model in the store, a file elsewhere, or None for Veracite's own
                way: its bundled models, and no generator.

        Raises:
            ModelError: There is no such model.
        """
        chosen: dict[str, str] = {}
        with suppress(ModelError):
            chosen = self._choices()
        chosen.pop(kind, None)
        if isinstance(model, Path):
            chosen[kind] = str(model.absolute())
        elif model is not None:
            chosen[kind] = self.path(model).name
        self._choose(chosen)

    def chosen(self, kind: Kind) -> str | None:
        """The name of the chosen model in the store, or the path of a file; it may be gone."""
        return self._choices().get(kind)

    def chosen_path(self, kind: Kind) -> Path | None:
        """The chosen model: a generator's file, the folder of any other; None if none is chosen.

        Raises:
            ModelError: It is gone or damaged.
        """
        chosen = self.chosen(kind)
        if chosen is None:
            return None
        if chosen in self.names():
            return self.place(chosen)
        if os.path.isabs(chosen) and os.path.exists(chosen):
            return Path(chosen)
        raise ModelError(
            f"The {kind} that was chosen, {chosen}, is gone.",
            "Choose another one with `veracite models use NAME`, or none with `veracite models "
            f"use --none {kind}`.",
            "choice gone",
        )

    def _choices(self) -> dict[str, str]:
        file = self.folder / _IN_USE
        try:
            with disk_errors(self.folder):
                said = file.read_bytes() if file.exists() else b'{"in_use": {}}'
            return msgspec.json.decode(said, type=_InUse).in_use
        except (ValueError, RecursionError) as error:
            raise ModelError(
                f"{file}, which says what models are used, is damaged.",
                "Choose again with `veracite models use NAME`, or none with `veracite models use "
                "--none`.",
                "choices damaged",
            ) from error

    def _choose(self, chosen: dict[str, str]) -> None:
        with disk_errors(self.folder):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self.folder / _IN_USE, msgspec.json.encode(_InUse(chosen)))
