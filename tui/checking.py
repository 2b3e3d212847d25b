"""How a check stands: its claims and verdicts, kept in step with the text while it is edited."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from veracite.engine.display import neutralise
from veracite.engine.events import Event, Finished, Judged, Segmented
from veracite.engine.libraries import Against
from veracite.engine.overrides import Overrides
from veracite.engine.report import beside
from veracite.engine.types import Claim, Label, Report, Verdict
from veracite.index.documents import FailedDocument
from veracite.index.progress import FileFailed
from veracite.tui.progress import warnings
from veracite.tui.texts import Draft
from veracite.tui.themes import EARLY, OVERRIDDEN

_FINDINGS = frozenset({Label.CONTRADICTED, Label.NOT_FOUND, Label.UNCERTAIN})
"""The labels that a person wants to look at."""

_NEAR = 40
"""Characters before a place that say whether a sentence can begin there."""
_BEGINNING = re.compile(r"(^|[.!?:…]\W*?\s|\n)\s*$")


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a claim stands in the text as it is now."""

    index: int
    """Which claim, as in ``Segmented.claims``."""
    start: int
    end: int
    label: Label | None = None
    """None until it is judged."""
    sign: str = " "
    """Stands behind its symbol: whether a person gave the label, or words alone."""


class Findings:
    """The claims of a text and their verdicts.

    A claim whose words are edited loses its mark until the next check; the marks of the others move
    with the text. Edits made before the claims are known count as one.

    Args:
        text: The text as it is given to the check.
        before: Verdicts of the last check, which claims that read the same show until they are
            judged.
    """

    def __init__(self, text: str, before: Iterable[Verdict] = ()) -> None:
        self.text = self._given = text
        self._before = {verdict.claim.hypothesis: verdict for verdict in before}
        self._kept: dict[int, Verdict] = {}
        """Of the last check, or early ones."""
        self.verdicts: dict[int, Verdict] = {}
        self.changed = False
        """Whether the text was edited since."""
        self.early: set[int] = set()
        """The claims with early verdicts, by words alone."""
        self._spans: dict[int, tuple[int, int]] = {}
        self._marks: tuple[Mark, ...] | None = None

    def segment(self, claims: tuple[Claim, ...]) -> None:
        """Take the claims, whose spans refer to the text as it was given."""
        for index, claim in enumerate(claims):
            self._spans[index] = claim.start, claim.end
            if before := self._before.get(claim.hypothesis):
                self._kept[index] = replace(before, claim=claim)
        self._move(self._given, self.text)

    def judge(self, index: int, verdict: Verdict) -> None:
        """Take the verdict on one claim."""
        self.verdicts[index] = verdict
        self._marks = None

    def expect(self, index: int, verdict: Verdict) -> None:
        """Show an early verdict on one claim until it is judged, if the last check gave it none."""
        if index not in self._kept:
            self.early.add(index)
            self._kept[index] = verdict
            self._marks = None

    def reread(self, claim: str, told: Callable[[Verdict], Verdict]) -> None:
        """Show what a person says now about all claims that read like this."""
        for shown in (self.verdicts, self._kept):
            same = {i: told(each) for i, each in shown.items() if each.claim.hypothesis == claim}
            shown.update(same)
        self._marks = None

    def settle(self) -> None:
        """The check is over: what it did not judge has no verdict."""
        self._kept = {}
        self._marks = None

    def verdict(self, index: int) -> Verdict | None:
        """On a claim; that of the last check while there is no new one."""
        return self.verdicts.get(index) or self._kept.get(index)

    def edit(self, text: str) -> None:
        """The text now reads like this."""
        if text == self.text:
            return
        before, self.text, self.changed = self.text, text, True
        self._move(before, text)

    def marks(self) -> tuple[Mark, ...]:
        """Every claim that still stands, in order of position."""
        if self._marks is None:
            self._marks = tuple(
                self._mark(index, start, end)
                for index, (start, end) in sorted(self._spans.items(), key=lambda item: item[1])
            )
        return self._marks

    def at(self, offset: int) -> Mark | None:
        """The claim at a character of the text; the place right behind its end belongs to it."""
        marks = self.marks()
        number = bisect_right(marks, offset, key=lambda mark: mark.start)
        return marks[number - 1] if number and offset <= marks[number - 1].end else None

    def step(
        self, offset: int, forward: bool, *, findings_only: bool, only: Label | None = None
    ) -> Mark | None:
        """The next (previous) claim seen from a character, going round at the end.

        Args:
            findings_only: Stop only at claims that are contradicted, not found or uncertain, or
                that the library disagrees with itself about; otherwise at every claim.
            only: Stop only at claims with this label, whatever that is.
        """
        marks = [
            mark
            for mark in self.marks()
            if (mark.label is only if only else not findings_only or self._is_finding(mark.index))
        ]
        if not marks:
            return None
        here = self.at(offset)
        at = here.start if here else offset
        if forward:
            return next((mark for mark in marks if mark.start > at), marks[0])
        return next((mark for mark in reversed(marks) if mark.start < at), marks[-1])

    def _is_finding(self, index: int) -> bool:
        verdict = self.verdict(index)
        return bool(verdict and (verdict.label in _FINDINGS or verdict.disagreement))

    def _mark(self, index: int, start: int, end: int) -> Mark:
        if (verdict := self.verdict(index)) is None:
            return Mark(index, start, end)
        early = index in self.early and index not in self.verdicts
        sign = OVERRIDDEN if verdict.override else EARLY if early else " "
        return Mark(index, start, end, verdict.label, sign)

    def _move(self, old: str, new: str) -> None:
        """The text was edited: a claim whose words were touched or added to has no place now."""
        start = common(old, new)
        tail = common(old[start:][::-1], new[start:][::-1])
        old_end, end = len(old) - tail, len(new) - tail
        begins = bool(_BEGINNING.search(new[max(0, end - _NEAR) : end]))
        ends = start == len(new) or new[start].isspace()
        for index, (first, last) in tuple(self._spans.items()):
            if first > old_end or (first == old_end and begins):
                self._spans[index] = first + end - old_end, last + end - old_end
            elif last > start or (last == start and not ends):
                del self._spans[index]
        self._marks = None


