"""Reports of before: whether what they quote still stands, and what differs between two of them.

Both read the JSON that ``veracite.engine.report.json`` writes, whatever version wrote it.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import zip_longest
from pathlib import Path
from typing import Literal

import msgspec

from veracite.engine.errors import InputError
from veracite.engine.report.json import SCHEMA
from veracite.engine.report.phrases import LABEL_WORDS, counted, percent
from veracite.engine.texts import read_text
from veracite.engine.types import Label, Override
from veracite.index.errors import ReadError
from veracite.index.reading import Reader

Standing = Literal["stands", "moved", "gone", "unread"]
"""Of a quote: at its place, elsewhere in its document, nowhere in it; or nobody can tell."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quote of a report."""

    file: str
    start: int
    end: int
    quote: str
    relation: str
    document_sha256: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim of a report."""

    text: str
    label: Label
    probability: float
    citations: tuple[Quoted, ...]
    statement: str = ""
    override: Override | None = None

    @property
    def said(self) -> str:
        """The label as people read it."""
        sure = "by hand" if self.override else percent(self.probability)
        return f"{LABEL_WORDS[self.label]} ({sure})"


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The text that a report is about."""

    path: str | None
    sha256: str


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a report says, as far as it can be looked at again."""

    schema: str
    veracite: str
    text: CheckedText
    claims: tuple[Judged, ...]
    models: tuple[str, ...]
    settings: dict[str, str | int | float | bool | None]


@dataclass(frozen=True, slots=True)
class Checked:
    """A quote, looked for in its document as it is now."""

    claim: int
    """Number of the claim that it is quoted for, from 1."""
    quoted: Quoted
    standing: Standing
    reason: str = ""
    """Why nobody can tell, one sentence."""


@dataclass(frozen=True, slots=True)
class Verified:
    """A report beside the files that it rests on."""

    quotes: tuple[Checked, ...]
    changed: tuple[str, ...]
    """The documents, and the text, whose content is not what the report was made from."""

    @property
    def counts(self) -> Counter[Standing]:
        """How many quotes stand where."""
        return Counter(one.standing for one in self.quotes)

    @property
    def holds(self) -> bool:
        """Whether every quote still stands, and the text is the one that was checked."""
        return not self.changed and set(self.counts) <= {"stands", "moved"}


@dataclass(frozen=True, slots=True)
class Change:
    """A claim whose verdict is another; one side is None for a claim that it does not have."""

    before: Judged | None
    after: Judged | None
    why: tuple[str, ...] = ()
    """What else differs about this claim, in whole sentences."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs between two reports."""

    changes: tuple[Change, ...]
    same: int
    """Claims with the same label in both."""
    around: tuple[str, ...]
    """What differs about the checks themselves, in whole sentences."""


def read(content: bytes, name: str) -> Recorded:
    """A report from its JSON.

    Args:
        name: What to call it in an error.

    Raises:
        InputError: It is no report, or one of another schema.
    """
    try:
        found = msgspec.json.decode(content, type=Recorded)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f"{name} is no report of Veracite ({error}).",
            "Give a file that `veracite check --json` wrote.",
        ) from error
    if found.schema != SCHEMA:
        raise InputError(f"{name} has the schema {found.schema!r}.", f"A report has {SCHEMA!r}.")
    return found


def verify(report: Recorded) -> Verified:
    """Look for every quote of a report in its document, and at the text that was checked."""
    files = dict.fromkeys(quote.file for claim in report.claims for quote in claim.citations)
    with Reader() as reader:
        now = {file: _read(reader, file) for file in files}
    checked, changed = [], dict[str, None]()
    for number, claim in enumerate(report.claims, start=1):
        for quote in claim.citations:
            held = now[quote.file]
            if isinstance(held, ReadError):
                checked.append(Checked(number, quote, "unread", str(held.message)))
                continue
            text, digest = held
            checked.append(Checked(number, quote, _standing(text, quote)))
            if digest != quote.document_sha256:
                changed[quote.file] = None
    if report.text.path is not None and _text_digest(Path(report.text.path)) != report.text.sha256:
        changed[report.text.path] = None
    return Verified(tuple(checked), tuple(changed))


