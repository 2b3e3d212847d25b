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
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any

from veracite.engine.errors import InputError, SettingsError
from veracite.engine.evaluation.items import Item, Loaded, Query, Question, Source, Statement, Task

Fields = Mapping[str, Any]

_DATA = {".json", ".jsonl", ".jsonlines", ".ndjson", ".csv", ".tsv"}
"""What is data in a folder or an archive; a licence or a page of notes beside it is not."""

_SHOWN = 20
"""Fields that a message names."""
_NAMED = 3
"""Places that a note names for each reason."""


# --- Rows of files ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a file."""

    fields: Fields
    """Empty where it cannot be read."""
    file: str
    """Without folders."""
    where: str
    """Its place in words: ``line 3``."""
    fault: str = ""
    """Why it cannot be read, if it cannot."""

    @property
    def stem(self) -> str:
        """The file's name without its endings."""
        return self.file.split(".")[0]


@dataclass(frozen=True, slots=True)
class File:
    """A file, or one file in a zip archive."""

    name: str
    rows: tuple[Row, ...]

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
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InputError(f"{path} is not a regular file.", "Write what it gives into one first.")
    inside = sorted(file.relative_to(path) for file in path.rglob("*") if file.is_file())
    return [path / name for name in _data_among(inside, path)]


def _data_among(names: Iterable[PurePath], holder: Path) -> list[PurePath]:
    hidden = re.compile(r"(?:.*/)?(?:\.|__MACOSX).*")
    found = [n for n in names if _kind(n.name) in _DATA and not hidden.fullmatch(n.as_posix())]
    if not found:
        raise InputError(
            f"{holder.name} holds no file of labelled data.",
            "Give a folder or archive with .jsonl, .json, .csv or .tsv files.",
        )
    return found


def _kind(name: str) -> str:
    return PurePath(name.lower().removesuffix(".gz")).suffix


def read_files(path: Path) -> Iterator[File]:
    """The files behind a path that the user named.

    Raises:
        InputError: There is none, or one cannot be read, is damaged, or is of no known kind.
    """
    for file in files_of(path):
        for name, content in _contents(file):
            records = _table if _kind(name) in (".csv", ".tsv") else _json
            yield File(name, tuple(records(name, content)))


def _contents(file: Path) -> list[tuple[str, bytes]]:
    """Each name with what it holds: one of a file, several of an archive."""
    try:
        if file.suffix.lower() != ".zip":
            held = [(file.name, file.read_bytes())]
        else:
            with zipfile.ZipFile(file) as archive:
                names = {PurePath(name): name for name in sorted(archive.namelist())}
                inside = _data_among(names, file)
                held = [(path.name, archive.read(names[path])) for path in inside]
        return [(n, gzip.decompress(c) if c.startswith(b"\x1f\x8b") else c) for n, c in held]
    except (OSError, RuntimeError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"{file.name} cannot be read, or is damaged ({reason}).",
            "Get the file again and compare its size, or check who may read it.",
        ) from None


def _json(name: str, content: bytes) -> Iterator[Row]:
    """One JSON value, or one a line; lines end at ``\\n`` alone, as texts may hold U+2028."""
    whole = _parsed(content)
    if whole is None:
        lines = enumerate(content.split(b"\n"), start=1)
        found = [(f"line {n}", _parsed(line)) for n, line in lines if line.strip()]
        if found and not any(value for _, value in found):
            raise InputError(
                f"{name} is neither valid JSON nor JSON lines, CSV or TSV.",
                "Give the set's file, whole, as its authors publish it.",
            )
    else:
        inner = whole.get("data", whole.get("Data")) if isinstance(whole, dict) else whole
        values = inner if isinstance(inner, list) else [whole]
        found = [(f"row {n}", value) for n, value in enumerate(values, start=1)]
    for where, value in found:
        known = isinstance(value, dict)
        yield Row(value if known else {}, name, where, "" if known else "no JSON object")


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _table(name: str, content: bytes) -> Iterator[Row]:
    """The rows below a header; between tabs quotes are part of what stands there."""
    csv.field_size_limit(2**31 - 1)
    try:
        text = content.decode("utf-8-sig").lstrip("\r\n ")
        tabs = _kind(name) == ".tsv" or "\t" in text.partition("\n")[0]
        how: dict[str, Any] = {"delimiter": "\t", "quoting": csv.QUOTE_NONE} if tabs else {}
        reader = csv.DictReader(io.StringIO(text, newline=""), **how)
        reader.fieldnames = [column.strip().lower() for column in reader.fieldnames or ()]
        for fields in reader:
            wrong = None in fields or None in fields.values()
            fault = f"not the header's {len(reader.fieldnames)} columns" if wrong else ""
            yield Row({} if wrong else fields, name, f"line {reader.line_num}", fault)
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(
            f"{name} is no valid table in UTF-8 ({error}).", "Mend it, or leave it out."
        ) from None


