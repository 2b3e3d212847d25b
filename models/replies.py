"""What a language model replies: a text written token by token, or one of given options."""

import collections.abc
from codecs import getincrementaldecoder
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp
from random import Random
from time import perf_counter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from veracite.models.context import Chunk, Context
from veracite.models.gguf import MAX_ROWS
from veracite.models.llama import Grammar, Logits, Model


@dataclass(frozen=True, slots=True)
class Cost:
    """What a call took; costs add up."""

    prefilled: int = 0
    """Tokens of the prompt, and of options, that were computed."""
    reused: int = 0
    """Tokens of the prompt that stood computed from an earlier call."""
    generated: int = 0
    """Tokens written, the one that ended the text included."""
    seconds: float = 0.0
    """Wall time, without waiting for other calls or for whoever reads a stream."""

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.prefilled + other.prefilled,
            self.reused + other.reused,
            self.generated + other.generated,
            self.seconds + other.seconds,
        )


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a generated text.

    ``text`` is what it completes: empty for the first bytes of a character that the next token
    finishes. ``logprob`` is natural, and of the model's own distribution (temperature 1, before
    any grammar).
    """

    text: str
    logprob: float


@dataclass(frozen=True, slots=True)
class Generation:
    """A text that a model wrote."""

    text: str
    tokens: tuple[Token, ...]
    """The text's own: neither the token that ended it nor those of a stop string alone."""
    finish: Literal["end", "stop", "length"]
    """The model was done, a stop string came, or there was no more room."""
    cost: Cost

    @property
    def mean_logprob(self) -> float:
        """Of its tokens; 0 for an empty text."""
        return sum(token.logprob for token in self.tokens) / max(1, len(self.tokens))

    @property
    def mean_probability(self) -> float:
        """Of its tokens, by which REFEED's ensemble weighs answers; 1 for an empty text."""
        if not self.tokens:
            return 1.0
        return sum(exp(token.logprob) for token in self.tokens) / len(self.tokens)


@dataclass(frozen=True, slots=True)
class Choice:
    """How probable each option is as the whole reply."""

    probabilities: tuple[float, ...]
    """Of the options, in their order, summing to 1."""
    mass: float
    """What the model gave all options together, of everything it might have written."""
    cost: Cost


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is chosen.

    ``temperature`` divides the logits; 0 takes the most probable token each time. Of what that
    leaves, only the most probable tokens that together reach ``top_p`` are drawn from (nucleus
    sampling, Holtzman et al. 2020). The same ``seed`` draws the same text.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0


