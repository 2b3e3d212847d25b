"""The screen: a text, the verdicts on its claims, and what each verdict rests on."""

import threading
from collections.abc import Callable, Generator, Iterable
from functools import partial
from pathlib import Path

from textual import on
from textual.app import SystemCommand

from veracite.engine.events import Event
from veracite.engine.overrides import Overrides
from veracite.tui import sheets
from veracite.tui.documents import against_from, written
from veracite.tui.engine import Against, Engine
from veracite.tui.mending import Proposal, mended
from veracite.tui.screens.check_claims import NOTHING_JUDGED, ClaimActions
from veracite.tui.screens.check_commands import commands
from veracite.tui.screens.check_events import CheckEvents
from veracite.tui.screens.check_texts import TextActions
from veracite.tui.screens.path_prompt import PathPrompt
from veracite.tui.screens.sheet import SheetScreen
from veracite.tui.widgets.find_bar import FindBar
from veracite.tui.worker import Runner, apart

__all__ = ["CheckScreen"]


class CheckScreen(ClaimActions, TextActions, CheckEvents):
    """The Check room.

    Args:
        engine: Does the work.
        turn: Held while it works.
        path: A text to open.
        against: The documents to begin with.
        overrides: What the user said about verdicts; None keeps none.
    """

    def __init__(
        self,
        engine: Engine,
        turn: threading.Lock,
        path: Path | None,
        against: Against,
        overrides: Overrides | None = None,
    ) -> None:
        super().__init__(engine, turn, against, overrides)
        self._to_open = path

    def on_mount(self) -> None:
        """Open the text that was named."""
        self.text.editor.focus()
        if self._to_open:
            self.run_worker(self._open_first(self._to_open))
        self._update()

    def on_unmount(self) -> None:
        """Stop what is running; nobody waits for it."""
        self.runner.stop()

    def commands(self) -> Iterable[SystemCommand]:
        """What the command palette offers here."""
        return commands(self)

    # What the user asks for

    def action_check(self) -> None:
        """Check the text as it is now, or, if it is still being opened, as soon as it is there."""
        if self._to_open and not self.text.editor.text:
            self._once_open = self.action_check
            self.status.say(f"Opening {self._to_open.name} …")
        elif self._may_begin():
            self._begin(self._place_again())

    def action_fix(self) -> None:
        """Have changes proposed; those that are accepted go into the text, which is checked."""
        if not self._may_begin():
            return
        from veracite.tui.screens.fix import FixScreen

        text = self.text.editor.text
        begin = self._work(self._engine.fix, text)
        runner = partial(Runner, self._engine.cancel, turn=self._turn)
        self.app.push_screen(FixScreen(text, begin, runner), self._fixed)

    def action_back(self) -> None:
        """Stop the check; otherwise back to the verdicts, and from a claim to the overview."""
        if self.state.running:
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
        self.find_bar.open(self.text.place)

    def action_grow(self, by: int) -> None:
        """Give the evidence so much more room, in per cent."""
        self.panes.grow(by)

    def action_documents(self) -> None:
        """Ask for the documents to check against."""
        prompt = PathPrompt(
            "Check against",
            "A folder, a file or the name of a library; empty: the default library. "
            "Tab completes, Enter accepts, Esc cancels.",
            self._documents_entered,
            value=written(self.state.against),
            placeholder="the default library",
            folders_only=True,
        )
        self.app.push_screen(prompt, lambda _: self._update())

    def action_outcome(self) -> None:
        """Show the counts, the documents that failed and why, and what else should be known."""
        state = self.state
        if state.findings is None:
            self.notify(NOTHING_JUDGED)
            return
        content = sheets.outcome(
            state.counts,
            state.by_hand,
            state.disagreements,
            state.documents_read,
            state.failed,
            state.notes,
        )
        self.app.push_screen(SheetScreen("Report", content))

    def _may_begin(self) -> bool:
        """Whether there is a text and nothing else is going on; told if not."""
        if self.state.running:
            self.notify("A check is running. Escape stops it.")
        elif not self.text.editor.text.strip():
            self.notify("There is no text yet: paste one, or open a file with Ctrl+O.")
        else:
            return True
        return False

    def _begin(self, place: int) -> None:
        """Check the text; then the claim at this character is shown, or none at -1."""
        text = self.text.editor.text
        self.text.pointed = place >= 0
        self.state.begin(text)
        assert self.state.findings
        self.text.read(self.state.findings, max(0, place))
        self.status.say("Starting …")
        self._update()
        check = partial(self._engine.check, place=max(0, place))
        self.runner.start(self._work(check, text))

    def _work(
        self, begin: Callable[..., Generator[Event, None, None]], text: str
    ) -> Callable[[], Generator[Event, None, None]]:
        """A check or a fix of the text."""
        draft = self.state.draft
        path, markdown = (draft.path, draft.markdown) if draft else (None, True)
        return partial(begin, text, self.state.against, path, markdown)

    # What happens

    def _fixed(self, answered: list[Proposal] | None) -> None:
        if answered is not None:
            text, place = mended(self.text.editor.text, answered, self._place_again())
            self.text.change(text)
            if self._may_begin():
                self._begin(place)

    @on(FindBar.Found)
    def _found(self, event: FindBar.Found) -> None:
        self.text.select(event.start, event.end)
        self._update()

    @on(FindBar.Closed)
    def _found_enough(self) -> None:
        self.text.view.focus()

    async def _documents_entered(self, value: str) -> None:
        against = against_from(value)
        await apart(partial(self._engine.require, against))
        self.state.against = against
