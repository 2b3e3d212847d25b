"""A mended text beside the one that was given: what changed, why, and what did not."""

import difflib
import io
import os
from dataclasses import dataclass

from veracite.engine.language import nothing_read
from veracite.engine.report.beside import SPLIT
from veracite.engine.report.phrases import STANDARD_INPUT, counted
from veracite.engine.settings import DEFAULT_FAIL_ON
from veracite.engine.texts import removal
from veracite.engine.types import Change, Citation, Fix, Label, Report, Verdict

_NO_NEWLINE = b"\n\\ No newline at end of file\n"


@dataclass(frozen=True, slots=True)
class Told:
    """What became of a claim that no document supported."""

    change: Change
    after: tuple[Verdict, ...]
    """On what stands in its place now; empty if nothing does."""

    @property
    def outcome(self) -> str:
        """In a few words."""
        if self.change.kept:
            return "changed" if self.change.text else "taken out"
        if all(verdict.label is Label.SUPPORTED for verdict in self.after):
            return "left as it is, and supported now"
        return "left as it is"

    @property
    def label(self) -> Label:
        """Of what stands there now; of what stood there, if nothing does."""
        labels = [verdict.label for verdict in self.after]
        return next((label for label in labels if label in DEFAULT_FAIL_ON), Label.SUPPORTED)

    @property
    def before(self) -> str:
        """The claim: to the letter if it has given way, else what it states."""
        claim = self.change.before.claim
        return claim.text if self.change.kept else claim.statement

    @property
    def tried(self) -> str | None:
        """What was to stand there and may not."""
        change = self.change
        return None if change.kept or change.text in ("", change.before.claim.text) else change.text

    @property
    def citations(self) -> tuple[Citation, ...]:
        """What the change rests on, or the lack of one."""
        verdicts = self.after or (self.change.before,)
        told = tuple(citation for verdict in verdicts for citation in verdict.citations)
        if self.change.kept and self.label is Label.SUPPORTED and self.split is None:
            return tuple(one for one in told if one.relation == "supports") or told
        return told

    @property
    def split(self) -> str | None:
        """That the documents disagree about what stands there now; None if they do not."""
        return SPLIT if any(verdict.disagreement for verdict in self.after) else None


def changes(report: Report) -> tuple[Told, ...]:
    """Every claim that was to be mended, in order of position."""
    fix = report.fix
    assert fix is not None
    return tuple(
        Told(change, tuple(v for v in report.verdicts if v.claim.meets(start, end)))
        for change, (start, end) in zip(fix.changes, _places(fix), strict=True)
    )


def grouped(report: Report) -> list[tuple[str, list[Told]]]:
    """The same under headings, what has changed first; no heading without anything under it."""
    groups: dict[str, list[Told]] = {"Changed": [], "Not changed": []}
    for told in changes(report):
        groups["Changed" if told.change.kept else "Not changed"].append(told)
    return [(heading, group) for heading, group in groups.items() if group]


def remaining(report: Report) -> tuple[Verdict, ...]:
    """The unsupported claims of the mended text that are not among the changes."""
    told = {verdict.claim.start for one in changes(report) for verdict in one.after}
    unsupported = (v for v in report.verdicts if v.label in DEFAULT_FAIL_ON)
    return tuple(v for v in unsupported if v.claim.start not in told)


def headline(report: Report) -> str:
    """Such as ``2 of 3 unsupported claims were mended``."""
    assert report.fix is not None
    made = report.fix.changes
    if not made:
        unread = nothing_read(report.verdicts)
        return f"Nothing {'could be checked' if unread else 'had to be mended'}"
    kept = sum(change.kept for change in made)
    noun = counted(len(made), "unsupported claim")
    return f"{kept} of {noun} {'was' if 1 in (kept, len(made)) else 'were'} mended"


def diff(before: bytes, after: bytes, name: str) -> bytes:
    """A unified diff as ``patch`` reads it; empty if nothing changed.

    Args:
        before: A file whose line breaks are those of ASCII.
        after: The same file, mended.
        name: What the file is called.
    """
    file = _file_name(name)
    old, new = (io.BytesIO(text).readlines() for text in (before, after))  # only "\n" is a break
    made = difflib.diff_bytes(difflib.unified_diff, old, new, fromfile=file, tofile=file)
    return b"".join(line if line.endswith(b"\n") else line + _NO_NEWLINE for line in made)


def diff_lines(report: Report) -> list[str]:
    """The same as lines of text, to be shown."""
    assert report.fix is not None
    before, after = (
        text.encode("utf-8", "surrogatepass") for text in (report.fix.source, report.fix.text)
    )
    lines = diff(before, after, report.path or STANDARD_INPUT).split(b"\n")[:-1]
    # A file's name may be no UTF-8.
    shown = [line.decode("utf-8", "surrogatepass") for line in lines[2:]]
    return [*map(os.fsdecode, lines[:2]), *shown]


def _places(fix: Fix) -> list[tuple[int, int]]:
    """Where each change stands in the mended text."""
    text, shift, places = fix.source, 0, []
    for change in fix.changes:
        start, end = change.before.claim.start + shift, change.before.claim.end + shift
        if change.kept:
            if not change.text:
                cut = removal(text, start, end)
                start, end = cut.start, cut.end
            text = text[:start] + change.text + text[end:]
            shift += len(change.text) - (end - start)
            end = start + len(change.text)
        places.append((start, end))
    return places


def _file_name(name: str) -> bytes:
    """As GNU diff writes it: quoted if it has to be, and ended by a tab if it holds a space."""
    encoded = os.fsencode(name)
    if any(byte < 0x20 or byte in b'"\\\x7f' for byte in encoded):
        quoted = (rb"\%03o" % b if b < 0x20 or b in b'"\\\x7f' else bytes([b]) for b in encoded)
        return b'"' + b"".join(quoted) + b'"'
    return encoded + b"\t" if b" " in encoded else encoded
