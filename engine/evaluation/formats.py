"""Upstream files as an evaluation's items: one table of field maps, recognised by their fields.

A format maps what an item consists of to the fields of its rows. Where a row holds several items,
``parts`` takes it apart first; where files belong together, ``whole`` reads them all. Files are
JSON, JSON lines, CSV and TSV, also compressed, in folders and in zip archives.
"""

import ast
import csv
import gzip
import hashlib
import io
import json
import re
import shlex
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path, PurePosixPath

from veracite.engine.errors import InputError, SettingsError
from veracite.engine.evaluation.items import (
    Choice,
    Item,
    Loaded,
    Query,
    Question,
    Source,
    Statement,
    Task,
)

Fields = Mapping[str, object]

_DATA = {".json", ".jsonl", ".jsonlines", ".ndjson", ".csv", ".tsv"}
"""What is data in a folder or an archive; a licence or a page of notes beside it is not."""
_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_LONGEST = 2**31 - 1
_WRAPPERS = ("data", "Data")
"""Where ALCE's results, SQuAD and TriviaQA keep their rows."""
_SHOWN = 20
"""Fields that a message names."""
_NAMED = 3
"""Places that a note names for each reason."""


# --- Rows of files ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """A file, or one file in a zip archive."""

    path: Path
    member: str | None = None
    """Its name in the archive."""
    collected: bool = False
    """Found in a folder or an archive, not named by the user."""

    @property
    def name(self) -> str:
        """As messages show it: the file's name without its folders."""
        return PurePosixPath(self.member).name if self.member else self.path.name

    @property
    def kind(self) -> str:
        """The name's ending in lower case, without ``.gz``: ``.jsonl``."""
        return PurePosixPath(self.name.lower().removesuffix(".gz")).suffix

    @property
    def stem(self) -> str:
        """The name without its endings."""
        return self.name.split(".")[0]


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a file."""

    fields: Fields
    part: Part
    where: str
    """Its place in words: ``line 3``."""
    place: str
    """An id for a record without one of its own, also where several files are read as one set."""
    fault: str = ""
    """Why it cannot be read, if it cannot."""


def parts_of(paths: Sequence[Path]) -> tuple[Part, ...]:
    """The files to read, in the order given; those of a folder or an archive by name.

    Raises:
        InputError: A path does not exist, or holds no data.
    """
    return tuple(part for path in paths for part in _parts(path))


def _parts(path: Path) -> list[Part]:
    if path.is_dir():
        files = [file for file in path.rglob("*") if file.is_file()]
        found = {f.relative_to(path).parts: Part(f, collected=True) for f in files}
    elif not path.exists():
        raise InputError(f"There is no file {path}.", "Check the spelling of the path.")
    elif path.suffix.lower() != ".zip":
        return [Part(path)]
    else:
        try:
            with zipfile.ZipFile(path) as archive:
                names = [info.filename for info in archive.infolist() if not info.is_dir()]
        except (zipfile.BadZipFile, OSError) as error:
            raise InputError(
                f"{path.name} is damaged or no zip archive ({error}).", "Get the file again."
            ) from None
        found = {PurePosixPath(n).parts: Part(path, n, collected=True) for n in names}
    kept = [
        found[steps]
        for steps in sorted(found)
        if found[steps].kind in _DATA and not any(s.startswith((".", "__MACOSX")) for s in steps)
    ]
    if not kept:
        raise InputError(
            f"{path.name} holds no file of labelled data.",
            "Give a folder or archive with .jsonl, .json, .csv or .tsv files.",
        )
    return kept


def _rows(part: Part) -> list[Row]:
    """The records of a file.

    Raises:
        InputError: It cannot be read, is damaged, or is of no known kind.
    """
    content = _content(part)
    found = _table(part, content) if part.kind in (".csv", ".tsv") else _json(part, content)
    return [
        Row(value, part, where, place)
        if isinstance(value, dict)
        else Row({}, part, where, place, value if isinstance(value, str) else "no JSON object")
        for where, place, value in found
    ]


def _content(part: Part) -> bytes:
    try:
        if part.member is None:
            content = part.path.read_bytes()
        else:
            with zipfile.ZipFile(part.path) as archive:
                content = archive.read(part.member)
        if content.startswith(_GZIP):
            content = gzip.decompress(content)
    except (gzip.BadGzipFile, zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise InputError(
            f"{part.name} is damaged ({error}).", "Get the file again and compare its size."
        ) from None
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"{part.name} cannot be read ({reason}).", "Check the path and who may read it."
        ) from None
    return content.removeprefix(_BOM)


_Records = Iterable[tuple[str, str, object]]
"""Of each record its place in words, its number, and its fields or what is wrong with it."""


def _json(part: Part, content: bytes) -> _Records:
    """One JSON value, or one a line; lines end at ``\\n`` alone, as texts may hold U+2028."""
    try:
        whole = json.loads(content)
    except (ValueError, RecursionError):
        lines = enumerate(content.split(b"\n"), start=1)
        found = [(f"line {n}", str(n), _parsed(line)) for n, line in lines if line.strip()]
        if all(isinstance(value, str) for _, _, value in found) and found:
            raise _no_json(part, content) from None
        return found
    return [(f"row {n}", str(n), value) for n, value in enumerate(_unwrapped(whole), start=1)]


def _no_json(part: Part, content: bytes) -> InputError:
    if content.lstrip().startswith((b"{", b"[")):
        return InputError(
            f"{part.name} is not valid JSON.", "Get the file again and compare its size."
        )
    return InputError(
        f"{part.name} is neither JSON, JSON lines, CSV nor TSV.",
        "Give the set's file as its authors publish it.",
    )


def _parsed(line: bytes) -> object:
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return "no valid JSON"
    return value if isinstance(value, dict) else None


def _unwrapped(whole: object) -> list[object]:
    if isinstance(whole, dict):
        inner = next((whole[key] for key in _WRAPPERS if isinstance(whole.get(key), list)), None)
        return inner if inner and all(isinstance(one, dict) for one in inner) else [whole]
    return [None if isinstance(v, str) else v for v in whole] if isinstance(whole, list) else [None]


def _table(part: Part, content: bytes) -> _Records:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{part.name} is not UTF-8 text.", "Save it as UTF-8.") from None
    tabs = part.kind == ".tsv" or "\t" in text.lstrip().partition("\n")[0]
    names: list[str] = []
    for number, values in _tabs(text) if tabs else _commas(part, text):
        if not any(value.strip() for value in values):
            continue
        if not names:
            names = [name.strip().lower() for name in values]
            continue
        fits = len(values) == len(names)
        fault = f"not the header's {len(names)} columns"
        yield (
            f"line {number}",
            str(number),
            dict(zip(names, values, strict=True)) if fits else fault,
        )


def _tabs(text: str) -> Iterator[tuple[int, list[str]]]:
    """Fields without the quotes that a CSV writer put around them; other quotes stay."""
    for number, line in enumerate(text.split("\n"), start=1):
        values = line.rstrip("\r").split("\t")
        quoted = [re.fullmatch(r'"((?:[^"]|"")*)"', value) for value in values]
        pairs = zip(values, quoted, strict=True)
        yield number, [found[1].replace('""', '"') if found else value for value, found in pairs]


def _commas(part: Part, text: str) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(_LONGEST)
    reader = csv.reader(io.StringIO(text, newline=""))
    begins = 1
    try:
        for values in reader:
            yield begins, values
            begins = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{part.name} is no valid CSV (line {reader.line_num}: {error}).",
            "Mend or leave it out.",
        ) from None


# --- Fields as texts, lists and documents -----------------------------------------------------


class Fault(ValueError):
    """Why a row cannot be used, in a few words: ``no label``."""


class _Again(Exception):
    """A row that belongs to an item that there is already."""


def _text(fields: Fields, names: str) -> str | None:
    """The first of these fields that holds a text or a whole number, as text; None if none does.

    Names are parted by ``|``; ``meta.id`` is a field of the object in ``meta``.
    """
    for name in names.split("|"):
        value = _at(fields, name)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return None


def _required(fields: Fields, names: str) -> str:
    found = _text(fields, names)
    if found is None:
        raise Fault(f"no {names.partition('|')[0]}")
    return found


def _at(fields: Fields, name: str) -> object:
    outer, dot, inner = name.partition(".")
    value = fields.get(outer)
    if not dot:
        return value
    return _at(value, inner) if isinstance(value, Mapping) else None


def _label(value: object) -> str | None:
    """A label as text: ``true`` for true, ``1`` for 1 and 1.0; None where it is none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:g}"
    return value.strip().removesuffix(".0") or None if isinstance(value, str) else None