def log_softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Natural logarithms of the probabilities, in the last axis, shape as given."""
    shifted = logits.astype(np.float64)
    shifted -= shifted.max(axis=-1, keepdims=True)
    normaliser = np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    shifted -= normaliser
    return shifted


def draw(logits: Logits, sampling: Sampling, random: Random) -> int:
    """The next token, from logits of shape (vocabulary,); those of -inf are never drawn."""
    if sampling.temperature <= 0:
        return int(logits.argmax())
    scaled = (logits - logits.max()).astype(np.float64) / sampling.temperature
    probabilities = np.exp(log_softmax(scaled))
    tokens = _nucleus(probabilities, sampling.top_p)
    cumulative = probabilities[tokens].cumsum()
    place = np.searchsorted(cumulative, random.random() * cumulative[-1], side="right")
    return int(tokens[min(int(place), len(tokens) - 1)])


def _nucleus(probabilities: NDArray[np.float64], top_p: float) -> NDArray[np.intp]:
    """The fewest tokens that together reach ``top_p``, the most probable first.

    All tokens below (1 - top_p) / vocabulary together are less than what may be left out, so
    they need not be sorted.
    """
    if top_p >= 1:
        return np.flatnonzero(probabilities)
    tokens = np.flatnonzero(probabilities >= (1 - top_p) / len(probabilities))
    tokens = tokens[np.argsort(-probabilities[tokens], kind="stable")]
    reached = probabilities[tokens].cumsum()
    return tokens[: int(np.searchsorted(reached, top_p)) + 1]


class Writing:
    """The text so far.

    Args:
        stop: Strings of which the first to come ends the text and is not part of it.
    """

    def __init__(self, stop: Sequence[str]) -> None:
        self._stop = [string for string in stop if string]
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._shown = 0
        self.text = ""
        self.tokens: list[Token] = []
        self.stopped = False

    def add(self, piece: bytes, logprob: float) -> str:
        """Write a token; what of the text is certain to stay and was not shown before."""
        text = self._decoder.decode(piece)
        self.tokens.append(Token(text, logprob))
        self.text += text
        self._look_for_stop(len(self.text) - len(text))
        return self._show(len(self.text) if self.stopped else len(self.text) - self._held_back())

    def finish(self) -> str:
        """Write nothing more; what was not shown yet."""
        if not self.stopped:
            # Bytes of a character that was never finished.
            self.text += self._decoder.decode(b"", final=True)
        return self._show(len(self.text))

    def _show(self, end: int) -> str:
        shown, self._shown = self._shown, max(self._shown, end)
        return self.text[shown:end]

    def _look_for_stop(self, new: int) -> None:
        """Cut the text at a stop string that ends after ``new`` characters, and its tokens."""
        places = [
            place
            for string in self._stop
            if (place := self.text.find(string, max(0, new - len(string) + 1))) >= 0
        ]
        if not places:
            return
        self.stopped = True
        self.text = self.text[: min(places)]
        length = sum(len(token.text) for token in self.tokens)
        while self.tokens and length - len(self.tokens[-1].text) >= len(self.text):
            length -= len(self.tokens.pop().text)

    def _held_back(self) -> int:
        """How many of the last characters may be the beginning of a stop string."""
        return max(
            (
                length
                for string in self._stop
                for length in range(1, min(len(string), len(self.text) + 1))
                if self.text.endswith(string[:length])
            ),
            default=0,
        )


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


def separated(options: Sequence[Chunk], end: int) -> list[Chunk]:
    """The options, all with the token ``end`` behind them if one begins another.

    Without it the shorter one would be given the probability of both.
    """
    ordered = sorted(options)
    begins = any(later[: len(option)] == option for option, later in pairwise(ordered))
    return [(*option, end) for option in options] if begins or () in ordered else list(options)


def choose(context: Context, prompt: Sequence[Chunk], options: Sequence[Chunk]) -> Choice:
    """Each option's probability: the product of its tokens', each behind the ones before.

    Raises:
        Cancelled: somebody stopped the model meanwhile.
        ModelError: the model was closed or failed to run.
    """
    started, computed = perf_counter(), context.computed
    scores, reused = _together(context, prompt, options) or _in_turn(context, prompt, options)
    weights = np.exp(scores - scores.max())
    return Choice(
        probabilities=tuple(map(float, weights / weights.sum())),
        mass=float(np.exp(scores).sum()),
        cost=Cost(context.computed - computed, reused, 0, perf_counter() - started),
    )


_Scores = tuple[NDArray[np.float64], int]
"""The logarithms of the options' probabilities, and how many tokens stood computed."""


def _together(
    context: Context, prompt: Sequence[Chunk], options: Sequence[Chunk]
) -> _Scores | None:
    """All options scored by one decoding, if that can be; most of its time goes once then."""
    branched = context.branch(prompt, [option[:-1] for option in options if len(option) > 1])
    if branched is None:
        return None
    logits, reused = branched
    first, *rows = log_softmax(logits)
    behind = iter(rows)
    scores = [
        first[option[0]] + sum(row[token] for token, row in zip(option[1:], behind, strict=False))
        for option in options
    ]
    return np.array(scores), reused


def _in_turn(context: Context, prompt: Sequence[Chunk], options: Sequence[Chunk]) -> _Scores:
    """The options scored one after the other."""
    logits, reused = context.prefill(prompt)
    first = log_softmax(logits)
    scores = [first[option[0]] + _rest(context, prompt, option) for option in options]
    return np.array(scores), reused


def _rest(context: Context, prompt: Sequence[Chunk], option: Chunk) -> float:
    """The logarithm of the probability of all tokens but the first."""
    total = 0.0
    if len(option) > 1:
        context.prefill(prompt)
    for start in range(0, len(option) - 1, MAX_ROWS):
        following = option[start + 1 : start + 1 + MAX_ROWS]
        rows = context.append(option[start : start + len(following)], len(following))
        total += float(log_softmax(rows)[np.arange(len(following)), following].sum())
    return total
