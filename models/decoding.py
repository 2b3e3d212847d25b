"""Writing a reply, token by token."""

import collections.abc
from collections.abc import Sequence
from random import Random
from time import perf_counter
from typing import Literal

from veracite.models.generation import Cost, Generation
from veracite.models.gguf import Logits, Model
from veracite.models.grammar import Grammar
from veracite.models.prefixes import Chunk, Context
from veracite.models.sampling import Sampling, draw, log_softmax
from veracite.models.writing import Writing

__all__ = ["Stream", "write"]

Stream = collections.abc.Generator[str, None, Generation]
"""Pieces of a text, and in the end the whole of it."""


def write(
    model: Model,
    context: Context,
    prompt: Sequence[Chunk],
    *,
    room: int,
    sampling: Sampling,
    grammar: Grammar | None,
    stop: Sequence[str],
) -> Stream:
    """A reply of at most ``room`` tokens to a prompt.

    Raises:
        Cancelled: somebody stopped the model meanwhile.
        ModelError: the model was closed or failed to run.
    """
    started, waited, computed = perf_counter(), 0.0, context.computed
    logits, reused = context.prefill(prompt)
    prefilled = context.computed - computed
    random, writing, generated = Random(sampling.seed), Writing(stop), 0
    finish: Literal["end", "stop", "length"] = "length"
    for generated in range(1, room + 1):
        token = _next(logits, sampling, random, grammar)
        if model.ends(token):
            finish = "end"
            break
        shown = writing.add(model.piece(token), float(log_softmax(logits)[token]))
        if shown:
            paused = perf_counter()
            yield shown
            waited += perf_counter() - paused
        if writing.stopped:
            finish = "stop"
            break
        if generated < room:
            logits = context.append((token,))[0]
    rest = writing.finish()
    cost = Cost(prefilled, reused, generated, perf_counter() - started - waited)
    if rest:
        yield rest
    return Generation(writing.text, tuple(writing.tokens), finish, cost)


def _next(logits: Logits, sampling: Sampling, random: Random, grammar: Grammar | None) -> int:
    """The token to write.

    Asking a grammar about all tokens takes long. So it is asked about the token that would be
    drawn without it, and only if that is refused one is drawn from those that it allows: with
    what is drawn in the end distributed in the same way.
    """
    token = draw(logits, sampling, random)
    if grammar is not None:
        if not grammar.allows(token):
            token = draw(grammar.masked(logits), sampling, random)
        grammar.accept(token)
    return token
