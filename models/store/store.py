"""The folder of models: ``<models>/<name>/`` holds a manifest and the files that it lists.

A model appears there complete or not at all. What is being fetched lies in ``.staging``, on the
same disk, until it is moved into its place by one renaming.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from veracite.models.errors import ModelError
from veracite.models.store.checking import FileChecked, Hashing, check, problem_of, stray_files
from veracite.models.store.choices import forget
from veracite.models.store.disk import disk_errors, sync, write_json
from veracite.models.store.manifest import (
    MANIFEST,
    ModelManifest,
    read_manifest,
)
from veracite.models.store.names import is_name, require_name
from veracite.models.store.staging import STAGING, Staging

__all__ = ["Store"]


class Store:
    """The models that were pulled or imported.

    Args:
        folder: Where they are (``Paths.models``); need not exist, and is created when something
            is put there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._staging = Staging(folder / STAGING)

    def names(self) -> tuple[str, ...]:
        """Of all models, in alphabetical order, whether or not they can be used."""
        with disk_errors(self.folder):
            if not self.folder.is_dir():
                return ()
            with os.scandir(self.folder) as entries:
                return tuple(sorted(e.name for e in entries if is_name(e.name) and e.is_dir()))

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

    def weights(self, name: str) -> Path:
        """The file that holds a model's weights.

        Raises:
            ModelError: There is no such model, its manifest is damaged, or the file is gone or
                of another size.
        """
        first = self.get(name).files[0]
        file = self.path(name) / first.path
        if not file.is_file() or file.stat().st_size != first.size:
            raise ModelError(
                f"The model {name} is damaged: {first.path} is missing or of the wrong size.",
                f"Remove it with `veracite models remove {name}`, and pull or import it again.",
                "damaged in the store",
            )
        return file

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
            ModelError: Another process is fetching this model, or the disk refuses.
        """
        with ExitStack() as stack:
            with disk_errors(self.folder):
                if name is None:
                    folder = stack.enter_context(self._staging.private())
                else:
                    require_name(name)
                    folder = stack.enter_context(self._staging.named(name))
            yield folder

    def adopt(self, staged: Path, manifest: ModelManifest, *, replace: bool = False) -> Path:
        """Move a staged model to its place; returns its folder.

        Args:
            staged: The folder that ``stage`` gave, or one beside it, with the files that the
                manifest lists and nothing else. Their hashes are the caller's to check. What is
                beside it is deleted.
            replace: Whether a model of the same name gives way; it does so between two renamings.

        Raises:
            ModelError: There is one of this name, the files are not those of the manifest, or the
                disk refuses. Nothing has changed then.
        """
        assert staged.parent.parent == self._staging.folder, "not staged in this store"
        require_name(manifest.name)
        place = self.folder / manifest.name
        with disk_errors(self.folder):
            _require_listed(staged, manifest)
            if not replace:
                self.require_free(manifest.name)
            write_json(staged / MANIFEST, manifest.as_mapping())
            for folder, _, files in os.walk(staged, topdown=False):
                for path in (*(Path(folder, file) for file in files), Path(folder)):
                    sync(path)
            self._put_away(place)
            os.rename(staged, place)
            sync(self.folder)
            shutil.rmtree(staged.parent, ignore_errors=True)
        return place

    def remove(self, name: str) -> None:
        """Delete a model, and what an interrupted pull of it left.

        Raises:
            ModelError: There is neither, another process is fetching it, or the disk refuses.
        """
        if name not in self.partial():
            self.path(name)
        with disk_errors(self.folder):
            self._staging.discard(name)
            self._put_away(self.folder / name)
            forget(self.folder, name)

    def verify(self, name: str) -> Iterator[Hashing | FileChecked]:
        """Compare a model's files with its manifest: how far that is, and each file's result.

        Raises:
            ModelError: There is no such model, its manifest is damaged, or a file is unreadable.
        """
        manifest = self.get(name)
        with disk_errors(self.folder):
            yield from check(self.path(name), manifest)

    def partial(self) -> dict[str, int]:
        """Models of which a pull was begun and not finished, with the bytes that are there."""
        with disk_errors(self.folder):
            return self._staging.sizes()

    def _put_away(self, place: Path) -> None:
        """Delete a model's folder, if there is one, so that nobody ever sees half of it."""
        if not place.exists():
            return
        with self._staging.private() as doomed:
            os.rename(place, doomed / place.name)
            sync(self.folder)


def _require_listed(staged: Path, manifest: ModelManifest) -> None:
    """The staged files are those of the manifest, at first sight.

    Raises:
        ModelError: One is missing, of another size or too many.
    """
    problems = {file.path: problem_of(staged / file.path, file) for file in manifest.files}
    problems |= dict.fromkeys(stray_files(staged, manifest), "it does not belong to the model")
    for path, problem in problems.items():
        if problem is not None:
            raise ModelError(
                f"The model {manifest.name} is not complete: {path}: {problem}.",
                "Get the model again.",
            )