def _objects(fields: Fields, name: str) -> list[Fields]:
    value = _at(fields, name)
    if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
        raise Fault(f"no list of {name}")
    return value


def _strings(fields: Fields, name: str) -> list[str]:
    """A field that holds texts, or one."""
    value = _at(fields, name)
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise Fault(f"no {name}")
    return found


def _joined(sentences: Iterable[str]) -> str:
    """Sentences in one text: some sets keep the space before each, some do not."""
    return " ".join(one.strip() for one in sentences if one.strip())


def _digest(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _source(content: str, title: str | None = None, identity: str | None = None) -> Source:
    """A document; its id is a hash of what it says unless the set has one for its whole corpus."""
    title = title if title and title.strip() else None
    return Source(identity or _digest(f"{title or ''}\0{content}"), content, title)


_CONTENT = ("text", "content", "paragraph_text", "passage", "contents", "sentence", "sent")


def _documents(value: object, identified: str = "") -> tuple[Source, ...]:
    """Documents: a text, or texts, objects with title and text, or pairs of both.

    Args:
        value: As the set has it; nothing gives no documents.
        identified: The field that identifies a document in the set's whole corpus.
    """
    if value is None or value == "":
        return ()
    every = value if isinstance(value, list | tuple) else [value]
    return tuple(_document(one, identified) for one in every)


def _document(value: object, identified: str) -> Source:
    if isinstance(value, Source):
        return value
    if isinstance(value, str):
        return _source(value)
    if isinstance(value, Mapping):
        held = (value[name] for name in _CONTENT if isinstance(value.get(name), str))
        content = next(held, None)
        if content is not None:
            return _source(content, _text(value, "title"), _text(value, identified))
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str):
        title, body = value
        if isinstance(body, str):
            return _source(body, title)
        if isinstance(body, list) and all(isinstance(one, str) for one in body):
            return _source(_joined(body), title)
    raise Fault("a document without text")


# --- One set: its files as one format ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Format:
    """A way in which a set is published."""

    name: str
    about: str
    """One line for the command's help."""
    needs: str
    """Fields by which a first row is known; ``a|b`` is one of both."""
    fields: str = ""
    """What an item consists of, and the fields that hold it: the first that holds anything."""
    reads: Mapping[str, Callable[[Fields], object]] = field(default_factory=dict)
    """The same where a function reads it off the row."""
    labels: Mapping[str, bool] = field(default_factory=dict)
    """Labels in lower case, with one space between words, to true or false."""
    label_notes: Mapping[str, str] = field(default_factory=dict)
    """What is said where a label is met."""
    without: str = ""
    """Fields that a first row must not have."""
    when: Callable[[Fields], bool] = lambda fields: True
    """What else must be so of a first row."""
    parts: Callable[[Row, "Reading"], Iterable[Fields]] | None = None
    """The items of a row, by what they consist of, where it holds several."""
    beside: str = ""
    """Fields of a second file; of several kinds of second files parted by commas."""
    whole: Callable[["Reading"], Iterator[Item]] | None = None
    """All items, where rows depend on each other."""
    bare: bool = False
    """Whether statements may come without documents."""
    notes: tuple[str, ...] = ()

    def recognises(self, fields: Fields) -> bool:
        """Whether a first row is one of this format."""
        lacks = fields.keys().isdisjoint(self.without.split())
        return lacks and _has(fields, self.needs) and self.when(fields)

    def is_beside(self, fields: Fields) -> bool:
        """Whether a first row is one of a second file that this format can use."""
        return bool(self.beside) and any(_has(fields, kind) for kind in self.beside.split(","))


