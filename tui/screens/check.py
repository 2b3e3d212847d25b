"""The screen: a text, the verdicts on its claims, and what each verdict rests on."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult, SystemCommand
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.screen import Screen
from textual.widgets import ContentSwitcher, Footer, TextArea

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.engine.events import Finished, Judged, Segmented, Warned
from veracite.engine.words import FailedDocument, Label, Report, Verdict
from veracite.index.progress import FileFailed, Synced
from veracite.tui import sheets
from veracite.tui.documents import against_from, described, written
from veracite.tui.findings import FINDINGS, Findings, Mark
from veracite.tui.screens.path_prompt import PathPrompt
from veracite.tui.screens.sheet import SheetScreen
from veracite.tui.texts import read_text
from veracite.tui.widgets.editor import Editor
from veracite.tui.widgets.evidence import Evidence
from veracite.tui.widgets.marked_text import MarkedText
from veracite.tui.widgets.reader import Reader
from veracite.tui.widgets.status_line import StatusLine
from veracite.tui.widgets.top_line import TopLine
from veracite.tui.worker import Against, Check, Checker

__all__ = ["CheckScreen"]


class CheckScreen(Screen[None]):
    """Two views of one text: the editor, and the reader that shows a symbol before each claim.

    Args:
        check: What carries a check out.
        path: A text to open.
        against: The documents to begin with.
    """

    # Textual declares it in a way that mypy takes for an instance's.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f5,ctrl+r", "check", "Check", key_display="F5"),
        Binding("escape", "back", "Back", show=False),
        Binding("n", "finding(True)", "Next"),
        Binding("p", "finding(False)", "Prev"),
        Binding("ctrl+down", "finding(True)", "Next finding", show=False),
        Binding("ctrl+up", "finding(False)", "Previous finding", show=False),
        Binding("space", "more", "More evidence", show=False),
        Binding("e,enter", "edit", "Edit", key_display="e"),
        Binding("y", "copy", "Copy"),
        Binding("ctrl+n", "new", "New text", show=False),
        Binding("ctrl+o", "open", "Open"),
        Binding("ctrl+l", "documents", "Library"),
        Binding("f3", "outcome", "Report", key_display="F3"),
    ]

    def __init__(self, check: Check, path: Path | None, against: Against) -> None:
        super().__init__()
        self.checker = Checker(check, self.post_message)
        self.against = against
        self.path: Path | None = None
        self.findings: Findings | None = None
        self.report: Report | None = None
        self.running = False
        self._to_open = path
        self._failed: list[FailedDocument] = []
        self._notes: list[str] = []
        self._failure: tuple[str, str] | None = None
        self._moved = False
        """Whether the cursor was put on a claim; before that the overview is shown."""
        self._under_mouse: int | None = None

    def compose(self) -> ComposeResult:
        """Text and evidence, between a line that says what is checked and one that says how far."""
        yield TopLine(id="top")
        with Container(id="panes"):
            with ContentSwitcher(id="text", initial="editor"):
                yield Editor(id="editor")
                yield Reader(id="reader")
            yield Evidence(id="evidence")
        yield StatusLine(id="status")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Open the text that was named."""
        self.editor.focus()
        if self._to_open:
            self._open(self._to_open)
        self._update()

    @property
    def editor(self) -> Editor:
        """Where the text is changed."""
        return self.query_one(Editor)

    @property
    def reader(self) -> Reader:
        """Where the verdicts are read."""
        return self.query_one(Reader)

    @property
    def evidence(self) -> Evidence:
        """The pane beside the text."""
        return self.query_one(Evidence)

    @property
    def status(self) -> StatusLine:
        """What is going on."""
        return self.query_one(StatusLine)

    @property
    def reading(self) -> bool:
        """Whether the reader is shown, and not the editor."""
        return self.query_one("#text", ContentSwitcher).current == "reader"

    @property
    def view(self) -> MarkedText:
        """The one of the two that is shown."""
        return self.reader if self.reading else self.editor

    def commands(self) -> Iterable[SystemCommand]:
        """What the command palette offers here."""
        yield SystemCommand("Check", "Check the text as it is now", self.action_check)
        yield SystemCommand("Open", "Open a text", self.action_open)
        yield SystemCommand("New text", "Empty the editor", self.action_new)
        yield SystemCommand("Documents", "Choose what to check against", self.action_documents)
        yield SystemCommand("Edit", "Change the text", self.action_edit)
        yield SystemCommand("Copy claim", "With its citations, as Markdown", self.action_copy)
        yield SystemCommand("Report", "Counts, failed documents, notes", self.action_outcome)

    # What the user asks for

    def action_check(self) -> None:
        """Check the text as it is now."""
        text = self.editor.text
        if self.running:
            self.notify("A check is running. Escape stops it.")
        elif not text.strip():
            self.notify("There is no text yet: paste one, or open a file with Ctrl+O.")
        else:
            again = self.findings is not None
            offset = self.view.source_offset if again else 0
            self._moved = again and (self._moved or not self.reading)
            self.findings = Findings(text)
            self.report, self._failure = None, None
            self._failed, self._notes = [], []
            self.running = True
            self.status.say("Starting …")
            self._read(offset)
            self._update()
            self.checker.start(text, self.against)

    def action_back(self) -> None:
        """Stop the check; otherwise back to the verdicts, and from a claim to the overview."""
        if self.running:
            self.checker.stop()
            self.status.say("Stopping after this step …")
        elif not self.reading and self.findings:
            self._read(self.editor.source_offset)
            self._moved = True
        else:
            self._moved = False
        self._update()

    def action_edit(self) -> None:
        """Change the text, beginning at the claim that is shown."""
        if self.reading:
            offset = self.reader.source_offset
            self.query_one("#text", ContentSwitcher).current = "editor"
            self.editor.move_to(offset)
            self.call_after_refresh(self.editor.scroll_cursor_visible)
        self.editor.focus()
        self._update()

    def action_finding(self, forward: bool) -> None:
        """Go to the next (previous) claim that is contradicted, not found or uncertain."""
        if not self._go(forward, FINDINGS):
            self.notify("There are no findings." if self.findings else "Nothing was checked yet.")

    def action_claim(self, forward: bool) -> None:
        """Go to the next (previous) claim."""
        self._go(forward, None)

    def action_more(self) -> None:
        """Scroll the evidence on."""
        self.evidence.scroll_page_down()

    def action_copy(self) -> None:
        """Copy the claim that is shown, with its verdict and citations, as Markdown."""
        mark = self._shown()
        verdict = self._verdict(mark)
        if verdict is None:
            self.notify("Go to a claim that has a verdict first.")
        else:
            self.app.copy_to_clipboard(sheets.markdown(verdict))
            self.notify("Copied the claim and its citations.")

    def action_new(self) -> None:
        """Empty the editor; undoing brings the text back."""
        self.action_edit()
        self.editor.clear()
        self.path = None
        self._update()

    def action_open(self) -> None:
        """Ask for a file with a text."""
        prompt = PathPrompt(
            "Open a text",
            "A text or Markdown file. Tab completes, Enter opens, Esc cancels.",
            value=f"{self.path.parent}{os.sep}" if self.path else "",
            folders_only=False,
        )
        self.app.push_screen(prompt, self._open_chosen)

    def action_documents(self) -> None:
        """Ask for the documents to check against."""
        prompt = PathPrompt(
            "Check against",
            "A folder, a file or the name of a library; empty: the default library. "
            "Tab completes, Enter accepts, Esc cancels.",
            value=written(self.against),
            placeholder="the default library",
            folders_only=True,
        )
        self.app.push_screen(prompt, self._documents_chosen)

    def action_outcome(self) -> None:
        """Show the counts, the documents that failed and why, and what else should be known."""
        if self.findings is None:
            self.notify("Nothing was checked yet.")
            return
        read = self.report.documents_read if self.report else None
        content = sheets.outcome(self._counts(), read, self._failed, self._notes)
        self.app.push_screen(SheetScreen("Report", content))

    # What happens

    @on(Checker.Happened)
    def _happened(self, message: Checker.Happened) -> None:
        if self.findings is None:  # another text was opened meanwhile
            return
        event = message.event
        self.status.follow(event)
        match event:
            case Segmented(claims=claims):
                self.findings.segment(claims)
            case Judged(index=index, verdict=verdict):
                self.findings.judge(index, verdict)
            case FileFailed(path=path, reason=reason):
                self._failed.append(FailedDocument(path, reason))
                return
            case Warned(message=warning):
                self._warn(warning)
            case Synced(notes=notes):
                for note in notes:
                    self._warn(note)
            case Finished(report=report):
                self.report = report
                self._failed = list(report.failed)
            case _:
                return
        self._update()

    @on(Checker.Failed)
    def _check_failed(self, message: Checker.Failed) -> None:
        self._failure = (message.message, message.advice)
        self._moved = False
        self._complain(message.message)

    @on(Checker.Ended)
    def _ended(self, message: Checker.Ended) -> None:
        self.running = False
        if self._failure:
            self.status.say("The check did not finish.")
        elif self.findings is None:
            self.status.say("")
        elif self.report is None:
            judged = len(self.findings.verdicts)
            self.status.say(f"Stopped. {judged} of {len(self.findings.marks())} claims are judged.")
        self._update()

    @on(TextArea.Changed, "#editor")
    def _edited(self) -> None:
        if self.findings:
            self.findings.edit(self.editor.text)
        self._update()

    @on(TextArea.SelectionChanged)
    def _cursor_moved(self, event: TextArea.SelectionChanged) -> None:
        if event.text_area is self.view:
            self._moved = True
            self._under_mouse = None
            self._update()

    @on(MarkedText.Pointed)
    def _pointed(self, event: MarkedText.Pointed) -> None:
        if event.area is self.view:
            self._under_mouse = event.offset
            self._update()

    def on_unmount(self) -> None:
        """Stop what is running; nobody waits for it."""
        self.checker.stop()

    def on_resize(self) -> None:
        """The closing line is longer where there is room."""
        self._update()

    def _open_chosen(self, value: str | None) -> None:
        if value and value.strip():
            self._open(Path(os.path.expanduser(value.strip())))

    def _documents_chosen(self, value: str | None) -> None:
        if value is not None:
            self.against = against_from(value)
            self._update()

    def _open(self, path: Path) -> None:
        try:
            text = read_text(path)
        except USER_ERRORS as error:
            self._complain(f"{error.message} {error.advice}")
            return
        if self.running:
            self.checker.stop()
        self.findings = None
        self.report, self._failure, self.path = None, None, path
        self.status.say("")
        self.query_one("#text", ContentSwitcher).current = "editor"
        self.editor.load_text(text)
        self.editor.focus()
        self._update()

    # What is shown

    def _update(self) -> None:
        """Bring everything that is shown up to date; cheap where nothing changed."""
        shown = self._shown()
        current = shown.index if shown else None
        marks = self.findings.marks() if self.findings else ()
        if not self.reading:
            self.editor.mark(marks, current)
        elif self.findings:
            self.reader.show(self.findings.text, marks, current)
        verdict = self._verdict(shown)
        if verdict:
            self.evidence.show_verdict(verdict)
        elif shown:
            self.evidence.show(sheets.pending())
        elif self._failure:
            self.evidence.show(sheets.failure(*self._failure))
        elif self.findings and self.findings.verdicts:
            self.evidence.show(sheets.overview(self._counts(), self.running))
        else:
            self.evidence.show(sheets.welcome())
        if self.report and not self.running:
            self.status.outcome(self._counts(), self.report.documents_read, len(self._failed))
        self.query_one(TopLine).show(
            neutralise(self.path.name) if self.path else "new text",
            bool(self.findings and self.findings.changed),
            described(self.against),
        )

    def _read(self, offset: int) -> None:
        """Show the reader, its cursor at this character."""
        assert self.findings is not None
        self.query_one("#text", ContentSwitcher).current = "reader"
        self.reader.show(self.findings.text, self.findings.marks(), None)
        with self.prevent(TextArea.SelectionChanged):
            self.reader.move_to(offset)
        self.call_after_refresh(self.reader.scroll_cursor_visible)
        self.reader.focus()

    def _go(self, forward: bool, labels: frozenset[Label] | None) -> bool:
        """Move the cursor to the next (previous) claim with one of the labels, if there is one."""
        if self.findings is None:
            return False
        offset = self.view.source_offset if self._moved or not self.reading else -1
        mark = self.findings.step(offset, forward, labels)
        if mark is None:
            return False
        self.view.move_to(mark.start)
        self._moved = True
        self._under_mouse = None
        self._update()
        return True

    def _shown(self) -> Mark | None:
        """The claim under the mouse, or else the one under the cursor."""
        if self.findings is None:
            return None
        if self._under_mouse is not None and (mark := self.findings.at(self._under_mouse)):
            return mark
        if self.reading and not self._moved:
            return None
        return self.findings.at(self.view.source_offset)

    def _verdict(self, mark: Mark | None) -> Verdict | None:
        return self.findings.verdicts.get(mark.index) if self.findings and mark else None

    def _counts(self) -> dict[Label, int]:
        counts = dict.fromkeys(Label, 0)
        for verdict in self.findings.verdicts.values() if self.findings else ():
            counts[verdict.label] += 1
        return counts

    def _warn(self, message: str) -> None:
        self._notes.append(message)
        self.notify(neutralise(message), severity="warning", markup=False)

    def _complain(self, message: str) -> None:
        self.notify(neutralise(message), severity="error", markup=False)
