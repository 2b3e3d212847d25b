"""VTG's citation simplifier: citations that a sentence can do without are dropped."""

from collections.abc import Sequence
from dataclasses import replace

from veracite.engine.methods.base import Steps, Tools, is_quoted
from veracite.engine.methods.events import Simplified
from veracite.engine.types import Label, Verdict
from veracite.index.documents import Evidence

_Simpler = tuple[Verdict, tuple[Evidence, ...]]


def simplify(verdict: Verdict, cited: tuple[Evidence, ...], tools: Tools) -> Steps[_Simpler]:
    """A supported sentence's citations without those it does not need (VTG, section 2.3).

    The weakest goes first: the one that supports the sentence least probably when it is read alone,
    of equals the last. Each is dropped without which the others still support the sentence, until
    none can be. Where single passages support it, this leaves the strongest of them, which is taken
    at once.

    Args:
        verdict: Of the sentence by all of them: supported.
        cited: Each passage once.

    Returns:
        The verdict by those that are left, and these, in their order.
    """
    if len(cited) < 2:
        return verdict, cited
    alone = yield from tools.judge([verdict.claim] * len(cited), [(item,) for item in cited])
    order = sorted(range(len(cited)), key=lambda place: (_supported(alone[place]), -place))
    enough = [place for place in order if alone[place].label is Label.SUPPORTED]
    if enough:
        verdict, kept = alone[enough[-1]], tuple(enough[-1:])
    else:
        verdict, kept = yield from _needed(verdict, cited, order, tools)
    left = tuple(cited[place] for place in kept)
    if len(left) < len(cited):
        dropped = tuple(item for place, item in enumerate(cited) if place not in kept)
        yield Simplified(verdict.claim.text, left, dropped)
    return verdict, left


def strongest(
    verdict: Verdict, cited: tuple[Evidence, ...], most: int, tools: Tools
) -> Steps[_Simpler]:
    """A supported sentence's citations, at most so many (VTG, appendix E).

    Those that the verdict quotes for the sentence go before the others, then those that support it
    most probably when they are read alone. Where only more of them together support it, it stays
    supported, as all of memory has it, with the quotes that are left.

    Args:
        verdict: Of the sentence by all of them: supported.
        cited: Each passage once.

    Returns:
        The verdict by those that are left, and these, in their order.
    """
    if len(cited) <= most:
        return verdict, cited
    alone = yield from tools.judge([verdict.claim] * len(cited), [(item,) for item in cited])
    own = [quote for quote in verdict.citations if quote.relation == "supports"]

    def weakness(place: int) -> tuple[bool, float]:
        return not is_quoted(cited[place].passage, own), -_supported(alone[place])

    kept = sorted(sorted(range(len(cited)), key=weakness)[:most])
    left = tuple(cited[place] for place in kept)
    (again,) = yield from tools.judge([verdict.claim], [left])
    if again.label is not Label.SUPPORTED:
        quotes = (
            one for one in verdict.citations if any(is_quoted(i.passage, [one]) for i in left)
        )
        again = replace(verdict, citations=tuple(quotes))
    dropped = tuple(item for place, item in enumerate(cited) if place not in kept)
    yield Simplified(verdict.claim.text, left, dropped)
    return again, left


def _needed(
    verdict: Verdict, cited: Sequence[Evidence], order: Sequence[int], tools: Tools
) -> Steps[tuple[Verdict, tuple[int, ...]]]:
    """The places of passages of which none can be dropped, where none is enough alone.

    A passage that was needed may be so no more when another is gone: all are tried again then.
    """
    kept = tuple(range(len(cited)))
    smaller = True
    while smaller:
        smaller = False
        for place in [one for one in order if one in kept]:
            rest = tuple(other for other in kept if other != place)
            if len(rest) < 2:
                break
            passages = [cited[other] for other in rest]
            (again,) = yield from tools.judge([verdict.claim], [passages])
            if again.label is Label.SUPPORTED:
                verdict, kept, smaller = again, rest, True
    return verdict, kept


def _supported(verdict: Verdict) -> float:
    return verdict.scores.supported if verdict.scores else 0.0
