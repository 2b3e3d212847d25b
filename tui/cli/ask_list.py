"""``veracite ask --list-methods``: what there is to choose from."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from veracite.engine.report.json import safe_json
from veracite.engine.wrap import wrap
from veracite.tui import console
from veracite.tui.console import ExitCode, Look

if TYPE_CHECKING:
    from veracite.engine.methods.base import Method

__all__ = ["show"]

_SCHEMA = "veracite.methods/1"


def show(chosen: str | None, as_json: bool) -> int:
    """Print every method in short, or one with its settings and presets.

    Raises:
        SettingsError: There is no such method.
    """
    import sys

    from veracite.engine.methods.catalogue import METHODS, named

    methods = METHODS if chosen is None else (named(chosen),)
    if as_json:
        facts = {"schema": _SCHEMA, "methods": [_facts(method) for method in methods]}
        console.write(safe_json(facts, indent=2) + "\n", data=True)
        return ExitCode.OK
    look = Look.of(sys.stdout)
    lines = _short(methods, look) if chosen is None else _long(methods[0], look)
    console.write("".join(f"{line}\n" for line in lines))
    return ExitCode.OK


def _facts(method: "Method") -> dict[str, Any]:
    from veracite.engine.methods.options import described

    return {
        "name": method.name,
        "about": method.about,
        "settings": [asdict(option) for option in described(method.settings)],
        "presets": {name: dict(values) for name, values in method.presets.items()},
    }


def _short(methods: "tuple[Method, ...]", look: Look) -> Iterator[str]:
    room = max(len(method.name) for method in methods) + 2
    for method in methods:
        hanging = " " * room
        yield from wrap(f"{method.name:{room}}{method.about}", look.width, hanging=hanging)
    yield ""
    yield from wrap(
        "`veracite ask --list-methods --method NAME` lists the settings and presets of one.",
        look.width,
    )


def _long(method: "Method", look: Look) -> Iterator[str]:
    from veracite.engine.methods.options import described

    yield from wrap(f"{method.name}: {method.about}.", look.width)
    yield ""
    yield "Settings (--set NAME=VALUE):"
    for option in described(method.settings):
        yield look.paint(f"  {option.name} = {_written(option.default)}", "bold")
        yield from wrap(f"{option.about} Takes {option.valid}.", look.width, "      ")
    if method.presets:
        yield ""
        yield "Presets (--preset NAME):"
    for name, values in method.presets.items():
        yield look.paint(f"  {name}", "bold")
        told = ", ".join(f"{key} = {_written(value)}" for key, value in values.items())
        yield from wrap(told, look.width, "      ")


def _written(value: object) -> str:
    """As ``--set`` takes it."""
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)
