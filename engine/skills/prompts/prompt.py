"""One prompt: named fields in, messages out."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Literal

from veracite.engine.skills.fences import block, fence, listed, one_line
from veracite.engine.skills.prompts.kinds import DEMONSTRATIONS, PASSAGES
from veracite.index.documents import Passage
from veracite.models.chat import Message

PLACEHOLDER = re.compile(r"\{([a-z][a-z_]*)\}")

Field = str | int | Sequence[str]
"""A text; a number; a list, of which each entry gets a line."""

_NO_PASSAGES = "(no passages)"


@dataclass(frozen=True, slots=True)
class Turn:
    """One message with placeholders."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """How a model is made to think first, and to conclude."""

    ask: str
    """What follows the last message; empty where the prompt itself asks for it."""
    limit: int
    """Most tokens of thought."""
    conclude: str
    """What is said to it then."""
    always: bool
    """Whether the prompt is never asked without."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is told for one skill, in one wording."""

    name: str
    """Skill and wording: "judge.ceg"."""
    skill: str
    source: str
    """Who worded it: "Veracite", or the paper and its table."""
    version: int
    messages: tuple[Turn, ...]
    options: tuple[tuple[str, str], ...]
    """What each option means, and its words."""
    limit: int
    """Most tokens of a reply; 0 where its grammar bounds it."""
    stop: tuple[str, ...]
    """A reply ends before the first of these."""
    passage: str
    """How a passage stands between its fences: {number}, {heading}, {text}."""
    reasoning: Reasoning | None
    demonstrations: str
    file: str | None = None
    """The user's own file; None for one that ships with Veracite."""

    @property
    def id(self) -> str:
        """Name, version and the start of the content's SHA-256: "judge.ceg/1@0123abcd"."""
        content = asdict(replace(self, file=None))
        digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
        return f"{self.name}/{self.version}@{digest[:8]}"

    @property
    def words(self) -> tuple[str, ...]:
        """The options, as the model is to say them."""
        return tuple(word for _, word in self.options)

    def render(
        self, fields: Mapping[str, Field], passages: Sequence[Passage] = ()
    ) -> tuple[Message, ...]:
        """The messages, with a border of parts before and after each passage.

        Fields that the prompt has no place for are left out. Whatever a field holds stays on its
        own line, except in the field "text".

        Raises:
            KeyError: A placeholder has no field.
        """
        return tuple(
            Message(turn.role, tuple(self._parts(turn.content, fields, passages)))
            for turn in self.messages
        )

    def _parts(
        self, content: str, fields: Mapping[str, Field], passages: Sequence[Passage]
    ) -> Iterator[str]:
        part = ""
        for place, piece in enumerate(PLACEHOLDER.split(content)):
            if place % 2 == 0:
                part += piece
            elif piece == DEMONSTRATIONS:
                part += f"{self.demonstrations}\n\n" if self.demonstrations else ""
            elif piece != PASSAGES or not passages:
                part += _NO_PASSAGES if piece == PASSAGES else _written(piece, fields[piece])
            else:
                if part:
                    yield part
                for number, passage in enumerate(passages, 1):
                    yield "\n" * (number > 1) + fence(passage, number, self.passage)
                part = ""
        if part := part.rstrip():
            yield part


def _written(name: str, value: Field) -> str:
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return block(value) if name == "text" else one_line(value)
    return listed(value)
