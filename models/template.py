"""A model's chat template: Jinja that came with the model, so it runs in a sandbox.

It is rendered once for each order of roles, with marks where the contents belong: no content is
ever code to it, and none can pass for its text.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from veracite.models.errors import ModelError
from veracite.models.messages import Role

__all__ = ["Frame", "Place", "Shape", "Template", "unusable"]

Shape = tuple[tuple[Role, bool], ...]
"""Who speaks, in turn, and whether they say anything."""

_DAY = datetime(2024, 7, 26)
"""Today, to every template: no verdict may change from one day to the next."""

_LONGEST_REASON = 200
"""Characters."""

_PAD = "\x1f"
"""White space to the template, so that what trims a content shows by its absence."""

_MARK = re.compile(f"({_PAD}?)<content ([0-9]+)>({_PAD}?)")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message's content belongs, and on which sides the template trims it."""

    message: int
    left: bool
    right: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """A rendered template: its own texts, and the places between them."""

    texts: tuple[str, ...]
    places: tuple[Place, ...]


class Template:
    """A chat template.

    Args:
        source: In Jinja, as the file has it.
        begin: The name of the token that begins a text; empty if there is none.
        end: The name of the token that ends one.

    Raises:
        ModelError: it is no Jinja.
    """

    def __init__(self, source: str, begin: str, end: str) -> None:
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
        )
        environment.globals.update(
            raise_exception=_refuse,
            strftime_now=_DAY.strftime,
            bos_token=begin,
            eos_token=end,
            # Models that think aloud unless told otherwise are asked for the answer itself.
            enable_thinking=False,
        )
        try:
            self._template = environment.from_string(source)
        except Exception as error:
            raise unusable(error) from error
        self.frame = lru_cache(maxsize=64)(self._frame)

    def _frame(self, shape: Shape, prompt: bool) -> Frame:
        """A conversation of this shape; with ``prompt`` it is the assistant's turn then.

        Raises:
            ModelError: the template cannot render it.
        """
        turns = [
            {"role": role, "content": f"{_PAD}<content {number}>{_PAD}" if speaks else ""}
            for number, (role, speaks) in enumerate(shape)
        ]
        try:
            text = self._template.render(messages=turns, add_generation_prompt=prompt)
        except MemoryError:  # no matter of this conversation alone
            raise
        except Exception as error:
            raise unusable(error) from error
        frame = _split(text)
        shown = [place.message for place in frame.places]
        if shown != [number for number, (_, speaks) in enumerate(shape) if speaks]:
            raise unusable("it does not show each message once, in its order")
        return frame


def unusable(reason: object) -> ModelError:
    """The error for a template that cannot be used; the reason may be the template's own words."""
    told = " ".join(str(reason).split())[:_LONGEST_REASON].rstrip(".") or type(reason).__name__
    return ModelError(
        f"The model's chat template cannot be used: {told}.",
        "Use another model, or a file of this one with a corrected template.",
    )


def _split(text: str) -> Frame:
    texts, places, behind = [], [], 0
    for mark in _MARK.finditer(text):
        left, number, right = mark.groups()
        texts.append(text[behind : mark.start()])
        places.append(Place(int(number), left=not left, right=not right))
        behind = mark.end()
    return Frame((*texts, text[behind:]), tuple(places))


def _refuse(reason: str) -> None:
    from jinja2 import TemplateError

    raise TemplateError(reason)
