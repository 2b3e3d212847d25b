"""Reads the values of GGUF's format from the bytes of a file's start (ggml's docs/gguf.md).

Nothing is believed before it is checked against the number of bytes that are there, so damage
costs no memory and no time.
"""

import struct
from collections.abc import Sequence
from typing import Any

__all__ = ["Cursor", "Damaged", "quoted", "text"]

_NUMBERS = dict(zip((*range(8), 10, 11, 12), "BbHhIif?Qqd", strict=True))
"""GGUF's types of numbers, each with ``struct``'s letter for it."""
_STRING, _ARRAY = 8, 9


class Damaged(Exception):
    """Says in a few words what is wrong with the file: "it ends too early"."""


class Cursor:
    """Goes from value to value; every method raises ``Damaged`` where there is none."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0

    def take(self, size: int) -> bytes:
        start, self.position = self.position, self.position + size
        if self.position > len(self.data):
            raise Damaged("its header ends too early, or names an absurd length")
        return self.data[start : self.position]

    def number(self, letter: str) -> Any:
        """One number, of the type that ``struct`` calls by this letter."""
        code = "<" + letter
        return struct.unpack(code, self.take(struct.calcsize(code)))[0]

    def count(self, size: int) -> int:
        """How many things follow, each of which takes at least ``size`` bytes."""
        number: int = self.number("Q")
        if number * size > len(self.data) - self.position:
            raise Damaged(f"it promises {number:,} entries, more than it has room for")
        return number

    def string(self) -> bytes:
        return self.take(self.number("Q"))

    def value(self) -> Any:
        """A number, a str, or a sequence of numbers or of bytes, with its type before it."""
        kind = self.number("I")
        if kind == _STRING:
            return text(self.string())
        if kind == _ARRAY:
            return self._array(self.number("I"))
        return self.number(_letter(kind))

    def _array(self, kind: int) -> Sequence[Any]:
        if kind == _STRING:
            return self._strings(self.count(8))
        letter: Any = _letter(kind)
        size = struct.calcsize("<" + letter)
        numbers: memoryview[Any] = memoryview(self.take(self.count(size) * size)).cast(letter)
        return numbers

    def _strings(self, count: int) -> list[bytes]:
        """What ``string`` gives ``count`` times, at several times the speed."""
        found, length_at, end = [], struct.Struct("<Q").unpack_from, self.position
        for _ in range(count):
            start = end = end + 8
            if start <= len(self.data):
                end += length_at(self.data, start - 8)[0]
            if end > len(self.data):
                break
            found.append(self.data[start:end])
        self.take(end - self.position)
        return found


def _letter(kind: int) -> str:
    if kind in _NUMBERS:
        return _NUMBERS[kind]
    raise Damaged(f"it holds a value of the unknown type {kind}")


def text(content: bytes) -> str:
    """Text as the format stores it, however damaged."""
    return content.decode("utf-8", errors="replace")


def quoted(name: str) -> str:
    """A name from the file, which may hold anything, as one short line of ASCII."""
    return ascii(name[:64])