def _has(fields: Fields, needs: str) -> bool:
    return all(fields.keys() & set(need.split("|")) for need in needs.split())


class Reading:
    """One format's pass over its files: rows that cannot be used are counted, with the reason.

    Args:
        form: How rows are read.
        mains: The rows that become items.
        besides: The rows of the format's second files.
        wanted: Labels to true or false, instead of the format's own map.
    """

    def __init__(
        self,
        form: Format,
        mains: Sequence[Row],
        besides: Sequence[Row],
        wanted: Mapping[str, bool],
    ) -> None:
        self.form = form
        self.mains = self._sound(mains)
        self.besides = besides
        self.corpus: list[Source] = []
        self.label_map: dict[str, bool] = {}
        self.notes: dict[str, None] = dict.fromkeys(form.notes)
        self._wanted = wanted
        self._left_out: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        self._truths = {**form.labels, **{_normal(name): v for name, v in wanted.items()}}

    @property
    def several(self) -> bool:
        """Whether the rows are of several files."""
        return len({row.part for row in self.mains}) > 1

    def _sound(self, rows: Sequence[Row]) -> list[Row]:
        several = len({row.part for row in rows}) > 1
        return [replace(r, place=f"{r.part.stem}:{r.place}") if several else r for r in rows]

    def items(self, make: Callable[[Row, "Mapped", "Reading"], Item]) -> Iterator[Item]:
        """The items of all rows; what cannot be used is left out."""
        form = self.form
        for row in self.mains:
            try:
                if row.fault:
                    raise Fault(row.fault)
                parts = list(form.parts(row, self)) if form.parts else [row.fields]
            except Fault as fault:
                self.leave_out(row, str(fault))
                continue
            for fields in parts:
                try:
                    yield make(row, Mapped(fields, form), self)
                except _Again:
                    continue
                except Fault as fault:
                    self.leave_out(row, str(fault))

    def second(self, read: Callable[[Row], tuple[str, Source]]) -> dict[str, Source]:
        """The documents of the second file by their id."""
        found = {}
        for row in self.besides:
            try:
                if row.fault:
                    raise Fault(row.fault)
                known, source = read(row)
                found[known] = source
            except Fault as fault:
                self.leave_out(row, str(fault))
        return found

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
        if named in self.form.label_notes:
            self.notes[self.form.label_notes[named]] = None
        return found

    def leave_out(self, row: Row, reason: str) -> None:
        """Count a row, or something in it, that is not among the items."""
        self._left_out[reason].append((row.part.name, row.where))

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


# --- What an item consists of -----------------------------------------------------------------

_PARTS = {
    name: name
    for name in (
        *("id", "group", "same", "text", "label", "evidence", "before", "about", "part", "samples"),
        *("question", "answers", "documents", "gold", "long", "output", "right", "wrong"),
    )
}
"""What items consist of; ``same`` is a text that rows of a group share, where no field names it."""


@cache
def _named(fields: str) -> Mapping[str, str]:
    return dict(pair.split("=") for pair in fields.split())


@dataclass(frozen=True, slots=True)
class Mapped:
    """The fields of a row by what an item consists of."""

    row: Fields
    form: Format

    def path(self, name: str) -> str:
        """The fields that hold this."""
        return (_PARTS if self.form.parts else _named(self.form.fields)).get(name, "")

    def value(self, name: str) -> object:
        """What the row has of this, as it is; None if it has nothing."""
        if name in self.form.reads:
            return self.form.reads[name](self.row)
        found = (_at(self.row, one) for one in self.path(name).split("|"))
        return next((value for value in found if value not in (None, "", [])), None)

    def text(self, name: str) -> str | None:
        """The same as a text."""
        if name in self.form.reads:
            return _text({name: self.value(name)}, name)
        return _text(self.row, self.path(name))

    def required(self, name: str) -> str:
        """The same.

        Raises:
            Fault: There is none.
        """
        found = self.text(name)
        if found is None:
            raise self.missing(name)
        return found

    def missing(self, name: str) -> Fault:
        """Says so in the set's own words."""
        return Fault(f"no {self.path(name).partition('|')[0] or name}")

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts, or one; none if there is nothing."""
        value = self.value(name)
        return tuple(one for one in _strings({name: value}, name) if one.strip()) if value else ()


def _statement(row: Row, given: Mapped, reading: Reading) -> Statement:
    said = given.required("text")
    named = _label(given.value("label"))
    if named is None:
        raise given.missing("label")
    known = given.text("id") or row.place
    shared = given.text("same")
    sources = _documents(given.value("evidence"))
    if not sources and not reading.form.bare:
        raise Fault("its document is not in the file")
    return Statement(
        id=known,
        group=given.text("group") or (_digest(shared) if shared else known),
        text=said,
        truth=reading.truth(named),
        label=named,
        sources=sources,
        before=given.texts("before"),
        about=given.text("about"),
        part=given.text("part") or (row.part.stem if reading.several else ""),
        samples=given.texts("samples"),
    )


def _question(row: Row, given: Mapped, reading: Reading) -> Question:
    sources = _documents(given.value("documents"), "id")
    gold = given.value("gold")
    marks = gold if isinstance(gold, list) else [False] * len(sources)
    output = given.value("output")
    return Question(
        id=given.text("id") or row.place,
        text=given.required("question"),
        answers=_answers(given.value("answers")),
        sources=sources,
        gold=tuple(s.id for s, holds in zip(sources, marks, strict=True) if holds),
        long=given.texts("long"),
        output=output if isinstance(output, str) else None,
    )


def _answers(value: object) -> tuple[tuple[str, ...], ...]:
    """Groups of answers of which any counts: a text and a list of texts are one group."""
    groups = value if isinstance(value, list) else [value]
    if all(isinstance(one, str) for one in groups):
        groups = [groups]
    found = tuple(
        tuple(dict.fromkeys(one for one in _strings({"answers": group}, "answers") if one.strip()))
        for group in groups
    )
    if not found or not all(found):
        raise Fault("no answer")
    return found


def _choice(row: Row, given: Mapped, reading: Reading) -> Choice:
    return Choice(
        id=given.text("id") or row.place,
        question=given.required("question"),
        right=given.required("right"),
        wrong=given.required("wrong"),
        sources=_documents(given.required("evidence")),
    )


# --- What labels mean -------------------------------------------------------------------------

_ONE_ZERO = {"1": True, "0": False}
_STANCES = {
    "completely support": True,
    **dict.fromkeys(("partially support", "refute", "irrelevant"), False),
}
_ATTRIBUTABLE = {
    **dict.fromkeys(("attributable", "fully attributable"), True),
    **dict.fromkeys(("not attributable", "not fully attributable", "generic"), False),
}
_VERDICTS = {
    **dict.fromkeys(("supports", "supported", "support"), True),
    **dict.fromkeys(("refutes", "refuted", "refute", "contradict", "contradiction"), False),
    **dict.fromkeys(("not enough info", "notenoughinfo", "nei", "neutral", "disputed"), False),
}
_ENTAILMENT = {
    **dict.fromkeys(("entailment", "0"), True),
    **dict.fromkeys(("neutral", "contradiction", "not entailment", "1", "2"), False),
}
_COMMON_TRUE = """1|true|yes|supported|supports|support|entailment|entailed|entails|factual|accurate
attributable|fully attributable|faithful|consistent|correct"""
_COMMON_FALSE = """0|false|no|contradicted|contradicts|contradiction|contradict|refuted|refutes
refute|not found|uncertain|not checkable|not supported|unsupported|partially supported|neutral
not entailment|not enough info|not enough information|not enough evidence|nei|notenoughinfo
notmentioned|disputed|nonfactual|non factual|not factual|inaccurate|not attributable
not fully attributable|hallucinated|inconsistent|incorrect"""
_COMMON_LABELS = {
    **dict.fromkeys(re.split(r"[|\n]", _COMMON_TRUE), True),
    **dict.fromkeys(re.split(r"[|\n]", _COMMON_FALSE), False),
}
"""What sets call supported and what they call anything else, among it Veracite's five labels."""
_BY_CONSTRUCTION = "by construction"
# --- Where a field does not say it as it is ---------------------------------------------------