def _read(reader: Reader, file: str) -> tuple[str, str] | ReadError:
    """A document's text and SHA-256 as they are now, or why it cannot be read; one within an
    archive is looked for in that."""
    path = Path(file)
    own = next((p for p in (path, *path.parents) if p.is_file()), None)
    if own is None:
        return ReadError("The document is gone.", "Bring it back to where it was.")
    try:
        content = own.read_bytes()
        inner = file.removeprefix(str(own)).lstrip("/")
        for part in reader.read(own):
            if part.name == inner and part.found is not None:
                return part.found.text, part.sha256 or hashlib.sha256(content).hexdigest()
    except OSError as error:
        return ReadError(f"It cannot be read ({error.strerror}).", "Mend its permissions.")
    except ReadError as error:
        return error
    return ReadError("The archive does not hold it any more.", "Bring it back.")


def _standing(text: str, quote: Quoted) -> Standing:
    if text[quote.start : quote.end] == quote.quote:
        return "stands"
    return "moved" if quote.quote in text else "gone"


def _text_digest(path: Path) -> str | None:
    """Of a text as it is now; None where it cannot be read."""
    try:
        text = read_text(path).text
    except InputError:
        return None
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def compare(before: Recorded, after: Recorded) -> Difference:
    """Which verdicts differ, and what differs beside them.

    Claims are the same by their words, or by most of them where no other claim has all.
    """
    later: dict[str, list[Judged]] = {}
    for claim in after.claims:
        later.setdefault(_words(claim), []).append(claim)
    own = Counter(map(_words, before.claims))
    changes, same = [], 0
    for claim in before.claims:
        words = _words(claim)
        free = [told for told, claims in later.items() if claims and told not in own]
        told = words if later.get(words) else next(iter(get_close_matches(words, free, 1)), "")
        twin = later[told].pop(0) if told else None
        if twin is not None and twin.label == claim.label:
            same += 1
        else:
            changes.append(Change(claim, twin, tuple(_why(claim, twin)) if twin else ()))
    changes += [Change(None, claim) for claims in later.values() for claim in claims]
    return Difference(tuple(changes), same, tuple(_around(before, after)))


def _words(claim: Judged) -> str:
    return " ".join((claim.statement or claim.text).split())


def _why(before: Judged, after: Judged) -> Iterator[str]:
    if _words(before) != _words(after):
        yield f"Before, the text said: {_words(before)}"
    if before.override != after.override:
        who = after.override or before.override
        assert who is not None
        when = "now" if after.override else "no longer"
        yield f"It is {when} overridden by hand ({who.note})."
    was, now = ({(q.file, q.quote): q for q in one.citations} for one in (before, after))
    digests = {quote.file: quote.document_sha256 for quote in before.citations}
    for quote in after.citations:
        if digests.get(quote.file, quote.document_sha256) != quote.document_sha256:
            yield f"{Path(quote.file).name} has changed."
    if gone := was.keys() - now.keys():
        yield f"No longer among the quotes: {counted(len(gone), 'sentence')}."
    if new := now.keys() - was.keys():
        yield f"New among the quotes: {counted(len(new), 'sentence')}."


def _around(before: Recorded, after: Recorded) -> Iterator[str]:
    if before.text.sha256 != after.text.sha256:
        yield "The texts differ."
    if before.veracite != after.veracite:
        yield f"Veracite was {before.veracite} and is {after.veracite}."
    for old, new in zip_longest(before.models, after.models):
        if old != new:
            yield f"The model {old or 'of none'} is {new or 'none'} now."
    for name in sorted({*before.settings, *after.settings}):
        old_value, new_value = before.settings.get(name), after.settings.get(name)
        if old_value != new_value:
            yield f"The setting {name} was {old_value} and is {new_value}."
