"""The generator: one language model that writes texts and chooses between options.

What its context holds is reused without a bit of difference. A prompt is decoded in chunks whose
borders depend on the prompt alone: at the end of each segment, and every so many tokens from a
segment's start. A later prompt keeps the leading chunks that it has in common with what the context
holds, whole chunks only. So each chunk is always computed in the same company, and warm or cold the
logits are the same to the last bit.
"""

import collections.abc
from codecs import getincrementaldecoder
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import pairwise, takewhile
from math import exp
from pathlib import Path
from random import Random
from threading import Event, Lock
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from veracite.models import gguf
from veracite.models.chat import Chat, Message
from veracite.models.errors import Cancelled, ModelError
from veracite.models.gguf import MAX_ROWS, USUAL_CONTEXT, Header
from veracite.models.llama import Grammar, Logits, Model, gpu_memory
from veracite.models.onnx import physical_cores
from veracite.models.trial import require_trial

Chunk = tuple[int, ...]
"""Tokens that are decoded together."""


def chunks(segments: Sequence[tuple[int, ...]], size: int) -> tuple[Chunk, ...]:
    """The chunks, of at most ``size`` tokens, in which a prompt is decoded."""
    return tuple(
        segment[start : start + size]
        for segment in segments
        for start in range(0, len(segment), size)
    )


class Context:
    """What a model's context holds: a prompt, and what was decoded behind it."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._held: list[Chunk] = []
        self._position = 0
        self.computed = 0
        """Tokens decoded, ever."""
        self._prompt: Sequence[Chunk] = ()
        self._logits: Logits | None = None

    def prefill(self, prompt: Sequence[Chunk]) -> tuple[Logits, int]:
        """Hold a prompt and nothing behind it.

        Returns:
            What may follow it, shape (vocabulary,), and how many of its tokens stood computed.

        Raises:
            Cancelled: somebody stopped the model meanwhile.
            ModelError: the model was closed or failed to run.
        """
        known = self._logits is not None and prompt == self._prompt
        kept = _common(self._held, prompt if known else prompt[:-1])
        wanted = sum(map(len, self._held[:kept]))
        reused = self._position = self._model.forget(wanted)
        self._held = self._held[:kept] if reused == wanted else []
        if reused == sum(map(len, prompt)) and self._logits is not None:
            return self._logits, reused
        self._logits = None
        *leading, last = prompt[len(self._held) :]
        for chunk in leading:
            self.append(chunk, 0)
        self._prompt, self._logits = prompt, self.append(last)[0]
        return self._logits, reused

    def append(self, tokens: Chunk, rows: int = 1) -> Logits:
        """Decode tokens, at most a chunk, behind all that is held.

        Returns:
            What may follow each of the last ``rows`` of them, shape (rows, vocabulary).

        Raises:
            As ``prefill``.
        """
        logits = self._model.decode(tokens, self._position, rows)
        self._held.append(tokens)
        self._position += len(tokens)
        self.computed += len(tokens)
        return logits


def _common(first: Sequence[Chunk], second: Sequence[Chunk]) -> int:
    """How many leading chunks are equal."""
    pairs = zip(first, second, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


@dataclass(frozen=True, slots=True)
class Cost:
    """What a call took."""

    prefilled: int = 0
    """Tokens of the prompt, and of options, that were computed."""
    reused: int = 0
    """Tokens of the prompt that stood computed from an earlier call."""
    generated: int = 0
    """Tokens written, the one that ended the text included."""
    seconds: float = 0.0
    """Wall time, without waiting for other calls or for whoever reads a stream."""


@dataclass(frozen=True, slots=True)
class Generation:
    """A text that a model wrote."""

    text: str
    logprobs: tuple[float, ...]
    """Of the text's own tokens, natural, of the model's own distribution (temperature 1, before any
    grammar), without the one that ended it."""
    cost: Cost

    @property
    def mean_logprob(self) -> float:
        """Of its tokens; 0 for an empty text."""
        return sum(self.logprobs) / max(1, len(self.logprobs))

    @property
    def mean_probability(self) -> float:
        """Of its tokens, by which REFEED's ensemble weighs answers; 1 for an empty text."""
        return sum(map(exp, self.logprobs)) / len(self.logprobs) if self.logprobs else 1.0


@dataclass(frozen=True, slots=True)
class Choice:
    """How probable each option is as the whole reply."""

    probabilities: tuple[float, ...]
    """Of the options, in their order, summing to 1."""
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


Stream = collections.abc.Generator[str, None, Generation]
"""Pieces of a text, and in the end the whole of it."""


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


Asked = tuple[Sequence[Message], Sequence[str]]
"""A conversation, and the replies to choose from."""

_LEAST = 512
"""Tokens; in fewer, a passage, a claim and what is asked of them have no room together."""
_CHUNK = 512
_GPU_CHUNK = 128
"""Tokens. Only the processor can be stopped in the middle of a chunk."""

