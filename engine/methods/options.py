"""The settings of methods: frozen dataclasses whose fields say what they are and what they take.

::

    @dataclass(frozen=True, slots=True)
    class CegSettings:
        k: int = option(6, "Passages per claim (CEG, section 4.1).", within=(1, 50))

        def __post_init__(self) -> None:
            require_valid(self)

A field is an int, a float, a bool, a str or a Literal of words, or one of these or None.
"""

from collections.abc import Callable, Mapping
from dataclasses import Field, asdict, dataclass, field, fields, replace
from types import NoneType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

from veracite.engine.errors import SettingsError
from veracite.engine.setting_values import (
    no_such,
    number,
    require_among,
    require_within,
    whole,
    word,
    yes_or_no,
)

T = TypeVar("T")
S = TypeVar("S")
Value = str | int | float | bool | None


def option(
    default: T, about: str, *, within: tuple[float, float] | None = None, quoted: bool = False
) -> T:
    """A field of a method's settings.

    Args:
        default: The paper's value.
        about: What it is and where it comes from: one sentence, for people.
        within: The least and the greatest valid number.
        quoted: Whether it means nothing to a language model, but only to skills that quote.
    """
    told = {"about": about, "within": within, "quoted": quoted}
    return field(default=default, metadata=told)


@dataclass(frozen=True, slots=True)
class Option:
    """A setting, as it is shown to people."""

    name: str
    default: Value
    about: str
    valid: str
    """What it takes, in a few words."""
    quoted: bool
    """Whether it means something only to skills that quote."""


def described(settings: type[Any]) -> tuple[Option, ...]:
    """Every setting of a method."""
    hints = get_type_hints(settings)
    return tuple(
        Option(
            f.name,
            cast("Value", f.default),
            f.metadata["about"],
            _valid(f, hints[f.name]),
            f.metadata["quoted"],
        )
        for f in fields(settings)
    )


def require_valid(settings: Any) -> None:
    """For ``__post_init__``.

    Raises:
        SettingsError: A value is out of range; the advice names the nearest valid one.
    """
    hints = get_type_hints(type(settings))
    for item in fields(settings):
        value = getattr(settings, item.name)
        if value is None:
            continue
        if words := _words(hints[item.name]):
            require_among(item.name, value, words)
        elif within := item.metadata["within"]:
            require_within(item.name, value, *within)


def with_values(settings: S, values: Mapping[str, object]) -> S:
    """Settings with some values as they were written: on the command line, in a file, as a preset.

    Raises:
        SettingsError: There is no such setting, or its value is wrong.
    """
    of: Any = settings
    hints = get_type_hints(type(of))
    parsed = {}
    for name, value in values.items():
        if name not in hints:
            raise no_such("setting of this method", name, hints)
        parsed[name] = _parse(name, value, hints[name])
    return cast("S", replace(of, **parsed))


def as_mapping(settings: Any) -> dict[str, Value]:
    """Names to values, for the report."""
    return asdict(settings)


def _parse(name: str, value: object, hint: Any) -> object:
    kind, optional = _kind(hint)
    if optional and (value is None or word(value) == "none"):
        return None
    try:
        return word(value) if _words(hint) else _PARSERS[kind](value)
    except ValueError as error:
        raise SettingsError(f"{name} is {value!r}.", f"Give {error}.") from error


def _kind(hint: Any) -> tuple[type, bool]:
    """The plain type of a field, and whether it may be None."""
    if get_origin(hint) is Literal:
        return str, False
    parts = [part for part in get_args(hint) if part is not NoneType]
    return (_kind(parts[0])[0], True) if parts else (hint, False)


def _words(hint: Any) -> tuple[str, ...]:
    """The words that a field takes; none if it takes others than words."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    return next((found for part in get_args(hint) if (found := _words(part))), ())


def _valid(item: "Field[Any]", hint: Any) -> str:
    kind, optional = _kind(hint)
    within = item.metadata["within"]
    if words := _words(hint):
        told = " or ".join(words)
    elif within:
        told = f"{within[0]} to {within[1]}"
    else:
        told = {bool: "true or false", str: "text"}.get(kind, "a number")
    return f"{told}, or none" if optional else told


_PARSERS: dict[type, Callable[[object], object]] = {
    int: whole,
    float: number,
    bool: yes_or_no,
    str: str,
}
