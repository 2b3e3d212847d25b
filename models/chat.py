"""A conversation's tokens: contents in the frame that the model's chat template gives them.

The template's own text is read with special tokens, contents without: a passage that spells a
special token stays plain text.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from veracite.models.errors import ModelError
from veracite.models.gguf import Model
from veracite.models.messages import Message
from veracite.models.template import Frame, Place, Shape, Template, unusable

__all__ = ["Chat", "Message", "Segment"]

Segment = tuple[int, ...]
"""Tokens up to a place where a computation may be taken up again."""


class Chat:
    """How to talk to a model.

    Args:
        template: The model's chat template.
        model: Its tokenizer reads the prompts.

    Raises:
        ModelError: the template is no Jinja, or the model cannot end a turn.
    """

    def __init__(self, template: str, model: Model) -> None:
        self._template = Template(template, model.name(model.begin), model.name(model.end))
        self._tokenise = lru_cache(maxsize=4096)(model.tokenise)
        self._begin = (model.begin,) if model.adds_begin else ()
        self._space, closing = self._around_reply()
        self.end = next(filter(model.ends, model.tokenise(closing, True)), model.end)
        """The token that ends a turn."""
        if self.end < 0:
            raise unusable("the model has no token that ends a turn")

    def segments(self, messages: Sequence[Message]) -> tuple[Segment, ...]:
        """The prompt after which the assistant speaks.

        A segment ends behind each message but the last, and at each border between parts.

        Raises:
            ModelError: the template cannot render these roles.
        """
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
        begins = segment[: len(self._begin)] == self._begin
        return segment if begins else self._begin + segment

    def _around_reply(self) -> tuple[str, str]:
        """White space between a prompt and the assistant's reply, and the text behind the reply.

        Both are empty where the template does not say (it cannot render a reply).
        """
        asked: Shape = (("user", True),)
        try:
            prompt = self._template.frame(asked, True).texts
            whole = self._template.frame((*asked, ("assistant", True)), False).texts
        except ModelError:
            return "", ""
        space = whole[1].removeprefix(prompt[1])
        return space if space.isspace() else "", whole[2]

    def _framed(self, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], Frame]:
        try:
            return messages, self._template.frame(_shape(messages), True)
        except ModelError:
            merged = _without_system(messages)
            if merged == messages:
                raise
            return merged, self._template.frame(_shape(merged), True)


def _pieces(messages: Sequence[Message], frame: Frame) -> Iterator[tuple[str, bool, bool]]:
    """Texts, whether they are the template's, and whether a segment ends with them."""
    yield frame.texts[0], True, False
    for place, text in zip(frame.places, frame.texts[1:], strict=True):
        parts = _trimmed(messages[place.message].parts, place)
        for number, part in enumerate(parts, start=1):
            yield part, False, number < len(parts) or place.message < len(messages) - 1
        yield text, True, False


def _shape(messages: Sequence[Message]) -> Shape:
    return tuple((message.role, any(message.parts)) for message in messages)


def _trimmed(parts: tuple[str, ...], place: Place) -> list[str]:
    """The parts as the template would leave them, had it seen their content."""
    texts = list(parts)
    if place.left:
        while texts and not texts[0].strip():
            del texts[0]
        texts[:1] = [text.lstrip() for text in texts[:1]]
    if place.right:
        while texts and not texts[-1].strip():
            del texts[-1]
        texts[-1:] = [text.rstrip() for text in texts[-1:]]
    return texts


def _without_system(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """The system's message as the beginning of the user's first one."""
    if len(messages) < 2 or messages[0].role != "system" or messages[1].role != "user":
        return messages
    system, user, *others = messages
    first, *rest = user.parts
    return Message("user", (*system.parts, f"\n\n{first}", *rest)), *others
