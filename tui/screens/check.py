"""The Check view: a text, the verdicts on its claims, and what each verdict rests on."""

import threading
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.widgets import Static, TextArea

from veracite.engine.errors import InputError
from veracite.engine.events import Event
from veracite.engine.libraries import Against
from veracite.engine.overrides import Overrides
from veracite.engine.report.markdown import excerpt
from veracite.engine.report.phrases import LABEL_WORDS, counted
from veracite.engine.types import Label, Verdict
from veracite.tui.checking import Mark, State
from veracite.tui.desktop import copy, show_document
from veracite.tui.kept import Unsaved
from veracite.tui.keys import bindings
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens import prompts
from veracite.tui.screens.fix import FixScreen, Proposal, mended
from veracite.tui.screens.info import InfoScreen
from veracite.tui.screens.passage import of_quotes
from veracite.tui.screens.view import View
from veracite.tui.service import short_path
from veracite.tui.texts import Draft, read_draft, save_draft
from veracite.tui.widgets.evidence import Evidence, check_subject, check_text, outcome_text
from veracite.tui.widgets.find_bar import FindBar
from veracite.tui.widgets.text_pane import TextPane
from veracite.tui.worker import Latest, Runner, apart

NOTHING_JUDGED = "Nothing has been judged yet; F5 checks the text."


