"""Methods with their settings, as an evaluation names them: ``vtg``, ``vtg:asqa-table6:T=1``."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from veracite.engine.methods.base import Method
from veracite.engine.methods.catalogue import METHODS
from veracite.engine.methods.options import with_values
from veracite.engine.setting_values import no_such

__all__ = ["Variant", "variants"]


@dataclass(frozen=True, slots=True)
class Variant:
    """A method with settings: an ablation, a preset, or the method as its paper has it."""

    name: str
    """As it was asked for; a row of the table."""
    method: Method
    settings: Any


def variants(names: Sequence[str], plain: Sequence[str]) -> tuple[Variant, ...]:
    """The methods behind names, each once.

    Args:
        names: Each a method, then presets and settings, with a colon before each; what comes later
            wins.
        plain: Names that are no methods, which are left out.

    Raises:
        SettingsError: There is no such method, preset or setting, or a value is wrong.
    """
    wanted = [name for name in dict.fromkeys(names) if name not in plain]
    return tuple(_variant(name, plain) for name in wanted)


def _variant(name: str, plain: Sequence[str]) -> Variant:
    first, *parts = name.split(":")
    methods = {method.name: method for method in METHODS}
    if first not in methods:
        raise no_such("method", first, [*methods, *plain])
    method = methods[first]
    values: dict[str, object] = {}
    for part in parts:
        setting, equals, value = part.partition("=")
        values |= {setting: value} if equals else _preset(method, part)
    return Variant(name, method, with_values(method.settings(), values))


def _preset(method: Method, name: str) -> dict[str, object]:
    if name not in method.presets:
        raise no_such(f"preset of {method.name}", name, method.presets)
    return dict(method.presets[name])
