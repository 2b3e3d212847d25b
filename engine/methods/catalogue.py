"""Every method by its name; which one answers, and with which settings: command line > config file
> the paper's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veracite.engine.errors import SettingsError
from veracite.engine.methods.base import Method
from veracite.engine.methods.baselines import BASELINES
from veracite.engine.methods.ceg import CEG
from veracite.engine.methods.fix import FixSettings
from veracite.engine.methods.llatrieval import LLATRIEVAL
from veracite.engine.methods.refeed import REFEED
from veracite.engine.methods.vtg import VTG
from veracite.engine.settings import METHOD_NAMES, Config, declared, no_such, with_values

METHODS: tuple[Method, ...] = (CEG, REFEED, LLATRIEVAL, VTG, *BASELINES)
"""Each has its name in ``settings.METHOD_NAMES``, too: settings are read before methods are."""
BEST = "retrieve-read"
"""The method that the evaluation shows to be best."""


@dataclass(frozen=True, slots=True)
class Configured:
    """A method, ready to be run."""

    method: Method
    settings: Any
    """Of its own class."""


def named(name: str) -> Method:
    """The method of a name.

    Raises:
        SettingsError: There is none.
    """
    found = next((method for method in METHODS if method.name == name), None)
    if found is None:
        raise no_such("method", name, METHOD_NAMES)
    return found


def default_method(config: Config, presets: Sequence[str] = ()) -> str:
    """The method that is set, else the one that presets are of, else the best."""
    if config.ask.method is not None:
        return config.ask.method
    given = [_Given.of(name) for name in presets]
    owners = {m.name for m in METHODS for one in given if one.is_of(m) and one.name in m.presets}
    return owners.pop() if len(owners) == 1 else BEST


def configured(
    names: Sequence[str], config: Config, presets: Sequence[str] = (), sets: Sequence[str] = ()
) -> tuple[Configured, ...]:
    """Methods by their names.

    Args:
        names: At least one.
        config: Its tables of methods apply unless a preset is named, which begins from the paper's
            values.
        presets: Such as ``asqa-table6``, for every method, or ``vtg.asqa-table6`` for one.
        sets: Such as ``k=3``, for every method that has it, or ``vtg.k=3`` for one; the last one
            counts.

    Raises:
        SettingsError: There is no such method, preset or setting, or a value is wrong; in the
            config file also of methods that are not run.
    """
    methods = [named(name) for name in names]
    tables = {method.name: _from_table(method, config) for method in METHODS}
    chosen = [_Given.of(name) for name in presets]
    values = [_Given.of(*_parted(assignment)) for assignment in sets]
    for one in (*chosen, *values):
        if one.owner is not None and one.owner not in names:
            raise SettingsError(
                f"{one.written} belongs to the method {one.owner}, which is not used here.",
                f"Leave it out, or choose {one.owner} with --method or --compare.",
            )
    known = {name for method in methods for name in declared(method.settings)}
    found = []
    for method in methods:
        settings = tables[method.name]
        if own := [one.name for one in chosen if one.is_of(method)]:
            settings = with_values(method.settings(), _preset(method, own[-1]))
        lacked = known - set(declared(method.settings))
        given = {
            one.name: one.value
            for one in values
            if one.is_of(method) and (one.owner or one.name not in lacked)
        }
        found.append(Configured(method, with_values(settings, given)))
    return tuple(found)


def fix_settings(config: Config, sets: Sequence[str] = ()) -> FixSettings:
    """What mending depends on besides what the check of the same text does.

    Args:
        config: Its table ``[fix]`` counts.
        sets: Such as ``T=3``, which go before that.

    Raises:
        SettingsError: There is no such setting, or a value is wrong.
    """
    given = dict(_parted(assignment) for assignment in sets)
    return with_values(FixSettings(), {**config.methods.get("fix", {}), **given})


@dataclass(frozen=True, slots=True)
class _Given:
    """A preset or a setting, as the command line gave it."""

    written: str
    owner: str | None
    """The method that it is given to alone."""
    name: str
    value: str = ""

    @classmethod
    def of(cls, written: str, value: str = "") -> "_Given":
        owner, dot, name = written.partition(".")
        if dot and owner in METHOD_NAMES:
            return cls(written, owner, name, value)
        return cls(written, None, written, value)

    def is_of(self, method: Method) -> bool:
        return self.owner in (None, method.name)


def _from_table(method: Method, config: Config) -> Any:
    """The settings of the method's table in the config file, which may begin from a preset."""
    table = dict(config.methods.get(method.name, {}))
    preset = table.pop("preset", None)
    try:
        settings = with_values(method.settings(), _preset(method, str(preset)) if preset else {})
        return with_values(settings, table)
    except SettingsError as error:
        raise SettingsError(
            f"The table [{method.name}] of the config file cannot be used: {error.message}",
            error.advice,
        ) from error


def _preset(method: Method, name: str) -> Mapping[str, object]:
    if name not in method.presets:
        raise no_such(f"preset of {method.name}", name, method.presets)
    return method.presets[name]


def _parted(assignment: str) -> tuple[str, str]:
    name, equals, value = assignment.partition("=")
    if not equals or not name.strip():
        raise SettingsError(
            f"--set {assignment!r} gives no setting a value.", "Write it as NAME=VALUE, as in k=3."
        )
    return name.strip(), value.strip()
