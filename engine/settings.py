"""What a user can set, and from where: flag > environment > config file > default.

The config file is TOML with one table::

    [check]
    k = 6
    retrieval = "hybrid"
    fail_on = ["contradicted", "not_found"]

A config file that ``VERACITE_CONFIG`` names must exist; the usual one need not.

The environment names the same settings ``VERACITE_K``, ``VERACITE_FAIL_ON``, ...
"""

import difflib
import math
import os
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, get_args

from veracite.engine.errors import SettingsError
from veracite.engine.paths import Paths
from veracite.engine.words import Label

__all__ = [
    "DEFAULT_FAIL_ON",
    "CheckSettings",
    "Config",
    "Retrieval",
    "load",
    "parse_labels",
    "unknown_variables",
]

Retrieval = Literal["hybrid", "dense", "lexical"]

DEFAULT_FAIL_ON = (Label.CONTRADICTED, Label.NOT_FOUND, Label.UNCERTAIN)

_PREFIX = "VERACITE_"
_OTHER_VARIABLES = ("DATA_DIR", "CACHE_DIR", "CONFIG", "DEBUG")
"""What the environment names besides settings."""

_TRUE = ("true", "yes", "on", "1")
_FALSE = ("false", "no", "off", "0")


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """What a check depends on besides text, documents and models.

    Raises:
        SettingsError: A value is out of range; the advice names the nearest valid one.
    """

    k: int = 6
    """Passages a claim is judged on (CEG uses 4 to 6)."""
    threshold: float | None = None
    """Cosine similarity under which a passage is dropped, the first one never (CEG's t); None takes
    the value that belongs to the encoder."""
    retrieval: Retrieval = "hybrid"
    """Where evidence is looked for: by meaning (dense), by words (lexical), or both."""
    uncertain_below: float = 0.6
    """A verdict less probable than this is given as uncertain."""
    markdown: bool = True
    """Whether the text's Markdown markup is read as structure."""
    calibration: str | None = None
    """File of ``veracite eval calibrate`` that every verdict obeys; None takes verdicts as they
    come."""
    threads: int | None = None
    """Threads for the models; None takes the physical cores."""

    def __post_init__(self) -> None:
        _within("k", self.k, 1, 50)
        if self.threshold is not None:
            _within("threshold", self.threshold, -1.0, 1.0)
        _within("uncertain_below", self.uncertain_below, 0.0, 1.0)
        if self.threads is not None:
            _within("threads", self.threads, 1, 256)
        if self.retrieval not in get_args(Retrieval):
            raise SettingsError(
                f"retrieval is {self.retrieval!r}, which is none of its values.",
                _nearest(self.retrieval, get_args(Retrieval)),
            )

    def as_mapping(self) -> dict[str, str | int | float | bool | None]:
        """Field names to values, for the report."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that was set, from wherever."""

    check: CheckSettings = field(default_factory=CheckSettings)
    fail_on: tuple[Label, ...] = DEFAULT_FAIL_ON
    """The labels that make ``veracite check`` exit with 1."""


def load(
    paths: Paths,
    flags: Mapping[str, object] | None = None,
    environ: Mapping[str, str] = os.environ,
) -> Config:
    """Merge flags, environment, config file and defaults, in this order.

    Args:
        flags: Settings by name as the command line gave them; None values were not given.

    Raises:
        SettingsError: The config file cannot be read, or a setting is unknown or its value wrong.
    """
    named = bool(environ.get(f"{_PREFIX}CONFIG"))
    values: dict[str, object] = dict(_from_file(paths, required=named))
    for name in _PARSERS:
        variable = f"{_PREFIX}{name.upper()}"
        if environ.get(variable):
            values[name] = _parse(name, environ[variable], f"The environment variable {variable}")
    for name, value in (flags or {}).items():
        if value is not None:
            values[name] = _parse(name, value, _flag(name))
    fail_on: Any = values.pop("fail_on", DEFAULT_FAIL_ON)
    known: Any = values
    return Config(check=CheckSettings(**known), fail_on=fail_on)


