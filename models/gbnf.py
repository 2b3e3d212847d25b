"""GBNF, llama.cpp's notation of grammars, checked before llama.cpp reads it.

Its own parser writes what it finds wrong on stderr, and on some mistakes it never ends.
"""

from collections.abc import Iterator
from re import VERBOSE
from re import compile as pattern

from veracite.models.errors import ModelError

__all__ = ["check"]

_MAX_REPETITIONS = 1000

_ESCAPE = r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[trn\\\"\[\]])"

_TOKEN = pattern(
    rf"""
      (?P<line> \r?\n )
    | (?P<space> [ \t]+ | \#[^\r\n]* )
    | (?P<head> [A-Za-z0-9-]+ [ \t]* ::= )
    | (?P<name> [A-Za-z0-9-]+ )
    | (?P<empty> "" )
    | (?P<text> \. | "(?: [^"\\\r\n] | {_ESCAPE} )*" | \[ (?: [^]\\\r\n] | {_ESCAPE} )+ \] )
    | (?P<repeat> [*+?] | \{{ [ ]* \d+ [ ]* (?: , [ ]* \d* [ ]* )? \}} )
    | (?P<open> \( )
    | (?P<close> \) )
    | (?P<or> \| )
    """,
    VERBOSE,
)

_BEGIN_RULE = ("head", "line")
_GO_ON = ("head", "or")
"""Behind these a rule may continue in the next line."""


def check(grammar: str) -> None:
    """Nothing, if it is a grammar: rules, one of them called ``root``.

    Raises:
        ModelError: it is none; the message names the line.
    """
    defined: set[str] = set()
    used = {"root": 1}
    depth, line, before = 0, 1, "line"
    for kind, text in _tokens(grammar):
        if kind == "line":
            line += 1
        if kind == "line" and (depth or before in _GO_ON):
            continue
        if (before == "line" and kind not in _BEGIN_RULE) or (before != "line" and kind == "head"):
            raise _wrong(line, "a rule begins in a new line, with its name and ::=")
        if kind == "head":
            defined.add(text.removesuffix("::=").rstrip())
        elif kind == "name":
            used.setdefault(text, line)
        elif kind == "repeat":
            _check_repetition(line, before, text)
        depth += (kind == "open") - (kind == "close")
        if depth < 0:
            raise _wrong(line, "a bracket is closed that was never opened")
        before = kind
    if depth:
        raise _wrong(line, "a bracket is not closed")
    for name, place in used.items():
        if name not in defined:
            raise _wrong(place, f"there is no rule {name}")


def _tokens(grammar: str) -> Iterator[tuple[str, str]]:
    """Kinds and texts of all but white space and comments."""
    place = 0
    while place < len(grammar):
        token = _TOKEN.match(grammar, place)
        if token is None:
            line = grammar.count("\n", 0, place) + 1
            raise _wrong(line, f"{grammar[place : place + 20]!r} cannot be read")
        if token.lastgroup != "space":
            yield str(token.lastgroup), token[0]
        place = token.end()


def _check_repetition(line: int, before: str, text: str) -> None:
    if before not in ("name", "text", "close"):
        raise _wrong(line, "there is nothing to repeat")
    counts = [int(count) for count in text.strip("{}*+? ").split(",") if count.strip()]
    if counts != sorted(counts) or max(counts, default=0) > _MAX_REPETITIONS:
        raise _wrong(line, f"{text} is no possible number of repetitions")


def _wrong(line: int, reason: str) -> ModelError:
    return ModelError(
        f"The grammar for the language model's reply is wrong in line {line}: {reason}.",
        "Correct the grammar, which must be GBNF as llama.cpp describes it.",
    )