# --- Fields as texts, lists and documents -----------------------------------------------------


class Fault(ValueError):
    """Why a row cannot be used, in a few words: ``no label``."""


def _at(fields: Fields, names: str) -> Any:
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
    """The same as a text, where it is one, a number, true or false."""
    value = _at(fields, names)
    if isinstance(value, int | float):
        value = str(value).lower()
    return value if isinstance(value, str) and value.strip() else None


def _required(fields: Fields, names: str) -> str:
    found = _text(fields, names)
    if found is None:
        raise Fault(f"no {names.partition('|')[0]}")
    return found


def _listed(kind: type, fields: Fields, name: str) -> list[Any]:
    """A field that holds a list of such, or one; none where it is missing."""
    value = _at(fields, name)
    found = [] if value is None else [value] if isinstance(value, kind) else value
    if found and not _holds(kind, found):
        raise Fault(f"no list of {name}")
    return found


def _holds(kind: type, value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, kind) for v in value)


def _digest(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _source(content: str, title: str | None = None, identity: str | None = None) -> Source:
    """A document; its id is a hash of what it says unless the set has one for its whole corpus."""
    title = title if title and title.strip() else None
    return Source(identity or _digest(f"{title or ''}\0{content}"), content, title)


_CONTENT = ("text", "content", "paragraph_text", "passage", "contents", "sentence", "sent")
_TITLED = re.compile(r"Title: (?P<title>[^\n]+)\n+(?:Text: )?(?P<text>.+)", re.S)


def _documents(value: object, identified: str = "", title: str | None = None) -> tuple[Source, ...]:
    """Documents: a text, or texts, or objects with title and text.

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
        content = next((v for n in _CONTENT if isinstance(v := value.get(n), str)), None)
        if content is not None:
            return _source(content, _text(value, "title") or title, _text(value, identified))
    raise Fault("a document without text")


def _joined(sentences: Iterable[object]) -> str:
    """Sentences in one text: some sets keep the space before each, some do not."""
    return " ".join(filter(None, (str(one).strip() for one in sentences)))


# --- One set: its files as one format ---------------------------------------------------------

_TRUE = """1|true|yes|supported|supports|support|completely support|entailment|entailed
entails|factual|accurate|attributable|fully attributable|faithful|consistent|correct"""
_FALSE = """0|false|no|contradicted|contradicts|contradiction|contradict|refuted|refutes
refute|not found|uncertain|not checkable|not supported|unsupported|partially supported|neutral
partially support|irrelevant|generic|minor inaccurate|major inaccurate
not entailment|not enough info|not enough information|not enough evidence|nei|notenoughinfo
notmentioned|disputed|nonfactual|non factual|not factual|inaccurate|not attributable
not fully attributable|hallucinated|inconsistent|incorrect"""
_LABELS = {
    **dict.fromkeys(re.split(r"[|\n]", _TRUE), True),
    **dict.fromkeys(re.split(r"[|\n]", _FALSE), False),
}
"""What sets call supported and what they call anything else, among it Veracite's five labels."""


@dataclass(frozen=True, slots=True)
class Format:
    """A way in which a set is published."""

    name: str
    fields: str
    """What an item consists of, and the fields that hold it: the first that holds anything of
    ``a|b``, and all of ``a+b``, parted by " > " as headings are. A first row is known by having
    them, but for those of what is marked by ``?``."""
    parts: Callable[[Row, Fields, "Reading"], Iterable[Fields]] | None = None
    """The items of a row and of what its map gives, by what they consist of, where these differ."""
    without: str = ""
    """Fields that a first row must not have."""
    beside: str = ""
    """Fields by which the first row of a second file is known."""
    whole: Callable[["Reading"], Iterable[Item]] | None = None
    """All items, where rows depend on each other."""

    def map(self) -> dict[str, str]:
        """What an item consists of, to the fields that hold it."""
        return dict(pair.split("=", 1) for pair in self.fields.split())

    def needs(self) -> list[str]:
        """Fields by which a first row is known; ``a|b`` is one of both."""
        needed = (names for name, names in self.map().items() if not name.endswith("?"))
        return list(dict.fromkeys(one for names in needed for one in names.split("+")))

    def recognises(self, fields: Fields) -> bool:
        """Whether a first row is one of this format."""
        return fields.keys().isdisjoint(self.without.split()) and _has(fields, self.needs())

    def is_beside(self, fields: Fields) -> bool:
        """Whether a first row is one of a second file, and not of a first, of this format."""
        needs = self.beside.split()
        return bool(needs) and _has(fields, needs) and not self.recognises(fields)


def _several(fields: Fields, names: str) -> str:
    return " > ".join(part for one in names.split("+") if (part := _text(fields, one)))


def _has(fields: Fields, needs: Iterable[str]) -> bool:
    return all(any(name.split(".")[0] in fields for name in need.split("|")) for need in needs)


@dataclass
class Reading:
    """One format's pass over its files: rows that cannot be used are counted, with the reason."""

    form: Format
    mains: list[File]
    """The files whose rows become items."""
    besides: list[Row]
    """The rows of the format's second files."""
    truths: Mapping[str, bool]
    """What labels mean, by their normal form."""
    corpus: dict[str, Source] = field(default_factory=dict)
    label_map: dict[str, bool] = field(default_factory=dict)
    """Of the labels that were met."""
    notes: dict[str, None] = field(default_factory=dict)
    left_out: dict[str, list[str]] = field(default_factory=dict)
    """The places of what is not among the items, by the reason."""

    def items(self, make: Callable[[Row, Fields, "Reading"], Item]) -> list[Item]:
        """The items of all rows; what cannot be used is left out."""
        found = []
        for row in (row for file in self.mains for row in file.rows):
            with self.using(row):
                if row.fault:
                    raise Fault(row.fault)
                given = self.mapped(row)
                of_row = self.form.parts(row, given, self) if self.form.parts else [given]
                for part in list(of_row):
                    with self.using(row):
                        found.append(make(row, part, self))
        return found

    @contextmanager
    def using(self, row: Row) -> Iterator[None]:
        """What is read of the row inside; where it cannot be used, that is counted."""
        try:
            yield
        except Fault as fault:
            self.leave_out(row, str(fault))

    def mapped(self, row: Row) -> dict[str, Any]:
        """What the row's item consists of, by the format's map."""
        return {
            name.rstrip("?"): (_several if "+" in names else _at)(row.fields, names)
            for name, names in self.form.map().items()
        }

    def identity(self, row: Row, given: Fields) -> str:
        """The item's own id, or the row's place in its file, or among several files."""
        file, number = self.part(row), row.where.split()[-1]
        return _text(given, "id") or (f"{file}:{number}" if file else number)

    def part(self, row: Row) -> str:
        """The name of the row's file where there are several."""
        return row.stem if len(self.mains) > 1 else ""

    def take_corpus(self, identified: str, content: str) -> None:
        """The documents of the second file; two fields hold their ids and what they say."""
        for row in self.besides:
            with self.using(row):
                known, body = _required(row.fields, identified), row.fields.get(content)
                if not isinstance(body, str | list):
                    raise Fault(f"no {content}")
                text = _unprinted(body) if isinstance(body, str) else _joined(body)
                self.corpus[known] = _source(text, _text(row.fields, "title"), known)

    def truth(self, named: str) -> bool:
        """True or false for a label.

        Raises:
            Fault: No label map knows it.
        """
        found = self.truths.get(_normal(named))
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
        self.left_out.setdefault(reason, []).append(f"{row.file} {row.where}")

    @property
    def told(self) -> tuple[str, ...]:
        """The notes, and how many rows are not among the items for each reason."""
        left = []
        for reason, places in self.left_out.items():
            named = list(dict.fromkeys(places))
            shown = [*named[:_NAMED], *(["..."] if len(named) > _NAMED else [])]
            left.append(f"{len(places):,} left out, {reason} ({', '.join(shown)}).")
        return (*self.notes, *left)


def _normal(named: str) -> str:
    """A label as maps have it: lower case, words apart by one space."""
    return re.sub(r"[\W_]+", " ", named.casefold()).strip()


_LITERAL = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.S)


