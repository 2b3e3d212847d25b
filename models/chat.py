"""A conversation's tokens: contents in the frame that the model's chat template gives them.

A template is Jinja that came with the model, so it runs in a sandbox. It is rendered once for each
order of roles, with marks where the contents belong: no content is ever code to it, and none can
pass for its text. That text is read with special tokens, contents without: a passage that spells a
special token stays plain text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from veracite.models.errors import ModelError

if TYPE_CHECKING:
    from jinja2 import Environment

    from veracite.models.llama import Model

Role = Literal["system", "user", "assistant"]

Segment = tuple[int, ...]
"""Tokens up to a place where a computation may be taken up again."""

Shape = tuple[tuple[Role, bool], ...]
"""Who speaks, in turn, and whether they say anything."""

_DAY = datetime(2024, 7, 26)
"""Today, to every template: no verdict may change from one day to the next."""

_LONGEST_REASON = 200
"""Characters."""

_MARK = re.compile("<content ([0-9]+)>")


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody says: ``parts``, joined, are the content.

    Each border between parts is a place up to which a later prompt that begins in the same way
    can use what was computed for this one.
    """

    role: Role
    parts: tuple[str, ...]


Frame = tuple[str, ...]
"""A rendered template's own texts; between any two stands a content."""


def _unusable(reason: object) -> ModelError:
    """The error for a template that cannot be used; the reason may be the template's own words."""
    told = " ".join(str(reason).split())[:_LONGEST_REASON].rstrip(".") or type(reason).__name__
    return ModelError(
        f"The model's chat template cannot be used: {told}.",
        "Use another model, or a file of this one with a corrected template.",
    )


def _refuse(reason: str) -> None:
    from jinja2 import TemplateError

    raise TemplateError(reason)


def _environment() -> "Environment":
    """Jinja as transformers has it, in a sandbox."""
    from jinja2.ext import Extension
    from jinja2.nodes import Node
    from jinja2.parser import Parser
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Generation(Extension):
        """The tag that marks, for training, what the assistant says: its content as it is."""

        tags = {"generation"}  # noqa: RUF012 (as Jinja has it)

        def parse(self, parser: Parser) -> list[Node]:
            next(parser.stream)
            return parser.parse_statements(("name:endgeneration",), drop_needle=True)

    return ImmutableSandboxedEnvironment(
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.loopcontrols", Generation],
    )


