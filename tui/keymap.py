"""The keys that a person may give to actions, in the config file's table ``[keys]``."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from textual.binding import Binding, BindingType

from veracite.engine.setting_values import no_such

__all__ = ["identifiers", "require_known"]


def identifiers() -> list[str]:
    """What stands to the left in ``[keys]``, such as ``check.next``."""
    from veracite.tui.app import VeraciteApp
    from veracite.tui.screens import ask_keys, check_keys, library_keys, models_keys
    from veracite.tui.screens.fix import FixScreen
    from veracite.tui.screens.override_prompt import OverridePrompt

    rooms = (ask_keys, check_keys, library_keys, models_keys)
    tables: Iterable[Iterable[BindingType]] = (
        VeraciteApp.BINDINGS,
        FixScreen.BINDINGS,
        OverridePrompt.BINDINGS,
        *(getattr(room, name) for room in rooms for name in room.__all__),
    )
    bindings = (binding for table in tables for binding in table)
    return sorted({b.id for b in bindings if isinstance(b, Binding) and b.id})


def require_known(keymap: Mapping[str, str], config: Path) -> None:
    """Find out before the app opens that a key belongs to no action.

    Raises:
        SettingsError: There is no such action; the advice names the nearest.
    """
    for name in keymap:
        known = identifiers()
        if name not in known:
            raise no_such(f"action in [keys] of {config}", name, known)
