"""A language model that the settings name goes before the one that was chosen for good."""

from pathlib import Path

from veracite.engine.errors import USER_ERRORS
from veracite.engine.paths import Paths

__all__ = ["setting_before", "setting_lines"]


def setting_before(paths: Paths, chosen: Path | None) -> str | None:
    """The file of the language model that is used in place of the chosen one, if one is.

    Settings that cannot be read name none; what they are wanted for says so.
    """
    from veracite.engine import settings

    try:
        model = settings.load(paths).check.model
    except USER_ERRORS:
        return None
    return None if model is None or (chosen and Path(model) == chosen.absolute()) else model


def setting_lines(model: str | None) -> list[str]:
    """That a setting goes before."""
    if model is None:
        return []
    return [
        f"The setting model, in the config file or VERACITE_MODEL, goes before what is chosen: "
        f"{model} is the language model in use."
    ]