def _unprinted(body: str) -> str:
    """A text; tables of data hubs have lists of them as numpy prints these."""
    if not body.startswith(("['", '["')):
        return body
    return _joined(ast.literal_eval(one) for one in _LITERAL.findall(body))


# --- Items ------------------------------------------------------------------------------------


def _statement(row: Row, given: Fields, reading: Reading) -> Statement:
    said, label = _required(given, "text"), _required(given, "label").strip().removesuffix(".0")
    known, shared, title = reading.identity(row, given), _text(given, "same"), given.get("title")
    return Statement(
        id=known,
        group=_text(given, "group") or (_digest(shared) if shared else known),
        text=said,
        truth=reading.truth(label),
        label=label,
        sources=_documents(
            given.get("evidence"), title=title.replace("_", " ") if isinstance(title, str) else None
        ),
        before=tuple(one for one in _listed(str, given, "before") if one.strip()),
        part=_text(given, "part") or reading.part(row),
        samples=tuple(_listed(str, given, "samples")),
    )


_GOLD = ("isgold", "is_supporting", "hasanswer", "has_answer", "answers_found")
"""What says of a document that it holds the answer, or which answers: the first that any has."""


def _question(row: Row, given: Fields, reading: Reading) -> Question:
    documents = _at(given, "documents")
    objects = documents if _holds(dict, documents) else []
    mark = next((name for name in _GOLD if any(name in one for one in objects)), "")
    marks = [one.get(mark) for one in objects]
    sources = _documents(documents, "id")
    groups = _at(given, "answers")
    if not isinstance(groups, list) or _holds(str, groups):
        groups = [groups]
    named = (_at(one, "short_answers|spans") if isinstance(one, Mapping) else one for one in groups)
    aliases = (_listed(str, {"answer": one}, "answer") for one in named)
    more = _listed(str, given, "aliases")
    answers = tuple(
        tuple(dict.fromkeys(one for one in (*own, *more) if one.strip())) for own in aliases
    )
    output, reference = given.get("output"), _text(given, "reference") or ""
    if not reference and not (answers and all(answers)):
        raise Fault("no answer")
    return Question(
        id=reading.identity(row, given),
        text=_required(given, "question"),
        answers=() if reference else answers,
        sources=sources,
        gold=tuple(
            source.id
            for source, mark in zip(sources, marks, strict=False)
            if mark is True or (isinstance(mark, list) and any(mark))
        ),
        output=output if isinstance(output, str) else None,
        reference=reference,
    )


