"""How a set's rows become items: fields as texts, labels as true or false, faults counted."""

import hashlib
import re
import shlex
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from veracite.engine.evaluation.files import Broken, Part, Row, rows
from veracite.engine.evaluation.items import Item, Source, Statement

Fields = Mapping[str, object]
_T = TypeVar("_T")

_TEXTS = ("text", "content", "paragraph_text", "passage", "contents", "sentence", "sent")
_NAMED = 3
"""Places that a note names for each reason."""


class Fault(ValueError):
    """Why a row cannot be used, in a few words: ``no label``."""


@dataclass(frozen=True, slots=True)
class Format:
    """A way in which a set is published."""

    name: str
    about: str
    """One line for the command's help."""
    recognise: Callable[[Fields], bool]
    """Whether a first row is one of this format."""
    read: Callable[[Row, "Reading"], Iterable[Item]] | None = None
    """The items of a row, where rows do not depend on each other."""
    labels: Mapping[str, bool] = field(default_factory=dict)
    """Labels in lower case, with one space between words, to true or false."""
    beside: Callable[[Fields], bool] | None = None
    """Whether a first row is one of the second file that this format can use."""
    notes: tuple[str, ...] = ()
    whole: Callable[["Reading"], Iterator[Item]] | None = None
    """The items of all rows, where they do."""

    def items(self, reading: "Reading") -> Iterator[Item]:
        """Everything that the files hold."""
        read = self.read
        if read is None:
            assert self.whole is not None
            return self.whole(reading)
        return reading.each(lambda row: read(row, reading))


class Reading:
    """One format's pass over its files.

    Attributes:
        corpus: Documents that belong to the set as a whole, for the format to fill.
        label_map: The labels that were met, as the set writes them.

    Args:
        form: How rows are read.
        mains: The files whose rows become items.
        besides: The format's second files.
        label_map: Labels to true or false, instead of the format's own map.
    """

    def __init__(
        self,
        form: Format,
        mains: tuple[Part, ...],
        besides: tuple[Part, ...],
        label_map: Mapping[str, bool],
    ) -> None:
        self.form = form
        self.mains = mains
        self.besides = besides
        self.corpus: list[Source] = []
        self.label_map: dict[str, bool] = {}
        self._wanted = label_map
        self._notes: dict[str, None] = {}
        self._left_out: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        self._truths = {**form.labels, **{_normal(name): v for name, v in label_map.items()}}

    def rows(self) -> Iterator[Row]:
        """The rows of the format's own files."""
        several = len(self.mains) > 1
        for row in self._read(self.mains):
            yield replace(row, place=f"{row.part.stem}:{row.place}") if several else row

    def beside(
        self, read: Callable[[Row], _T], parts: Iterable[Part] | None = None
    ) -> Iterator[_T]:
        """What ``read`` makes of the rows of the second file; :class:`Fault` leaves one out."""
        for row in self._read(self.besides if parts is None else parts):
            try:
                yield read(row)
            except Fault as fault:
                self.leave_out(row, str(fault))

    def each(self, read: Callable[[Row], Iterable[Item]]) -> Iterator[Item]:
        """The items of all rows; a row of which ``read`` says :class:`Fault` is left out."""
        for row in self.rows():
            try:
                found = list(read(row))
            except Fault as fault:
                self.leave_out(row, str(fault))
                continue
            for item in found:
                if len(self.mains) > 1 and isinstance(item, Statement) and not item.part:
                    item = replace(item, part=row.part.stem)
                yield item

    def truth(self, named: str) -> bool:
        """True or false for a label.

        Raises:
            Fault: The label map does not know it.
        """
        found = self._truths.get(_normal(named))
        if found is None:
            option = shlex.quote(f"{named}=true")
            raise Fault(
                f"the label {named!r} stands for neither true nor false; say what it means with "
                f"--label {option} (or =false)"
            )
        self.label_map[named] = found
        return found

    def note(self, remark: str) -> None:
        """Say something, once, that a reader of the result must know."""
        self._notes[remark] = None

    def leave_out(self, row: Row | Broken, reason: str) -> None:
        """Count a row, or something in it, that is not among the items."""
        self._left_out[reason].append((row.part.name, row.where))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the result must know of the set and its rows."""
        unmet = self.unmet_labels
        unknown = [f"No row has the label {', '.join(map(repr, unmet))}."] if unmet else []
        return (*self.form.notes, *self._notes, *self.left_out, *unknown)

    @property
    def left_out(self) -> tuple[str, ...]:
        """How many rows are not among the items, for each reason."""
        return tuple(
            f"{len(places):,} left out, {reason} ({_first(places)})."
            for reason, places in self._left_out.items()
        )

    @property
    def unmet_labels(self) -> tuple[str, ...]:
        """Labels that were given a meaning and that no row has."""
        met = {_normal(name) for name in self.label_map}
        return tuple(sorted(name for name in self._wanted if _normal(name) not in met))

    def _read(self, parts: Iterable[Part]) -> Iterator[Row]:
        for part in parts:
            for row in rows(part):
                if isinstance(row, Broken):
                    self.leave_out(row, row.reason)
                else:
                    yield row


def shape(*needs: str, without: Iterable[str] = ()) -> Callable[[Fields], bool]:
    """Whether a row has all these fields and none of those."""
    required, excluded = frozenset(needs), frozenset(without)
    return lambda fields: required <= fields.keys() and not excluded & fields.keys()


def maybe_text(fields: Fields, *names: str) -> str | None:
    """The first of these fields that holds a text or a whole number, as text; None if none does."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return None