_PROMPT = "This is a passage from Wikipedia about "
_WICE_TITLE = "(meta data) TITLE:"
_TITLED = re.compile(r"Title: (?P<title>[^\n]+)\n+(?:Text: )?(?P<text>.+)", re.S)
_GOLD = ("isgold", "hasanswer", "has_answer")
_STATED = "text|claim|sentence|statement|response"


def _wikibio(row: Row, reading: Reading) -> Iterator[Fields]:
    """SelfCheckGPT's set: GPT-3's articles, sentence by sentence, and Wikipedia's."""
    fields = row.fields
    said, labels = _strings(fields, "gpt3_sentences"), _strings(fields, "annotation")
    if len(said) != len(labels):
        raise Fault(f"{len(said)} sentences with {len(labels)} labels")
    article = _text(fields, "wiki_bio_test_idx") or row.place
    about = _text(fields, "question|concept")
    for place, (sentence, named) in enumerate(zip(said, labels, strict=True)):
        yield {
            "id": f"{article}.{place + 1}",
            "group": article,
            "text": sentence,
            "label": named,
            "evidence": _required(fields, "wiki_bio_text"),
            "before": said[:place],
            "about": about.removeprefix(_PROMPT) if about else None,
            "samples": fields.get("gpt3_text_samples"),
        }


def _felm(row: Row, reading: Reading) -> Iterator[Fields]:
    """FELM: responses in segments, true where factual; CEG's passages where they are given."""
    found = {
        (_text(beside.fields, "question"), _text(beside.fields, "response")): beside.fields
        for beside in reading.besides
    }
    given = "CEG's passages" if found else "the annotators' references"
    reading.notes[f"The documents are {given}."] = None
    fields = row.fields
    segments, labels = _strings(fields, "segmented_response"), fields.get("labels")
    if not isinstance(labels, list) or len(labels) != len(segments):
        raise Fault(f"{len(segments)} segments without as many labels")
    question, group = _required(fields, "prompt"), _text(fields, "index") or row.place
    for place, (segment, value) in enumerate(zip(segments, labels, strict=True)):
        passages = found.get((question, segment))
        if found and passages is None:
            reading.leave_out(row, "no passages for a segment")
            continue
        references = _strings(fields, "ref_contents") if fields.get("ref_contents") else []
        yield {
            "id": f"{group}.{place + 1}",
            "group": group,
            "text": segment,
            "label": value,
            "evidence": _ceg_passages(passages)
            if passages
            else [one for one in references if one.strip()],
            "before": segments[:place],
            "about": question,
            "part": fields.get("domain"),
        }


def _ceg_passages(fields: Fields) -> list[Source]:
    passages = _objects(fields, "ress.res")
    return [_ceg_passage(one) for one in passages]


def _ceg_title(passage: Fields) -> str | None:
    """CEG's title and section as this program shows headings; None for a passage without."""
    parts = (_text(passage, name) for name in ("title", "session"))
    return " > ".join(part for part in parts if part) or None


def _ceg_passage(fields: Fields) -> Source:
    return _source(_required(fields, "content"), _ceg_title(fields))


def _judged_by_people(fields: Fields) -> str:
    return _label(fields.get("human_eval")) or _BY_CONSTRUCTION


def _path(fields: Fields, *names: str) -> str:
    return "/".join(found for name in names if (found := _text(fields, name)))


def _wice_page(fields: Fields) -> Source:
    lines = _strings(fields, "evidence")
    titles = (one.removeprefix(_WICE_TITLE).strip() for one in lines if one.startswith(_WICE_TITLE))
    return _source("\n".join(lines), next(titles, None))


def _references(fields: Fields) -> list[Source]:
    """AttributionBench's references; some begin with a title."""
    given = [one for one in _strings(fields, "references") if one.strip()]
    matches = ((_TITLED.fullmatch(one), one) for one in given)
    return [_source(m["text"], m["title"]) if m else _source(one) for m, one in matches]


