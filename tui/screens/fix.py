"""Changes proposed for a text, each to be accepted or refused."""

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Footer, OptionList, Static

from veracite.engine.display import neutralise, shorten
from veracite.engine.events import Finished, Proposed
from veracite.engine.methods.fix import NOTHING_BETTER, ONLY_REMOVAL
from veracite.engine.report import beside, phrases
from veracite.engine.report.answers import prose
from veracite.engine.report.fixes import Told, changes
from veracite.engine.report.phrases import counted
from veracite.engine.texts import removal
from veracite.engine.types import Change, Citation, Label, Verdict
from veracite.tui.keys import bindings
from veracite.tui.service import place_of
from veracite.tui.themes import named_label
from veracite.tui.widgets.status_line import StatusLine
from veracite.tui.worker import Runner, Work

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

    def content(self) -> Content:
        """The claim with what gives way and what comes in its place, and why."""
        change, before = self.change, self.change.before
        answer = _ANSWERS[self.accepted] if change.kept else ("stays as it is", "$muted")
        # Without the setting that takes claims out: here a person decides about each.
        reason = change.reason.replace(ONLY_REMOVAL, NOTHING_BETTER)
        return Content.assemble(
            named_label(before.label, "bold"),
            "  ",
            answer,
            "\n",
            _difference(change) if change.kept else neutralise(before.claim.text),
            (f"\n{neutralise(reason)}", "$muted"),
            _source(self.citations[0]) if change.kept and self.citations else "",
            "\n",
        )


def mended(text: str, proposals: list[Proposal], place: int = -1) -> tuple[str, int]:
    """The text with the changes that are accepted, and where a place in it is then.

    Args:
        place: A character; one that gives way becomes the first of what comes. -1 stays.
    """
    for proposal in sorted(proposals, key=lambda one: -one.change.before.claim.start):
        if not proposal.accepted:
            continue
        change, claim = proposal.change, proposal.change.before.claim
        start, end = claim.start, claim.end
        if not change.text:
            span = removal(text, start, end)
            start, end = span.start, span.end
        text = text[:start] + change.text + text[end:]
        place = place + len(change.text) - (end - start) if place >= end else min(place, start)
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


def _source(citation: Citation) -> Content:
    """The quote, and where it stands."""
    return Content.from_markup(
        "\n  “$quote”\n  [$muted]$relation: [/][b]$where[/]",
        quote=shorten(neutralise(prose(citation)), _LONGEST_QUOTE, " …"),
        relation=phrases.RELATION_WORDS[citation.relation].capitalize(),
        where=place_of(citation),
    )


class Proposals(OptionList):
    """Grows while the text is being mended; what stays as it is comes last."""

    def __init__(self) -> None:
        super().__init__(id="proposals")
        self.all: list[Proposal] = []
        """What can be accepted, in order of position, then what cannot."""

    @property
    def offered(self) -> list[Proposal]:
        """What can be accepted."""
        return [proposal for proposal in self.all if proposal.change.kept]

    def propose(self, change: Change) -> None:
        """One more; the first that can be accepted is where the user begins."""
        looked_at = self.highlighted
        self.all.append(Proposal(change))
        self.all.sort(key=lambda proposal: not proposal.change.kept)
        self.set_options(proposal.content() for proposal in self.all)
        begin = looked_at if looked_at is not None and looked_at < len(self.offered) else 0
        self.highlighted = begin if self.offered else looked_at

    def rest(self, told: tuple[Told, ...]) -> None:
        """Show below each change what it rests on."""
        found = {one.change.before.claim.start: one.citations for one in told}
        for number, proposal in enumerate(self.offered):
            proposal.citations = found.get(proposal.change.before.claim.start, ())
            self.answer(number, proposal.accepted)

    def answer(self, number: int, accepted: bool | None) -> None:
        """Accept or refuse a proposal."""
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

    BINDINGS = bindings("fix")

    def __init__(
        self,
        text: str,
        begin: Work,
        runner: Callable[[Callable[..., object]], Runner],
        overridden: Callable[[Verdict], Verdict],
    ) -> None:
        super().__init__()
        self._text = text
        self._begin = begin
        self.runner = runner(self.post_message)
        self.said = Static(id="said")
        self.proposals = Proposals()
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
        """Accept or refuse the change that is looked at, and go on to the next."""
        number, possible = self.proposals.highlighted, len(self.proposals.offered)
        if number is None or number >= possible:
            self.notify("There is nothing to accept here.")
        else:
            self.proposals.answer(number, accepted)
            self.proposals.highlighted = min(number + 1, possible - 1)
        self._say_how_far()

    def action_accept_all(self) -> None:
        """Accept all that are there and were not refused."""
        for number, proposal in enumerate(self.proposals.offered):
            if proposal.accepted is None:
                self.proposals.answer(number, True)
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
                # What the user has said may stand is left alone.
                before = self._overridden(change.before)
                if before.override and before.label in _SETTLED:
                    self._settled += 1
                else:
                    self.proposals.propose(replace(change, before=before))
                    self._say_how_far()
            case Finished(report=report):
                told = (each for each in report.verdicts if each.label is Label.SUPPORTED)
                self._split = beside.disagreements(told)
                if report.fix:
                    self.proposals.rest(changes(report))

    @on(Runner.Failed)
    def _failed_with(self, message: Runner.Failed) -> None:
        self._failed = True
        self._say(message.said)

    @on(Runner.Ended)
    def _ended(self) -> None:
        self.status.say("")
        self._over = True
        self._say_how_far()

    def _say_how_far(self) -> None:
        """What is going on or came out, and how many changes are accepted; an error stays."""
        if self._failed:
            return
        said = self._outcome() if self._over else _AT_WORK
        possible = self.proposals.offered
        if accepted := sum(one.accepted is True for one in possible):
            said += f" Accepted: {accepted} of {counted(len(possible), 'change')}."
        self._say(said)

    def _outcome(self) -> str:
        if possible := len(self.proposals.offered):
            told = f"{counted(possible, 'change')} proposed. "
            told += "Enter puts what you accept into the text."
        elif self.proposals.all:
            told = "The documents support nothing better for any of these claims."
        else:
            told = "Every claim is supported or not checkable: there is nothing to mend."
        if self._settled:
            stays = "stays" if self._settled == 1 else "stay"
            told += f" {counted(self._settled, 'claim')} {stays} because you overrode the verdict."
        if self._split:
            told += f" {self._split}, where the text stays; v in Check overrides a verdict."
        return told

    def _say(self, message: str) -> None:
        self.said.update(Content(neutralise(message)))
