"""What the screen knows: the text's file, the documents, and how the check stands."""

from dataclasses import replace

from veracite.engine.display import neutralise
from veracite.engine.events import Event, Finished, Judged, Segmented, Warned
from veracite.engine.overrides import Overrides
from veracite.engine.report import beside
from veracite.engine.words import FailedDocument, Label, Report, Verdict
from veracite.index.progress import FileFailed, Synced
from veracite.tui.engine import Against
from veracite.tui.findings import Findings, Mark
from veracite.tui.texts import Draft

__all__ = ["State"]


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
        self.warnings: list[str] = []
        self.failure: tuple[str, str] | None = None
        """Message and advice of the error that ended the check."""
        self.running = False
        self.only: Label | None = None
        """The one label whose claims are looked at; None for all."""
        self.checked_against: Against = against
        """What the verdicts rest on."""
        self._before: tuple[Findings, Report | None] | None = None
        """What the last check of the same documents found."""

    def begin_anew(self, draft: Draft | None) -> None:
        """Another text: nothing is known about it, and all its claims are looked at."""
        self.draft, self.only = draft, None
        self._forget()

    def edited(self, text: str) -> bool:
        """Whether the text, as it is now, differs from its file."""
        return text != (self.draft.text if self.draft else "")

    @property
    def name(self) -> str:
        """What to call the text."""
        return neutralise(self.draft.path.name) if self.draft else "new text"

    @property
    def notes(self) -> tuple[str, ...]:
        """What should be known besides the verdicts, each once."""
        notes = list(self.warnings)
        if self.failure:
            notes.insert(0, f"The check did not finish: {' '.join(self.failure)}")
        if self.draft and self.draft.note:
            notes.append(self.draft.note)
        return tuple(dict.fromkeys(notes))

    def _forget(self) -> None:
        self.findings = self.report = self.failure = self._before = None
        self.failed, self.warnings = [], []

    def begin(self, text: str) -> None:
        """A check of this text begins."""
        same = self.findings if self.checked_against == self.against else None
        report = self.report
        self._forget()
        self._before = (same, report) if same and same.text == text else None
        self.findings = Findings(text, same.verdicts.values() if same else ())
        self.checked_against = self.against
        self.running = True

    def fall_back(self) -> bool:
        """After a check that failed before its first verdict: show those of the last one again.

        Returns:
            Whether there are any, on the text as it stood when this check began.
        """
        now = self.findings
        if self._before is None or now is None or now.verdicts or now.changed:
            return False
        self.findings, self.report = self._before
        return True

    def take(self, event: Event) -> tuple[str, ...]:
        """Learn from an event; returns what the user should be warned of."""
        warnings: tuple[str, ...] = ()
        match event:
            case Segmented(claims=claims) if self.findings:
                self.findings.segment(claims)
            case Judged(index=index, verdict=verdict) if self.findings:
                self.findings.judge(index, self._with_override(verdict))
            case FileFailed(path=path, reason=reason):
                self.failed.append(FailedDocument(path, reason))
            case Warned(message=message):
                warnings = (message,)
            case Synced(notes=notes):
                warnings = notes
            case Finished(report=report):
                self.report = report
                warnings = tuple(note for note in report.notes if note not in self.warnings)
                self.failed = list(report.failed)
        self.warnings += warnings
        return warnings

    def say(self, mark: Mark, label: Label | None, note: str) -> None:
        """A person says what a claim's verdict is; with no label, that the check's may stand.

        Raises:
            InputError: It cannot be kept; it holds until the end of this run.
        """
        assert self.findings
        verdict = self.findings.verdict(mark.index)
        assert verdict
        try:
            if label is None:
                self.overrides.take_back(verdict, self.checked_against)
            else:
                self.overrides.say(verdict, self.checked_against, label, note)
        finally:
            for index, each in tuple(self.findings.verdicts.items()):
                if each.claim.hypothesis == verdict.claim.hypothesis:
                    self.findings.judge(index, self._with_override(each))

    def _with_override(self, verdict: Verdict) -> Verdict:
        return self.overrides.applied(verdict, self.checked_against)

    @property
    def told(self) -> Report | None:
        """The report with what a person said; None until the check is finished."""
        if self.report is None:
            return None
        return replace(self.report, verdicts=tuple(map(self._with_override, self.report.verdicts)))

    def verdict(self, mark: Mark | None) -> Verdict | None:
        """What was found about a claim; None while it is not judged."""
        return self.findings.verdict(mark.index) if self.findings and mark else None

    @property
    def counts(self) -> dict[Label, int]:
        """How many claims got each label so far, all five named."""
        counts = dict.fromkeys(Label, 0)
        for verdict in self.findings.verdicts.values() if self.findings else ():
            counts[verdict.label] += 1
        return counts

    @property
    def by_hand(self) -> int:
        """How many verdicts a person overrode."""
        verdicts = self.findings.verdicts.values() if self.findings else ()
        return sum(verdict.override is not None for verdict in verdicts)

    @property
    def disagreements(self) -> str | None:
        """On how many claims the library disagrees with itself; None if on none."""
        return beside.disagreements(self.findings.verdicts.values()) if self.findings else None

    @property
    def documents_read(self) -> int | None:
        """How many documents stand behind the verdicts; None until the check is finished."""
        return self.report.documents_read if self.report else None