class CheckScreen(View):
    """Text and evidence, beside each other where there is room, stacked where not.

    Args:
        engine: Does the work.
        turn: Held while it works.
        path: A text to open.
        against: The documents to begin with.
        overrides: What the user said about verdicts; None keeps none.
    """

    BINDINGS = bindings("check")

    class Stale(Latest):
        """What is shown is out of date."""

    class Happened(Latest):
        """Events arrived."""

    def __init__(
        self,
        engine: LocalEngine,
        turn: threading.Lock,
        path: Path | None,
        against: Against,
        overrides: Overrides | None = None,
        unsaved: Unsaved | None = None,
    ) -> None:
        super().__init__("check", engine.cancel, turn)
        self.state = State(against, overrides)
        self._to_open = path
        """A text, until it is opened, which begins with the first visit."""
        self.unsaved = unsaved or Unsaved(None)
        self._arrived: deque[Event] = deque()
        """Events of the check that are still to be taken: a flood of them holds up no key."""
        self._engine = engine
        self.text = TextPane()
        self.evidence = Evidence()
        self.find_bar = FindBar(self.text, self._update)

    def body(self) -> ComposeResult:
        """The panes, above a line that says how far the check is."""
        yield Container(self.text, Static(id="border"), self.evidence, id="panes")
        yield self.find_bar
        yield self.status

    def take(self, message: Message) -> None:
        """Take a message from the runner's thread."""
        if isinstance(message, Runner.Happened):
            self._arrived.append(message.event)
            message = self.Happened()
        self.post_message(message)

    @property
    def edited(self) -> bool:
        """Whether there is anything to lose."""
        return self.state.edited(self.text.editor.text)

    def on_resize(self) -> None:
        """The closing line is longer where there is room."""
        self._update()

    def on_screen_resume(self) -> None:
        """Another view may have made the library that is meant."""
        self._say_what_is_checked()

    # What is shown

    @on(Stale)
    def _update(self) -> None:
        """Bring everything that is shown up to date; cheap where nothing changed."""
        state = self.state
        shown = self._shown()
        verdict = state.verdict(shown)
        self.text.mark(state.findings, shown, state.only)
        if verdict:
            self.evidence.show_verdict(verdict)
        else:
            self.evidence.show(check_text(state, shown))
        if state.report and not state.running:
            self.status.outcome(state)
        self._say_what_is_checked()

    def _say_what_is_checked(self) -> None:
        state = self.state
        documents = self._engine.described(state.against)
        self.top.about(check_subject(state, self.edited, documents))

    def _shown(self) -> Mark | None:
        """The claim under the cursor."""
        return self.state.findings.at(self.text.place) if self.state.findings else None

    def _say_what_is_open(self) -> None:
        self.status.say(self.state.draft.refusal if self.state.draft else "")

    def on_mount(self) -> None:
        """Open the text that was named."""
        self.text.editor.focus()
        if self._to_open:
            self.run_worker(self._open_first(self._to_open))
        else:
            self._bring_back(None)
        self._update()

    # What the user asks for

    def action_check(self) -> None:
        """Check the text as it is now."""
        if self._to_open and not self.text.editor.text:
            self.status.say(f"Opening {self._to_open.name} …")
        elif self._may_begin():
            self._begin(self._looked_at)

    def action_fix(self) -> None:
        """Have changes proposed; those that are accepted go into the text, which is checked."""
        if not self._may_begin():
            return
        text, state = self.text.editor.text, self.state
        begin = partial(self._engine.fix, text, state.against, state.path, state.markdown)
        runner = partial(Runner, self._engine.cancel, turn=self.turn)
        overridden = partial(state.overrides.applied, against=state.against)
        self.ask(FixScreen(text, begin, runner, overridden), self._fixed)

    def action_back(self) -> None:
        """Stop the check; otherwise back to the verdicts, and from a claim to the overview."""
        if self.at_work:
            self.runner.stop()
            self.status.say("Stopping after this step …")
        elif self.text.reading:
            self.text.pointed = False
        elif self.state.findings:
            self.text.pointed = True
            self.text.read(self.state.findings, self.text.place)
        self._update()

    def action_edit(self) -> None:
        """Change the text, beginning at the claim that is shown."""
        self.text.edit(self.text.view.source_offset)
        self._update()

    def action_find(self) -> None:
        """Look for words in the text."""
        self.find_bar.open()

    def action_documents(self) -> None:
        """Ask for the documents to check against."""
        prompt = prompts.for_documents("Check against", self.state.against, self._engine.require)
        self.ask(prompt, lambda chosen: self.go_by(chosen.against))

    def action_outcome(self) -> None:
        """Show the counts, the documents that failed and why, and what else should be known."""
        if self.state.findings is None:
            self.notify(NOTHING_JUDGED)
        else:
            self.app.push_screen(InfoScreen("Report", outcome_text(self.state)))

    def _may_begin(self) -> bool:
        """Whether there is a text and nothing else is going on; told if not."""
        if not self.text.editor.text.strip() and not self.at_work:
            self.notify("There is no text yet: paste one, or open a file with Ctrl+O.")
            return False
        return self.is_free()

    def _begin(self, place: int) -> None:
        """Check the text; then the claim at this character is shown, or none at -1."""
        text, state = self.text.editor.text, self.state
        self.text.pointed = place >= 0
        self.text.read(state.begin(text), max(0, place))
        check = partial(
            self._engine.check, text, state.against, state.path, state.markdown, place=max(0, place)
        )
        lines = counted(text.count("\n") + 1, "line")
        self.begin("A check is running.", check, f"Finding the claims in {lines} …")
        self._update()

    def _fixed(self, answered: list[Proposal]) -> None:
        text, place = mended(self.text.editor.text, answered, self._looked_at)
        self.text.editor.change(text)
        if self._may_begin():
            self._begin(place)

    def go_by(self, against: Against) -> None:
        """Check against these documents from now on; what was wrong with others is forgotten."""
        if against != self.state.against:
            self.state.against = against
            self.warned.clear()
        if self.state.failure and not self.at_work:
            self.state.failure = None
            self._say_what_is_open()
        self.post_message(self.Stale())

    # Claims

    def action_finding(self, forward: bool) -> None:
        """Go to the next (previous) claim that is contradicted, not found or uncertain, or that
        the library disagrees with itself about."""
        if not self._go(forward, findings_only=True):
            self.notify(self._why_no_finding())

    def action_claim(self, forward: bool) -> None:
        """Go to the next (previous) claim."""
        self._go(forward, findings_only=False)

    def action_edge(self, last: bool) -> None:
        """Go to the first claim, or to the last."""
        if self.state.findings and (marks := self.state.findings.marks()):
            self.text.point(marks[-last])
            self._update()

    def action_only(self, name: str) -> None:
        """Look only at the claims with this label; at all of them with none, or if it is on."""
        label = Label(name) if name else None
        self.state.only = None if label is self.state.only else label
        shown = self._shown()
        if label and self.state.only and (shown is None or shown.label is not label):
            self._go(True, findings_only=False)
        self._update()

    def action_passage(self) -> None:
        """Read on around the quotes of the claim that is shown."""
        if verdict := self._cited():
            fetch = partial(self._engine.around, against=self.state.checked_against)
            self.app.push_screen(of_quotes(verdict, fetch))

    def action_open_document(self) -> None:
        """Open the document that is quoted in the system's viewer."""
        if verdict := self._cited():
            self.run_worker(show_document(self.app, verdict.citations[0].file))

    def action_more(self) -> None:
        """Scroll the evidence on."""
        self.evidence.scroll_page_down()

    def action_copy(self) -> None:
        """Copy the claim that is shown, with its verdict and citations, as Markdown."""
        if verdict := self._judged():
            text = excerpt(verdict, str)
            self.run_worker(copy(self.app, text, "the claim and its citations"))

    def action_override(self) -> None:
        """Give the claim another label, with a note, or take that back."""
        if verdict := self._judged():
            self.ask(prompts.OverridePrompt(verdict), partial(self._say, verdict))

    def action_export(self) -> None:
        """Write the report to a file."""
        report, findings = self.state.told, self.state.findings
        if report is None or findings is None:
            self.notify("There is no report yet; F5 checks the text.")
        elif findings.changed or self.state.is_outdated:
            what = "The text has changed" if findings.changed else "Other documents were chosen"
            self.notify(f"{what} since it was checked; F5 checks it, then x exports.")
        else:
            self.ask(prompts.for_report(report, self.state.checked_against), self.tell_written)

    def _say(self, verdict: Verdict, said: prompts.Said) -> None:
        if self.state.findings:
            try:
                self.state.say(verdict, said.label, said.note)
            except InputError as error:  # not in the line below, which says what came out
                self.notify(str(error), severity="error")
            self._update()

    def _judged(self) -> Verdict | None:
        """The verdict on the claim that is shown, or on the only one; told if there is none."""
        findings = self.state.findings
        marks = findings.marks() if findings else ()
        verdict = self.state.verdict(self._shown() or (marks[0] if len(marks) == 1 else None))
        if self.at_work and verdict is None:
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
        if mark is not None:
            self.text.point(mark)
            self._update()
        return mark is not None

    def _why_no_finding(self) -> str:
        state = self.state
        if state.only:
            yet = " yet" if state.running else ""
            return f"No claim is {LABEL_WORDS[state.only]}{yet}; 0 looks at all of them."
        if not (state.findings and state.findings.verdicts):
            return NOTHING_JUDGED
        where = "" if state.report else " among the claims that are judged"
        again = "; F5 checks the text as it is now" if state.findings.changed else ""
        return f"There are no findings{where}{again}."

    # The text and its file

    @property
    def path(self) -> Path | None:
        """The file of the text, also before it is opened."""
        return self.state.path or self._to_open

    def action_new(self) -> None:
        """Empty the editor; undoing brings the text back."""
        self.leave(self._begin_new)

    def action_open(self) -> None:
        """Ask for a file with a text."""
        self.leave(lambda: self.ask(prompts.for_text(self.state.draft), self._show))

    def action_save(self) -> None:
        """Write the text to its file, or ask for one."""
        draft = self.state.draft
        if not self.edited and (draft is None or draft.form):
            self.notify("Nothing has changed." if draft else "There is no text yet.")
        else:
            self._save(lambda: None)

    def leave(self, then: Callable[[], object]) -> None:
        """Do what takes the text away; with unsaved edits, once they are saved or given up."""
        if self.edited:
            prompt = prompts.UnsavedPrompt(self.state.name)
            self.ask(prompt, lambda said: self._save(then) if said == "save" else then())
        else:
            then()

    async def _open_first(self, path: Path) -> None:
        draft = None
        with self.telling():
            draft = await apart(partial(read_draft, path))
        if self._to_open:  # else another text was asked for meanwhile
            self._to_open = None
            if draft:
                self.leave(partial(self._show, draft))  # one may have begun

    def keep_edits(self) -> None:
        """Keep what is not saved for when its text is opened again."""
        if self.edited:
            self.unsaved.keep(self.state.draft, self.text.editor.text)

    def _bring_back(self, draft: Draft | None) -> None:
        if found := self.unsaved.bring(draft):
            text, same = found
            told = "Here is what was not saved when the app was ended."
            if draft and not same:
                told = f"{told} {draft.path.name} has changed since, so this is a new text."
                self.state.begin_anew(None)
            self.text.editor.change(text)
            self.notify(told)

    def _show(self, draft: Draft) -> None:
        self._begin_anew(draft)
        self.text.editor.load_text(draft.text)
        self._bring_back(draft)
        self.text.edit(0)
        self._say_what_is_open()
        self._update()

    @property
    def _looked_at(self) -> int:
        """Where to look once there are verdicts; -1: at none of them."""
        return self.text.place if self.state.findings else -1

    def _begin_new(self) -> None:
        self._begin_anew(None)
        self.text.edit(0)
        self.text.editor.clear()
        self._bring_back(None)
        self._update()

    def _begin_anew(self, draft: Draft | None) -> None:
        self.runner.stop()
        if self.at_work:
            stopped = f"The check of {self.state.name} was stopped"
            self.notify(f"{stopped}; what was judged is remembered.")
        self._to_open = None
        self.unsaved.settle()
        self.state.begin_anew(draft)
        self.status.say("")

    def _save(self, then: Callable[[], object]) -> None:
        """Write the text over its file, or ask for another name; then go on."""

        def saved(draft: Draft) -> None:
            self.state.draft = draft
            self.unsaved.settle()
            self.notify(f"Saved {short_path(draft.path.absolute())}.")
            self._update()
            then()

        text, draft, reason = self.text.editor.text, self.state.draft, ""
        if draft:
            try:
                saved(save_draft(draft, text))
                return
            except InputError as error:
                reason = str(error)
                if draft.form:
                    self.notify(reason, severity="error")
        self.ask(prompts.for_saving(text, draft, reason), saved)

    # What happens

    @on(Happened)
    def _happened(self) -> None:
        arrived = [self._arrived.popleft() for _ in range(len(self._arrived))]
        if self.state.findings is None:  # another text was opened meanwhile
            return
        for event in arrived:
            self.warn(self.state.take(event))  # F8 tells it again
        for event in {type(event): event for event in arrived}.values():  # the last of each kind
            self.status.follow(event)
        self._update()

    @on(Runner.Failed)
    def _failed(self, message: Runner.Failed) -> None:
        if self.state.findings is None:  # another text was opened meanwhile
            return
        self.state.failure = (message.message, message.advice)
        self.text.pointed = False
        if not self.is_current:  # else it stands beside the text
            self.notify(message.message, severity="error")

    @on(Runner.Ended)
    def _ended(self) -> None:
        state = self.state
        self.at_work, state.running = "", False
        if state.failure:
            self.status.say("The check did not finish.")
        elif state.findings is None:
            self._say_what_is_open()
        else:
            state.findings.settle()
            if state.report is None:
                judged, claims = len(state.findings.verdicts), len(state.findings.marks())
                self.status.say(f"Stopped. {judged} of {claims} claims are judged.")
        self._update()

    @on(TextArea.Changed, "#editor")
    def _edited(self) -> None:
        if self.state.findings:
            self.state.findings.edit(self.text.editor.text)
        self._update()

    @on(TextArea.SelectionChanged)
    def _cursor_moved(self, event: TextArea.SelectionChanged) -> None:
        if event.text_area is self.text.view:
            self.text.pointed = True
            self._update()