def _contract(row: Row, reading: Reading) -> Iterator[Fields]:
    """ContractNLI: every contract against every hypothesis."""
    for contract in _objects(row.fields, "documents"):
        known = _required(contract, "id")
        (annotated, *_) = _objects(contract, "annotation_sets") or [{}]
        choices = annotated.get("annotations")
        for key in choices if isinstance(choices, Mapping) else ():
            yield {
                "id": f"{known}/{key}",
                "group": known,
                "text": _at(row.fields, f"labels.{key}.hypothesis"),
                "label": _at(annotated, f"annotations.{key}.choice"),
                "evidence": [_source(_required(contract, "text"), identity=known)],
            }


def _fever_evidence(fields: Fields) -> list[Source]:
    """FEVER's evidence as text: Symmetric, VitaminC, COVID-Fact, HealthVer."""
    sources = _documents(fields.get("evidence_sentence") or fields.get("evidence"))
    title = _text(fields, "page")
    return [_source(s.text, title.replace("_", " ")) if title else s for s in sources]


def _gold_evidence(fields: Fields) -> list[Source]:
    title = _text(fields, "wikipedia_page")
    return [_source(_required(one, "text"), title) for one in _objects(fields, "gold_evidence")]


def _marked(fields: Fields) -> list[bool]:
    """Which passages are gold: what the set marks as such, else what holds an answer."""
    passages = _objects(fields, "ctxs") if fields.get("ctxs") else []
    mark = next((name for name in _GOLD if any(name in passage for passage in passages)), None)
    return [mark is not None and passage.get(mark) is True for passage in passages]


def _oracle(fields: Fields) -> list[bool]:
    """A document that ``answers_found`` says holds an answer is gold (ALCE's oracle files)."""
    marks = [p.get("answers_found") for p in _objects(fields, "docs")] if fields.get("docs") else []
    return [isinstance(mark, list) and any(mark) for mark in marks]


def _short_answers(fields: Fields) -> list[list[str]]:
    return [_strings(pair, "short_answers") for pair in _objects(fields, "qa_pairs")]


def _long_answers(fields: Fields) -> list[str]:
    annotated = _objects(fields, "annotations") if fields.get("annotations") else []
    found = [one for a in annotated if (one := _text(a, "long_answer"))]
    return found or [one for one in [_text(fields, "answer")] if one]


def _paragraphs(fields: Fields) -> object:
    """HotpotQA's and 2Wiki's paragraphs, as the authors and as data hubs write them."""
    context = fields.get("context")
    if not isinstance(context, Mapping):
        return context
    titles, texts = _strings(context, "title"), context.get("sentences")
    if not isinstance(texts, list) or len(texts) != len(titles):
        raise Fault("titles and sentences that do not match")
    return [list(pair) for pair in zip(titles, texts, strict=True)]


def _supporting(fields: Fields) -> list[bool]:
    """Which paragraphs are needed."""
    facts = fields.get("supporting_facts")
    if isinstance(facts, Mapping):
        needed = set(_strings(facts, "title"))
    elif isinstance(facts, list):
        needed = {fact[0] for fact in facts if isinstance(fact, list) and fact}
    else:
        raise Fault("no supporting_facts")
    return [source.title in needed for source in _documents(_paragraphs(fields))]


def _qed_answers(fields: Fields) -> list[str]:
    """Spans that an annotator of NQ marked together are one answer, joined by commas."""
    if "original_nq_answers" not in fields:
        return [", ".join(_strings(fields, "answer_text"))]
    marked = fields["original_nq_answers"]
    spans = (
        [_objects({"spans": own}, "spans") for own in marked] if isinstance(marked, list) else []
    )
    given = _objects(fields, "annotation.answer") if _at(fields, "annotation.answer") else []
    return [
        *(", ".join(_required(span, "string") for span in own) for own in spans),
        *(_required(answer, "paragraph_reference.string") for answer in given),
    ]


def _qed_paragraph(fields: Fields) -> Source:
    return _source(_required(fields, "paragraph_text"), _text(fields, "title_text"))


def _squad(row: Row, reading: Reading) -> Iterator[Fields]:
    """SQuAD and XQuAD: an article's paragraphs, each with its questions."""
    title = _text(row.fields, "title")
    for paragraph in _objects(row.fields, "paragraphs"):
        context = _source(_required(paragraph, "context"), title and title.replace("_", " "))
        for asked in _objects(paragraph, "qas"):
            if asked.get("is_impossible") is True:
                reading.leave_out(row, "questions that the paragraph does not answer")
                continue
            yield {
                "id": asked.get("id"),
                "question": asked.get("question"),
                "answers": [_required(one, "text") for one in _objects(asked, "answers")],
                "documents": [context],
                "gold": [True],
            }


def _is_open_qa(fields: Fields) -> bool:
    """Whether question and answers are texts."""
    answers = fields.get("answers", fields.get("answer"))
    flat = isinstance(answers, list) and all(isinstance(one, str) for one in answers)
    return isinstance(fields.get("question"), str) and (flat or isinstance(answers, str))


def _claims(fields: Fields) -> list[list[str]]:
    return [[claim] for claim in _strings(fields, "claims")]


def _trivia(fields: Fields) -> list[str]:
    return [_required(fields, "Answer.Value"), *_strings(fields, "Answer.Aliases")]


def _are_lists(fields: Fields) -> bool:
    groups = fields["answers"]
    return isinstance(groups, list) and bool(groups) and isinstance(groups[0], list)


# --- Sets whose files belong together ---------------------------------------------------------

_LITERAL = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.S)