# --- Where a map does not say it --------------------------------------------------------------


def _segments(row: Row, given: Fields, reading: Reading) -> list[dict[str, Any]]:
    """The sentences of a row, each with its label, and those before it as context."""
    said, labels = _listed(str, given, "sentences"), given["labels"]
    if not isinstance(labels, list) or len(labels) != len(said):
        raise Fault(f"{len(said)} sentences without as many labels")
    group = reading.identity(row, given)
    return [
        {**given, "id": f"{group}.{n + 1}", "group": group}
        | {"text": text, "label": labels[n], "before": said[:n]}
        for n, text in enumerate(said)
    ]


def _felm(row: Row, given: Fields, reading: Reading) -> Iterator[Fields]:
    """FELM: responses in segments, true where factual; CEG's passages where they are given."""
    passages = {
        _text(own.fields, "response"): _listed(dict, own.fields, "ress.res")
        for own in reading.besides
        if own.fields.get("question") == given["prompt"]
    }
    whose = "CEG's passages" if reading.besides else "the annotators' references"
    reading.notes[f"The documents are {whose}."] = None
    for one in _segments(row, given, reading):
        if reading.besides:
            found = passages.get(_text(one, "text"))
            if found is None:
                reading.leave_out(row, "no passages for a segment")
                continue
            one["evidence"] = [{**p, "title": _several(p, "title+session")} for p in found]
        yield one


