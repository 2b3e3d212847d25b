"""Upstream files as an evaluation's items: one table of field maps, recognised by their fields.

A format maps what an item consists of to the fields of its rows. Where a row holds several items,
``parts`` takes it apart; where files belong together, ``whole`` reads them all. Files are JSON,
JSON lines, CSV and TSV, also compressed, in folders and in zip archives.
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
from functools import partial
from pathlib import Path, PurePath
from typing import TypeVar

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
_Made = TypeVar("_Made")

_DATA = {".json", ".jsonl", ".jsonlines", ".ndjson", ".csv", ".tsv"}
"""What is data in a folder or an archive; a licence or a page of notes beside it is not."""
_GZIP, _BOM = b"\x1f\x8b", b"\xef\xbb\xbf"
_WRAPPERS = ("data", "Data")
"""Where ALCE's results and TriviaQA keep their rows."""
_SHOWN = 20
"""Fields that a message names."""
_NAMED = 3
"""Places that a note names for each reason."""


# --- Rows of files ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a file."""

    fields: Fields
    file: str
    """Without folders."""
    where: str
    """Its place in words: ``line 3``."""
    place: str
    """An id for a record without one of its own, also where several files are read as one set."""
    fault: str = ""
    """Why it cannot be read, if it cannot."""


@dataclass(frozen=True, slots=True)
class File:
    """A file, or one file in a zip archive."""

    name: str
    rows: tuple[Row, ...]
    collected: bool
    """Found in a folder or an archive, not named by the user."""

    @property
    def first(self) -> Fields:
        """The fields of the first row that can be read; none if there is none."""
        return next((row.fields for row in self.rows if not row.fault), {})


def files_of(path: Path) -> list[Path]:
    """The file, or the files of data in the folder, by name.

    Raises:
        InputError: There is no file.
    """
    if not path.exists():
        raise InputError(f"There is no file {path}.", "Check the spelling of the path.")
    if not path.is_dir():
        return [path]
    found = (file for file in path.rglob("*") if file.is_file())
    return _some(path, sorted(file for file in found if _is_data(file.relative_to(path))))


def _is_data(path: PurePath) -> bool:
    return _kind(path.name) in _DATA and not any(
        step.startswith((".", "__MACOSX")) for step in path.parts
    )


def _kind(name: str) -> str:
    return PurePath(name.lower().removesuffix(".gz")).suffix


def _some(path: Path, found: list[_Made]) -> list[_Made]:
    if not found:
        raise InputError(
            f"{path.name} holds no file of labelled data.",
            "Give a folder or archive with .jsonl, .json, .csv or .tsv files.",
        )
    return found


def _read(path: Path) -> Iterator[File]:
    """The files behind a path that the user named.

    Raises:
        InputError: There is none, or one cannot be read, is damaged, or is of no known kind.
    """
    for file in files_of(path):
        archive = file.suffix.lower() == ".zip"
        for name, content in _contents(file):
            found = (
                _table(name, content) if _kind(name) in (".csv", ".tsv") else _json(name, content)
            )
            rows = [
                Row(value, name, where, place)
                if isinstance(value, dict)
                else Row({}, name, where, place, value or "no JSON object")
                for where, place, value in found
            ]
            yield File(name, tuple(rows), archive or file != path)


def _contents(file: Path) -> list[tuple[str, bytes]]:
    """Each name with what it holds: one of a file, several of an archive."""
    try:
        if file.suffix.lower() != ".zip":
            held = [(file.name, file.read_bytes())]
        else:
            with zipfile.ZipFile(file) as archive:
                names = sorted(n for n in archive.namelist() if _is_data(PurePath(n)))
                held = [(PurePath(n).name, archive.read(n)) for n in _some(file, names)]
        plain = [(n, gzip.decompress(c) if c.startswith(_GZIP) else c) for n, c in held]
    except (gzip.BadGzipFile, zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise InputError(
            f"{file.name} is damaged ({error}).", "Get the file again and compare its size."
        ) from None
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"{file.name} cannot be read ({reason}).", "Check the path and who may read it."
        ) from None
    return [(name, content.removeprefix(_BOM)) for name, content in plain]


_Records = Iterable[tuple[str, str, dict[str, object] | str | None]]
"""Of each record its place in words, its number, and its fields or what is wrong with it."""