def _scifact(reading: Reading) -> Iterator[Item]:
    """Every claim with the abstracts that it cites, as BEIR's SciFact has them."""
    corpus = reading.second(_abstract)
    if not corpus:
        raise InputError(
            "The claims name their abstracts by number only.",
            "Give the set's corpus (doc_id, title, abstract) as a second file.",
        )
    reading.corpus.extend(corpus.values())
    words = {row.part: set(re.split(r"[\W_]+", row.part.stem.lower())) for row in reading.mains}
    held = [row for row in reading.mains if words[row.part] & {"validation", "dev"}]
    reading.mains = held or reading.mains
    relevant: defaultdict[tuple[str, str], dict[str, int]] = defaultdict(dict)

    def query(row: Row, given: Mapped, reading: Reading) -> Query:
        """Tables have a row for each piece of evidence, side by side."""
        said, cited = given.required("text"), row.fields.get("cited_doc_ids")
        listed = cited if isinstance(cited, list) else re.findall(r"\d+", str(cited))
        known = given.text("id") or row.place
        seen = relevant[row.part.name, known]
        if seen:
            raise _Again
        seen.update(dict.fromkeys((d for d in map(str, listed) if d in corpus), 1))
        if not seen:
            raise Fault("it cites no abstract of the corpus")
        return Query(known, said, seen)

    yield from reading.items(query)


def _abstract(row: Row) -> tuple[str, Source]:
    """Tables of data hubs have lists as numpy prints them."""
    printed = _text(row.fields, "abstract")
    if printed is None:
        parts = _strings(row.fields, "abstract")
    else:
        parts = [str(ast.literal_eval(one)) for one in _LITERAL.findall(printed)] or [printed]
    known = _required(row.fields, "doc_id")
    return known, _source(_joined(parts), _text(row.fields, "title"), known)


def _beir(reading: Reading) -> Iterator[Item]:
    """BEIR: a corpus, queries, and for each split which documents are relevant to which query."""
    judged: dict[Part, list[Row]] = {}
    for row in reading.besides:
        if "query-id" in row.fields:
            judged.setdefault(row.part, []).append(row)
    splits = {part.stem.lower(): part for part in judged}
    reading.besides = [row for row in reading.besides if row.part not in judged]
    corpus = reading.second(_beir_document)
    reading.corpus.extend(corpus.values())
    if not corpus or not judged:
        missing = "qrels" if corpus else "corpus.jsonl"
        raise InputError(
            f"There is no {missing} beside the queries.",
            "Give the set's folder or archive, or corpus.jsonl, queries.jsonl and qrels/test.tsv.",
        )
    if len(judged) > 1 and "test" not in splits:
        have = ", ".join(part.stem for part in judged)
        raise InputError("The set has no split 'test'.", f"It has {have}; give one of them.")
    if len(judged) > 1:
        reading.notes["The split is test."] = None
    part = splits.get("test") or next(iter(judged))
    relevant: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for row in judged[part]:
        document, score = _text(row.fields, "corpus-id"), _label(row.fields.get("score")) or ""
        if document not in corpus:
            reading.leave_out(row, "a relevant document that is not in the corpus")
        elif not re.fullmatch(r"-?\d+", score):
            reading.leave_out(row, "a score that is no whole number")
        elif int(score) > 0:
            relevant[_text(row.fields, "query-id") or ""][document] = int(score)

    def query(row: Row, given: Mapped, reading: Reading) -> Query:
        known = given.required("id")
        if known not in relevant:
            raise Fault("no document of this split is relevant to it")
        return Query(known, given.required("text"), relevant[known])

    yield from reading.items(query)


def _beir_document(row: Row) -> tuple[str, Source]:
    """Some sets have documents of a title alone."""
    body, known = row.fields.get("text"), _required(row.fields, "_id")
    if not isinstance(body, str):
        raise Fault("no text")
    return known, _source(body, _text(row.fields, "title"), known)


def _searched(reading: Reading) -> Iterator[Item]:
    """Questions as queries: what holds the answer is to be found among all their documents."""
    questions = [q for q in reading.items(_question) if isinstance(q, Question)]
    reading.corpus.extend({s.id: s for q in questions for s in q.sources}.values())
    without = sum(not question.gold for question in questions)
    if without:
        reading.notes[f"{without:,} left out, no document is marked as their answer's."] = None
    for question in questions:
        if question.gold:
            yield Query(question.id, question.text, dict.fromkeys(question.gold, 1))


# --- The table --------------------------------------------------------------------------------

