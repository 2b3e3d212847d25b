"""Answers: first ones, refined ones, corrected ones."""

from collections.abc import Callable, Sequence

from veracite.engine.events import Unusable
from veracite.engine.skills import grammars, replies
from veracite.engine.skills.base import Draft, Steps, Style, Writing
from veracite.engine.skills.prompted.asking import Asker
from veracite.engine.skills.prompted.request import Request
from veracite.engine.types import Claim
from veracite.index.documents import Passage
from veracite.models.generator import Sampling

_CHARACTERS_PER_TOKEN = 6
"""More than tokens have on average, so that a grammar does not cut a reply before its limit."""


def answer(
    asker: Asker,
    question: str,
    passages: Sequence[Passage],
    style: Style,
    reasoning: bool,
    samples: int,
    writing: Writing,
) -> Steps[tuple[Draft, ...]]:
    """One greedy answer, or several sampled ones."""
    request = Request(
        asker.prompt(_skill(style, bool(passages))), {"question": question}, passages, reasoning
    )
    drafts: list[Draft] = []
    for sample in range(samples):
        sampling = Sampling(writing.temperature, writing.top_p, asker.seed + sample)
        drafts.append(
            (
                yield from _draft(
                    asker,
                    request,
                    style,
                    sampling if samples > 1 else None,
                    streamed=samples == 1,
                    tokens=writing.tokens,
                )
            )
        )
    return tuple(drafts)


def refine(
    asker: Asker,
    question: str,
    answers: Sequence[str],
    passages: Sequence[Passage],
    reasoning: bool,
    writing: Writing,
) -> Steps[Draft]:
    """A new short answer; the first of the old ones where no reply can be used."""
    fields = {"question": question, "answers": tuple(answers)}
    request = Request(asker.prompt("refine"), fields, passages, reasoning)
    draft = yield from _draft(asker, request, "short", None, streamed=True, tokens=writing.tokens)
    return draft if draft.text or not answers else Draft(answers[0])


def revise(
    asker: Asker,
    text: str,
    wrong: Sequence[Claim],
    passages: Sequence[Passage],
    question: str | None,
) -> Steps[Draft]:
    """The corrected text; the text as it was where no reply can be used."""
    fields = {
        "question": question or "",
        "text": text,
        "claims": tuple(claim.statement for claim in wrong),
    }
    request = Request(asker.prompt("revise" if question else "fix"), fields, passages)
    draft = yield from _draft(asker, request, "plain", None, streamed=True)
    return draft if draft.text else Draft(text)


def _skill(style: Style, with_passages: bool) -> str:
    if with_passages:
        return f"answer_{style}"
    return "draft_short" if style == "short" else "draft"


def _draft(
    asker: Asker,
    request: Request,
    style: Style,
    sampling: Sampling | None,
    *,
    streamed: bool,
    tokens: int | None = None,
) -> Steps[Draft]:
    """What the model wrote; an empty draft if it could not be used.

    Args:
        tokens: At most, in the style "short"; None is the prompt's own limit.
    """
    wrong: list[int] = []
    limit = tokens if tokens is not None and style == "short" else request.prompt.limit
    written = yield from asker.write(
        request,
        _parser(style, wrong),
        grammar=_one_line(limit) if style == "short" else None,
        limit=limit,
        sampling=sampling,
        streamed=streamed,
    )
    if written is None:
        return Draft("", complete=False)
    if wrong:
        named = ", ".join(map(str, wrong))
        yield Unusable(
            request.prompt.skill,
            f"it cites passages that do not exist ({named}), which was ignored",
            written.generation.text,
            written.attempt,
        )
    return Draft(
        written.value,
        written.generation.mean_probability,
        written.generation.mean_logprob,
        complete=written.generation.finish != "length",
    )


def _parser(style: Style, wrong: list[int]) -> Callable[[str, int], str]:
    def parse(reply: str, passages: int) -> str:
        if style == "short":
            return replies.short(reply)
        if style == "plain" or not passages:
            return replies.text(reply)
        said, wrong[:] = replies.cited(reply, passages)
        return said

    return parse


def _one_line(limit: int) -> Callable[[int], str]:
    return lambda _: grammars.line(limit * _CHARACTERS_PER_TOKEN)
