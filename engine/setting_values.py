"""What was written, as the value of a setting; and what is said of what cannot be one.

What reads a value raises ValueError with what is wanted ("a whole number").
"""

import difflib
import math
import os
from collections.abc import Iterable, Sequence

from veracite.engine.errors import SettingsError
from veracite.engine.types import Label

_TRUE = ("true", "yes", "on", "1")
_FALSE = ("false", "no", "off", "0")


def parse_labels(value: object) -> tuple[Label, ...]:
    """Labels from a list or from words separated by commas; ``none`` names no label.

    Raises:
        SettingsError: A word is no label; the advice names the nearest one.
    """
    words = value.split(",") if isinstance(value, str) else value
    if not isinstance(words, Iterable):
        raise ValueError("a list of labels")
    names = [str(word).strip().lower().replace("-", "_").replace(" ", "_") for word in words]
    if names == ["none"]:
        return ()
    for name in names:
        if name not in tuple(Label):
            raise no_such("label", name, [*Label, "none"])
    return tuple(label for label in Label if label in names)


def whole(value: object) -> int:
    """6, from a number or a text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lstrip("+-").isdecimal():
        return int(value)
    raise ValueError("a whole number")


def number(value: object) -> float:
    """0.5, from a number or a text."""
    if isinstance(value, (int, float, str)) and not isinstance(value, bool):
        try:
            return float(value)
        except ValueError:
            pass
    raise ValueError("a number")


def yes_or_no(value: object) -> bool:
    """From a truth value or a word for one."""
    if isinstance(value, bool):
        return value
    said = word(value)
    if said not in _TRUE + _FALSE:
        raise ValueError("true or false")
    return said in _TRUE


def file_name(value: object) -> str:
    """An absolute path; the file need not exist."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError("the name of a file")
    return os.path.abspath(os.path.expanduser(value))


def name_or_file(value: object) -> str:
    """The name of a model or of a file, as it was written."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError("the name of a model or of a file")
    return value.strip()


def word(value: object) -> str:
    """In lower case."""
    return str(value).strip().lower()


def require_within(name: str, value: float, least: float, most: float) -> None:
    """Raises SettingsError, naming the nearest valid value."""
    if not least <= value <= most:
        closest = least if math.isnan(value) or value < least else most
        raise SettingsError(
            f"{name} is {value}, which is not between {least} and {most}.",
            f"The nearest valid value is {closest}.",
        )


def require_among(name: str, value: str, valid: Sequence[str]) -> None:
    """Raises SettingsError, naming the nearest valid value."""
    if value not in valid:
        raise SettingsError(
            f"{name} is {value!r}, which is none of its values.", _nearest(value, valid)
        )


def no_such(kind: str, name: str, valid: Iterable[str]) -> SettingsError:
    """The error for a name that there is not; its advice is the nearest one."""
    return SettingsError(f"There is no {kind} named {name!r}.", _nearest(name, valid))


def _nearest(name: str, valid: Iterable[str]) -> str:
    choices = [str(choice) for choice in valid]
    return f"{meant(name, choices)}Valid: {', '.join(choices)}."


def meant(name: str, choices: Sequence[str]) -> str:
    """ "Did you mean ...? " with the choice nearest to a name; empty if none is near."""
    near = difflib.get_close_matches(name, choices, n=1, cutoff=0.5)
    return f"Did you mean {near[0]}? " if near else ""
