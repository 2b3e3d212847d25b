"""An answer as ALCE writes it: every sentence with the marks of the documents that support it."""

from collections.abc import Callable, Sequence

from veracite.engine.claims.citation_marks import without_marks
from veracite.engine.words import Answer, Label, Verdict

__all__ = ["cited_paths", "marked", "with_marks"]

_ENDS = (".", "!", "?")


def marked(answer: Answer, number: Callable[[str], int]) -> str:
    """The answer's text with marks such as ``[1][2]``.

    Args:
        answer: Its sentences that are not supported get no mark.
        number: A document's path to its number, from 1.
    """
    parts, end = [], 0
    for verdict in answer.verdicts:
        claim = verdict.claim
        numbers = dict.fromkeys(number(path) for path in cited_paths(verdict))
        parts += [answer.text[end : claim.start], with_marks(claim.text, list(numbers))]
        end = claim.end
    return "".join([*parts, answer.text[end:]])


def cited_paths(verdict: Verdict) -> list[str]:
    """The documents that a supported sentence rests on, in order; of another sentence none."""
    if verdict.label is not Label.SUPPORTED:
        return []
    return [citation.file for citation in verdict.citations if citation.relation == "supports"]


def with_marks(sentence: str, numbers: Sequence[int]) -> str:
    """A sentence with marks before its full stop; marks that it has itself are taken out."""
    plain = without_marks(sentence)
    if not numbers:
        return plain
    end = plain[-1] if plain.endswith(_ENDS) else "."
    marks = "".join(f"[{number}]" for number in numbers)
    return f"{plain.removesuffix(end).rstrip()} {marks}{end}"
