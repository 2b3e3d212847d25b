"""Mending a text: what is proposed for each claim, to be accepted or refused."""

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

from veracite.engine.display import neutralise
from veracite.engine.events import Event, Finished
from veracite.engine.methods.events import Proposed
from veracite.engine.report import beside
from veracite.engine.report.fixes import changes
from veracite.engine.words import Change, Label
from veracite.tui.mending import Proposal, mended
from veracite.tui.screens.check_base import CheckBase
from veracite.tui.widgets.proposals import Proposals
from veracite.tui.widgets.status_line import StatusLine
from veracite.tui.worker import Runner

__all__ = ["FixScreen"]


_AT_WORK = "Each claim that no document supports is rewritten and judged again …"
_SETTLED = (Label.SUPPORTED, Label.NOT_CHECKABLE)


class FixScreen(ModalScreen[list[Proposal] | None]):
    """Ends with the proposals as the user answered them; None if nothing is to change.

    It stands on a Check room, and leaves alone what the user settled there by hand.

    Args:
        text: What is mended.
        begin: Mends it.
        runner: Makes what runs it, given where its messages go.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "answer(True)", "Accept", id="fix.accept"),
        Binding("r", "answer(False)", "Refuse", id="fix.refuse"),
        Binding("A", "accept_all", "Accept all", id="fix.accept-all"),
        Binding("s", "unfold", "What stays", id="fix.what-stays"),
        Binding("enter", "apply", "Change the text", priority=True, id="fix.apply"),
        Binding("escape", "leave", "Leave it as it is", id="fix.leave"),
    ]

    def __init__(
        self,
        text: str,
        begin: Callable[[], Generator[Event, None, None]],
        runner: Callable[[Callable[..., object]], Runner],
    ) -> None:
        super().__init__()
        self._text = text
        self._begin = begin
        self.runner = runner(self.post_message)
        self.proposals = Proposals(id="proposals")
        self.said = Static(id="said")
        self.status = StatusLine(id="fix-status")
        self._failed = self._over = False
        self._applies_at_end = False
        """Whether Enter was pressed for all changes while some were yet to come."""
        self._room: CheckBase | None = None
        self._settled = 0
        """Claims that the user settled by hand."""
        self._split: str | None = None
        """On how many claims that one document supports another disagrees."""

    def compose(self) -> ComposeResult:
        """The proposals, and how far the work is."""
        yield Static(Content.styled("Proposed changes", "bold"), id="fix-title")
        yield self.said
        yield self.proposals
        yield self.status
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Begin."""
        below = self.app.screen_stack[-2]
        self._room = below if isinstance(below, CheckBase) else None
        self._say_how_far()
        self.proposals.focus()
        self.runner.start(self._begin)

    def on_unmount(self) -> None:
        """Stop what is running; nobody waits for it."""
        self.runner.stop()

    def action_answer(self, accepted: bool) -> None:
        """Accept or refuse the change that is looked at."""
        if not self.proposals.answer(accepted):
            self.notify("There is nothing to accept here.")
        self._say_how_far()

    def action_accept_all(self) -> None:
        """Accept all that were not refused, those that are yet to come too."""
        self.proposals.answer_all()
        if self._over and not any(one.possible for one in self.proposals.all):
            self.notify("There is nothing to accept here.")
        self._say_how_far()

    def action_unfold(self) -> None:
        """Show what stays as it is, or no longer."""
        if not self.proposals.unfold():
            self.notify("So far no claim stays as it is.")

    def action_apply(self) -> None:
        """Change the text in what was accepted; where that is all, once all are there.

        Pressed again meanwhile, in what is there.
        """
        if self.proposals.takes_all and not self._over and not self._applies_at_end:
            self._applies_at_end = True
            self._say_how_far()
            return
        text, _ = mended(self._text, self.proposals.all)
        if text != self._text:
            self.dismiss(self.proposals.all)
        elif any(proposal.possible for proposal in self.proposals.all):
            self.notify("Nothing is accepted yet: a accepts a change, A all of them.")
        elif self._over:
            self.dismiss(None)
        else:
            self.notify("There is no change yet; Escape leaves the text as it is.")

    def action_leave(self) -> None:
        """Change nothing."""
        self.dismiss(None)

    @on(Runner.Happened)
    def _happened(self, message: Runner.Happened) -> None:
        self.status.follow(message.event)
        match message.event:
            case Proposed(change=change):
                self._propose(change)
            case Finished(report=report):
                told = (each for each in report.verdicts if each.label is Label.SUPPORTED)
                self._split = beside.disagreements(told)
                if report.fix:
                    self.proposals.rest(changes(report))

    @on(Runner.Failed)
    def _failed_with(self, message: Runner.Failed) -> None:
        self._failed = True
        self._say(f"{message.message} {message.advice}")

    @on(Runner.Ended)
    def _ended(self) -> None:
        self.status.say("")
        self._over = True
        self._say_how_far()
        if self._applies_at_end:
            self.action_apply()

    def _propose(self, change: Change) -> None:
        """Show a change, unless the user has said that the claim may stand."""
        before = change.before
        if self._room:
            before = self._room.state.overrides.applied(before, self._room.state.against)
        if before.override and before.label in _SETTLED:
            self._settled += 1
        else:
            self.proposals.propose(replace(change, before=before))
            self._say_how_far()

    def _say_how_far(self) -> None:
        """What is going on or came out, and how many changes are accepted; an error stays."""
        if self._failed:
            return
        said = self._outcome() if self._over else _AT_WORK
        possible = [one for one in self.proposals.all if one.possible]
        accepted = sum(one.accepted is True for one in possible)
        if accepted:
            noun = "change" if len(possible) == 1 else "changes"
            said += f" Accepted: {accepted} of {len(possible)} {noun}."
        if self._applies_at_end and not self._over:
            said += " The text changes when the last one is there; Enter again changes it now."
        self._say(said)

    def _outcome(self) -> str:
        outcome = self._proposed()
        if self._settled:
            noun = "1 claim stays" if self._settled == 1 else f"{self._settled} claims stay"
            outcome += f" {noun} because you overrode the verdict."
        if self._split:
            outcome += f" {self._split}, where the text stays; v in Check overrides a verdict."
        return outcome

    def _proposed(self) -> str:
        made = self.proposals.all
        possible = sum(proposal.possible for proposal in made)
        if not made:
            return "Every claim is supported or not checkable: there is nothing to mend."
        if not possible:
            return "The documents support nothing better for any of these claims."
        noun = "change" if possible == 1 else "changes"
        return f"{possible} {noun} proposed. Enter puts what you accept into the text."

    def _say(self, message: str) -> None:
        self.said.update(Content(neutralise(message)))