def text(fields: Fields, *names: str) -> str:
    """The first of these fields that holds a text.

    Raises:
        Fault: None does. So do the functions below where a field does not hold what they read.
    """
    found = maybe_text(fields, *names)
    if found is None:
        raise Fault(f"no {names[0]}")
    return found


def label(fields: Fields, *names: str) -> str:
    """The first of these fields that holds a label, as text."""
    for name in names:
        found = plain_label(fields.get(name))
        if found is not None:
            return found
    raise Fault(f"no {names[0]}")


def plain_label(value: object) -> str | None:
    """A label as text: ``true`` for true, ``1`` for 1 and 1.0; None where it is none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:g}"
    if isinstance(value, str) and value.strip():
        return value.strip().removesuffix(".0")
    return None


def nested(fields: Fields, name: str) -> Fields:
    """A field that holds an object."""
    value = fields.get(name)
    if not isinstance(value, Mapping):
        raise Fault(f"no {name}")
    return value


def objects(fields: Fields, name: str) -> tuple[Fields, ...]:
    """A field that holds a list of objects."""
    value = fields.get(name)
    if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
        raise Fault(f"no list of {name}")
    return tuple(value)


def strings(fields: Fields, name: str) -> tuple[str, ...]:
    """A field that holds texts, or one."""
    value = fields.get(name)
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise Fault(f"no {name}")
    return tuple(value)


def joined(sentences: Iterable[str]) -> str:
    """Sentences in one text: some sets keep the space before each, some do not."""
    return " ".join(one.strip() for one in sentences if one.strip())


def own_id(row: Row, *names: str) -> str:
    """The id that the set gives, or else the row's place."""
    return maybe_text(row.fields, *names) or row.place


def digest(content: str) -> str:
    """A short name for a content: the same everywhere for the same text."""
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def source(content: str, title: str | None = None, identity: str | None = None) -> Source:
    """A document; its id is a hash of what it says unless the set has one for its whole corpus."""
    title = title if title and title.strip() else None
    return Source(identity or digest(f"{title or ''}\0{content}"), content, title)


def documents(value: object, *, identified: str | None = None) -> tuple[Source, ...]:
    """Documents: a text, or texts, objects with title and text, or pairs of both.

    Args:
        value: As the set has it; nothing gives no documents.
        identified: The field that identifies a document in the set's whole corpus.
    """
    if value is None or value == "":
        return ()
    every = value if isinstance(value, list | tuple) else [value]
    return tuple(_document(one, identified) for one in every)


def _document(value: object, identified: str | None) -> Source:
    if isinstance(value, str):
        return source(value)
    if isinstance(value, Mapping):
        content = next((value[n] for n in _TEXTS if isinstance(value.get(n), str)), None)
        if content is not None:
            known = maybe_text(value, identified) if identified else None
            return source(content, maybe_text(value, "title"), known)
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str):
        title, body = value
        if isinstance(body, str):
            return source(body, title)
        if isinstance(body, list) and all(isinstance(one, str) for one in body):
            return source(joined(body), title)
    raise Fault("a document without text")


def _first(places: Sequence[tuple[str, str]]) -> str:
    """The first places in words: ``a.jsonl line 2, line 7, ...``."""
    distinct = list(dict.fromkeys(places))
    said: list[str] = []
    for place, (name, where) in enumerate(distinct[:_NAMED]):
        same = place > 0 and distinct[place - 1][0] == name
        said.append(where if same else f"{name} {where}")
    return ", ".join([*said, "..."] if len(distinct) > _NAMED else said)


def _normal(named: str) -> str:
    """A label as maps have it: lower case, words apart by one space."""
    return re.sub(r"[\W_]+", " ", named.casefold()).strip()
