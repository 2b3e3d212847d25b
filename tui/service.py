"""The words that the app and its work share: documents, libraries, models, and what went wrong."""

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.engine.display import neutralise
from veracite.engine.errors import EngineError
from veracite.engine.libraries import Against
from veracite.engine.paths import Paths, absolute
from veracite.engine.report import phrases
from veracite.engine.report.phrases import NameFile
from veracite.engine.types import Citation
from veracite.index.errors import LibraryError
from veracite.models.errors import ModelError
from veracite.models.files import size_in_words

if TYPE_CHECKING:
    from veracite.index.library import LibraryStatus
    from veracite.models.store.catalogue import Listed, State


@dataclass(frozen=True, slots=True)
class Holding:
    """A library and what it holds."""

    name: str
    status: "LibraryStatus | None"
    """None if it cannot be opened."""
    note: str | None = None
    """Why it cannot, or why it is searched by words alone."""
    gone: Collection[Path] = ()
    """The sources of this machine that cannot be reached."""


def against_from(value: str) -> Against:
    """A path, the name of a library, or nothing for the default library.

    What exists or looks like a path is a path; a library named like a folder that is here can still
    be had by the command line.
    """
    value = value.strip()
    if not value:
        return None
    path = absolute(value)
    return (path,) if path.exists() or os.sep in value or value.startswith(("~", ".")) else value


def written(against: Against) -> str:
    """What to put into the input for it."""
    if isinstance(against, tuple):
        return str(against[0]) if len(against) == 1 else ""
    return against or ""


def described(against: Against) -> str:
    """Such as ``~/papers``, ``3 folders and files`` or ``library law``, harmless."""
    if against is None:
        return "the default library"
    if isinstance(against, str):
        return f"library {neutralise(against)}"
    return short_path(against[0]) if len(against) == 1 else f"{len(against)} folders and files"


def short_path(path: Path | str) -> str:
    """A path with the home folder as ``~``, harmless."""
    try:
        text = f"~/{Path(path).relative_to(Path.home())}"
    except ValueError:
        text = str(Path(path))
    return neutralise(text)


def place_of(citation: Citation) -> str:
    """Such as ``mill.pdf, page 3``, harmless."""
    return phrases.file_and_page(citation, phrases.base_name)


def local_time(moment: datetime | None) -> str:
    """A time as clocks here show it."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}" if moment else "never"


HEADINGS: Mapping["State", str] = {
    "bundled": "Part of Veracite",
    "stored": "In the store",
    "found": "Of other applications, used where they are",
    "known": "Not here yet",
}
"""Where a model can be."""


UNTESTED = "none that holds now"
"""Of a language model's exam."""


def exam_told(file: Path, paths: Paths) -> str:
    """What came of a language model's exam, in a line."""
    from veracite.engine.exam import tested

    return str(tested(file, paths) or UNTESTED)


def model_facts(
    model: "Listed", free: int, exam: str | None = None
) -> Iterator[tuple[str, str | None]]:
    """What is known of a model, by name, with so many bytes of memory free; None of what is not.

    Args:
        exam: What came of its exam.
    """
    yield "Exam", exam
    stated = "none stated" if model.state in ("stored", "known") else None
    yield "Licence", model.licence or stated
    yield "Source", model.source
    yield "Quantised", model.quantisation
    if model.context:
        yield "Context" if model.kind == "generator" else "Reads", f"{model.context:,} tokens"
    if model.size is not None:
        yield "On disk", size_in_words(model.size)
    if model.memory is not None and (fit := model.fit(free)):
        from veracite.models.gguf import USUAL_CONTEXT

        context = min(USUAL_CONTEXT, model.context or USUAL_CONTEXT)
        need, there = size_in_words(model.memory), size_in_words(free)
        yield "In memory", f"{need} with {context:,} tokens of context; {there} are free: {fit}"
    if model.path:
        yield "Path", str(model.path)


BY_KIND: Mapping[str, str] = {
    # The library
    "no library": "Add documents with F4 and a, or choose others with Ctrl+L.",
    "all unreadable": "Repair or replace them, or choose others with Ctrl+L.",
    # The hub
    "unreachable": "Check the network: p goes on later. i imports a bundle that "
    "another machine has written.",
    "not on the hub": "Check the spelling; what needs an account is downloaded with a browser and "
    "imported with i.",
    "not known": "The list names those that are; any other on the hub is "
    "OWNER/REPOSITORY/FILE.gguf, or OWNER/REPOSITORY if it is an encoder, reranker or verifier.",
    # The store
    "name taken": "Remove that one first, with d in the Models view (F6).",
    "damaged in the store": "Remove it with d in the Models view (F6), and download it again with "
    "p, or import it with i.",
    # What is in use
    "choice gone": "Choose another one with u in the Models view (F6), or none with 0.",
    "choices damaged": "In the Models view (F6), 0 uses none and begins anew.",
    "takes an exam": "It takes it on the command line; docs/models.md says how.",
    "not here yet": "Download it with p in the Models view (F6).",
    "no such model": "Check the spelling; the Models view (F6) shows all.",
    "no language model": "Name a language model; the Models view (F6) shows which are here.",
    "no model in use": "Choose a language model with u in the Models view (F6).",
    # How it is loaded
    "context too large": "Set a smaller context in the config file, or use another model: u in the "
    "Models view (F6).",
    "context too small": "Set a larger context in the config file, or give it less to read.",
    "no GPU": "Take gpu_layers out of the config file.",
    "does not load": "Download it again with p in the Models view (F6), or use another one with u.",
}


def advice(error: EngineError | LibraryError | ModelError) -> str:
    """What a person in the app can do about it."""
    return BY_KIND.get(getattr(error, "kind", ""), error.advice)


def namer(against: Against) -> NameFile:
    """Names documents as a person in this folder would: relative where that is shorter."""
    here = Path.cwd()
    roots = against if isinstance(against, tuple) else ()

    def name(file: str) -> str:
        path = Path(file)
        if path.is_relative_to(here):
            return str(path.relative_to(here))
        for root in roots:
            if path.is_relative_to(root):
                return str(path.relative_to(root.parent))
        return file

    return name