def _json(name: str, content: bytes) -> _Records:
    """One JSON value, or one a line; lines end at ``\\n`` alone, as texts may hold U+2028."""
    try:
        whole = json.loads(content)
    except (ValueError, RecursionError):
        lines = enumerate(content.split(b"\n"), start=1)
        found = [(f"line {n}", str(n), _parsed(line)) for n, line in lines if line.strip()]
        if not any(isinstance(value, dict) for *_, value in found) and found:
            whole_value = content.lstrip().startswith((b"{", b"["))
            kinds = "not valid JSON" if whole_value else "neither JSON, JSON lines, CSV nor TSV"
            raise InputError(
                f"{name} is {kinds}.",
                "Get the file again and compare its size."
                if whole_value
                else "Give the set's file as its authors publish it.",
            ) from None
        return found
    if isinstance(whole, dict):
        inner = next((whole[key] for key in _WRAPPERS if isinstance(whole.get(key), list)), None)
        wraps = inner and all(isinstance(one, dict) for one in inner)
        whole = inner if wraps else [whole]
    values = whole if isinstance(whole, list) else [None]
    return [
        (f"row {n}", str(n), value if isinstance(value, dict) else None)
        for n, value in enumerate(values, start=1)
    ]


def _parsed(line: bytes) -> dict[str, object] | str | None:
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return "no valid JSON"
    return value if isinstance(value, dict) else None


def _table(name: str, content: bytes) -> _Records:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8 text.", "Save it as UTF-8.") from None
    tabs = _kind(name) == ".tsv" or "\t" in text.lstrip().partition("\n")[0]
    names: list[str] = []
    for number, values in _tabs(text) if tabs else _commas(name, text):
        if not any(value.strip() for value in values):
            continue
        if not names:
            names = [column.strip().lower() for column in values]
        elif len(values) == len(names):
            yield f"line {number}", str(number), dict(zip(names, values, strict=True))
        else:
            yield f"line {number}", str(number), f"not the header's {len(names)} columns"


def _tabs(text: str) -> Iterator[tuple[int, list[str]]]:
    """Fields without the quotes that a CSV writer put around them; other quotes stay."""
    for number, line in enumerate(text.split("\n"), start=1):
        values = line.rstrip("\r").split("\t")
        quoted = [re.fullmatch(r'"((?:[^"]|"")*)"', value) for value in values]
        pairs = zip(values, quoted, strict=True)
        yield number, [found[1].replace('""', '"') if found else value for value, found in pairs]


def _commas(name: str, text: str) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(2**31 - 1)
    reader = csv.reader(io.StringIO(text, newline=""))
    begins = 1
    try:
        for values in reader:
            yield begins, values
            begins = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{name} is no valid CSV (line {reader.line_num}: {error}).", "Mend or leave it out."
        ) from None


# --- Fields as texts, lists and documents -----------------------------------------------------


class Fault(ValueError):
    """Why a row cannot be used, in a few words: ``no label``."""


def _at(fields: Fields, names: str) -> object:
    """What the first of these fields holds that holds anything; None if none does.

    Names are parted by ``|``; ``meta.id`` is a field of the object in ``meta``.
    """
    for name in names.split("|"):
        value: object = fields
        for step in name.split("."):
            value = value.get(step) if isinstance(value, Mapping) else None
        if value not in (None, "", []):
            return value
    return None


def _text(fields: Fields, names: str) -> str | None:
    """The same as a text, where it is one or a whole number."""
    value = _at(fields, names)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value.strip() else None


def _required(fields: Fields, names: str) -> str:
    found = _text(fields, names)
    if found is None:
        raise Fault(f"no {names.partition('|')[0]}")
    return found