def _wice(_row: Row, given: Fields, _reading: Reading) -> Iterator[Fields]:
    """WiCE: a claim against a whole page, which begins with its title."""
    lines = _listed(str, given, "evidence")
    titles = (one.partition("TITLE:")[2] for one in lines if one.startswith("(meta data) TITLE:"))
    yield {**given, "evidence": [{"title": next(titles, "").strip(), "text": "\n".join(lines)}]}


def _hotpot(_row: Row, given: Fields, _reading: Reading) -> Iterator[Fields]:
    """HotpotQA's and 2Wiki's paragraphs, as the authors and as data hubs write them."""
    try:
        context, facts = given["context"], given["facts"]
        if isinstance(context, Mapping):
            context = zip(context["title"], context["sentences"], strict=True)
            facts = [[title] for title in facts["title"]]
        needed = [title for title, *_ in facts]
        documents = [
            {
                "title": title,
                "text": _joined(_listed(str, {"sentences": own}, "sentences")),
                "isgold": title in needed,
            }
            for title, own in context
        ]
    except (KeyError, TypeError, ValueError):
        raise Fault("no paragraphs with titles") from None
    yield {**given, "documents": documents}


def _qed(row: Row, given: Fields, _reading: Reading) -> Iterator[Fields]:
    """QED: spans that an annotator of NQ marked together are one answer, joined by commas."""
    groups = _at(row.fields, "original_nq_answers")
    marked = [
        _listed(dict, {"spans": own}, "spans") for own in (groups if _holds(list, groups) else ())
    ]
    spans = [", ".join(_required(span, "string") for span in own) for own in marked]
    found = _listed(dict, row.fields, "annotation.answer")
    answers = [*spans, *(_required(one, "paragraph_reference.string") for one in found)]
    documents = [{"title": given["title"], "text": given["text"], "isgold": True}]
    yield {**given, "answers": answers, "documents": documents}


def _quotesum(row: Row, given: Fields, _reading: Reading) -> Iterator[Fields]:
    """QuoteSum: each of up to eight passages holds a short answer of its own."""
    held = [
        {"title": row.fields.get(f"title{n}"), "text": text, "isgold": True}
        for n in range(1, 9)
        if (text := _text(row.fields, f"source{n}"))
    ]
    answers = [[own] for n in range(1, 9) if (own := _text(row.fields, f"short_ans_{n}"))]
    yield {**given, "answers": answers, "documents": held}


def _biography(_row: Row, given: Fields, _reading: Reading) -> Iterator[Fields]:
    """WikiBio: what GPT-3 was asked to write, to be written anew from the article itself."""
    yield {**given, "documents": [{"text": given["reference"], "isgold": True}]}


# --- Sets whose files belong together ---------------------------------------------------------


def _scifact(reading: Reading) -> list[Item]:
    """Every claim with the abstracts that it cites, as BEIR's SciFact has them."""
    reading.take_corpus("doc_id", "abstract")
    if not reading.corpus:
        raise InputError(
            "The claims name their abstracts by number only.",
            "Give the set's corpus (doc_id, title, abstract) as a second file.",
        )
    reading.notes[
        "Relevant is what a claim cites; BEIR's test queries are SciFact's validation claims, "
        "which are taken where no split is named."
    ] = None
    held = [f for f in reading.mains if re.search(r"(?:\b|_)(?:validation|dev)(?:\b|_)", f.name)]
    reading.mains = held or reading.mains

    def cited(_: str, given: Fields) -> dict[str, int]:
        named = given.get("cited")
        listed = named if isinstance(named, list) else re.findall(r"\d+", str(named))
        return dict.fromkeys((d for d in map(str, listed) if d in reading.corpus), 1)

    return _queries(reading, cited, "it cites no abstract of the corpus")


