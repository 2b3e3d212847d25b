"""What is said in a conversation with a language model."""

from dataclasses import dataclass
from typing import Literal

__all__ = ["Message", "Role"]

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """What somebody says: ``parts``, joined, are the content.

    Each border between parts is a place up to which a later prompt that begins in the same way
    can use what was computed for this one.
    """

    role: Role
    parts: tuple[str, ...]
