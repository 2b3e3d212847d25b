"""Which format files are of, by what their first rows hold."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from veracite.engine.errors import InputError, SettingsError
from veracite.engine.evaluation.formats.answer import ANSWER
from veracite.engine.evaluation.formats.attribute import ATTRIBUTE
from veracite.engine.evaluation.formats.choose import CHOOSE
from veracite.engine.evaluation.formats.detect import DETECT
from veracite.engine.evaluation.formats.files import Row, first_row
from veracite.engine.evaluation.formats.generic import GENERIC
from veracite.engine.evaluation.formats.parts import Part
from veracite.engine.evaluation.formats.reading import Format
from veracite.engine.evaluation.formats.retrieve import RETRIEVE
from veracite.engine.evaluation.items import Task

__all__ = ["FORMATS", "Files", "files_of", "formats_of"]

FORMATS: Mapping[Task, tuple[Format, ...]] = {
    "detect": DETECT,
    "attribute": ATTRIBUTE,
    "choose": CHOOSE,
    "retrieve": RETRIEVE,
    "answer": ANSWER,
}
"""In the order in which they are tried; any rows of text and label come last."""

_SHOWN = 20
"""Fields that a message names."""


@dataclass(frozen=True, slots=True)
class Files:
    """Files and what a format reads them as."""

    form: Format
    mains: tuple[Part, ...]
    """The rows that become items."""
    besides: tuple[Part, ...]
    """The second file: passages, a corpus."""
    others: tuple[Part, ...]
    """What a folder or an archive holds besides."""
    remarks: tuple[str, ...] = ()


def formats_of(task: Task) -> dict[str, str]:
    """The formats that a task knows, by name, each with one line about it."""
    return {form.name: form.about for form in FORMATS[task]}


def files_of(task: Task, parts: Iterable[Part], name: str | None) -> Files:
    """What these files are of, by name if one is given.

    Raises:
        SettingsError: The task has no format of this name.
        InputError: No format of the task, or not the one that is named, can read all of them.
    """
    heads = {part: first_row(part) for part in parts}
    if name is not None:
        return _sorted(_named(task, name), heads, forced=True)
    for form in FORMATS[task]:
        files = _sorted(form, heads, forced=False)
        if files.mains and all(part.collected for part in files.others):
            return files
    raise _unknown(task, heads)


def _named(task: Task, name: str) -> Format:
    for form in FORMATS[task]:
        if form.name == name:
            return form
    raise SettingsError(f"The task {task} has no format {name!r}.", f"It has {_listed(task)}.")


def _sorted(form: Format, heads: Mapping[Part, Row | None], *, forced: bool) -> Files:
    """Which files are the format's own, which its second file, which neither."""
    rows = {part: row.fields for part, row in heads.items() if row is not None}
    own = [part for part, fields in rows.items() if form.recognise(fields)]
    beside = [
        part
        for part, fields in rows.items()
        if part not in own and form.beside is not None and form.beside(fields)
    ]
    rest = [part for part in heads if part not in own and part not in beside]
    if forced:
        taken = [part for part in rest if not part.collected or not own]
        own, rest = [*own, *taken], [part for part in rest if part not in taken]
    remarks = [f"Not read: {', '.join(part.name for part in rest)}."] if rest else []
    if form is GENERIC and not forced:
        remarks += _better(rows[own[0]] if own else {})
    return Files(form, tuple(own), tuple(beside), tuple(rest), tuple(remarks))


def _better(fields: Mapping[str, object]) -> Iterator[str]:
    """Remarks on any rows of text and label that another task knows as what they are."""
    for task, forms in FORMATS.items():
        for form in forms:
            if form is not GENERIC and form.recognise(fields):
                yield f"The task {task} reads these files as {form.name}."


def _unknown(task: Task, heads: Mapping[Part, Row | None]) -> InputError:
    known = {part: _recognised(task, row) for part, row in heads.items()}
    if not known:
        return InputError("No file is given.", "Name the files of one set.")
    if all(known.values()):
        said = ", ".join(f"{part.name} is {form}" for part, form in known.items())
        return InputError(f"The files are of different formats: {said}.", "Give one set at a time.")
    part, row = next((part, heads[part]) for part, form in known.items() if form is None)
    if row is None:
        return InputError(f"{part.name} has no row that can be read.", "Check what the file holds.")
    fields = list(row.fields)
    seen = ", ".join(fields[:_SHOWN]) + (", ..." if len(fields) > _SHOWN else "")
    return InputError(
        f"The format of {part.name} is not known: its fields are {seen or 'none'}."
        + "".join(f" {hint}" for hint in _hints(task, row)),
        f"The task {task} reads {_listed(task)}; --format chooses one.",
    )


def _hints(task: Task, row: Row) -> Iterator[str]:
    elsewhere = [other for other in FORMATS if other != task and _recognised(other, row)]
    if elsewhere:
        yield f"It is a set for the task {' or '.join(elsewhere)}."
    beside = [f.name for f in FORMATS[task] if f.beside is not None and f.beside(row.fields)]
    if beside:
        yield f"It goes beside the rows of {' or '.join(beside)}."


def _recognised(task: Task, row: Row | None) -> str | None:
    if row is None:
        return None
    return next((form.name for form in FORMATS[task] if form.recognise(row.fields)), None)


def _listed(task: Task) -> str:
    return ", ".join(sorted(formats_of(task)))
