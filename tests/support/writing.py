"""What a language model writes, taken as a whole."""

from collections.abc import Sequence
from typing import Any

from stepping import run

from veracite.models.chat import Message
from veracite.models.generator import Generation, Generator, Stream


def generate(generator: Generator, messages: Sequence[Message], **settings: Any) -> Generation:
    """The whole of a stream."""
    return pieces(generator.stream(messages, **settings))[1]


def pieces(stream: Stream) -> tuple[list[str], Generation]:
    """What a stream showed bit by bit, and the whole of it."""
    generation, shown = run(stream)
    return shown, generation
