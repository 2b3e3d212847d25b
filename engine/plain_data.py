"""Dataclasses from what ``json.loads`` gives: the types of their fields say how."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import EnumType
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

Makers = Mapping[Any, Callable[[Any], Any]]
"""How values of some types are made, in the place of what their fields say."""


class Mismatch(ValueError):
    """The data has another form than the type."""


def built(kind: Any, value: Any, makers: Makers | None = None) -> Any:
    """A value of a type.

    Fields that the data lacks get their defaults; what it has besides is left out.

    Args:
        kind: A dataclass, an enumeration, a Literal, a plain type, a union of these, or a tuple
            or mapping of them.
        value: Its plain form.
        makers: See ``Makers``.

    Raises:
        Mismatch: The value has another form.
    """
    makers = makers or {}
    origin, inner = get_origin(kind), get_args(kind)
    if kind in makers:
        return makers[kind](value)
    if is_dataclass(kind):
        return _dataclass(kind, _of(dict, value), makers)
    if origin in (Union, UnionType):
        return _first_of(inner, value, makers)
    if origin is tuple:
        return tuple(built(inner[0], item, makers) for item in _of(list, value))
    if origin is Mapping or origin is dict:
        return {key: built(inner[1], item, makers) for key, item in _of(dict, value).items()}
    if origin is Literal or isinstance(kind, EnumType):
        return _word(inner or tuple(kind), value)
    return _of(kind, value)


def _dataclass(kind: Any, value: dict[str, Any], makers: Makers) -> Any:
    given = {}
    for item in fields(kind):
        if item.name in value:
            given[item.name] = built(_hints(kind)[item.name], value[item.name], makers)
        elif item.default is MISSING and item.default_factory is MISSING:
            raise Mismatch(f"it lacks {item.name!r}")
    return kind(**given)


def _first_of(kinds: tuple[Any, ...], value: Any, makers: Makers) -> Any:
    if value is None and NoneType in kinds:
        return None
    for kind in kinds:
        try:
            return built(kind, value, makers)
        except Mismatch as error:
            reason = error
    raise reason


def _word(words: tuple[Any, ...], value: Any) -> Any:
    for word in words:
        if word == value:
            return word
    raise Mismatch(f"it holds {value!r:.40}, which this version does not know")


def _of(kind: Any, value: Any) -> Any:
    if kind is float and type(value) is int:
        return float(value)
    if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
        raise Mismatch(f"it holds {value!r:.40} where something else belongs")
    return value


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)
