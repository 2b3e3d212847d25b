"""What the Check room does when something happens that nobody pressed a key for."""

from textual import on
from textual.widgets import TextArea

from veracite.engine.display import neutralise
from veracite.tui.screens.check_base import CheckBase
from veracite.tui.widgets.marked_text import MarkedText
from veracite.tui.worker import Runner

__all__ = ["CheckEvents"]


class CheckEvents(CheckBase):
    """The part of the Check room that follows the check, the editor and the mouse."""

    @on(CheckBase.Happened)
    def _happened(self) -> None:
        arrived = [self._arrived.popleft() for _ in range(len(self._arrived))]
        if self.state.findings is None:  # another text was opened meanwhile
            return
        warnings = [warning for event in arrived for warning in self.state.take(event)]
        for warning in warnings:
            self.notify(neutralise(warning), severity="warning", markup=False)
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
            self._complain(message.message)

    @on(Runner.Ended)
    def _ended(self) -> None:
        state = self.state
        state.running = False
        if state.failure and state.fall_back():
            told = f"{' '.join(state.failure)} Shown are the verdicts of the last check."
            self.notify(neutralise(told), severity="error", markup=False)
        if state.findings:
            state.findings.settle()
        if state.failure:
            self.status.say("The check did not finish.")
        elif state.findings is None:
            self._say_what_is_open()
        elif state.report is None:
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
            self.text.under_mouse = None
            self._update()

    @on(MarkedText.Pointed)
    def _mouse_moved(self, event: MarkedText.Pointed) -> None:
        if event.area is self.text.view:
            self.text.under_mouse = event.offset
            self._update()