def _beir(reading: Reading) -> list[Item]:
    """BEIR: a corpus, queries, and for each split which documents are relevant to which query."""
    judged = [row for row in reading.besides if "query-id" in row.fields]
    reading.besides = [row for row in reading.besides if "query-id" not in row.fields]
    reading.take_corpus("_id", "text")
    splits = dict.fromkeys(row.stem.lower() for row in judged)
    if not reading.corpus or not splits:
        raise InputError(
            f"There is no {'qrels' if reading.corpus else 'corpus.jsonl'} beside the queries.",
            "Give the set's folder or archive, or corpus.jsonl, queries.jsonl and qrels/test.tsv.",
        )
    if len(splits) > 1:
        if "test" not in splits:
            raise InputError(
                "The set has no split 'test'.", f"It has {', '.join(splits)}; give one of them."
            )
        reading.notes["The split is test."] = None
        judged = [row for row in judged if row.stem.lower() == "test"]
    relevant: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for row in judged:
        document = _text(row.fields, "corpus-id")
        score = (_text(row.fields, "score") or "").removesuffix(".0")
        if document not in reading.corpus:
            reading.leave_out(row, "a relevant document that is not in the corpus")
        elif not re.fullmatch(r"-?\d+", score):
            reading.leave_out(row, "a score that is no whole number")
        elif int(score) > 0:
            relevant[_text(row.fields, "query-id") or ""][document] = int(score)
    return _queries(
        reading, lambda known, _: relevant[known], "no document of this split is relevant to it"
    )


def _queries(
    reading: Reading, relevant: Callable[[str, Fields], dict[str, int]], none: str
) -> list[Item]:
    """The rows as queries; rows of one id, such as one for each piece of evidence, are one.

    Args:
        relevant: From a query's id and fields to its documents' grades.
        none: Why a query without any is left out.
    """

    def query(row: Row, given: Fields, reading: Reading) -> Query:
        known = reading.identity(row, given)
        graded = relevant(known, given)
        if not graded:
            raise Fault(none)
        return Query(known, _required(given, "text"), graded)

    return list({item.id: item for item in reading.items(query)}.values())


def _searched(reading: Reading) -> Iterator[Item]:
    """Questions as queries: what holds the answer is to be found among all their documents."""
    read = [q for q in reading.items(_question) if isinstance(q, Question)]
    # QuoteSum asks a question once for each summary that was written.
    questions = list({(q.id, q.text, q.gold): q for q in read}.values())
    reading.corpus = {s.id: s for q in questions for s in q.sources}
    if without := sum(not question.gold for question in questions):
        reading.notes[f"{without:,} left out, no document is marked as their answer's."] = None
    for question in questions:
        if question.gold:
            yield Query(question.id, question.text, dict.fromkeys(question.gold, 1))


# --- The table --------------------------------------------------------------------------------

_STATED = "text|claim|sentence|statement|response|summary|summ"
_LABELLED = "label|attribution_label|stance"
_GENERIC = Format(
    "generic",
    "id?=id|unique_id group?=group|wikipedia_page|case_id|page|gold_source "
    f"same?=doc|document|question|claim text={_STATED} label={_LABELLED} before?=before "
    "title?=page|wikipedia_page part?=part|dataset|src_dataset|domain samples?=samples evidence?="
    "evidence_sentence|gold_evidence|references|evidence|documents|passages|context|sources|"
    "document|doc",
)
_OPEN_QA = Format(
    "open-qa",
    "id?=id|question_id|q_uid|QuestionId|sample_id|qid question=question|Question|question_text "
    "answers=qa_pairs|answers|answer|Answer.Aliases|Answer.Value|answers_objects "
    "aliases?=answer_aliases documents?=ctxs|docs|paragraphs|contexts output?=output",
    without="context claims knowledge label ress",
)
_QUESTIONS = (
    Format(
        "hotpotqa",
        "id?=_id|id question=question answers=answer context=context facts=supporting_facts",
        parts=_hotpot,
    ),
    Format(
        "qed",
        "id?=example_id question=question_text text=paragraph_text title?=title_text",
        parts=_qed,
    ),
    Format(
        "quotesum",
        "id?=qid question=question text=source1 answer=short_ans_1",
        parts=_quotesum,
    ),
)

