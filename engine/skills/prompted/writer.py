"""What prompted skills need of a language model; ``veracite.models.generator`` has it."""

from collections.abc import Generator, Iterator, Sequence
from typing import Protocol

from veracite.models.chat import Message
from veracite.models.generator import Choice, Generation, Sampling


class Writer(Protocol):
    """A language model that writes and chooses."""

    @property
    def id(self) -> str:
        """Its name and the start of its SHA-256."""
        ...

    @property
    def context(self) -> int:
        """How many tokens it reads and writes at most."""
        ...

    def count(self, messages: Sequence[Message]) -> int:
        """The length of a prompt, in tokens."""
        ...

    def stream(
        self,
        messages: Sequence[Message],
        *,
        limit: int,
        sampling: Sampling = ...,
        grammar: str | None = None,
        stop: Sequence[str] = (),
    ) -> Generator[str, None, Generation]:
        """Pieces of a reply as they are written; returns the whole of it."""
        ...

    def choose_all(
        self, asked: Sequence[tuple[Sequence[Message], Sequence[str]]]
    ) -> Iterator[tuple[int, Choice]]:
        """Probabilities of the options of each prompt, in any order, with the prompt's place."""
        ...
