"""What a check has found so far, kept in step with the text while it is being edited."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace

from veracite.engine.words import Claim, Label, Verdict

__all__ = ["Findings", "Mark"]

_FINDINGS = frozenset({Label.CONTRADICTED, Label.NOT_FOUND, Label.UNCERTAIN})
"""The labels that a person wants to look at."""

_NEAR = 40
"""Characters before a place that say whether a sentence can begin there."""
_BEGINNING = re.compile(r"(^|[.!?:…]\W*?\s|\n)\s*$")


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a claim stands in the text as it is now."""

    index: int
    """Which claim, as in ``Segmented.claims``."""
    start: int
    end: int
    label: Label | None
    """None until it is judged."""
    overridden: bool = False
    """Whether a person gave the label."""


@dataclass(frozen=True, slots=True)
class _Edit:
    """The characters from start to old_end gave way to those from start to new_end."""

    start: int
    old_end: int
    new_end: int
    begins: bool
    """Whether a sentence can begin right behind it."""
    ends: bool
    """Whether the word right before it still ends there."""

    def moved(self, first: int, last: int) -> tuple[int, int] | None:
        """Where a claim stands after the edit; None if its words were touched or added to."""
        if last < self.start or (last == self.start and self.ends):
            return first, last
        if first > self.old_end or (first == self.old_end and self.begins):
            shift = self.new_end - self.old_end
            return first + shift, last + shift
        return None


class Findings:
    """The claims of a text and their verdicts.

    A claim whose words are edited loses its mark until the next check; the marks of the others move
    with the text. Edits made before the claims are known count too.

    Args:
        text: The text as it is given to the check.
        before: Verdicts of the last check, which claims that read the same show until they are
            judged.
    """

    def __init__(self, text: str, before: Iterable[Verdict] = ()) -> None:
        self.text = text
        self._before = {verdict.claim.hypothesis: verdict for verdict in before}
        self._kept: dict[int, Verdict] = {}
        self.verdicts: dict[int, Verdict] = {}
        self.changed = False
        """Whether the text was edited since."""
        self._spans: dict[int, tuple[int, int]] = {}
        self._edits: list[_Edit] = []
        self._marks: tuple[Mark, ...] | None = None

    def segment(self, claims: tuple[Claim, ...]) -> None:
        """Take the claims, whose spans refer to the text as it was given."""
        self._spans = {index: (claim.start, claim.end) for index, claim in enumerate(claims)}
        self._kept = {
            index: replace(self._before[claim.hypothesis], claim=claim)
            for index, claim in enumerate(claims)
            if claim.hypothesis in self._before
        }
        for edit in self._edits:
            self._move(edit)
        self._marks = None

    def judge(self, index: int, verdict: Verdict) -> None:
        """Take the verdict on one claim."""
        self.verdicts[index] = verdict
        self._marks = None

    def settle(self) -> None:
        """The check is over: what it did not judge has no verdict."""
        self._kept = {}
        self._marks = None

    def verdict(self, index: int) -> Verdict | None:
        """On a claim; that of the last check while there is no new one."""
        return self.verdicts.get(index) or self._kept.get(index)

    def edit(self, text: str) -> None:
        """The text now reads like this."""
        if text == self.text:
            return
        start = _common(self.text, text)
        tail = _common(self.text[start:][::-1], text[start:][::-1])
        end = len(text) - tail
        edit = _Edit(
            start=start,
            old_end=len(self.text) - tail,
            new_end=end,
            begins=bool(_BEGINNING.search(text[max(0, end - _NEAR) : end])),
            ends=start == len(text) or text[start].isspace(),
        )
        self.text = text
        self.changed = True
        self._edits.append(edit)
        self._move(edit)
        self._marks = None

    def marks(self) -> tuple[Mark, ...]:
        """Every claim that still stands, in order of position."""
        if self._marks is None:
            self._marks = tuple(
                Mark(index, start, end, self._label(index), self._is_overridden(index))
                for index, (start, end) in sorted(self._spans.items(), key=lambda item: item[1])
            )
        return self._marks

    def at(self, offset: int) -> Mark | None:
        """The claim at a character of the text; the place right behind its end belongs to it."""
        marks = self.marks()
        number = bisect_right(marks, offset, key=lambda mark: mark.start)
        return marks[number - 1] if number and offset <= marks[number - 1].end else None

    def step(
        self, offset: int, forward: bool, *, findings_only: bool, only: Label | None = None
    ) -> Mark | None:
        """The next (previous) claim seen from a character, going round at the end.

        Args:
            findings_only: Stop only at claims that are contradicted, not found or uncertain, or
                that the library disagrees with itself about; otherwise at every claim.
            only: Stop only at claims with this label, whatever that is.
        """
        if only is not None:
            marks = [mark for mark in self.marks() if mark.label is only]
        elif findings_only:
            marks = [mark for mark in self.marks() if self._is_finding(mark.index)]
        else:
            marks = list(self.marks())
        if not marks:
            return None
        here = self.at(offset)
        at = here.start if here else offset
        if forward:
            return next((mark for mark in marks if mark.start > at), marks[0])
        return next((mark for mark in reversed(marks) if mark.start < at), marks[-1])

    def _is_finding(self, index: int) -> bool:
        verdict = self.verdict(index)
        return verdict is not None and (
            verdict.label in _FINDINGS or verdict.disagreement is not None
        )

    def _label(self, index: int) -> Label | None:
        verdict = self.verdict(index)
        return verdict.label if verdict else None

    def _is_overridden(self, index: int) -> bool:
        verdict = self.verdict(index)
        return verdict is not None and verdict.override is not None

    def _move(self, edit: _Edit) -> None:
        moved = ((index, edit.moved(*span)) for index, span in self._spans.items())
        self._spans = {index: span for index, span in moved if span is not None}


def _common(one: str, other: str) -> int:
    """How many characters two strings have in common at their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
