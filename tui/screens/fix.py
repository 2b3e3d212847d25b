"""Changes proposed for a text, each to be accepted or refused."""

import difflib
import re
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Footer, OptionList, Static

from veracite.engine.display import neutralise, shorten
from veracite.engine.events import Event, Finished
from veracite.engine.methods.events import Proposed
from veracite.engine.methods.fix import NOTHING_BETTER, ONLY_REMOVAL
from veracite.engine.report import beside, phrases
from veracite.engine.report.answers import prose
from veracite.engine.report.fixes import Told, changes
from veracite.engine.report.phrases import LABEL_WORDS, SYMBOLS, counted
from veracite.engine.texts import removal
from veracite.engine.types import Change, Citation, Label, Verdict
from veracite.tui.keys import bindings
from veracite.tui.themes import COLOURS
from veracite.tui.widgets.status_line import StatusLine
from veracite.tui.worker import Runner

_LONGEST_QUOTE = 240
"""Columns."""
_WORDS = re.compile(r"\s+|\w+|[^\w\s]")
_ANSWERS = {
    True: ("✓ accepted", "bold $text-success"),
    False: ("✗ refused", "bold $text-error"),
    None: ("○ a accepts, r refuses", "$muted"),
}


@dataclass
class Proposal:
    """A change, and whether it is to be made."""

    change: Change
    accepted: bool | None = None
    """None while the user has not said."""
    citations: tuple[Citation, ...] = ()
    """What the change rests on, best first; known when the whole text is mended."""

    @property
    def possible(self) -> bool:
        """Whether there is anything to accept."""
        return self.change.kept

    def content(self) -> Content:
        """The claim with what gives way and what comes in its place, and why."""
        before = self.change.before
        answer = _ANSWERS[self.accepted] if self.possible else ("stays as it is", "$muted")
        # Without the setting that takes claims out: here a person decides about each.
        reason = self.change.reason.replace(ONLY_REMOVAL, NOTHING_BETTER)
        return Content.assemble(
            (
                f"{SYMBOLS[before.label]} {LABEL_WORDS[before.label]}",
                f"bold {COLOURS[before.label]}",
            ),
            "  ",
            answer,
            "\n",
            _difference(self.change) if self.possible else neutralise(before.claim.text),
            (f"\n{neutralise(reason)}", "$muted"),
            *(_source(self.citations[0]) if self.possible and self.citations else ()),
            "\n",
        )


def mended(text: str, proposals: list[Proposal], place: int = -1) -> tuple[str, int]:
    """The text with the changes that are accepted, and where a place in it is then.

    Args:
        place: A character; one that gives way becomes the first of what comes. -1 stays.
    """
    for proposal in sorted(proposals, key=lambda one: -one.change.before.claim.start):
        claim = proposal.change.before.claim
        if proposal.accepted and proposal.possible:
            start, end = claim.start, claim.end
            if not proposal.change.text:
                span = removal(text, start, end)
                start, end = span.start, span.end
            text = text[:start] + proposal.change.text + text[end:]
            if place >= end:
                place += len(proposal.change.text) - (end - start)
            else:
                place = min(place, start)
    return text, place


def _difference(change: Change) -> Content:
    """What goes and what comes, a line each, the words that differ standing out."""
    old, new = (_WORDS.findall(text) for text in (change.before.claim.text, change.text))
    going: list[str | tuple[str, str]] = [("- ", "$text-error")]
    coming: list[str | tuple[str, str]] = [("\n+ ", "$text-success")]
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        loud = "" if kind == "equal" else "bold underline "
        going.append((neutralise("".join(old[a:b])), f"{loud}$text-error"))
        coming.append((neutralise("".join(new[c:d])), f"{loud}$text-success"))
    return Content.assemble(*going, *(coming if change.text else ()))


def _source(citation: Citation) -> tuple[str | tuple[str, str], ...]:
    """The quote, and where it stands."""
    relation = phrases.RELATION_WORDS[citation.relation].capitalize()
    quote = shorten(neutralise(prose(citation)), _LONGEST_QUOTE, " …")
    where = phrases.file_and_page(citation, phrases.base_name)
    return f"\n  “{quote}”", (f"\n  {relation}: ", "$muted"), (where, "bold")


