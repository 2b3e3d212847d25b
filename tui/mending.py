"""What is proposed for a text, and what the user makes of it; knows nothing of widgets."""

import difflib
import re
from dataclasses import dataclass

from textual.content import Content

from veracite.engine.display import neutralise
from veracite.engine.methods.reasons import NOTHING_BETTER, ONLY_REMOVAL
from veracite.engine.removal import removal
from veracite.engine.report import phrases
from veracite.engine.report.answers import prose
from veracite.engine.report.phrases import LABEL_WORDS, SYMBOLS
from veracite.engine.words import Change, Citation
from veracite.engine.wrap import shorten
from veracite.tui.labels import COLOURS

__all__ = ["Proposal", "mended"]

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

    def sheet(self) -> Content:
        """The claim with what gives way and what comes in its place, and why."""
        label = self.change.before.label
        title = (f"{SYMBOLS[label]} {LABEL_WORDS[label]}", f"bold {COLOURS[label]}")
        answer = _ANSWERS[self.accepted] if self.possible else ("stays as it is", "$muted")
        return Content.assemble(
            title,
            "  ",
            answer,
            "\n",
            _difference(self.change) if self.possible else _quiet(self.change.before.claim.text),
            ("\n" + neutralise(_reason(self.change)), "$muted"),
            *(_source(self.citations[0]) if self.possible and self.citations else ()),
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


def _reason(change: Change) -> str:
    """Without the setting that takes claims out: here a person decides about each."""
    return change.reason.replace(ONLY_REMOVAL, NOTHING_BETTER)


def _source(citation: Citation) -> tuple[str | tuple[str, str], ...]:
    """The quote, and where it stands."""
    relation = phrases.RELATION_WORDS[citation.relation].capitalize()
    quote = shorten(neutralise(prose(citation)), _LONGEST_QUOTE, " …")
    where = phrases.file_and_page(citation, phrases.base_name)
    return f"\n  “{quote}”", (f"\n  {relation}: ", "$muted"), (where, "bold")


def _quiet(text: str) -> Content:
    return Content(neutralise(text))
