"""The keys that a person may give to actions, in the config file's table ``[keys]``."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from textual.binding import Binding, BindingType
from textual.keys import REPLACED_KEYS, Keys, key_to_character

from veracite.engine.errors import SettingsError
from veracite.engine.setting_values import no_such

__all__ = ["identifiers", "require_usable"]

_MODIFIERS = {"ctrl", "shift", "alt", "meta", "super", "hyper"}


def identifiers() -> list[str]:
    """What stands to the left in ``[keys]``, such as ``check.next``."""
    return sorted({each.id for table in _tables() for each in table if each.id})


def require_usable(keymap: Mapping[str, str], config: Path) -> None:
    """Find out before the app opens what could not be pressed.

    Raises:
        SettingsError: There is no such action or key, or two actions would have the same key.
    """
    if not keymap:
        return
    known = identifiers()
    for name, keys in keymap.items():
        if name not in known:
            raise no_such(f"action in [keys] of {config}", name, known)
        for key in _split(keys):
            if not _is_key(key):
                raise SettingsError(
                    f"There is no key {key!r}, which [keys] of {config} gives to {name}.",
                    'Write it as in "ctrl+g", "f7", "shift+left" or "?".',
                )
    everywhere, *rooms = _tables()
    for room in [[], *rooms]:
        _require_apart([*everywhere, *room], keymap, config)


def _tables() -> list[list[Binding]]:
    """The keys that hold everywhere, and those of each place, which may be the same as others'."""
    from veracite.tui.app import VeraciteApp
    from veracite.tui.screens import ask_keys, check_keys, library_keys, models_keys
    from veracite.tui.screens.fix import FixScreen
    from veracite.tui.screens.override_prompt import OverridePrompt

    rooms = (ask_keys, check_keys, library_keys, models_keys)
    palette = Binding(VeraciteApp.COMMAND_PALETTE_BINDING, "command_palette", "command palette")
    tables: Iterable[Iterable[BindingType]] = (
        (*VeraciteApp.BINDINGS, palette),
        FixScreen.BINDINGS,
        OverridePrompt.BINDINGS,
        *([binding for name in room.__all__ for binding in getattr(room, name)] for room in rooms),
    )
    return [[each for each in table if isinstance(each, Binding)] for table in tables]


def _require_apart(bindings: list[Binding], keymap: Mapping[str, str], config: Path) -> None:
    """Raises SettingsError where a key that was chosen is another action's too."""
    for binding in bindings:
        if binding.id is None or binding.id not in keymap:
            continue
        for other in bindings:
            if other.action == binding.action or other.action.endswith(f".{binding.action}"):
                continue
            theirs = keymap.get(other.id or "", other.key)
            for key in {*_names(keymap[binding.id])} & {*_names(theirs)}:
                said = other.id or other.description
                raise SettingsError(
                    f"The key {key!r} would do two things, {binding.id} and {said}.",
                    f"Give one of them another key in [keys] of {config}.",
                )


def _split(keys: str) -> list[str]:
    return [key.strip() for key in keys.split(",")]


def _names(keys: str) -> Iterator[str]:
    """Each key under the one name that Textual has for it: ``question_mark`` for ``?``."""
    for binding in Binding.make_bindings([(",".join(_split(keys)), "none", "")]):
        yield binding.key


def _is_key(key: str) -> bool:
    *modifiers, name = key.split("+") if key != "+" else ["+"]
    if not {*modifiers} <= _MODIFIERS or len({*modifiers}) < len(modifiers):
        return False
    if len(name) == 1:
        return name.isprintable()
    known = {*REPLACED_KEYS, *(each.value for each in Keys)}
    if name in known or key_to_character(name) is not None:
        return True
    with suppress(KeyError):
        return bool(unicodedata.lookup(name.replace("_", " ")))
    return False