class Proposals(OptionList):
    """Grows while the text is being mended; what stays as it is comes last."""

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(id=id)
        self.all: list[Proposal] = []
        """What can be accepted, in order of position, then what cannot."""

    @property
    def offered(self) -> list[Proposal]:
        """What can be accepted."""
        return [proposal for proposal in self.all if proposal.possible]

    def propose(self, change: Change) -> None:
        """One more; the first that can be accepted is where the user begins."""
        looked_at = self.highlighted
        self.all.append(Proposal(change))
        self.all.sort(key=lambda proposal: not proposal.possible)
        self.set_options(proposal.content() for proposal in self.all)
        begin = looked_at if looked_at is not None and looked_at < len(self.offered) else 0
        self.highlighted = begin if self.offered else looked_at

    def rest(self, told: tuple[Told, ...]) -> None:
        """Show below each change what it rests on."""
        found = {one.change.before.claim.start: one.citations for one in told}
        for number, proposal in enumerate(self.offered):
            proposal.citations = found.get(proposal.change.before.claim.start, ())
            self.replace_option_prompt_at_index(number, proposal.content())

    def answer(self, accepted: bool) -> bool:
        """Accept or refuse the one that is looked at and go on; False if it cannot be accepted."""
        number = self.highlighted
        if number is None or number >= len(self.offered):
            return False
        self._set(number, accepted)
        self.highlighted = min(number + 1, len(self.offered) - 1)
        return True

    def answer_all(self) -> None:
        """Accept every one that was not refused."""
        for number, proposal in enumerate(self.offered):
            if proposal.accepted is None:
                self._set(number, True)

    def _set(self, number: int, accepted: bool) -> None:
        self.all[number].accepted = accepted
        self.replace_option_prompt_at_index(number, self.all[number].content())


_AT_WORK = "Each claim that no document supports is rewritten and judged again …"
_SETTLED = (Label.SUPPORTED, Label.NOT_CHECKABLE)


class FixScreen(ModalScreen[list[Proposal] | None]):
    """Ends with the proposals as the user answered them; None if nothing is to change.

    What the user settled by hand is left alone.

    Args:
        text: What is mended.
        begin: Mends it.
        runner: Makes what runs it, given where its messages go.
        overridden: A verdict as the user has overridden it, if so.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("fix")

    def __init__(
        self,
        text: str,
        begin: Callable[[], Generator[Event, None, None]],
        runner: Callable[[Callable[..., object]], Runner],
        overridden: Callable[[Verdict], Verdict],
    ) -> None:
        super().__init__()
        self._text = text
        self._begin = begin
        self.runner = runner(self.post_message)
        self.proposals = Proposals(id="proposals")
        self.said = Static(id="said")
        self.status = StatusLine(id="fix-status")
        self._failed = self._over = False
        self._overridden = overridden
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
        """Accept all that are there and were not refused."""
        self.proposals.answer_all()
        if self._over and not self.proposals.offered:
            self.notify("There is nothing to accept here.")
        self._say_how_far()

    def action_apply(self) -> None:
        """Change the text in what was accepted."""
        text, _ = mended(self._text, self.proposals.all)
        if text != self._text:
            self.dismiss(self.proposals.all)
        elif self.proposals.offered:
            self.notify("Nothing is accepted yet: a accepts a change, A all of them.")
        elif self._over:
            self.dismiss(None)
        else:
            self.notify("There is no change yet; Escape leaves the text as it is.")

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

    def _propose(self, change: Change) -> None:
        """Show a change, unless the user has said that the claim may stand."""
        before = self._overridden(change.before)
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
        possible = self.proposals.offered
        accepted = sum(one.accepted is True for one in possible)
        if accepted:
            said += f" Accepted: {accepted} of {counted(len(possible), 'change')}."
        self._say(said)

    def _outcome(self) -> str:
        outcome = self._proposed()
        if self._settled:
            stays = "stays" if self._settled == 1 else "stay"
            claims = counted(self._settled, "claim")
            outcome += f" {claims} {stays} because you overrode the verdict."
        if self._split:
            outcome += f" {self._split}, where the text stays; v in Check overrides a verdict."
        return outcome

    def _proposed(self) -> str:
        if not self.proposals.all:
            return "Every claim is supported or not checkable: there is nothing to mend."
        if not (possible := len(self.proposals.offered)):
            return "The documents support nothing better for any of these claims."
        return f"{counted(possible, 'change')} proposed. Enter puts what you accept into the text."

    def _say(self, message: str) -> None:
        self.said.update(Content(neutralise(message)))
