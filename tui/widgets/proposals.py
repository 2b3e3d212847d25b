"""The changes that are proposed, each with what the user said to it."""

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from veracite.engine.words import Change
from veracite.tui.mending import Proposal

__all__ = ["Proposals"]


class Proposals(OptionList):
    """Grows while the text is being mended."""

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(id=id)
        self.all: list[Proposal] = []

    def propose(self, change: Change) -> None:
        """One more; the first that can be accepted is where the user begins."""
        proposal = Proposal(change)
        self.all.append(proposal)
        self.add_option(Option(_lines(proposal)))
        if proposal.possible and self.highlighted is None:
            self.highlighted = len(self.all) - 1

    def answer(self, accepted: bool) -> bool:
        """Accept or refuse the one that is looked at and go on; False if it cannot be accepted."""
        number = self.highlighted
        if number is None or not self.all[number].possible:
            return False
        self._set(number, accepted)
        later = [n for n, one in enumerate(self.all) if n > number and one.possible]
        if later:
            self.highlighted = later[0]
        return True

    def answer_all(self) -> None:
        """Accept every one that was not refused."""
        for number, proposal in enumerate(self.all):
            if proposal.possible and proposal.accepted is None:
                self._set(number, True)

    def _set(self, number: int, accepted: bool) -> None:
        self.all[number].accepted = accepted
        self.replace_option_prompt_at_index(number, _lines(self.all[number]))


def _lines(proposal: Proposal) -> Content:
    return Content.assemble(proposal.sheet(), "\n")