def _label(value: object) -> str | None:
    """A label as text: ``true`` for true, ``1`` for 1 and 1.0; None where it is none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:g}"
    return value.strip().removesuffix(".0") or None if isinstance(value, str) else None


def _objects(fields: Fields, name: str) -> list[Fields]:
    """A field that holds objects; none where it is missing."""
    value = _at(fields, name) or []
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


def _digest(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _source(content: str, title: str | None = None, identity: str | None = None) -> Source:
    """A document; its id is a hash of what it says unless the set has one for its whole corpus."""
    title = title if title and title.strip() else None
    return Source(identity or _digest(f"{title or ''}\0{content}"), content, title)


_CONTENT = "text|content|paragraph_text|passage|contents|sentence|sent"
_TITLED = re.compile(r"Title: (?P<title>[^\n]+)\n+(?:Text: )?(?P<text>.+)", re.S)


def _documents(value: object, identified: str = "", title: str | None = None) -> tuple[Source, ...]:
    """Documents: a text, or texts, objects with title and text, or pairs of both.

    Args:
        value: As the set has it; nothing gives no documents.
        identified: The field that identifies a document in the set's whole corpus.
        title: Of those that have none of their own.
    """
    every = value if isinstance(value, list) else [value]
    return tuple(_document(one, identified, title) for one in every if one not in (None, ""))


def _document(value: object, identified: str, title: str | None) -> Source:
    if isinstance(value, str):
        titled = _TITLED.fullmatch(value)
        return _source(titled["text"], titled["title"]) if titled else _source(value, title)
    if isinstance(value, Mapping):
        content = next((v for n in _CONTENT.split("|") if isinstance(v := value.get(n), str)), None)
        if content is not None:
            return _source(content, _text(value, "title") or title, _text(value, identified))
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str):
        body = (
            value[1] if isinstance(value[1], str) else _joined(_strings({"text": value[1]}, "text"))
        )
        return _source(body, value[0])
    raise Fault("a document without text")


def _joined(sentences: Iterable[str]) -> str:
    """Sentences in one text: some sets keep the space before each, some do not."""
    return " ".join(one.strip() for one in sentences if one.strip())


# --- One set: its files as one format ---------------------------------------------------------

_COMMON_TRUE = """1|true|yes|supported|supports|support|completely support|entailment|entailed
entails|factual|accurate|attributable|fully attributable|faithful|consistent|correct"""
_COMMON_FALSE = """0|false|no|contradicted|contradicts|contradiction|contradict|refuted|refutes
refute|not found|uncertain|not checkable|not supported|unsupported|partially supported|neutral
partially support|irrelevant|generic|minor inaccurate|major inaccurate
not entailment|not enough info|not enough information|not enough evidence|nei|notenoughinfo
notmentioned|disputed|nonfactual|non factual|not factual|inaccurate|not attributable
not fully attributable|hallucinated|inconsistent|incorrect"""
_LABELS = {
    **dict.fromkeys(re.split(r"[|\n]", _COMMON_TRUE), True),
    **dict.fromkeys(re.split(r"[|\n]", _COMMON_FALSE), False),
}
"""What sets call supported and what they call anything else, among it Veracite's five labels."""


@dataclass(frozen=True, slots=True)
class Format:
    """A way in which a set is published."""

    name: str
    about: str
    """One line for the command's help."""
    needs: str
    """Fields by which a first row is known; ``a|b`` is one of both."""
    fields: str = ""
    """What an item consists of, and the fields that hold it: the first that holds anything of
    ``a|b``, and all of ``a+b`` with a slash between."""
    parts: Callable[[Row, "Reading"], Iterable[Fields]] | None = None
    """The items of a row, by what they consist of, where a map does not say it."""
    labels: Mapping[str, bool] = field(default_factory=lambda: _LABELS)
    """Labels in lower case, with one space between words, to true or false."""
    without: str = ""
    """Fields that a first row must not have."""
    when: Callable[[Fields], bool] = lambda fields: True
    """What else must be so of a first row."""
    beside: str = ""
    """Fields of a second file; of several kinds of second files parted by commas."""
    whole: Callable[["Reading"], Iterator[Item]] | None = None
    """All items, where rows depend on each other."""
    notes: tuple[str, ...] = ()

    def recognises(self, fields: Fields) -> bool:
        """Whether a first row is one of this format."""
        lacks = fields.keys().isdisjoint(self.without.split())
        return bool(fields) and lacks and _has(fields, self.needs) and self.when(fields)

    def is_beside(self, fields: Fields) -> bool:
        """Whether a first row is one of a second file that this format can use."""
        kinds = self.beside.split(",") if fields and self.beside else []
        return any(_has(fields, kind) for kind in kinds)

    def mapped(self, row: Row) -> dict[str, object]:
        """What the row's item consists of, by the map."""
        pairs = (pair.split("=") for pair in self.fields.split())
        return {
            name: "/".join(part for one in names.split("+") if (part := _text(row.fields, one)))
            if "+" in names
            else _at(row.fields, names)
            for name, names in pairs
        }


def _has(fields: Fields, needs: str) -> bool:
    return all(fields.keys() & set(need.split("|")) for need in needs.split())