class Chat:
    """How to talk to a model.

    Args:
        template: The model's chat template.
        model: Its tokenizer reads the prompts.

    Raises:
        ModelError: the template is no Jinja, or the model cannot end a turn.
    """

    def __init__(self, template: str, model: "Model") -> None:
        environment = _environment()
        environment.globals.update(
            raise_exception=_refuse,
            strftime_now=_DAY.strftime,
            bos_token=model.name(model.begin),
            eos_token=model.name(model.end),
            # Models that think aloud unless told otherwise are asked for the answer itself.
            enable_thinking=False,
        )
        try:
            self._template = environment.from_string(template)
        except Exception as error:
            raise _unusable(error) from error
        self._frame = lru_cache(maxsize=64)(self._rendered)
        self._tokenise = lru_cache(maxsize=4096)(model.tokenise)
        self._begin = (model.begin,) if model.adds_begin else ()
        self._space, closing = self._around_reply()
        self.end = next(filter(model.ends, model.tokenise(closing, True)), model.end)
        """The token that ends a turn."""
        if self.end < 0:
            raise _unusable("the model has no token that ends a turn")

    def _rendered(self, shape: Shape, prompt: bool) -> Frame:
        """A conversation of this shape; with ``prompt`` it is the assistant's turn then.

        Raises:
            ModelError: the template cannot render it.
        """
        turns = [
            {"role": role, "content": f"<content {number}>" if speaks else ""}
            for number, (role, speaks) in enumerate(shape)
        ]
        try:
            text = self._template.render(messages=turns, add_generation_prompt=prompt)
        except MemoryError:  # no matter of this conversation alone
            raise
        except Exception as error:
            raise _unusable(error) from error
        if prompt and text.rstrip().endswith("<think>"):
            text = f"{text.rstrip()}\n\n</think>\n\n"  # as those write it that can be told not to
        *parts, last = _MARK.split(text)
        if parts[1::2] != [str(number) for number, (_, speaks) in enumerate(shape) if speaks]:
            raise _unusable("it does not show each message once, in its order")
        return (*parts[::2], last)

    def segments(self, messages: Sequence[Message]) -> tuple[Segment, ...]:
        """The prompt after which the assistant speaks; or goes on, where the last message is its.

        A segment ends behind each message but the last, and at each border between parts.

        Raises:
            ModelError: the template cannot render these roles.
        """
        *turns, last = messages
        if last.role == "assistant":
            begun = "".join(last.parts).strip()
            return (*self.segments(turns), *([self.reply(begun)] if begun else []))
        done: list[Segment] = []
        current: list[int] = []
        space = ""
        for text, special, border in _pieces(*self._framed(tuple(messages))):
            # Tokenizers take a space to the word behind it.
            spaced = space + text
            space = " " if spaced.endswith(" ") else ""
            current += self._tokenise(spaced.removesuffix(space), special)
            if border and current:
                done.append(tuple(current))
                current = []
        current += self._tokenise(space, False)
        first, *others = (*done, tuple(current)) if current else done
        return (self._begun(first), *others)

    def reply(self, text: str) -> Segment:
        """The tokens of a reply, as they are behind a prompt."""
        return self._tokenise(self._space + text, False)

    def _begun(self, segment: Segment) -> Segment:
        """With the token that begins a text, if there is to be one: once."""
        return segment if segment[: len(self._begin)] == self._begin else self._begin + segment

    def _around_reply(self) -> tuple[str, str]:
        """White space between a prompt and the assistant's reply, and the text behind the reply.

        Both are empty where the template does not say (it cannot render a reply).
        """
        asked: Shape = (("user", True),)
        try:
            prompt = self._frame(asked, True)
            whole = self._frame((*asked, ("assistant", True)), False)
        except ModelError:
            return "", ""
        space = whole[1].removeprefix(prompt[1])
        return space if space.isspace() else "", whole[2]

    def _framed(self, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], Frame]:
        try:
            return messages, self._frame(_shape(messages), True)
        except ModelError:
            merged = _without_system(messages)
            if merged == messages:
                raise
            return merged, self._frame(_shape(merged), True)


def _pieces(messages: Sequence[Message], frame: Frame) -> Iterator[tuple[str, bool, bool]]:
    """Texts, whether they are the template's, and whether a segment ends with them."""
    yield frame[0], True, False
    saying = (place for place, message in enumerate(messages) if any(message.parts))
    for place, text in zip(saying, frame[1:], strict=True):
        parts = _trimmed(messages[place].parts)
        for number, part in enumerate(parts, start=1):
            yield part, False, number < len(parts) or place < len(messages) - 1
        yield text, True, False


def _shape(messages: Sequence[Message]) -> Shape:
    return tuple((message.role, any(message.parts)) for message in messages)


def _trimmed(parts: tuple[str, ...]) -> list[str]:
    """The parts without white space around the whole, which many templates would cut off."""
    said = [number for number, part in enumerate(parts) if part.strip()]
    texts = list(parts[said[0] : said[-1] + 1]) if said else []
    texts[:1] = [text.lstrip() for text in texts[:1]]
    texts[-1:] = [text.rstrip() for text in texts[-1:]]
    return texts


def _without_system(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The system's message as the beginning of the user's first one."""
    if len(messages) < 2 or messages[0].role != "system" or messages[1].role != "user":
        return messages
    system, user, *others = messages
    first, *rest = user.parts
    return Message("user", (*system.parts, f"\n\n{first}", *rest)), *others
