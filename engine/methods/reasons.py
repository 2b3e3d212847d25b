"""Why a claim was changed, or was not, in a sentence that a person understands."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from veracite.engine.types import Label, Verdict

NOTHING_BETTER = "No replacement was found that the documents clearly support."
ONLY_REMOVAL = (
    "No replacement was found that the documents clearly support, and it is taken out only where "
    "the setting remove is true."
)
NEEDED = "It was not taken out, since what stands around it needs it."
DISAGREE = (
    "The documents disagree with each other on this: one supports the replacement that was tried, "
    "another contradicts it."
)
DISPUTED = (
    "The documents disagree with each other on this: one supports it as it stands, another "
    "contradicts it."
)
DISTURBS = "The replacement that was tried would have changed the text around it."
BREAKS_MARKUP = "The replacement that was tried would have left markup open, or closed it twice."
NOBODY_KNOWS_WHO = "It cannot be told for sure whom or what this sentence is about."
MENDED_BY_OTHERS = "It is supported now that what stands before it has been mended."
_ALIKE = 0.5
"""The share of words that two texts have in common if one is an edit of the other."""
_GROWN = 2
"""Words that an edit makes a text longer by, at most."""
_NAMED = 4
"""Words that are named at most of those that the nearest sentence lacks."""
_SHOWN = 60
"""Characters of a claim that are shown."""


def is_edit(before: str, after: str) -> bool:
    """Whether words of a text have given way to others, and nothing else is new or gone."""
    return bool(_edits(before, after)) and len(after.split()) - len(before.split()) <= _GROWN


def why_changed(before: Verdict, text: str) -> str:
    """Of a claim that has given way to a text."""
    if edits := _edits(before.claim.text, text):
        return f"The documents say {' and '.join(edits)}."
    if before.label is Label.CONTRADICTED:
        return "The documents say otherwise."
    return "The documents do not say it as it stood."


def why_left(verdict: Verdict, reason: str) -> str:
    """Of a claim that stays as it was: a reason, and how what stands nearest differs from it."""
    if reason is DISPUTED:
        return reason
    if not verdict.citations:
        return f"{reason} Nothing in the documents is near it."
    statement, parts = verdict.claim.statement, verdict.words
    said = [
        f"“{part.stated.text}”, not “{statement[part.start : part.end]}”"
        for part in parts
        if part.outcome == "conflict" and part.stated
    ]
    if said:
        return f"{reason} What stands nearest says {' and '.join(said)}."
    lacking = [f"“{statement[p.start : p.end]}”" for p in parts if p.outcome == "missing"]
    if lacking:
        named = " or ".join(list(dict.fromkeys(lacking))[:_NAMED])
        return f"{reason} What stands nearest does not speak of {named}."
    return f"{reason} What stands nearest has its words, but does not clearly say the same."


def why_removed(before: Verdict) -> str:
    """Of a claim that was taken out."""
    if before.label is Label.CONTRADICTED:
        return "The documents say otherwise, and nothing in them could stand in its place."
    return "No document says this."


def why_unsupported(unsupported: Sequence[Verdict]) -> str:
    """Of a replacement that did not pass."""
    if any(verdict.disagreement for verdict in unsupported):
        return DISAGREE
    labels = {verdict.label for verdict in unsupported}
    if Label.CONTRADICTED in labels:
        return "The documents contradict the replacement that was tried, too."
    return "The documents do not support the replacement that was tried, either."


def would_unsettle(neighbour: Verdict) -> str:
    """Of a replacement that takes another claim's support away."""
    said = neighbour.claim.statement
    shown = said if len(said) <= _SHOWN else f"{said[:_SHOWN].rstrip()}…"
    return f"With the replacement that was tried, “{shown}” would not be supported any more."


def _edits(before: str, after: str) -> list[str]:
    """What took the place of what, if that is all the difference; nothing where more is new."""
    old, new = before.split(), after.split()
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    edits = [
        f"“{_bare(new[c:d])}”, not “{_bare(old[a:b])}”"
        for kind, a, b, c, d in matcher.get_opcodes()
        if kind != "equal"
    ]
    whole = all(kind in ("equal", "replace") for kind, *_ in matcher.get_opcodes())
    return edits if whole and matcher.ratio() >= _ALIKE else []


def _bare(words: Sequence[str]) -> str:
    return " ".join(words).strip("*_.,;:!?() ")