GENERIC = Format(
    "generic",
    "any rows of text (or claim), label and, if there is any, evidence (text, texts or documents)",
    "label",
    f"id=id group=group text={_STATED} label=label before=before about=about|question|title "
    "evidence=evidence|documents|passages|context|sources|document|doc part=part|dataset",
    labels=_COMMON_LABELS,
    when=lambda fields: any(isinstance(fields.get(name), str) for name in _STATED.split("|")),
    bare=True,
)
_WIKIBIO = Format(
    "wikibio",
    "WikiBio GPT-3 (SelfCheckGPT): gpt3_sentences, annotation, wiki_bio_text",
    "gpt3_sentences annotation wiki_bio_text",
    labels={"accurate": True, "minor inaccurate": False, "major inaccurate": False},
    parts=_wikibio,
)
_FELM = Format(
    "felm",
    "FELM: segmented_response and labels; as a second file CEG's passages, if you have them",
    "segmented_response labels prompt",
    labels={"true": True, "false": False},
    beside="question response tag ress",
    parts=_felm,
    bare=True,
)
_ATTRIBUTE = (
    Format(
        "wikiretr",
        "WikiRetr (CEG): claim, title, session, content; human_eval where people judged",
        "claim title session content",
        "group=title text=claim",
        reads={"label": _judged_by_people, "evidence": _ceg_passage},
        labels={**_ONE_ZERO, _BY_CONSTRUCTION: True},
        label_notes={
            _BY_CONSTRUCTION: "Claims without a human label count as supported, because they were "
            "written from their passage; where people judged, they found some of them not "
            "supported."
        },
    ),
    Format(
        "wice",
        "WiCE: claim, evidence (the whole page), label, meta",
        "claim evidence label meta",
        "id=meta.id group=meta.claim_title text=claim label=label before=meta.claim_context "
        "about=meta.claim_title",
        reads={"evidence": _wice_page},
        labels={"supported": True, "partially supported": False, "not supported": False},
    ),
    Format(
        "attributionbench",
        "AttributionBench: claim, references, attribution_label",
        "claim references attribution_label",
        "id=id same=question text=claim label=attribution_label about=question part=src_dataset",
        reads={"evidence": _references},
        labels=_ATTRIBUTABLE,
    ),
    Format(
        "begin",
        "BEGIN (.tsv): knowledge, response, begin_label",
        "knowledge response begin_label",
        "id=id same=knowledge text=response label=begin_label evidence=knowledge about=message",
        reads={"part": lambda fields: _path(fields, "data_source", "model_name")},
        labels=_ATTRIBUTABLE,
    ),
    Format(
        "aggrefact",
        "AggreFact (.csv): dataset, doc, summary or summ, model_name, label",
        "dataset model_name label summary|summ",
        "same=doc text=summary|summ label=label evidence=doc part=dataset",
        reads={"id": lambda fields: _path(fields, "dataset", "id", "model_name")},
        labels=_ONE_ZERO,
    ),
    Format(
        "llm-aggrefact",
        "LLM-AggreFact (.csv or .jsonl): dataset, doc, claim, label",
        "dataset doc claim label",
        "same=doc text=claim label=label evidence=doc part=dataset",
        labels=_ONE_ZERO,
    ),
    Format(
        "summac",
        "SummaC benchmark: document, claim, label",
        "document claim label",
        "id=id same=document text=claim label=label evidence=document part=dataset",
        labels=_ONE_ZERO,
    ),
    Format(
        "summedits",
        "SummEdits: doc, summary, label",
        "doc summary label",
        "id=id same=doc text=summary label=label evidence=doc part=domain",
        labels=_ONE_ZERO,
        without="model_name",
    ),
    Format(
        "contract-nli",
        "ContractNLI: documents with annotations, and labels with hypotheses",
        "documents labels",
        labels={"entailment": True, "contradiction": False, "notmentioned": False},
        parts=_contract,
    ),
    Format(
        "nli",
        "SNLI, MNLI and their like: premise, hypothesis (or sentence1, sentence2) and label",
        "premise|sentence1 hypothesis|sentence2 gold_label|label|entailment",
        "id=pairid|pairID|id|index same=premise|sentence1 text=hypothesis|sentence2 "
        "label=gold_label|label|entailment evidence=premise|sentence1 part=language|genre",
        labels=_ENTAILMENT,
        label_notes=dict.fromkeys(
            "012", "Of the labels 0 is entailment, 1 neutral, 2 contradiction."
        ),
        without="claim evidence",
    ),
    Format(
        "foolmetwice",
        "Fool Me Twice: text, label, gold_evidence",
        "text label gold_evidence",
        "id=id group=wikipedia_page text=text label=label",
        reads={"evidence": _gold_evidence},
        labels=_VERDICTS,
        notes=("The documents are the gold evidence.",),
    ),
    Format(
        "factcheck-gpt",
        "FactCheck-GPT's stance: claim, evidence, stance",
        "claim evidence stance",
        "same=claim text=claim label=stance evidence=evidence",
        labels=_STANCES,
    ),
    Format(
        "fever",
        "FEVER-like (Symmetric, VitaminC, COVID-Fact, HealthVer): claim, label, evidence as text",
        "claim label evidence|evidence_sentence",
        "id=unique_id|id group=case_id|page|gold_source same=claim text=claim label=label "
        "about=question",
        reads={"evidence": _fever_evidence},
        labels=_VERDICTS,
        without="meta",
        when=lambda fields: _normal(str(fields["label"])) in _VERDICTS,
    ),
    GENERIC,
)
_OPEN_QA = Format(
    "open-qa",
    "NQ-open, TriviaQA, WebQuestions as DPR, FiD and Lost in the Middle have them: "
    "question, answers, ctxs if any",
    "question",
    "id=id|question_id|q_uid question=question answers=answers|answer documents=ctxs",
    reads={"gold": _marked},
    without="context paragraphs docs claims qa_pairs knowledge label ress",
    when=_is_open_qa,
)
_QUESTIONS = (
    Format(
        "hotpotqa",
        "HotpotQA and 2WikiMultihopQA: question, answer, context, supporting_facts",
        "question answer context supporting_facts",
        "id=_id|id question=question answers=answer",
        reads={"documents": _paragraphs, "gold": _supporting},
    ),
    Format(
        "qed",
        "QED: question_text, paragraph_text",
        "question_text paragraph_text",
        "id=example_id question=question_text",
        reads={
            "answers": _qed_answers,
            "documents": _qed_paragraph,
            "gold": lambda fields: [True],
        },
    ),
    Format("squad", "SQuAD, XQuAD: paragraphs with qas", "paragraphs title", parts=_squad),
)
_ALCE = "id=sample_id|id|qid question=question documents=docs output=output"
_SCIFACT = Format(
    "scifact",
    "SciFact: the abstracts that a claim cites; claims and corpus, or their folder or archive",
    "claim cited_doc_ids",
    "id=id text=claim",
    beside="doc_id abstract",
    whole=_scifact,
    notes=(
        "Relevant is what a claim cites; BEIR's test queries are SciFact's validation claims, "
        "which are taken where no split is named.",
    ),
)

