"""A language model with a script: its wording is given, everything around it is real."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from veracite.index.documents import Document, Passage
from veracite.models.chat import Message
from veracite.models.generator import Choice, Cost, Generation, Generator, Sampling, Stream

LOGPROB = -0.25
"""Of every token that the script says."""
READ, WRITTEN = 100, 10
"""Tokens a second."""


@dataclass(frozen=True, slots=True)
class Call:
    """One thing that the model was asked."""

    messages: tuple[Message, ...]
    limit: int = 0
    sampling: Sampling = Sampling()  # noqa: RUF009 (it is frozen)
    grammar: str | None = None
    options: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The last message."""
        return "".join(self.messages[-1].parts)


@dataclass
class ScriptedGenerator(Generator):
    """Says its replies one after the other; a token is a word with the space after it.

    Options are answered by ``preferring``: given the text of the last message and the options, the
    probabilities. They come back last first: nothing may rely on their order.
    """

    replies: Sequence[str] = ()
    preferring: Callable[[str, Sequence[str]], Sequence[float]] | None = None
    context: int = 4096
    id: str = "scripted@000000000000"
    sha256: str = "0" * 64
    calls: list[Call] = field(default_factory=list)
    closed: int = 0
    """Streams that were closed or came to their end."""

    def count(self, messages: Sequence[Message]) -> int:
        return sum(3 + len("".join(message.parts).split()) for message in messages)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        limit: int,
        sampling: Sampling = Sampling(),  # noqa: B008 (it is frozen)
        grammar: str | None = None,
    ) -> Stream:
        self._check(messages, limit)
        reply = self.replies[sum(not call.options for call in self.calls)]
        self.calls.append(Call(tuple(messages), limit, sampling, grammar))
        pieces = reply.split(" ")
        said = [piece + " " for piece in pieces[:-1]] + pieces[-1:]
        try:
            yield from said[:limit]
        finally:
            self.closed += 1
        said, read = said[:limit], self.count(messages)
        cost = Cost(read, 0, len(said), read / READ + len(said) / WRITTEN)
        return Generation("".join(said), (LOGPROB,) * len(said), cost)

    def choose_all(
        self, asked: Sequence[tuple[Sequence[Message], Sequence[str]]]
    ) -> Iterator[tuple[int, Choice]]:
        for number, (messages, options) in reversed(list(enumerate(asked))):
            self._check(messages, 0)
            call = Call(tuple(messages), options=tuple(options))
            self.calls.append(call)
            assert self.preferring is not None
            probabilities = tuple(self.preferring(call.text, options))
            yield number, Choice(probabilities, Cost(self.count(messages), 0, 0, 0.0))

    def _check(self, messages: Sequence[Message], limit: int) -> None:
        assert self.count(messages) + limit <= self.context, "the prompt does not fit"
        roles = [message.role for message in messages if message.role != "system"]
        assert roles == (["user", "assistant"] * len(roles))[: len(roles)]
        assert all(all(message.parts) for message in messages)


def passage(text: str, heading: str | None = None) -> Passage:
    """A passage that is a document of its own."""
    document = Document(f"/{text[:8]}.txt", "0" * 64, "plain/1")
    return Passage(document, 0, len(text), None, heading, text, f"id of {text}")
