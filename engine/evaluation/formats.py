"""Upstream files as an evaluation's items, recognised by what their first rows hold."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from veracite.engine.errors import InputError, SettingsError
from veracite.engine.evaluation.files import Part, Row, first_row, parts_of
from veracite.engine.evaluation.items import Item, Loaded, Question, Source, Statement, Task
from veracite.engine.evaluation.question_sets import ANSWER, CHOOSE, RETRIEVE
from veracite.engine.evaluation.reading import Fields, Format, Reading
from veracite.engine.evaluation.statement_sets import ATTRIBUTE, DETECT, GENERIC

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


def formats_of(task: Task) -> dict[str, str]:
    """The formats that a task knows, by name, each with one line about it."""
    return {form.name: form.about for form in FORMATS[task]}


def load(
    task: Task,
    paths: Sequence[Path],
    format: str | None = None,  # noqa: A002
    label_map: Mapping[str, bool] | None = None,
) -> Loaded:
    """The items of one set.

    Args:
        task: What they are for.
        paths: The set's files, or folders or zip archives with them, in any order. Some formats
            use a second file (FELM: CEG's passages; SciFact, multi-hop questions: a corpus).
        format: Its name; by default it is recognised by the fields of the first rows.
        label_map: Labels to true or false, instead of the format's own map.

    Raises:
        SettingsError: The task has no format of this name.
        InputError: A file cannot be read or is damaged, its format is not known, or nothing in it
            could be used.
    """
    found = _sorted_files(task, parts_of(paths), format)
    reading = Reading(found.form, found.mains, found.besides, label_map or {})
    items = tuple(_unique(found.form.items(reading)))
    if not items:
        names = ", ".join(part.name for part in found.mains)
        raise InputError(
            f"Nothing in {names} could be used as {found.form.name}: "
            f"{' '.join(reading.notes) or 'there are no rows.'}",
            "Check the files, the split, and the labels that they have.",
        )
    return Loaded(
        task=task,
        format=found.form.name,
        items=items,
        corpus=tuple(reading.corpus),
        label_map=reading.label_map,
        notes=(*reading.notes, *_remarks(items, reading.corpus), *found.remarks),
        left_out=reading.left_out,
        unmet_labels=reading.unmet_labels,
    )


def _unique(items: Iterable[Item]) -> Iterator[Item]:
    """Items whose ids differ: a second ``a`` becomes ``a#2``."""
    seen: set[str] = set()
    for item in items:
        name, count = item.id, 1
        while name in seen:
            count += 1
            name = f"{item.id}#{count}"
        seen.add(name)
        yield item if name == item.id else replace(item, id=name)


def _remarks(items: Sequence[Item], corpus: Sequence[Source]) -> Iterator[str]:
    truths = {item.truth for item in items if isinstance(item, Statement)}
    if len(truths) == 1:
        kind, other = ("true", "false") if truths == {True} else ("false", "true")
        yield (
            f"All labels are {kind}: nothing can be told apart, and figures that need {other} "
            "ones too are n/a."
        )
    judged = [item for item in items if isinstance(item, Statement | Question)]
    bare = sum(not item.sources for item in judged)
    if bare and not (corpus and isinstance(judged[0], Question)):
        yield f"{bare:,} of {len(judged):,} come without documents."


@dataclass(frozen=True, slots=True)
class _Files:
    """Files and what a format reads them as."""

    form: Format
    mains: tuple[Part, ...]
    """The rows that become items."""
    besides: tuple[Part, ...]
    """The second file: passages, a corpus."""
    others: tuple[Part, ...]
    """What a folder or an archive holds besides."""
    remarks: tuple[str, ...]


def _sorted_files(task: Task, parts: Iterable[Part], name: str | None) -> _Files:
    """What these files are of, by name if one is given."""
    heads = {part: first_row(part) for part in parts}
    forms = [form for form in FORMATS[task] if name in (None, form.name)]
    if not forms:
        known = ", ".join(sorted(formats_of(task)))
        raise SettingsError(f"The task {task} has no format {name!r}.", f"It has {known}.")
    for form in forms:
        files = _read_as(form, heads, forced=name is not None)
        if name is not None or (files.mains and all(part.collected for part in files.others)):
            return files
    raise _unknown(task, heads)


def _read_as(form: Format, heads: Mapping[Part, Row | None], *, forced: bool) -> _Files:
    """Which files are the format's own, which its second file, which neither."""
    fields = {part: row.fields for part, row in heads.items() if row is not None}
    own = [part for part, first in fields.items() if form.recognise(first)]
    beside = [
        part
        for part, first in fields.items()
        if part not in own and form.beside is not None and form.beside(first)
    ]
    rest = [part for part in heads if part not in own and part not in beside]
    if forced:
        taken = [part for part in rest if not part.collected or not own]
        own, rest = [*own, *taken], [part for part in rest if part not in taken]
    remarks = [f"Not read: {', '.join(part.name for part in rest)}."] if rest else []
    if form is GENERIC and not forced and own:
        remarks += [
            f"The task {task} reads these files as {known}."
            for task in FORMATS
            for known in _recognised(task, fields[own[0]])
            if known != GENERIC.name
        ]
    return _Files(form, tuple(own), tuple(beside), tuple(rest), tuple(remarks))


def _recognised(task: Task, fields: Fields) -> list[str]:
    """The task's formats that a first row is one of."""
    return [form.name for form in FORMATS[task] if form.recognise(fields)]


def _unknown(task: Task, heads: Mapping[Part, Row | None]) -> InputError:
    known = {part: row and _recognised(task, row.fields) for part, row in heads.items()}
    if not known:
        return InputError("No file is given.", "Name the files of one set.")
    part = next((part for part, forms in known.items() if not forms), None)
    if part is None:
        said = ", ".join(f"{part.name} is {forms[0]}" for part, forms in known.items() if forms)
        return InputError(f"The files are of different formats: {said}.", "Give one set at a time.")
    row = heads[part]
    if row is None:
        return InputError(f"{part.name} has no row that can be read.", "Check what the file holds.")
    names = list(row.fields)
    seen = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
    return InputError(
        f"The format of {part.name} is not known: its fields are {seen or 'none'}."
        + "".join(f" {hint}" for hint in _hints(task, row.fields)),
        f"The task {task} reads {', '.join(sorted(formats_of(task)))}; --format chooses one.",
    )


def _hints(task: Task, fields: Fields) -> Iterator[str]:
    elsewhere = [other for other in FORMATS if other != task and _recognised(other, fields)]
    if elsewhere:
        yield f"It is a set for the task {' or '.join(elsewhere)}."
    beside = [f.name for f in FORMATS[task] if f.beside is not None and f.beside(fields)]
    if beside:
        yield f"It goes beside the rows of {' or '.join(beside)}."