FORMATS: Mapping[Task, tuple[Format, ...]] = {
    "detect": (_WIKIBIO, _FELM, GENERIC),
    "attribute": _ATTRIBUTE,
    "choose": (
        Format(
            "halueval",
            "HaluEval QA: knowledge, question, right_answer, hallucinated_answer",
            "knowledge question right_answer hallucinated_answer",
            "id=id question=question right=right_answer wrong=hallucinated_answer "
            "evidence=knowledge",
        ),
    ),
    "retrieve": (
        Format(
            "beir",
            "BEIR (folder, archive or files): corpus.jsonl, queries.jsonl, qrels/<split>.tsv",
            "_id text",
            "id=_id text=text",
            without="title",
            beside="query-id corpus-id score,_id title text",
            whole=_beir,
        ),
        _SCIFACT,
        replace(_OPEN_QA, needs="question ctxs", whole=_searched),
        *(replace(form, whole=_searched) for form in _QUESTIONS),
    ),
    "answer": (
        Format(
            "asqa",
            "ASQA in ALCE's format: question, qa_pairs, docs; an output to judge, if there is one",
            "question qa_pairs",
            _ALCE,
            reads={"answers": _short_answers, "long": _long_answers, "gold": _oracle},
        ),
        Format(
            "qampari",
            "QAMPARI in ALCE's format: question, answers (lists of aliases), docs, output if any",
            "question answers",
            f"{_ALCE} answers=answers",
            reads={"gold": _oracle},
            without="qa_pairs",
            when=_are_lists,
        ),
        Format(
            "eli5",
            "ELI5 in ALCE's format: question, claims, docs, output if any",
            "question claims answer",
            f"{_ALCE} long=answer",
            reads={"answers": _claims, "gold": _oracle},
            notes=(
                "The answers are claims that an answer must entail; do not look for their words.",
            ),
        ),
        *_QUESTIONS,
        _OPEN_QA,
        Format(
            "triviaqa",
            "TriviaQA as its authors publish it: Question, Answer",
            "Question Answer",
            "id=QuestionId question=Question",
            reads={"answers": _trivia},
        ),
    ),
}
"""In the order in which they are tried; any rows of text and label come last."""


# --- From files to items ----------------------------------------------------------------------


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
            use a second file (FELM: CEG's passages; SciFact: a corpus).
        format: Its name; by default it is recognised by the fields of the first rows.
        label_map: Labels to true or false, instead of the format's own map.

    Raises:
        SettingsError: The task has no format of this name.
        InputError: A file cannot be read or is damaged, its format is not known, or nothing in it
            could be used.
    """
    files = {part: _rows(part) for part in parts_of(paths)}
    form, mains, besides, remarks = _sorted_files(task, files, format)
    reading = Reading(
        form,
        [row for part in mains for row in files[part]],
        [row for part in besides for row in files[part]],
        label_map or {},
    )
    makers: Mapping[Task, Callable[[Row, Mapped, Reading], Item]] = {
        "choose": _choice,
        "answer": _question,
    }
    read = form.whole(reading) if form.whole else reading.items(makers.get(task, _statement))
    items = tuple(_unique(read))
    unmet = reading.unmet_labels
    unknown = [f"No row has the label {', '.join(map(repr, unmet))}."] if unmet else []
    notes = (*reading.notes, *reading.left_out, *unknown)
    if not items:
        names = ", ".join(part.name for part in mains)
        raise InputError(
            f"Nothing in {names} could be used as {form.name}: "
            f"{' '.join(notes) or 'there are no rows.'}",
            "Check the files, the split, and the labels that they have.",
        )
    return Loaded(
        task=task,
        format=form.name,
        items=items,
        corpus=tuple(reading.corpus),
        label_map=reading.label_map,
        notes=(*notes, *_remarks(items), *remarks),
        left_out=reading.left_out,
        unmet_labels=unmet,
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


def _remarks(items: Sequence[Item]) -> Iterator[str]:
    truths = {item.truth for item in items if isinstance(item, Statement)}
    if len(truths) == 1:
        kind, other = ("true", "false") if truths == {True} else ("false", "true")
        yield (
            f"All labels are {kind}: nothing can be told apart, and figures that need {other} "
            "ones too are n/a."
        )
    judged = [item for item in items if isinstance(item, Statement | Question)]
    bare = sum(not item.sources for item in judged)
    if bare:
        yield f"{bare:,} of {len(judged):,} come without documents."


_Files = Mapping[Part, Sequence[Row]]
_Sorted = tuple[Format, list[Part], list[Part], list[str]]
"""A format, its own files, its second files, and what is said of the others."""


def _sorted_files(task: Task, files: _Files, name: str | None) -> _Sorted:
    """What these files are of, by name if one is given."""
    forms = [form for form in FORMATS[task] if name in (None, form.name)]
    if not forms:
        known = ", ".join(sorted(formats_of(task)))
        raise SettingsError(f"The task {task} has no format {name!r}.", f"It has {known}.")
    fields = {part: _first_fields(rows) for part, rows in files.items()}
    for form in forms:
        own = [part for part, first in fields.items() if first and form.recognises(first)]
        beside = [
            part
            for part, first in fields.items()
            if part not in own and first and form.is_beside(first)
        ]
        rest = [part for part in files if part not in own and part not in beside]
        if name is not None:
            taken = [part for part in rest if not part.collected or not own]
            own, rest = [*own, *taken], [part for part in rest if part not in taken]
        elif not own or not all(part.collected for part in rest):
            continue
        remarks = [f"Not read: {', '.join(part.name for part in rest)}."] if rest else []
        return form, own, beside, remarks
    raise _unknown(task, fields)


def _first_fields(rows: Sequence[Row]) -> Fields:
    return next((row.fields for row in rows if not row.fault), {})


def _unknown(task: Task, heads: Mapping[Part, Fields]) -> InputError:
    known = {part: _recognised(task, fields) for part, fields in heads.items()}
    if not known:
        return InputError("No file is given.", "Name the files of one set.")
    part = next((part for part, forms in known.items() if not forms), None)
    if part is None:
        said = ", ".join(f"{part.name} is {forms[0]}" for part, forms in known.items())
        return InputError(f"The files are of different formats: {said}.", "Give one set at a time.")
    names = list(heads[part])
    if not names:
        return InputError(f"{part.name} has no row that can be read.", "Check what the file holds.")
    seen = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
    elsewhere = [other for other in FORMATS if _recognised(other, heads[part])]
    beside = [form.name for form in FORMATS[task] if form.is_beside(heads[part])]
    return InputError(
        f"The format of {part.name} is not known: its fields are {seen}."
        + (f" It is a set for the task {' or '.join(elsewhere)}." if elsewhere else "")
        + (f" It goes beside the rows of {' or '.join(beside)}." if beside else ""),
        f"The task {task} reads {', '.join(sorted(formats_of(task)))}; --format chooses one.",
    )


def _recognised(task: Task, fields: Fields) -> list[str]:
    """The task's formats that a first row is one of."""
    return [form.name for form in FORMATS[task] if fields and form.recognises(fields)]