FORMATS: Mapping[Task, tuple[Format, ...]] = {
    "detect": (
        Format(
            "wikibio",
            "sentences=gpt3_sentences labels=annotation evidence=wiki_bio_text "
            "id?=wiki_bio_test_idx samples?=gpt3_text_samples",
            parts=_segments,
        ),
        Format(
            "felm",
            "sentences=segmented_response labels=labels prompt=prompt id?=index part?=domain "
            "evidence?=ref_contents",
            parts=_felm,
            beside="ress",
        ),
        _GENERIC,
    ),
    "attribute": (
        Format(
            "wikiretr",
            "text=claim title=title+session group=title evidence=content label=human_eval",
        ),
        Format(
            "wice",
            "text=claim label=label evidence=evidence id=meta.id group=meta.claim_title "
            "before=meta.claim_context",
            parts=_wice,
        ),
        Format(
            "begin",
            "evidence=knowledge text=response label=begin_label same=knowledge "
            "part?=data_source+model_name",
        ),
        _GENERIC,
    ),
    "retrieve": (
        Format(
            "beir",
            "id=_id text=text",
            without="title",
            beside="query-id|title",
            whole=_beir,
        ),
        Format(
            "scifact",
            "id?=id text=claim cited=cited_doc_ids",
            beside="abstract",
            whole=_scifact,
        ),
        *(replace(form, whole=_searched) for form in _QUESTIONS),
        replace(
            _OPEN_QA, fields=_OPEN_QA.fields.replace("documents?", "documents"), whole=_searched
        ),
    ),
    "answer": (
        *_QUESTIONS,
        Format(
            "wikibio",
            "id?=wiki_bio_test_idx question=question reference=wiki_bio_text output?=gpt3_text",
            parts=_biography,
        ),
        _OPEN_QA,
    ),
}
"""In the order in which they are tried; any rows of text and label come last."""


# --- From files to items ----------------------------------------------------------------------


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
        label_map: Labels to true or false, instead of what they mean else.

    Raises:
        SettingsError: The task has no format of this name, or no row a label that was given.
        InputError: A file cannot be read or is damaged, its format is not known, or nothing in it
            could be used.
    """
    form, mains, besides = _sorted(task, [file for p in paths for file in read_files(p)], format)
    truths = _LABELS | {_normal(name): truth for name, truth in (label_map or {}).items()}
    reading = Reading(form, mains, [row for file in besides for row in file.rows], truths)
    make = _question if task == "answer" else _statement
    items = _unique(form.whole(reading) if form.whole else reading.items(make))
    if not items:
        names = ", ".join(file.name for file in mains)
        raise InputError(
            f"Nothing in {names} could be used as {form.name}: "
            f"{' '.join(reading.told) or 'there are no rows.'}",
            "Check the files, the split, and the labels that they have.",
        )
    met = {_normal(name) for name in reading.label_map}
    if unmet := sorted(name for name in label_map or () if _normal(name) not in met):
        raise SettingsError(
            f"No row has the label {', '.join(map(repr, unmet))}.",
            f"The labels that are read are {', '.join(map(repr, sorted(reading.label_map)))}.",
        )
    return Loaded(
        task=task,
        format=form.name,
        items=items,
        corpus=tuple(reading.corpus.values()),
        label_map=reading.label_map,
        notes=reading.told,
    )


def _unique(items: Iterable[Item]) -> tuple[Item, ...]:
    """Items whose ids differ: a second ``a`` becomes ``a#2``."""
    found: dict[str, Item] = {}
    for item in items:
        name, count = item.id, 1
        while name in found:
            count += 1
            name = f"{item.id}#{count}"
        found[name] = item if name == item.id else replace(item, id=name)
    return tuple(found.values())


def _sorted(
    task: Task, files: Sequence[File], name: str | None
) -> tuple[Format, list[File], list[File]]:
    """The format of these files, by name if one is given, its own files and its second files."""
    known = ", ".join(sorted(form.name for form in FORMATS[task]))
    forms = [form for form in FORMATS[task] if name in (None, form.name)]
    if not forms:
        raise SettingsError(f"The task {task} has no format {name!r}.", f"It has {known}.")
    for form in forms:
        beside = [f for f in files if form.is_beside(f.first)]
        own = [f for f in files if f not in beside and (name or form.recognises(f.first))]
        if own and len(own) + len(beside) == len(files):
            return form, own, beside
    if bare := [file.name for file in files if not file.first]:
        raise InputError(f"{bare[0]} has no row that can be read.", "Check what the file holds.")
    seen = "; ".join(f"{f.name} has {', '.join([*f.first][:_SHOWN])}" for f in files[:_NAMED])
    raise InputError(
        f"No format of the task {task} has the fields of these files: {seen}.",
        f"Give one set at a time; the task reads {known}, and --format chooses one.",
    )
