"""What is done with the claim that one looks at, and how one goes to another."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.engine.errors import InputError
from veracite.engine.report.phrases import LABEL_WORDS
from veracite.engine.words import Label, Verdict
from veracite.tui.documents import short_path
from veracite.tui.findings import Mark
from veracite.tui.screens import files
from veracite.tui.screens.check_base import CheckBase

if TYPE_CHECKING:
    from veracite.tui.screens.override_prompt import Said

__all__ = ["NOTHING_JUDGED", "ClaimActions"]

NOTHING_JUDGED = "Nothing has been judged yet; F5 checks the text."


class ClaimActions(CheckBase):
    """The part of the Check room that is about single claims."""

    def action_finding(self, forward: bool) -> None:
        """Go to the next (previous) claim that is contradicted, not found or uncertain, or that
        the library disagrees with itself about."""
        if not self._go(forward, findings_only=True):
            self.notify(self._why_no_finding())

    def action_claim(self, forward: bool) -> None:
        """Go to the next (previous) claim."""
        self._go(forward, findings_only=False)

    def action_only(self, name: str) -> None:
        """Look only at the claims with this label; at all of them with none, or if it is on."""
        label = Label(name) if name else None
        self.state.only = None if label is self.state.only else label
        if self.state.only and self.state.findings and not self._shown_fits():
            self._go(True, findings_only=False)
        self._update()

    def action_passage(self) -> None:
        """Read on around the quotes of the claim that is shown."""
        verdict = self._cited()
        if verdict:
            from veracite.tui.screens.passage import PassageScreen

            against = self.state.checked_against
            fetch = partial(self._engine.around, against=against)
            self.app.push_screen(PassageScreen(verdict, fetch))

    def action_open_document(self) -> None:
        """Open the document that is quoted in the system's viewer."""
        verdict = self._cited()
        if verdict:
            from veracite.tui.screens.passage import open_file

            self.run_worker(open_file(self.notify, verdict.citations[0].file))

    def action_more(self) -> None:
        """Scroll the evidence on."""
        self.evidence.scroll_page_down()

    def action_copy(self) -> None:
        """Copy the claim that is shown, with its verdict and citations, as Markdown."""
        verdict = self._judged()
        if verdict:
            from veracite.tui.screens.passage import copy_claim

            self.run_worker(copy_claim(self.app, verdict))

    def action_override(self) -> None:
        """Give the claim another label, with a note, or take that back."""
        verdict, shown = self._judged(), self._shown()
        if verdict is None:
            return
        marks = self.state.findings.marks() if self.state.findings else ()
        mark = shown or marks[0]
        from veracite.tui.screens.override_prompt import OverridePrompt

        self.app.push_screen(OverridePrompt(verdict), partial(self._say, mark))

    def action_export(self) -> None:
        """Write the report to a file."""
        report, findings = self.state.told, self.state.findings
        if report is None or findings is None:
            self.notify("There is no report yet; F5 checks the text.")
        elif findings.changed:
            self.notify("The text has changed since it was checked; F5 checks it, then x exports.")
        else:
            files.ask_where_report(self.app, report, self.state.checked_against, self._exported)

    def _say(self, mark: Mark, said: "Said | None") -> None:
        if said is None or self.state.findings is None:
            return
        try:
            self.state.say(mark, said.label, said.note)
        except InputError as error:
            self._complain(f"{error.message} {error.advice}")
        self._update()

    def _exported(self, path: Path) -> None:
        self.notify(f"Wrote {short_path(path.absolute())}.", markup=False)

    def _shown_fits(self) -> bool:
        shown = self._shown()
        return shown is not None and shown.label is self.state.only

    def _judged(self) -> Verdict | None:
        """The verdict on the claim that is shown, or on the only one; told if there is none."""
        findings = self.state.findings
        marks = findings.marks() if findings else ()
        verdict = self.state.verdict(self._shown() or (marks[0] if len(marks) == 1 else None))
        if self.state.running and verdict is None:
            self.notify("This claim is not judged yet; it is being checked.")
        elif not (findings and findings.verdicts):
            self.notify(NOTHING_JUDGED)
        elif verdict is None:
            self.notify("Go to a claim that has a verdict first: n, or the arrow keys.")
        return verdict

    def _cited(self) -> Verdict | None:
        """The same, if it quotes anything."""
        verdict = self._judged()
        if verdict and not verdict.citations:
            self.notify("Nothing is quoted about this claim.")
            return None
        return verdict

    def _go(self, forward: bool, *, findings_only: bool) -> bool:
        """Go to the next (previous) claim, if there is one."""
        if self.state.findings is None:
            return False
        mark = self.state.findings.step(
            self.text.place, forward, findings_only=findings_only, only=self.state.only
        )
        if mark is None:
            return False
        self.text.point(mark)
        self._update()
        return True

    def _why_no_finding(self) -> str:
        state = self.state
        if state.only:
            return f"No claim is {LABEL_WORDS[state.only]}; 0 looks at all of them."
        if not (state.findings and state.findings.verdicts):
            return "Nothing has been judged yet." if state.running else NOTHING_JUDGED
        if state.findings.changed:
            return "There are no findings left; F5 checks the text as it is now."
        if state.report is None:
            return "There are no findings among the claims that are judged."
        return "There are no findings."
