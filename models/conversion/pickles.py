"""Reads the few kinds of pickle that hold weights; runs nothing that is in them.

A pickle is a program for a small machine whose instructions include "import this" and "call that".
``pickle`` itself is not used: here is a machine of our own that knows only the instructions which
``torch.save`` writes for a dictionary of tensors, and for which an imported name is an entry in a
table that the caller gives. Whatever else a pickle asks for ends the reading.
"""

import pickletools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Forbidden", "Function", "Malformed", "read_pickle"]


class Forbidden(Exception):
    """Names what a pickle asked for and must not have."""


class Malformed(Exception):
    """The bytes are no pickle, or one that contradicts itself."""


@dataclass(frozen=True, slots=True)
class Function:
    """What a pickle may call."""

    run: Callable[..., Any]


def read_pickle(content: bytes, names: Mapping[str, Any], stored: Callable[[Any], Any]) -> Any:
    """The value that a pickle describes.

    Args:
        content: The whole pickle, of any origin.
        names: What each global name stands for; only a ``Function`` can be called.
        stored: Gives what the pickle keeps outside itself, by its identifier.

    Raises:
        Forbidden: it uses another name, or an instruction that no tensors need.
        Malformed: it is damaged. ``names`` and ``stored`` may raise this as well.
    """
    machine = _Machine(names, stored)
    try:
        for instruction, argument, _ in pickletools.genops(content):
            machine.step(instruction.name, argument)
        return machine.stack.pop()
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise Malformed(str(error)) from error


_VALUES = {"BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT", "BINUNICODE"}
_CONSTANTS: dict[str, Any] = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
_EMPTY: dict[str, Callable[[], Any]] = {"EMPTY_DICT": dict, "EMPTY_LIST": list}
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}


class _Machine:
    """The state of a pickle that is being read: a stack, its marks, and a memory."""

    def __init__(self, names: Mapping[str, Any], stored: Callable[[Any], Any]) -> None:
        self.stack: list[Any] = []
        self._marks: list[int] = []
        self._memory: dict[int, Any] = {}
        self._names = names
        self._stored = stored

    def step(self, name: str, argument: Any) -> None:
        """Carry out one instruction, called by its name in ``pickletools``."""
        if name in _VALUES:
            self.stack.append(argument)
        elif name in _CONSTANTS:
            self.stack.append(_CONSTANTS[name])
        elif name in _EMPTY:
            self.stack.append(_EMPTY[name]())
        elif name in _TUPLES:
            self._tuple(len(self.stack) - _TUPLES[name])
        elif name in ("BINPUT", "LONG_BINPUT"):
            self._memory[argument] = self.stack[-1]
        elif name in ("BINGET", "LONG_BINGET"):
            self.stack.append(self._memory[argument])
        else:
            self._build(name, argument)

    def _build(self, name: str, argument: Any) -> None:
        match name:
            case "MARK":
                self._marks.append(len(self.stack))
            case "TUPLE":
                self._tuple(self._marks.pop())
            case "APPEND":
                self._list(len(self.stack) - 1)
            case "APPENDS":
                self._list(self._marks.pop())
            case "SETITEM":
                self._dictionary(len(self.stack) - 2)
            case "SETITEMS":
                self._dictionary(self._marks.pop())
            case "GLOBAL":
                self.stack.append(self._named(argument.replace(" ", ".")))
            case "BINPERSID":
                self.stack.append(self._stored(self.stack.pop()))
            case "REDUCE":
                self._call()
            case "BUILD":
                self.stack.pop()  # what a dictionary of tensors says about itself beside them
            case "PROTO" | "STOP":
                pass
            case _:
                raise Forbidden(f"the instruction {name}")

    def _cut(self, start: int) -> list[Any]:
        """What lies on the stack from ``start`` on, which may not reach below the last mark."""
        if not (self._marks[-1] if self._marks else 0) <= start <= len(self.stack):
            raise Malformed("it takes more than there is")
        cut = self.stack[start:]
        del self.stack[start:]
        return cut

    def _tuple(self, start: int) -> None:
        self.stack.append(tuple(self._cut(start)))

    def _list(self, start: int) -> None:
        values = self._cut(start)
        if not isinstance(self.stack[-1], list):
            raise Malformed("it appends to what is no list")
        self.stack[-1].extend(values)

    def _dictionary(self, start: int) -> None:
        values = self._cut(start)
        if not isinstance(self.stack[-1], dict):
            raise Malformed("it names entries of what is no dictionary")
        self.stack[-1].update(zip(values[::2], values[1::2], strict=True))

    def _named(self, name: str) -> Any:
        if name not in self._names:
            raise Forbidden(name)
        return self._names[name]

    def _call(self) -> None:
        function, arguments = self._cut(len(self.stack) - 2)
        if not isinstance(function, Function) or not isinstance(arguments, tuple):
            raise Malformed("it calls what is no function")
        self.stack.append(function.run(*arguments))
