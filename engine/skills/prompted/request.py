"""What a model is asked for, and what came of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from veracite.engine.skills.prompts import Field, Prompt
from veracite.index.documents import Passage
from veracite.models.chat import Message
from veracite.models.generator import Generation

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """What a model is asked for."""

    prompt: Prompt
    fields: Mapping[str, Field]
    passages: Sequence[Passage] = ()
    reasoned: bool = False
    """Whether it thinks first, where the prompt has words for that."""

    @property
    def thinks(self) -> bool:
        """Whether it does think first."""
        reasoning = self.prompt.reasoning
        return reasoning is not None and (self.reasoned or reasoning.always)

    def messages(self, passages: Sequence[Passage], *added: str) -> tuple[Message, ...]:
        """The prompt with these passages, and with these lines after its end."""
        messages = self.prompt.render(self.fields, passages)
        lines = "".join(f"\n{line}" for line in added if line)
        if not lines:
            return messages
        last = messages[-1]
        return (*messages[:-1], replace(last, parts=(*last.parts, lines)))


@dataclass(frozen=True, slots=True)
class Written(Generic[T]):
    """A reply that could be used."""

    value: T
    generation: Generation
    attempt: int
    """Which reply it was, from 1."""
