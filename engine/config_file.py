"""The config file: TOML with a table for checks, one for questions and one for each method::

    [check]
    k = 6
    retrieval = "hybrid"
    fail_on = ["contradicted", "not_found"]

    [ask]
    method = "vtg"

    [vtg]
    k = 3

    [keys]
    "check.next" = "ctrl+g"

A config file that ``VERACITE_CONFIG`` names must exist; the usual one need not.
"""

import tomllib
from collections.abc import Mapping

from veracite.engine.errors import SettingsError
from veracite.engine.paths import Paths
from veracite.engine.setting_values import no_such

SETTINGS = ("check", "ask")
"""The tables that hold settings."""
KEYS = "keys"
"""The table that holds the app's keys."""


def read_tables(paths: Paths, *, required: bool) -> dict[str, dict[str, object]]:
    """The tables of the config file by name, empty if there is none.

    Args:
        required: There has to be a file, for ``VERACITE_CONFIG`` names it.

    Raises:
        SettingsError: It cannot be read, or a table is unknown.
    """
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
    for name, table in tables.items():
        if name not in (*SETTINGS, KEYS):
            _require_method(name, paths)
        if not isinstance(table, dict):
            raise SettingsError(
                f"In {paths.config}, {name} is a value and not a table.",
                f"Write [{name}] on a line of its own and the settings below it.",
            )
    return tables


def _require_method(name: str, paths: Paths) -> None:
    """A table that belongs to no method is a mistake."""
    from veracite.engine.methods.catalogue import METHODS

    methods = [*(method.name for method in METHODS), "fix"]
    if name not in methods:
        raise no_such(f"table in {paths.config}", name, [*SETTINGS, KEYS, *methods])


def keys_of(tables: Mapping[str, Mapping[str, object]], paths: Paths) -> dict[str, str]:
    """The keys of the app by the name of what they do.

    Raises:
        SettingsError: One is no text.
    """
    keys = {}
    for name, key in tables.get(KEYS, {}).items():
        if not isinstance(key, str) or not key:
            raise SettingsError(
                f"The key {name} in {paths.config} is {key!r}.",
                'Write it as a text, such as "f7" or "ctrl+g".',
            )
        keys[name] = key
    return keys
