"""Finding the passages: select, verify, ask for what is missing (LLatrieval); queries (VTG)."""

from collections.abc import Sequence

from veracite.engine.events import Unusable
from veracite.engine.skills import grammars, replies
from veracite.engine.skills.base import MissingStyle, Steps, Sufficiency, SufficiencyMode
from veracite.engine.skills.prompted.asking import Asker
from veracite.engine.skills.prompted.request import Request
from veracite.engine.skills.prompts import Field
from veracite.index.documents import Passage

_LINE = 600
"""Most characters of a question or a pseudo passage that stands for what is missing."""
_QUERY = 160
"""Most characters of a query."""


def select(
    asker: Asker, question: str, passages: Sequence[Passage], k: int
) -> Steps[tuple[int, ...]]:
    """At most k places; the first k, which hold what was selected before, if none can be read."""
    if len(passages) <= k:
        return tuple(range(len(passages)))
    fields: dict[str, Field] = {"question": question, "k": k}
    named = yield from numbered(asker, Request(asker.prompt("select"), fields, passages), k)
    return named if named is not None else tuple(range(k))


def sufficient(
    asker: Asker,
    question: str,
    passages: Sequence[Passage],
    mode: SufficiencyMode,
    tau: float,
) -> Steps[Sufficiency]:
    """Yes or no by the likelier option; a score as the mean of 0..10 over their probabilities."""
    if not passages:
        return Sufficiency(sufficient=False, score=0.0)
    prompt = asker.prompt("sufficient" if mode == "classify" else "sufficient_score")
    choice = yield from asker.choose(Request(prompt, {"question": question}, passages))
    said = {
        meaning: probability
        for (meaning, _), probability in zip(prompt.options, choice.probabilities, strict=True)
    }
    if mode == "classify":
        return Sufficiency(said["yes"] > 0.5, said["yes"])
    score = sum(int(points) * probability for points, probability in said.items())
    return Sufficiency(score >= tau, score)


def missing(
    asker: Asker, question: str, passages: Sequence[Passage], style: MissingStyle
) -> Steps[str]:
    """A query; the question itself if none can be read."""
    request = Request(asker.prompt(f"missing_{style}"), {"question": question}, passages)
    written = yield from asker.write(
        request, lambda reply, _: replies.line(reply), grammar=lambda _: grammars.line(_LINE)
    )
    return written.value if written else question


def queries(
    asker: Asker, question: str, so_far: Sequence[str], claim: str, count: int
) -> Steps[tuple[str, ...]]:
    """At most ``count`` different queries; the claim itself if none can be read."""
    fields: dict[str, Field] = {
        "question": question,
        "so_far": " ".join(so_far),
        "claim": claim,
        "count": count,
    }
    written = yield from asker.write(
        Request(asker.prompt("queries"), fields),
        lambda reply, _: replies.lines(reply, count),
        grammar=lambda _: grammars.lines(count, _QUERY),
    )
    return written.value if written else (claim,)


def numbered(
    asker: Asker, request: Request, most: int, *, in_brackets: bool = False
) -> Steps[tuple[int, ...] | None]:
    """The places of passages that a reply names; None if it names none, twice."""
    grammar = grammars.citations if in_brackets else grammars.numbers
    written = yield from asker.write(
        request,
        replies.numbers,
        grammar=lambda passages: grammar(passages, most),
        limit=grammars.most_characters(len(request.passages), most),
    )
    if written is None:
        return None
    if written.value.ignored:
        named = ", ".join(map(str, written.value.ignored))
        reason = f"it names passages that do not exist ({named}), which was ignored"
        yield Unusable(request.prompt.skill, reason, written.generation.text, written.attempt)
    return written.value.places[:most]
