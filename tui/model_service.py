"""Managing models for the Models view: each long piece of work is a generator of events."""

from collections.abc import Generator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.engine import exam, offline
from veracite.engine.bundles.models import import_path
from veracite.engine.exam_outcome import Outcome
from veracite.engine.paths import Paths
from veracite.models.errors import Cancelled
from veracite.models.files import size_in_words
from veracite.models.store import Brought, Copied, Kind, ModelManifest, Store, damaged, entry_of
from veracite.models.store.catalogue import Listed, find, find_generator, overview, use, use_none
from veracite.models.store.hub import Hub, Plan, pull
from veracite.tui.progress import Step, moved, sentence, step
from veracite.tui.service import exam_told

if TYPE_CHECKING:
    from veracite.engine.models import OpenModels


@dataclass(frozen=True, slots=True)
class Asks:
    """The download is large and does not begin before somebody says yes."""

    address: str
    question: str


@dataclass(frozen=True, slots=True)
class Told:
    """What came of it."""

    words: str
    arrived: str | None = None
    """The name of a model that is new in the store."""


ModelWork = Generator[str | Step | Asks | Told, None, None]
"""A long piece of work on models, such as a download; a sentence says what goes on."""


class ModelService:
    """Everything raises ModelError or InputError, with a message and advice for the user.

    Args:
        paths: Where the models are kept.
    """

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._store = Store(paths.models)
        self._tested: OpenModels | None = None

    def listed(self) -> tuple[tuple[Listed, ...], int, Mapping[str, str]]:
        """All models, the bytes of memory that are free, and what came of exams, by model."""
        models, free = overview(self._store)
        here = [m for m in models if m.kind == "generator" and m.path and not m.problem]
        return models, free, {m.name: exam_told(m.path, self._paths) for m in here if m.path}

    def use(self, model: Listed) -> None:
        """Use a model from now on, in the place of the one of its kind that is in use."""
        use(self._store, find(self._store, model.name))

    def use_none(self, *kinds: Kind) -> None:
        """Go back to what is part of Veracite, for all that models do if nothing is named."""
        use_none(self._store, *kinds)

    def remove(self, name: str) -> None:
        """Delete a stored model, or what was downloaded of one."""
        self._store.remove(name)

    def pull(self, address: str, *, agreed: bool = False) -> ModelWork:
        """Download a model into the store: the one thing that uses the network.

        Args:
            address: A name of the registry, or as ``veracite.models.store.entry_of``.
            agreed: Whether a large download was said yes to; without it, ``Asks`` is the end.
        """
        entry = entry_of(address)
        with Hub(offline.lifted) as hub:
            yield f"Asking {hub.endpoint} for {entry.name} …"
            plan = Plan.of(entry, self._store, hub)
            if plan.is_large and not agreed:
                yield Asks(
                    address,
                    f"{entry.name} is {size_in_words(plan.size)} of {plan.remote.repository}, from "
                    f"{hub.endpoint} (licence: {plan.licence or 'none stated'}).",
                )
                return
            for event in pull(self._store, plan, hub):
                match event:
                    case Copied(path, done, total):
                        yield moved("Downloading", path, done, total)
                    case Brought(manifest):
                        yield Told(_arrived(manifest), manifest.name)

    def bring(self, path: Path) -> ModelWork:
        """Put models from a bundle, a file or a folder into the store."""
        told: list[str] = []
        name = None
        for event in import_path(self._store, path):
            match event:
                case Copied(file, done, total):
                    yield moved("Importing", file, done, total)
                case Brought(manifest, before):
                    name = manifest.name
                    there = f"{name} was in the store already."
                    told.append(there if before else _arrived(manifest))
        yield Told("\n".join(told), name)

    def test(self, model: Listed) -> ModelWork:
        """Have a language model take the exam that its say in verdicts depends on."""
        file = find_generator(self._store, model.name)
        with closing(exam.opened(file, self._paths)) as self._tested, suppress(Cancelled):
            for event in exam.take(self._tested, file, self._paths):
                if isinstance(event, Outcome):
                    yield Told(f"{model.name} took its exam: {event}.")
                elif how_far := step(event) or sentence(event):
                    yield how_far

    def cancel(self) -> None:
        """Stop an exam in the middle of a step; from any thread."""
        if self._tested is not None:
            self._tested.cancel()

    def verify(self, name: str) -> ModelWork:
        """Compare the files of a stored model with the hashes that are known."""
        self._store.get(name)  # one that is damaged says what to do
        for one in self._store.verify([name]):
            if one.problems:
                wrong = (f"{file}: {problem}." for file, problem in one.problems.items())
                raise damaged(name, f"{name}: {' '.join(wrong)}")
            yield Told(f"{name} verified: every file is what it was.")


def _arrived(manifest: ModelManifest) -> str:
    known = "as they are known" if manifest.pinned else "recorded for later"
    return f"{manifest.name} is in the store, its hashes {known}. u uses it."
