"""Which method answers, and with which settings: command line > config file > the paper's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veracite.engine.errors import SettingsError
from veracite.engine.methods.base import Method
from veracite.engine.methods.catalogue import METHODS, named
from veracite.engine.methods.fixing import FixSettings
from veracite.engine.methods.options import described, with_values
from veracite.engine.setting_values import no_such
from veracite.engine.settings import Config
from veracite.engine.skills.base import SkillSet

BEST: Mapping[SkillSet, str] = {"prompted": "retrieve-read", "extractive": "retrieve-read"}
"""The method that the evaluation shows to be best on each set of skills."""


@dataclass(frozen=True, slots=True)
class Configured:
    """A method, ready to be run."""

    method: Method
    settings: Any
    """Of its own class."""


def default_method(config: Config, presets: Sequence[str] = ()) -> str:
    """The method that is set, else the one that presets are of, else the best on the skills."""
    if config.ask.method is not None:
        return config.ask.method
    owners = {one.name for one in METHODS for name in presets if _own(name, one) in one.presets}
    if len(owners) == 1:
        return owners.pop()
    return BEST[_skills(config)]


def configured(
    names: Sequence[str],
    config: Config,
    presets: Sequence[str] = (),
    sets: Sequence[str] = (),
) -> tuple[Configured, ...]:
    """Methods by their names.

    Args:
        names: At least one.
        config: Its tables of methods apply unless a preset is named, which begins from the paper's
            values.
        presets: Such as ``asqa-table6``, for every method, or ``vtg.asqa-table6`` for one.
        sets: Such as ``k=3``, for every method, or ``vtg.k=3`` for one; the last one counts.

    Raises:
        SettingsError: There is no such method, preset or setting, or a value is wrong; in the
            config file also of methods that are not run.
    """
    methods = [named(name) for name in names]
    for method in METHODS:
        _from_table(method, config)
    given = [_parted(assignment) for assignment in sets]
    known = {method.name for method in methods}
    for name in presets:
        owner, own = _owner(name)
        if owner is not None:
            _preset(named(owner), own)
    for name in (*presets, *(name for name, _ in given)):
        _require_asked(name, known)
    for name, value in given:
        _require_common(name, value, methods)
        _require_meaning(name, methods, _skills(config))
    return tuple(_configured(method, config, presets, given) for method in methods)


def fix_settings(config: Config, sets: Sequence[str] = ()) -> FixSettings:
    """What mending depends on: as the check of the same text, unless something else is set.

    Args:
        config: Its table ``[fix]`` goes before what is set for checks.
        sets: Such as ``T=3``, which go before both.

    Raises:
        SettingsError: There is no such setting, or a value is wrong.
    """
    check = config.check
    usual = FixSettings(k=check.k or FixSettings().k, t=check.threshold, retrieval=check.retrieval)
    given = dict(_parted(assignment) for assignment in sets)
    return with_values(usual, {**config.methods.get("fix", {}), **given})


def _skills(config: Config) -> SkillSet:
    return config.ask.skills or ("prompted" if config.check.model else "extractive")


def _configured(
    method: Method, config: Config, presets: Sequence[str], given: Sequence[tuple[str, str]]
) -> Configured:
    chosen = [preset for name in presets if (preset := _own(name, method)) is not None]
    if chosen:
        settings = with_values(method.settings(), _preset(method, chosen[-1]))
    else:
        settings = _from_table(method, config)
    values = {own: value for name, value in given if (own := _own(name, method)) is not None}
    return Configured(method, with_values(settings, values))


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
    if name in method.presets:
        return method.presets[name]
    if not method.presets:
        raise SettingsError(
            f"The method {method.name} has no presets.", "Give its settings one by one with --set."
        )
    raise no_such(f"preset of {method.name}", name, method.presets)


def _parted(assignment: str) -> tuple[str, str]:
    name, equals, value = assignment.partition("=")
    if not equals or not name.strip():
        raise SettingsError(
            f"--set {assignment!r} gives no setting a value.", "Write it as NAME=VALUE, as in k=3."
        )
    return name.strip(), value.strip()


def _own(name: str, method: Method) -> str | None:
    """A name without its method; None if it is another one's."""
    owner, own = _owner(name)
    return own if owner in (None, method.name) else None


def _owner(name: str) -> tuple[str | None, str]:
    owner, dot, own = name.partition(".")
    if dot and owner in {method.name for method in METHODS}:
        return owner, own
    return None, name


def _require_asked(name: str, known: set[str]) -> None:
    """Nothing is given to a method that is not run."""
    owner, _ = _owner(name)
    if owner is not None and owner not in known:
        raise SettingsError(
            f"{name} belongs to the method {owner}, which is not asked.",
            f"Leave it out, or ask {owner} with --method or --compare.",
        )


def _require_common(name: str, value: str, methods: Sequence[Method]) -> None:
    """A setting without a method's name is one of every method asked, or of none."""
    owner, own = _owner(name)
    if owner is not None:
        return
    having = [m.name for m in methods if own in {option.name for option in described(m.settings)}]
    lacking = [method.name for method in methods if method.name not in having]
    if having and lacking:
        raise SettingsError(
            f"{lacking[0]} has no setting {own!r}.",
            f"Write it as --set {' or --set '.join(f'{one}.{own}={value}' for one in having)}.",
        )


def _require_meaning(name: str, methods: Sequence[Method], skills: SkillSet) -> None:
    """A setting for quotes is not given where a language model writes."""
    _, own = _owner(name)
    options = [
        option
        for method in methods
        if _own(name, method) is not None
        for option in described(method.settings)
        if option.name == own
    ]
    if skills == "prompted" and options and all(option.quoted for option in options):
        raise SettingsError(
            f"{name} is of answers that are made of quotes, and a language model writes this one.",
            "Leave it out, or ask with --skills extractive.",
        )