class Reading:
    """One format's pass over its files: rows that cannot be used are counted, with the reason.

    Args:
        form: How rows are read.
        mains: The files whose rows become items.
        besides: The format's second files.
        wanted: Labels to true or false, instead of the format's own map.
    """

    def __init__(
        self,
        form: Format,
        mains: Sequence[File],
        besides: Sequence[File],
        wanted: Mapping[str, bool],
    ) -> None:
        self.form = form
        self.mains = list(mains)
        self.besides = [row for file in besides for row in file.rows]
        self.several = len(mains) > 1
        self.corpus: list[Source] = []
        self.label_map: dict[str, bool] = {}
        self.notes: dict[str, None] = dict.fromkeys(form.notes)
        self._wanted = wanted
        self._left_out: defaultdict[str, list[str]] = defaultdict(list)
        self._truths = {**form.labels, **{_normal(name): v for name, v in wanted.items()}}

    def items(self, make: Callable[[Row, Fields, "Reading"], Item | None]) -> Iterator[Item]:
        """The items of all rows; what cannot be used is left out."""
        for file in self.mains:
            for row in file.rows:
                if self.several:
                    row = replace(row, place=f"{_stem(row)}:{row.place}")
                for given in self.attempt(row, partial(self._parts, row)) or ():
                    made = self.attempt(row, partial(make, row, given, self))
                    if made is not None:
                        yield made

    def _parts(self, row: Row) -> list[Fields]:
        return list(self.form.parts(row, self)) if self.form.parts else [self.form.mapped(row)]

    def attempt(self, row: Row, read: Callable[[], _Made]) -> _Made | None:
        """What a function reads off a row; None where it cannot be used, which is counted."""
        try:
            if row.fault:
                raise Fault(row.fault)
            return read()
        except Fault as fault:
            self.leave_out(row, str(fault))
            return None

    def second(self, identified: str, content: str) -> dict[str, Source]:
        """The documents of the second file by their id, which a field holds as another the text."""

        def read(row: Row) -> Source:
            known, body = _required(row.fields, identified), row.fields.get(content)
            if not isinstance(body, str | list):
                raise Fault(f"no {content}")
            text = _unprinted(body) if isinstance(body, str) else _joined(map(str, body))
            return _source(text, _text(row.fields, "title"), known)

        found = (self.attempt(row, partial(read, row)) for row in self.besides)
        return {source.id: source for source in found if source}

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

    def leave_out(self, row: Row, reason: str) -> None:
        """Count a row, or something in it, that is not among the items."""
        self._left_out[reason].append(f"{row.file} {row.where}")

    @property
    def left_out(self) -> tuple[str, ...]:
        """How many rows are not among the items, for each reason."""
        told = []
        for reason, places in self._left_out.items():
            first, *more = (distinct := list(dict.fromkeys(places)))[:_NAMED]
            dots = ["..."] if len(distinct) > _NAMED else []
            told.append(f"{len(places):,} left out, {reason} ({', '.join([first, *more, *dots])}).")
        return tuple(told)

    @property
    def unmet_labels(self) -> tuple[str, ...]:
        """Labels that were given a meaning and that no row has."""
        met = {_normal(name) for name in self.label_map}
        return tuple(sorted(name for name in self._wanted if _normal(name) not in met))


def _normal(named: str) -> str:
    """A label as maps have it: lower case, words apart by one space."""
    return re.sub(r"[\W_]+", " ", named.casefold()).strip()


def _stem(row: Row) -> str:
    return row.file.split(".")[0]


_LITERAL = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.S)


def _unprinted(body: str) -> str:
    """A text; tables of data hubs have lists of them as numpy prints these."""
    if not body.startswith(("['", '["')):
        return body
    return _joined(str(ast.literal_eval(one)) for one in _LITERAL.findall(body))


# --- Items ------------------------------------------------------------------------------------


def _statement(row: Row, given: Fields, reading: Reading) -> Statement:
    said, named, title = _required(given, "text"), _label(given.get("label")), given.get("title")
    if named is None:
        raise Fault("no label")
    known, shared = _text(given, "id") or row.place, _text(given, "same")
    return Statement(
        id=known,
        group=_text(given, "group") or (_digest(shared) if shared else known),
        text=said,
        truth=reading.truth(named),
        label=named,
        sources=_documents(
            given.get("evidence"), title=title.replace("_", " ") if isinstance(title, str) else None
        ),
        before=_texts(given, "before"),
        part=_text(given, "part") or (_stem(row) if reading.several else ""),
        samples=_texts(given, "samples"),
    )


def _texts(given: Fields, name: str) -> tuple[str, ...]:
    """A list of texts, or one; none if there is nothing."""
    return tuple(one for one in _strings(given, name) if one.strip()) if given.get(name) else ()


_GOLD = ("isgold", "hasanswer", "has_answer", "answers_found")
"""What says of a document that it holds the answer, or which answers: the first that any has."""