def common(one: str, other: str) -> int:
    """How many characters two strings have in common at their beginning."""
    shortest = min(len(one), len(other))
    return bisect_left(range(1, shortest + 1), True, key=lambda n: not one.startswith(other[:n]))


class State:
    """Fed with the events of one check after the other; knows nothing of widgets."""

    def __init__(self, against: Against, overrides: Overrides | None = None) -> None:
        self.against = against
        self.overrides = overrides or Overrides()
        self.draft: Draft | None = None
        """The text as its file has it; None for a new text."""
        self.findings: Findings | None = None
        """None before the first check of a text."""
        self.report: Report | None = None
        """None until the check is finished."""
        self.failed: list[FailedDocument] = []
        self.others: tuple[str, ...] = ()
        self.warnings: list[str] = []
        self.failure: tuple[str, str] | None = None
        """Message and advice of the error that ended the check."""
        self.running = False
        self.only: Label | None = None
        """The one label whose claims are looked at; None for all."""
        self.checked_against: Against = against
        """What the verdicts rest on."""

    def begin_anew(self, draft: Draft | None) -> None:
        """Another text: nothing is known about it, and all its claims are looked at."""
        self.draft, self.only = draft, None
        self._forget()

    def edited(self, text: str) -> bool:
        """Whether the text, as it is now, differs from its file."""
        return text != (self.draft.text if self.draft else "")

    @property
    def is_outdated(self) -> bool:
        """Whether other documents were chosen since the verdicts were made."""
        return bool(self.verdicts) and self.checked_against != self.against

    @property
    def path(self) -> Path | None:
        """The text's file."""
        return self.draft.path if self.draft else None

    @property
    def markdown(self) -> bool:
        """Whether markup in the text may be read as structure."""
        return self.draft.markdown if self.draft else True

    @property
    def name(self) -> str:
        """What to call the text."""
        return neutralise(self.path.name) if self.path else "new text"

    @property
    def notes(self) -> tuple[str, ...]:
        """What should be known besides the verdicts, each once."""
        failed = [f"The check did not finish: {' '.join(self.failure)}"] if self.failure else []
        note = [self.draft.note] if self.draft and self.draft.note else []
        return tuple(dict.fromkeys([*failed, *self.warnings, *note]))

    def _forget(self) -> None:
        self.findings = self.report = self.failure = None
        self.failed, self.others, self.warnings = [], (), []

    def begin(self, text: str) -> Findings:
        """A check of this text begins."""
        same = self.findings if self.checked_against == self.against else None
        self._forget()
        self.findings = Findings(text, same.verdicts.values() if same else ())
        self.checked_against = self.against
        self.running = True
        return self.findings

    def take(self, event: Event) -> tuple[str, ...]:
        """Learn from an event; returns what the user should be warned of."""
        told = warnings(event)
        match event:
            case Segmented(claims=claims) if self.findings:
                self.findings.segment(claims)
            case Judged(index=index, verdict=verdict, early=early) if self.findings:
                take = self.findings.expect if early else self.findings.judge
                take(index, self._with_override(verdict))
            case FileFailed(path=path, reason=reason, advice=advice):
                self.failed.append(FailedDocument(path, reason, advice))
            case Finished(report=report):
                self.report = report
                told = tuple(note for note in report.notes if note not in self.warnings)
                self.failed, self.others = list(report.failed), report.others
        self.warnings += told
        return told

    def say(self, verdict: Verdict, label: Label | None, note: str) -> None:
        """A person says what a claim's verdict is; with no label, that the check's may stand.

        Raises:
            InputError: It cannot be kept; it holds until the end of this run.
        """
        assert self.findings
        try:
            if label is None:
                self.overrides.take_back(verdict, self.checked_against)
            else:
                self.overrides.say(verdict, self.checked_against, label, note)
        finally:
            self.findings.reread(verdict.claim.hypothesis, self._with_override)

    def _with_override(self, verdict: Verdict) -> Verdict:
        return self.overrides.applied(verdict, self.checked_against)

    @property
    def told(self) -> Report | None:
        """The report with what a person said; None until the check is finished."""
        return self.report and self.overrides.told(self.report, self.checked_against)

    def verdict(self, mark: Mark | None) -> Verdict | None:
        """What was found about a claim; None while it is not judged."""
        return self.findings.verdict(mark.index) if self.findings and mark else None

    @property
    def verdicts(self) -> Collection[Verdict]:
        """Those of this check so far."""
        return self.findings.verdicts.values() if self.findings else ()

    @property
    def counts(self) -> dict[Label, int]:
        """How many claims got each label so far, all five named."""
        given = Counter(verdict.label for verdict in self.verdicts)
        return {label: given[label] for label in Label}

    @property
    def by_hand(self) -> int:
        """How many verdicts a person overrode."""
        return sum(verdict.override is not None for verdict in self.verdicts)

    @property
    def disagreements(self) -> str | None:
        """On how many claims the library disagrees with itself; None if on none."""
        return beside.disagreements(self.verdicts)
