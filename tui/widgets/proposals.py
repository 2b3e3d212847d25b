"""The changes that are proposed, each with what the user said to it."""

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from veracite.engine.report.fixes import Told
from veracite.engine.words import Change
from veracite.tui.mending import Proposal

__all__ = ["Proposals"]


class Proposals(OptionList):
    """Grows while the text is being mended; what stays as it is comes last, folded to a line."""

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(id=id)
        self._offered: list[Proposal] = []
        self._staying: list[Proposal] = []
        self._unfolded = self._all_accepted = False

    @property
    def all(self) -> list[Proposal]:
        """What can be accepted, in order of position, then what cannot."""
        return [*self._offered, *self._staying]

    def propose(self, change: Change) -> None:
        """One more; the first that can be accepted is where the user begins."""
        proposal = Proposal(change)
        if proposal.possible:
            proposal.accepted = True if self._all_accepted else None
            self._offered.append(proposal)
            self._draw()
            return
        self._staying.append(proposal)
        if len(self._staying) == 1:
            self.add_option(Option(self._fold()))
        else:
            self.replace_option_prompt_at_index(len(self._offered), self._fold())
        if self._unfolded:
            self.add_option(Option(_lines(proposal)))

    def rest(self, told: tuple[Told, ...]) -> None:
        """Show below each change what it rests on."""
        found = {one.change.before.claim.start: one.citations for one in told}
        for number, proposal in enumerate(self._offered):
            proposal.citations = found.get(proposal.change.before.claim.start, ())
            self.replace_option_prompt_at_index(number, _lines(proposal))

    def unfold(self) -> bool:
        """Show what stays as it is, or no longer; False if nothing does."""
        if not self._staying:
            return False
        self._unfolded = not self._unfolded
        self._draw()
        if self._unfolded:
            self.highlighted = len(self._offered)
        return True

    def answer(self, accepted: bool) -> bool:
        """Accept or refuse the one that is looked at and go on; False if it cannot be accepted."""
        number = self.highlighted
        if number is None or number >= len(self._offered):
            return False
        self._set(number, accepted)
        if number + 1 < len(self._offered):
            self.highlighted = number + 1
        return True

    @property
    def takes_all(self) -> bool:
        """Whether all were accepted at once, and so are those that are yet to come."""
        return self._all_accepted

    def answer_all(self) -> None:
        """Accept every one that was not refused, those that are yet to come too."""
        self._all_accepted = True
        for number, proposal in enumerate(self._offered):
            if proposal.accepted is None:
                self._set(number, True)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click on the line that stands for what stays."""
        event.stop()
        if event.option_index == len(self._offered):
            self.unfold()

    def _draw(self) -> None:
        looked_at = self.highlighted
        shown = [*self._offered, *(self._staying if self._unfolded else ())]
        lines = [_lines(proposal) for proposal in shown]
        if self._staying:
            lines.insert(len(self._offered), self._fold())
        self.set_options(Option(line) for line in lines)
        if self._offered and (looked_at is None or looked_at >= len(lines)):
            looked_at = 0
        self.highlighted = looked_at

    def _fold(self) -> Content:
        count = len(self._staying)
        stay = "1 claim stays as it is" if count == 1 else f"{count:,} claims stay as they are"
        does = "hides" if self._unfolded else "shows"
        return Content.styled(f"{stay}; s {does} {'it' if count == 1 else 'them'}.\n", "$muted")

    def _set(self, number: int, accepted: bool) -> None:
        self._offered[number].accepted = accepted
        self.replace_option_prompt_at_index(number, _lines(self._offered[number]))


def _lines(proposal: Proposal) -> Content:
    return Content.assemble(proposal.sheet(), "\n")