def _question(row: Row, given: Fields, reading: Reading) -> Question:
    passages = given.get("documents")
    objects = [p for p in passages if isinstance(p, Mapping)] if isinstance(passages, list) else []
    mark = next((name for name in _GOLD if any(name in one for one in objects)), "")
    marks = [one.get(mark) for one in objects]
    holds = [mark is True or (isinstance(mark, list) and any(mark)) for mark in marks]
    sources = _documents(passages, "id")
    groups = given.get("answers")
    if not isinstance(groups, list) or all(isinstance(one, str) for one in groups):
        groups = [groups]
    answers = [tuple(dict.fromkeys(_texts({"answer": one}, "answer"))) for one in groups]
    if not answers or not all(answers):
        raise Fault("no answer")
    output = given.get("output")
    return Question(
        id=_text(given, "id") or row.place,
        text=_required(given, "question"),
        answers=tuple(answers),
        sources=sources,
        gold=tuple(s.id for s, gold in zip(sources, holds, strict=False) if gold),
        output=output if isinstance(output, str) else None,
    )


def _choice(row: Row, given: Fields, reading: Reading) -> Choice:
    return Choice(
        id=_text(given, "id") or row.place,
        question=_required(given, "question"),
        right=_required(given, "right"),
        wrong=_required(given, "wrong"),
        sources=_documents(_required(given, "evidence")),
    )


# --- Where a map does not say it --------------------------------------------------------------

_BY_CONSTRUCTION = "by construction"


def _segments(
    row: Row, texts: str, labels: str, group: str | None, **shared: object
) -> Iterator[dict[str, object]]:
    """The sentences of a row, each with its label, and those before it as context."""
    said, given = _strings(row.fields, texts), row.fields.get(labels)
    if not isinstance(given, list) or len(given) != len(said):
        raise Fault(f"{len(said)} {texts} without as many labels")
    group = group or row.place
    for place, (text, label) in enumerate(zip(said, given, strict=True)):
        own = {"id": f"{group}.{place + 1}", "text": text, "label": label, "before": said[:place]}
        yield {**own, "group": group, **shared}


def _wikibio(row: Row, reading: Reading) -> Iterator[Fields]:
    """SelfCheckGPT's set: GPT-3's articles, sentence by sentence, and Wikipedia's."""
    return _segments(
        row,
        "gpt3_sentences",
        "annotation",
        _text(row.fields, "wiki_bio_test_idx"),
        evidence=_required(row.fields, "wiki_bio_text"),
        samples=row.fields.get("gpt3_text_samples"),
    )


def _felm(row: Row, reading: Reading) -> Iterator[Fields]:
    """FELM: responses in segments, true where factual; CEG's passages where they are given."""
    asked = _required(row.fields, "prompt")
    found = {
        _text(b.fields, "response"): b for b in reading.besides if b.fields.get("question") == asked
    }
    given = "CEG's passages" if reading.besides else "the annotators' references"
    reading.notes[f"The documents are {given}."] = None
    references = _at(row.fields, "ref_contents")
    index, part = _text(row.fields, "index"), row.fields.get("domain")
    for one in _segments(row, "segmented_response", "labels", index, part=part):
        if not reading.besides:
            yield {**one, "evidence": references}
        elif one["text"] in found:
            passages = _objects(found[one["text"]].fields, "ress.res")
            evidence = [{"title": _ceg_title(p), "text": _at(p, "content")} for p in passages]
            yield {**one, "evidence": evidence}
        else:
            reading.leave_out(row, "no passages for a segment")


def _ceg_title(passage: Fields) -> str:
    """CEG's title and section as this program shows headings."""
    return " > ".join(part for n in ("title", "session") if (part := _text(passage, n)))


def _wikiretr(row: Row, reading: Reading) -> Iterator[Fields]:
    """CEG's claims from passages; people judged some of them."""
    fields = row.fields
    label = _label(fields.get("human_eval"))
    if label is None:
        reading.notes[
            "Claims without a human label count as supported, because they were written from their "
            "passage; where people judged, they found some of them not supported."
        ] = None
    yield {
        "group": fields.get("title"),
        "text": fields.get("claim"),
        "label": label or _BY_CONSTRUCTION,
        "evidence": [{"title": _ceg_title(fields), "text": _required(fields, "content")}],
    }


def _wice(row: Row, reading: Reading) -> Iterator[Fields]:
    """WiCE: a claim against a whole page, which begins with its title."""
    lines = _strings(row.fields, "evidence")
    titles = (one.partition("TITLE:")[2] for one in lines if one.startswith("(meta data) TITLE:"))
    page = {"title": next(titles, "").strip(), "text": "\n".join(lines)}
    yield {**reading.form.mapped(row), "evidence": [page]}


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
                "evidence": contract.get("text"),
            }


