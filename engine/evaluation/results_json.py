"""A result as JSON, schema ``veracite.evaluation/1``, and back."""

import math
import numbers
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from veracite.engine.errors import InputError
from veracite.engine.evaluation.results import Result

__all__ = ["SCHEMA", "as_json", "from_json"]

SCHEMA = "veracite.evaluation/1"

_DIGITS = 6


def as_json(result: Result) -> dict[str, Any]:
    """The result as JSON values, schema ``veracite.evaluation/1``.

    The order of the keys is fixed, floats have six decimals, and what is not finite is null.
    """
    return {"schema": SCHEMA, **_encode(result)}


def from_json(value: object) -> Result:
    """The result that ``as_json`` made these values of.

    Raises:
        InputError: They are no result, or one of another version.
    """
    if not isinstance(value, Mapping) or value.get("schema") != SCHEMA:
        raise _no_result(f"its schema is not {SCHEMA}")
    decoded = _decode(Result, value, "result")
    assert isinstance(decoded, Result)
    return decoded


def _encode(value: Any) -> Any:
    if is_dataclass(value):
        return {f.name: _encode(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {
            str(key): _encode(item)
            for key, item in sorted(value.items(), key=lambda pair: str(pair[0]))
        }
    if isinstance(value, tuple | list):
        return [_encode(item) for item in value]
    if isinstance(value, bool | numbers.Integral):
        return value if isinstance(value, bool) else int(value)
    if isinstance(value, numbers.Real):
        return round(float(value), _DIGITS) + 0.0 if math.isfinite(value) else None
    return value


def _decode(kind: Any, value: Any, where: str) -> Any:
    if is_dataclass(kind):
        return _decode_fields(kind, value, where)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is tuple and isinstance(value, list):
        return tuple(_decode(inner[0], v, f"{where}[{n}]") for n, v in enumerate(value))
    if origin is Mapping and isinstance(value, Mapping):
        return {key: _decode(inner[1], v, f"{where}.{key}") for key, v in value.items()}
    if origin is UnionType:
        present = next(each for each in inner if each is not NoneType)
        return None if value is None else _decode(present, value, where)
    if kind is float and type(value) in (int, float):
        return float(value)
    if kind is Any or type(value) is kind or (origin is Literal and value in inner):
        return value
    raise _no_result(f"{where} is {value!r:.40}")


def _decode_fields(kind: Any, value: Any, where: str) -> Any:
    hints = get_type_hints(kind)
    given = value if isinstance(value, Mapping) else {}
    if missing := [f.name for f in fields(kind) if f.name not in given]:
        raise _no_result(f"{where} has no {missing[0]}")
    return kind(
        **{name: _decode(hint, given[name], f"{where}.{name}") for name, hint in hints.items()}
    )


def _no_result(reason: str) -> InputError:
    return InputError(
        f"This is no result of an evaluation: {reason}.",
        "Give a file that `veracite eval --json` wrote.",
    )