_GREEDY = Sampling()


class Generator(AbstractContextManager["Generator"]):
    """A language model behind its chat template.

    What it replies depends on the conversation and the settings alone, to the last bit: not on
    what it is asked before, beside or after. Thread-safe; calls wait for each other.

    Args:
        model: The loaded model, which the generator closes.
        template: The model's chat template.
        name: What the model is called.
        sha256: Of its file.
    """

    def __init__(self, model: Model, template: str, name: str, sha256: str) -> None:
        self.id = f"{name}@{sha256[:12]}"
        """Name and the start of the file's SHA-256."""
        self.sha256 = sha256
        self.context = model.context
        """Tokens that a prompt and its reply may take together."""
        self._model = model
        self._chat = Chat(template, model)
        self._held = Context(model)
        self._turn, self._state = Lock(), Lock()
        self._cancellations = 0

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        context: int | None = None,
        gpu_layers: int | None = None,
        threads: int | None = None,
        verified: Path,
        stop: Event | None = None,
        verbose: bool = False,
    ) -> "Generator":
        """Load a GGUF file.

        Args:
            context: Tokens that a prompt and its reply may take together; by default 8,192, or
                as many as the model was trained on if those are fewer.
            gpu_layers: Layers to keep on the GPU; by default all that fit.
            threads: Number of cores to use; all physical ones by default.
            verified: Folder that remembers which files were loaded without harm before.
            stop: Set by another thread while a file is looked at for the first time, which takes
                long for a large one, it ends that.
            verbose: Whether llama.cpp's log goes to stderr.

        Raises:
            Cancelled: ``stop`` was set.
            ModelError: the file is no language model that can be talked to, it is damaged or too
                large for the memory, or llama-cpp-python is not installed.
        """
        free = gpu_memory()
        header = gguf.read_header(path)
        template = gguf.chat_template(header)
        size = _context(header, context)
        layers = gguf.gpu_layers_that_fit(header, size, free) if gpu_layers is None else gpu_layers
        if layers and not free:
            raise ModelError(
                "llama.cpp finds no GPU here, or was built without support for it.",
                "Leave out --gpu-layers; veracite doctor shows what it was built for.",
                "no GPU",
            )
        gguf.require_memory(header, size, layers)
        sha256 = require_trial(path, verified, stop or Event())
        model = Model(
            path,
            context=size,
            chunk=_GPU_CHUNK if layers else _CHUNK,
            threads=threads or physical_cores(),
            gpu_layers=layers,
            verbose=verbose,
        )
        return cls(model, template, header.name, sha256)

    def count(self, messages: Sequence[Message]) -> int:
        """How many tokens a conversation takes as a prompt."""
        return sum(map(len, self._chat.segments(messages)))

    def stream(
        self,
        messages: Sequence[Message],
        *,
        limit: int,
        sampling: Sampling = _GREEDY,
        grammar: str | None = None,
    ) -> Stream:
        """The assistant's reply as it is written, and in the end the whole of it.

        Other calls wait until the stream is exhausted or closed.

        Args:
            limit: Tokens to write, at most.
            grammar: GBNF that the reply keeps to, as far as the limit lets it.

        Raises:
            Cancelled: ``cancel`` was called meanwhile.
            ModelError: the prompt is too long, the grammar or the chat template cannot be used,
                or the model was closed or failed to run.
        """
        prompt = self._prompt(messages, room=1)
        room = min(limit, self.context - sum(map(len, prompt)))
        checked = None if grammar is None else self._model.grammar(grammar)
        reply = self._written(prompt, room, sampling, checked)
        return self._in_turn(reply, self._cancellations)

    def choose(self, messages: Sequence[Message], options: Sequence[str]) -> Choice:
        """How probable each option is as the beginning of the reply; nothing is written.

        An option's probability is the product of its tokens', each behind the ones before. If
        one option begins another, all are scored as whole replies, with the end of the turn.

        Raises:
            As ``stream``.
        """
        (_, choice), *_ = self.choose_all([(messages, options)])
        return choice

    def choose_all(self, asked: Sequence[Asked]) -> Iterator[tuple[int, Choice]]:
        """The same for many conversations: positions in ``asked`` and choices, as they are made.

        They come in the order of their tokens, so that what several have in common at their
        beginning (instructions, then a passage) is computed once. Other calls may take their
        turn in between.
        """
        options = [self._options(choices) for _, choices in asked]
        prompts = [
            self._prompt(messages, room=max(map(len, tokens)) - 1)
            for (messages, _), tokens in zip(asked, options, strict=True)
        ]
        order = sorted(range(len(asked)), key=prompts.__getitem__)
        begun = self._cancellations
        return ((place, self._choose(prompts[place], options[place], begun)) for place in order)

    def cancel(self) -> None:
        """Make the calls in progress raise ``Cancelled``, from any thread; later ones work."""
        with self._state:
            self._cancellations += 1
            self._model.stop()

    def close(self) -> None:
        """Stop and give the memory back; the generator cannot be used any more."""
        self.cancel()
        self._model.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _prompt(self, messages: Sequence[Message], room: int) -> tuple[Chunk, ...]:
        """The prompt's chunks, if it leaves room for so many tokens more."""
        segments = self._chat.segments(messages)
        length = sum(map(len, segments))
        if length + room > self.context:
            raise ModelError(
                f"The prompt takes {length:,} tokens, and the language model's context holds "
                f"{self.context:,} together with the reply.",
                "Use a larger --context, or give it less to read.",
                "context too small",
            )
        return chunks(segments, self._model.chunk)

    def _options(self, options: Sequence[str]) -> list[Chunk]:
        """The options' tokens, all with the end of the turn behind them if one begins another.

        Without it the shorter one would be given the probability of both.
        """
        said = [self._chat.reply(option) for option in options]
        ordered = sorted(said)
        begins = any(later[: len(option)] == option for option, later in pairwise(ordered))
        return [(*one, self._chat.end) for one in said] if begins or () in ordered else said

    def _written(
        self, prompt: Sequence[Chunk], room: int, sampling: Sampling, grammar: Grammar | None
    ) -> Stream:
        """A reply of at most ``room`` tokens to a prompt."""
        held, started, waited = self._held, perf_counter(), 0.0
        computed = held.computed
        logits, reused = held.prefill(prompt)
        prefilled = held.computed - computed
        decoder = getincrementaldecoder("utf-8")("replace")
        text, logprobs, random, generated = "", list[float](), Random(sampling.seed), 0
        for generated in range(1, room + 1):
            token = _next(logits, sampling, random, grammar)
            if self._model.ends(token):
                break
            logprobs.append(float(log_softmax(logits)[token]))
            # The first bytes of a character wait for those that finish it.
            if piece := decoder.decode(self._model.piece(token)):
                text += piece
                paused = perf_counter()
                yield piece
                waited += perf_counter() - paused
            if generated < room:
                logits = held.append((token,))[0]
        rest = decoder.decode(b"", final=True)
        cost = Cost(prefilled, reused, generated, perf_counter() - started - waited)
        if rest:
            yield rest
        return Generation(text + rest, tuple(logprobs), cost)

    def _in_turn(self, reply: Stream, begun: int) -> Stream:
        with self._turn_of(begun):
            return (yield from reply)

    def _choose(self, prompt: Sequence[Chunk], options: Sequence[Chunk], begun: int) -> Choice:
        """Each option's probability: the product of its tokens', each behind the ones before."""
        with self._turn_of(begun):
            started, computed = perf_counter(), self._held.computed
            logits, reused = self._held.prefill(prompt)
            first = log_softmax(logits)
            scores = np.array([first[option[0]] + self._rest(prompt, option) for option in options])
            weights = np.exp(scores - scores.max())
            cost = Cost(self._held.computed - computed, reused, 0, perf_counter() - started)
        return Choice(tuple(map(float, weights / weights.sum())), cost)

    def _rest(self, prompt: Sequence[Chunk], option: Chunk) -> float:
        """The logarithm of the probability of all tokens of an option but the first."""
        total = 0.0
        if len(option) > 1:
            self._held.prefill(prompt)
        for start in range(0, len(option) - 1, MAX_ROWS):
            following = option[start + 1 : start + 1 + MAX_ROWS]
            rows = self._held.append(option[start : start + len(following)], len(following))
            total += float(log_softmax(rows)[np.arange(len(following)), following].sum())
        return total

    @contextmanager
    def _turn_of(self, begun: int) -> Iterator[None]:
        """The model, undisturbed by other calls.

        Args:
            begun: How many cancellations there were when the call began.

        Raises:
            Cancelled: There was another one since.
        """
        with self._turn:
            with self._state:
                if begun != self._cancellations:
                    raise Cancelled
                self._model.resume()
            yield


def _context(header: Header, wanted: int | None) -> int:
    if header.context_length < _LEAST:
        raise ModelError(
            f"The model {header.name} reads {header.context_length:,} tokens at most, which is "
            "too little to show it a passage and a claim.",
            f"Use a model that was trained on a context of {_LEAST} tokens or more.",
        )
    if wanted is None:
        return min(USUAL_CONTEXT, header.context_length)
    if not 0 < wanted <= header.context_length:
        raise ModelError(
            f"The model {header.name} cannot have a context of {wanted:,} tokens: it was trained "
            f"on {header.context_length:,}.",
            f"Use --context {header.context_length} or less.",
            "context too large",
        )
    return wanted
