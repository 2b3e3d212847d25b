"""The generator: one language model that writes texts and chooses between options."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Lock
from types import TracebackType

from veracite.models.chat import Chat, Message
from veracite.models.context import Chunk, Context, chunks
from veracite.models.cores import physical_cores
from veracite.models.errors import Cancelled, ModelError
from veracite.models.gguf import (
    Header,
    chat_template,
    gpu_layers_that_fit,
    read_header,
    require_memory,
)
from veracite.models.llama import Model, gpu_memory
from veracite.models.replies import (
    Choice,
    Cost,
    Generation,
    Sampling,
    Stream,
    Token,
    choose,
    separated,
    write,
)
from veracite.models.trial import require_trial

__all__ = [
    "Asked",
    "Choice",
    "Cost",
    "Generation",
    "Generator",
    "Message",
    "Sampling",
    "Stream",
    "Token",
]

Asked = tuple[Sequence[Message], Sequence[str]]
"""A conversation, and the replies to choose from."""

_CONTEXT = 8192
_LEAST = 512
"""Tokens; in fewer, a passage, a claim and what is asked of them have no room together."""
_CHUNK = 512
_GPU_CHUNK = 128
"""Tokens. Only the processor can be stopped in the middle of a chunk."""

_GREEDY = Sampling()


class Generator:
    """A language model behind its chat template.

    What it replies depends on the conversation and the settings alone, to the last bit: not on
    what it is asked before, beside or after. Thread-safe; calls wait for each other.

    Args:
        model: The loaded model, which the generator closes.
        template: The model's chat template.
        id: Name and the start of the file's SHA-256.
    """

    def __init__(self, model: Model, template: str, id: str) -> None:  # noqa: A002
        self.id = id
        self.context = model.context
        """Tokens that a prompt and its reply may take together."""
        self._model = model
        self._chat = Chat(template, model)
        self._held = Context(model)
        self._turns = _Turns(model)

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
        header = read_header(path)
        template = chat_template(header)
        size = _context(header, context)
        layers = gpu_layers_that_fit(header, size, free) if gpu_layers is None else gpu_layers
        if layers and not free:
            raise ModelError(
                "llama.cpp finds no GPU here, or was built without support for it.",
                "Leave out --gpu-layers; veracite doctor shows what it was built for.",
                "no GPU",
            )
        require_memory(header, size, layers)
        sha256 = require_trial(path, verified, stop or Event())
        model = Model(
            path,
            context=size,
            chunk=_GPU_CHUNK if layers else _CHUNK,
            threads=threads or physical_cores(),
            gpu_layers=layers,
            verbose=verbose,
        )
        return cls(model, template, f"{header.name}@{sha256[:12]}")

    def count(self, messages: Sequence[Message]) -> int:
        """How many tokens a conversation takes as a prompt."""
        return sum(map(len, self._chat.segments(messages)))

    def count_text(self, text: str) -> int:
        """How many tokens a text takes within a message."""
        return len(self._model.tokenise(text))

    def generate(
        self,
        messages: Sequence[Message],
        *,
        limit: int,
        sampling: Sampling = _GREEDY,
        grammar: str | None = None,
        stop: Sequence[str] = (),
    ) -> Generation:
        """The assistant's reply; arguments and errors are those of ``stream``."""
        stream = self.stream(messages, limit=limit, sampling=sampling, grammar=grammar, stop=stop)
        while True:
            try:
                next(stream)
            except StopIteration as done:
                generation: Generation = done.value
                return generation

    def stream(
        self,
        messages: Sequence[Message],
        *,
        limit: int,
        sampling: Sampling = _GREEDY,
        grammar: str | None = None,
        stop: Sequence[str] = (),
    ) -> Stream:
        """The assistant's reply as it is written, and in the end the whole of it.

        Other calls wait until the stream is exhausted or closed.

        Args:
            limit: Tokens to write, at most.
            grammar: GBNF that the reply keeps to, as far as the limit lets it.
            stop: Strings of which the first to come ends the reply and is not part of it.

        Raises:
            Cancelled: ``cancel`` was called meanwhile.
            ModelError: the prompt is too long, the grammar or the chat template cannot be used,
                or the model was closed or failed to run.
        """
        prompt = self._prompt(messages, room=1)
        reply = write(
            self._model,
            self._held,
            prompt,
            room=min(limit, self.context - sum(map(len, prompt))),
            sampling=sampling,
            grammar=None if grammar is None else self._model.grammar(grammar),
            stop=stop,
        )
        return self._in_turn(reply, self._turns.begin())

    def choose(self, messages: Sequence[Message], options: Sequence[str]) -> Choice:
        """How probable each option is as the beginning of the reply; nothing is written.

        An option's probability is the product of its tokens', each behind the ones before. If
        one option begins another, all are scored as whole replies, with the end of the turn.

        Raises:
            As ``stream``; ModelError too if the options are none or not all different.
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
        begun = self._turns.begin()
        return ((place, self._choose(prompts[place], options[place], begun)) for place in order)

    def cancel(self) -> None:
        """Make the calls in progress raise ``Cancelled``, from any thread; later ones work."""
        self._turns.cancel()

    def close(self) -> None:
        """Stop and give the memory back; the generator cannot be used any more."""
        self.cancel()
        self._model.close()

    def __enter__(self) -> "Generator":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
        if not options or len(set(options)) < len(options):
            raise ModelError(
                "A language model needs options to choose from, each of them different.",
                "Give at least one option, and none twice.",
            )
        return separated([self._chat.reply(option) for option in options], self._chat.end)

    def _in_turn(self, reply: Stream, begun: int) -> Stream:
        with self._turns.taken(begun):
            return (yield from reply)

    def _choose(self, prompt: tuple[Chunk, ...], options: Sequence[Chunk], begun: int) -> Choice:
        with self._turns.taken(begun):
            return choose(self._held, prompt, options)


class _Turns:
    """Who may use a model now."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._turn = Lock()
        self._state = Lock()
        self._cancellations = 0

    def begin(self) -> int:
        """A number to be remembered by a call that begins: a cancellation makes it stale."""
        return self._cancellations

    @contextmanager
    def taken(self, begun: int) -> Iterator[None]:
        """The model, undisturbed by other calls.

        Raises:
            Cancelled: ``cancel`` was called since ``begun``.
        """
        with self._turn:
            with self._state:
                if begun != self._cancellations:
                    raise Cancelled
                self._model.resume()
            yield

    def cancel(self) -> None:
        """Stop the call whose turn it is, and those that wait; later ones are not affected."""
        with self._state:
            self._cancellations += 1
            self._model.stop()


def _context(header: Header, wanted: int | None) -> int:
    if header.context_length < _LEAST:
        raise ModelError(
            f"The model {header.name} reads {header.context_length:,} tokens at most, which is "
            "too little to show it a passage and a claim.",
            f"Use a model that was trained on a context of {_LEAST} tokens or more.",
        )
    if wanted is None:
        return min(_CONTEXT, header.context_length)
    if not 0 < wanted <= header.context_length:
        raise ModelError(
            f"The model {header.name} cannot have a context of {wanted:,} tokens: it was trained "
            f"on {header.context_length:,}.",
            f"Use --context {header.context_length} or less.",
            "context too large",
        )
    return wanted