def unknown_variables(environ: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """A sentence for each variable that looks like one of Veracite's and is none."""
    known = [f"{_PREFIX}{name}" for name in (*map(str.upper, _PARSERS), *_OTHER_VARIABLES)]
    unknown = sorted(n for n in environ if n.startswith(_PREFIX) and n not in known)
    return tuple(
        f"The environment variable {name} means nothing to Veracite. {_meant(name, known)}".strip()
        for name in unknown
    )


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
            raise _unknown("label", name, [*Label, "none"])
    return tuple(label for label in Label if label in names)


def _flag(name: str) -> str:
    return f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}"


def _from_file(paths: Paths, *, required: bool) -> dict[str, object]:
    try:
        text = paths.config.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        if not required:
            return {}
        raise SettingsError(
            f"There is no config file {paths.config}, which VERACITE_CONFIG names.",
            "Create it, or unset the variable to use the usual one.",
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"The config file {paths.config} cannot be read ({error}).",
            "Mend or move it, or name another one with VERACITE_CONFIG.",
        ) from error
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            f"The config file {paths.config} is not valid TOML: {error}.",
            "Mend that line, or move the file away to use the defaults.",
        ) from error
    for name in tables:
        if name != "check":
            raise _unknown(f"table in {paths.config}", name, ["check"])
    table = tables.get("check", {})
    if not isinstance(table, dict):
        raise SettingsError(
            f"In {paths.config}, check is a value and not a table.",
            "Write [check] on a line of its own and the settings below it.",
        )
    return {
        _known(name, paths): _parse(name, value, f"The setting {name} in {paths.config}")
        for name, value in table.items()
    }


def _known(name: str, paths: Paths) -> str:
    if name not in _PARSERS:
        raise _unknown(f"setting in {paths.config}", name, _PARSERS)
    return name


def _parse(name: str, value: object, where: str) -> object:
    try:
        parsed = _PARSERS[name](value)
        if name != "fail_on":
            CheckSettings(**{name: parsed})  # type: ignore[arg-type]
    except ValueError as error:
        raise SettingsError(
            f"{where} is {value!r}.", f"Give {error} (the default is {_default(name)})."
        ) from error
    except SettingsError as error:
        raise SettingsError(_said_of(where, name, error.message), error.advice) from error
    return parsed


def _said_of(where: str, name: str, message: str) -> str:
    """What is wrong with a setting, said of the place where it was set."""
    if message.startswith(f"{name} is "):
        return f"{where}{message.removeprefix(name)}"
    return f"{where}: {message[0].lower()}{message[1:]}"


def _default(name: str) -> str:
    if name == "fail_on":
        return ", ".join(DEFAULT_FAIL_ON)
    value = next(f.default for f in fields(CheckSettings) if f.name == name)
    return "chosen by Veracite" if value is None else str(value).lower()


def _whole(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lstrip("+-").isdecimal():
        return int(value)
    raise ValueError("a whole number")


def _number(value: object) -> float:
    if isinstance(value, (int, float, str)) and not isinstance(value, bool):
        try:
            return float(value)
        except ValueError:
            pass
    raise ValueError("a number")


def _yes_or_no(value: object) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word not in _TRUE + _FALSE:
        raise ValueError("true or false")
    return word in _TRUE


def _file(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("the name of a file")
    return os.path.abspath(os.path.expanduser(value))


def _word(value: object) -> str:
    return str(value).strip().lower()


_PARSERS: dict[str, Callable[[object], object]] = {
    "k": _whole,
    "threshold": _number,
    "retrieval": _word,
    "uncertain_below": _number,
    "markdown": _yes_or_no,
    "calibration": _file,
    "threads": _whole,
    "fail_on": parse_labels,
}


def _within(name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        nearest = least if math.isnan(value) or value < least else most
        raise SettingsError(
            f"{name} is {value}, which is not between {least} and {most}.",
            f"The nearest valid value is {nearest}.",
        )


def _unknown(kind: str, name: str, valid: Iterable[str]) -> SettingsError:
    return SettingsError(f"There is no {kind} named {name!r}.", _nearest(name, valid))


def _nearest(name: str, valid: Iterable[str]) -> str:
    choices = [str(choice) for choice in valid]
    return f"{_meant(name, choices)}Valid: {', '.join(choices)}."


def _meant(name: str, choices: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, choices, n=1, cutoff=0.5)
    return f"Did you mean {near[0]}? " if near else ""
