"""The words and units that the rules go by, as ``words.json`` lists them."""

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any


def listed(kind: str) -> tuple[str, ...]:
    """The words of a list, in order."""
    held = data_of(kind)
    return tuple((held if isinstance(held, str) else " ".join(held)).split())


def any_of(words: str | Iterable[str]) -> str:
    """A pattern for one of these words or patterns, separated by spaces, "_" for a space within."""
    found = words.split() if isinstance(words, str) else words
    return "(?:" + "|".join(word.replace("_", " ") for word in found) + ")"


def one_of(kind: str) -> str:
    """A pattern for one word of a list."""
    return any_of(listed(kind))


def by_word(kind: str) -> dict[str, str]:
    """Of each word of a table the entry that it stands in: "wrote" to "write"."""
    return {
        word.replace("_", " "): entry
        for entry, words in data_of(kind).items()
        for word in words.split()
    }


def data_of(kind: str) -> Any:
    """A list or table as it is held."""
    return _all()[kind]


@cache
def _all() -> dict[str, Any]:
    return dict(json.loads(files("veracite.engine.wording").joinpath("words.json").read_bytes()))


VERBS = frozenset(listed("finite verbs"))
"""Finite verbs that need no ending to be recognised."""
PRONOUNS = frozenset(listed("pronouns"))
VERB_ENDING = re.compile(r"[a-z]{2,}(?:ed|ised|ized|ates|izes|ises|fies)$")