def _hotpot(row: Row, reading: Reading) -> Iterator[Fields]:
    """HotpotQA's and 2Wiki's paragraphs, as the authors and as data hubs write them."""
    context, facts = row.fields.get("context"), row.fields.get("supporting_facts")
    if isinstance(context, Mapping):
        titles, texts = _strings(context, "title"), context.get("sentences")
        bodies = texts if isinstance(texts, list) else []
        context = [list(pair) for pair in zip(titles, bodies, strict=False)]
    if isinstance(facts, Mapping):
        needed = set(_strings(facts, "title"))
    else:
        named = facts if isinstance(facts, list) else []
        needed = {str(fact[0]) for fact in named if isinstance(fact, list) and fact}
    paragraphs = _documents(context)
    documents = [
        {"title": p.title, "text": p.text, "isgold": p.title in needed} for p in paragraphs
    ]
    yield {**reading.form.mapped(row), "documents": documents}


def _qed(row: Row, reading: Reading) -> Iterator[Fields]:
    """QED: spans that an annotator of NQ marked together are one answer, joined by commas."""
    fields = row.fields
    marked = fields.get("original_nq_answers")
    every = (
        [_objects({"spans": own}, "spans") for own in marked] if isinstance(marked, list) else []
    )
    spans = [[_required(span, "string") for span in own] for own in every]
    given = [
        _required(a, "paragraph_reference.string") for a in _objects(fields, "annotation.answer")
    ]
    document = {"title": _text(fields, "title_text"), "text": _required(fields, "paragraph_text")}
    answers = [*(", ".join(own) for own in spans), *given]
    yield {
        **reading.form.mapped(row),
        "answers": answers,
        "documents": [{**document, "isgold": True}],
    }


def _is_open_qa(fields: Fields) -> bool:
    """Whether the answers are a text or texts."""
    answers = _at(fields, _ANSWERS)
    return isinstance(answers, str) or (
        isinstance(answers, list) and all(isinstance(one, str) for one in answers)
    )


def _asqa(row: Row, reading: Reading) -> Iterator[Fields]:
    pairs = _objects(row.fields, "qa_pairs")
    answers = [_strings(pair, "short_answers") for pair in pairs]
    yield {**reading.form.mapped(row), "answers": answers}


def _eli5(row: Row, reading: Reading) -> Iterator[Fields]:
    answers = [[claim] for claim in _strings(row.fields, "claims")]
    yield {**reading.form.mapped(row), "answers": answers}


# --- Sets whose files belong together ---------------------------------------------------------


def _scifact(reading: Reading) -> Iterator[Item]:
    """Every claim with the abstracts that it cites, as BEIR's SciFact has them."""
    corpus = reading.second("doc_id", "abstract")
    if not corpus:
        raise InputError(
            "The claims name their abstracts by number only.",
            "Give the set's corpus (doc_id, title, abstract) as a second file.",
        )
    reading.corpus.extend(corpus.values())
    words = [set(re.split(r"[\W_]+", file.name.lower())) for file in reading.mains]
    held = [f for f, own in zip(reading.mains, words, strict=True) if own & {"validation", "dev"}]
    reading.mains = held or reading.mains
    seen: set[tuple[str, str]] = set()

    def query(row: Row, given: Fields, reading: Reading) -> Query | None:
        """Tables have a row for each piece of evidence, side by side."""
        known, cited = _text(given, "id") or row.place, given.get("cited")
        listed = cited if isinstance(cited, list) else re.findall(r"\d+", str(cited))
        relevant = dict.fromkeys((d for d in map(str, listed) if d in corpus), 1)
        if not relevant:
            raise Fault("it cites no abstract of the corpus")
        if (row.file, known) in seen:
            return None
        seen.add((row.file, known))
        return Query(known, _required(given, "text"), relevant)

    yield from reading.items(query)


def _beir(reading: Reading) -> Iterator[Item]:
    """BEIR: a corpus, queries, and for each split which documents are relevant to which query."""
    judged: defaultdict[str, list[Row]] = defaultdict(list)
    for row in reading.besides:
        if "query-id" in row.fields:
            judged[_stem(row).lower()].append(row)
    reading.besides = [row for row in reading.besides if "query-id" not in row.fields]
    corpus = reading.second("_id", "text")
    reading.corpus.extend(corpus.values())
    if not corpus or not judged:
        raise InputError(
            f"There is no {'qrels' if corpus else 'corpus.jsonl'} beside the queries.",
            "Give the set's folder or archive, or corpus.jsonl, queries.jsonl and qrels/test.tsv.",
        )
    if len(judged) > 1 and "test" not in judged:
        raise InputError(
            "The set has no split 'test'.", f"It has {', '.join(judged)}; give one of them."
        )
    if len(judged) > 1:
        reading.notes["The split is test."] = None
    relevant: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for row in judged.get("test") or next(iter(judged.values())):
        document, score = _text(row.fields, "corpus-id"), _label(row.fields.get("score")) or ""
        if document not in corpus:
            reading.leave_out(row, "a relevant document that is not in the corpus")
        elif not re.fullmatch(r"-?\d+", score):
            reading.leave_out(row, "a score that is no whole number")
        elif int(score) > 0:
            relevant[_text(row.fields, "query-id") or ""][document] = int(score)

    def query(row: Row, given: Fields, reading: Reading) -> Query:
        known = _required(given, "id")
        if known not in relevant:
            raise Fault("no document of this split is relevant to it")
        return Query(known, _required(given, "text"), relevant[known])

    yield from reading.items(query)


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

