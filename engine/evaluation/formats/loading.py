"""Loading a set: which format its files are, and its items in one shape."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

from veracite.engine.errors import InputError
from veracite.engine.evaluation.formats.parts import Part, parts_of
from veracite.engine.evaluation.formats.reading import LoadOptions, Reading
from veracite.engine.evaluation.formats.recognition import files_of
from veracite.engine.evaluation.items import (
    Item,
    Loaded,
    Question,
    Source,
    Statement,
    Task,
)

__all__ = ["load"]

_PLAIN = LoadOptions()


def load(
    task: Task,
    paths: Sequence[Path],
    format: str | None = None,  # noqa: A002
    options: LoadOptions = _PLAIN,
) -> Loaded:
    """The items of one set.

    Args:
        task: What they are for.
        paths: The set's files, or folders or zip archives with them, in any order. Some formats
            use a second file (FELM: CEG's passages; SciFact, multi-hop questions: a corpus).
        format: Its name; by default it is recognised by the fields of the first rows.
        options: What to take, and which labels are true.

    Raises:
        SettingsError: The task has no format of this name.
        InputError: A file cannot be read or is damaged, its format is not known, or nothing in it
            could be used.
    """
    files = files_of(task, parts_of(paths), format)
    mains, by_name = _of_split(files.mains, options.split)
    reading = Reading(files.form, mains, files.besides, options)
    reading.split_found = by_name
    items = tuple(_unique(islice(files.form.read(reading), options.limit)))
    notes = reading.remarks()
    if not items:
        names = ", ".join(part.name for part in mains)
        raise InputError(
            f"Nothing in {names} could be used as {files.form.name}: "
            f"{' '.join(notes) or 'there are no rows.'}",
            "Check the files, the split, and the labels that they have.",
        )
    reading.check_split()
    return Loaded(
        task=task,
        format=files.form.name,
        items=items,
        corpus=tuple(reading.corpus),
        label_map=reading.label_map,
        notes=(*notes, *_remarks(items, reading.corpus), *files.remarks),
        left_out=reading.left_out(),
        unmet_labels=reading.unmet_labels(),
    )


def _of_split(parts: tuple[Part, ...], split: str | None) -> tuple[tuple[Part, ...], bool]:
    """The files whose names say that they are of a split, and whether any does."""
    chosen = tuple(p for p in parts if split and (not p.collected or split.lower() in p.words))
    if any(part.collected for part in chosen):
        return chosen, True
    return parts, False


_I = TypeVar("_I", bound=Item)


def _unique(items: Iterable[_I]) -> Iterator[_I]:
    """Items whose ids differ: a second ``a`` becomes ``a#2``, the same with any limit."""
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
