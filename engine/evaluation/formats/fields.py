"""What the fields of a row hold, in whichever of the usual ways they are written."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence

from veracite.engine.evaluation.formats.files import Row
from veracite.engine.evaluation.items import Source

__all__ = [
    "Fault",
    "Fields",
    "digest",
    "documents",
    "label",
    "maybe_text",
    "nested",
    "objects",
    "own_id",
    "plain_label",
    "sentences",
    "shape",
    "source",
    "strings",
    "text",
]

Fields = Mapping[str, object]

_TEXTS = ("text", "content", "paragraph_text", "passage", "contents", "sentence", "sent")


class Fault(ValueError):
    """Why a row cannot be used, in a few words: ``no label``."""


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
        Fault: None does.
    """
    found = maybe_text(fields, *names)
    if found is None:
        raise Fault(f"no {names[0]}")
    return found


def label(fields: Fields, *names: str) -> str:
    """A label as text: ``true`` for true, ``1`` for 1 and 1.0, others as they stand.

    Raises:
        Fault: None of these fields holds one.
    """
    for name in names:
        found = plain_label(fields.get(name))
        if found is not None:
            return found
    raise Fault(f"no {names[0]}")


def plain_label(value: object) -> str | None:
    """A label's value as text; None where it is none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:g}"
    if isinstance(value, str) and value.strip():
        return value.strip().removesuffix(".0")
    return None


def nested(fields: Fields, name: str) -> Fields:
    """A field that holds an object.

    Raises:
        Fault: It does not.
    """
    value = fields.get(name)
    if not isinstance(value, Mapping):
        raise Fault(f"no {name}")
    return value


def objects(fields: Fields, name: str) -> tuple[Fields, ...]:
    """A field that holds a list of objects.

    Raises:
        Fault: It does not.
    """
    value = fields.get(name)
    if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
        raise Fault(f"no list of {name}")
    return tuple(value)


def strings(fields: Fields, name: str) -> tuple[str, ...]:
    """A field that holds texts, or one.

    Raises:
        Fault: It does not.
    """
    value = fields.get(name)
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise Fault(f"no {name}")
    return tuple(value)


def sentences(parts: Sequence[str]) -> str:
    """Sentences in one text: some sets keep the space before each, some do not."""
    return " ".join(part.strip() for part in parts if part.strip())


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

    Raises:
        Fault: It is something else, or an object has no text.
    """
    if value is None or value == "":
        return ()
    return tuple(
        _document(one, identified) for one in (value if isinstance(value, list) else [value])
    )


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
            return source(sentences(body), title)
    raise Fault("a document without text")