_STATED = "text|claim|sentence|statement|response|summary|summ"
_LABELLED = "label|attribution_label|stance"
_GENERIC = Format(
    "generic",
    "Rows of a claim, its label and its documents: AttributionBench, AggreFact, SummaC, "
    "SummEdits, FEVER, Fool Me Twice, FactCheck-GPT and their like, and your own",
    f"{_LABELLED} {_STATED}",
    "id=id|unique_id group=group|wikipedia_page|case_id|page|gold_source "
    f"same=doc|document|question|claim text={_STATED} label={_LABELLED} before=before "
    "title=page|wikipedia_page part=part|dataset|src_dataset|domain evidence=evidence_sentence|"
    "gold_evidence|references|evidence|documents|passages|context|sources|document|doc",
)
_ANSWERS = "answers|answer|Answer.Aliases|Answer.Value"
_OPEN_QA = Format(
    "open-qa",
    "NQ-open, TriviaQA, WebQuestions as DPR, FiD and Lost in the Middle have them, and TriviaQA's "
    "own files: question, answers, ctxs if any",
    "question|Question",
    "id=id|question_id|q_uid|QuestionId question=question|Question "
    f"answers={_ANSWERS} documents=ctxs",
    without="context paragraphs docs claims qa_pairs knowledge label ress",
    when=_is_open_qa,
)
_QUESTIONS = (
    Format(
        "hotpotqa",
        "HotpotQA and 2WikiMultihopQA: question, answer, context, supporting_facts",
        "question answer context supporting_facts",
        "id=_id|id question=question answers=answer",
        parts=_hotpot,
    ),
    Format(
        "qed",
        "QED: question_text, paragraph_text",
        "question_text paragraph_text",
        "id=example_id question=question_text",
        parts=_qed,
    ),
)
_ALCE = "id=sample_id|id|qid question=question answers=answers documents=docs output=output"

FORMATS: Mapping[Task, tuple[Format, ...]] = {
    "detect": (
        Format(
            "wikibio",
            "WikiBio GPT-3 (SelfCheckGPT): gpt3_sentences, annotation, wiki_bio_text",
            "gpt3_sentences annotation wiki_bio_text",
            parts=_wikibio,
        ),
        Format(
            "felm",
            "FELM: segmented_response and labels; as a second file CEG's passages, if you have "
            "them",
            "segmented_response labels prompt",
            beside="question response tag ress",
            parts=_felm,
        ),
        _GENERIC,
    ),
    "attribute": (
        Format(
            "wikiretr",
            "WikiRetr (CEG): claim, title, session, content; human_eval where people judged",
            "claim title session content",
            labels={**_LABELS, _BY_CONSTRUCTION: True},
            parts=_wikiretr,
        ),
        Format(
            "wice",
            "WiCE: claim, evidence (the whole page), label, meta",
            "claim evidence label meta",
            "id=meta.id group=meta.claim_title text=claim label=label before=meta.claim_context",
            parts=_wice,
        ),
        Format(
            "begin",
            "BEGIN (.tsv): knowledge, response, begin_label",
            "knowledge response begin_label",
            "same=knowledge text=response label=begin_label evidence=knowledge "
            "part=data_source+model_name",
        ),
        Format(
            "contract-nli",
            "ContractNLI: documents with annotations, and labels with hypotheses",
            "documents labels",
            parts=_contract,
        ),
        Format(
            "nli",
            "SNLI, MNLI and their like: premise, hypothesis (or sentence1, sentence2) and label; "
            "of numbers 0 is entailment, 1 neutral, 2 contradiction",
            "premise|sentence1 hypothesis|sentence2 gold_label|label|entailment",
            "id=pairid|pairID|id|index same=premise|sentence1 text=hypothesis|sentence2 "
            "label=gold_label|label|entailment evidence=premise|sentence1 part=language|genre",
            labels={**_LABELS, "0": True, "1": False, "2": False},
            without="claim evidence",
        ),
        _GENERIC,
    ),
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
        Format(
            "scifact",
            "SciFact: the abstracts that a claim cites; claims and corpus, or their folder or "
            "archive",
            "claim cited_doc_ids",
            "id=id text=claim cited=cited_doc_ids",
            beside="doc_id abstract",
            whole=_scifact,
            notes=(
                "Relevant is what a claim cites; BEIR's test queries are SciFact's validation "
                "claims, which are taken where no split is named.",
            ),
        ),
        replace(_OPEN_QA, needs="question ctxs", whole=_searched),
        *(replace(form, whole=_searched) for form in _QUESTIONS),
    ),
    "answer": (
        Format(
            "asqa",
            "ASQA in ALCE's format: question, qa_pairs, docs; an output to judge, if there is one",
            "question qa_pairs",
            _ALCE,
            parts=_asqa,
        ),
        Format(
            "qampari",
            "QAMPARI in ALCE's format: question, answers (lists of aliases), docs, output if any",
            "question answers",
            _ALCE,
            without="qa_pairs",
            when=lambda fields: not _is_open_qa(fields),
        ),
        Format(
            "eli5",
            "ELI5 in ALCE's format: question, claims, docs, output if any",
            "question claims answer",
            _ALCE,
            parts=_eli5,
            notes=(
                "The answers are claims that an answer must entail; do not look for their words.",
            ),
        ),
        *_QUESTIONS,
        _OPEN_QA,
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
    files = [file for path in paths for file in _read(path)]
    form, mains, besides, remarks = _sorted_files(task, files, format)
    reading = Reading(form, mains, besides, label_map or {})
    makers: Mapping[Task, Callable[[Row, Fields, Reading], Item]] = {
        "choose": _choice,
        "answer": _question,
    }
    read = form.whole(reading) if form.whole else reading.items(makers.get(task, _statement))
    items = tuple(_unique(read))
    unmet = reading.unmet_labels
    unknown = [f"No row has the label {', '.join(map(repr, unmet))}."] if unmet else []
    notes = (*reading.notes, *reading.left_out, *unknown)
    if not items:
        names = ", ".join(file.name for file in mains)
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


_Sorted = tuple[Format, list[File], list[File], list[str]]
"""A format, its own files, its second files, and what is said of the others."""


def _sorted_files(task: Task, files: Sequence[File], name: str | None) -> _Sorted:
    """What these files are of, by name if one is given."""
    forms = [form for form in FORMATS[task] if name in (None, form.name)]
    if not forms:
        known = ", ".join(sorted(formats_of(task)))
        raise SettingsError(f"The task {task} has no format {name!r}.", f"It has {known}.")
    for form in forms:
        own = [file for file in files if form.recognises(file.first)]
        beside = [file for file in files if file not in own and form.is_beside(file.first)]
        rest = [file for file in files if file not in own and file not in beside]
        if name is not None:
            taken = [file for file in rest if not file.collected or not own]
            own, rest = [*own, *taken], [file for file in rest if file not in taken]
        elif not own or not all(file.collected for file in rest):
            continue
        remarks = [f"Not read: {', '.join(file.name for file in rest)}."] if rest else []
        return form, own, beside, remarks
    raise _unknown(task, files)


def _unknown(task: Task, files: Sequence[File]) -> InputError:
    strange = next((file for file in files if not _recognised(task, file)), None)
    if strange is None:
        said = ", ".join(f"{file.name} is {_recognised(task, file)[0]}" for file in files)
        return InputError(f"The files are of different formats: {said}.", "Give one set at a time.")
    names = list(strange.first)
    if not names:
        return InputError(
            f"{strange.name} has no row that can be read.", "Check what the file holds."
        )
    seen = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
    elsewhere = [other for other in FORMATS if _recognised(other, strange)]
    beside = [form.name for form in FORMATS[task] if form.is_beside(strange.first)]
    return InputError(
        f"The format of {strange.name} is not known: its fields are {seen}."
        + (f" It is a set for the task {' or '.join(elsewhere)}." if elsewhere else "")
        + (f" It goes beside the rows of {' or '.join(beside)}." if beside else ""),
        f"The task {task} reads {', '.join(sorted(formats_of(task)))}; --format chooses one.",
    )


def _recognised(task: Task, file: File) -> list[str]:
    """The task's formats that a file's first row is one of."""
    return [form.name for form in FORMATS[task] if form.recognises(file.first)]
