"""What to do about an error, by the app's keys where the engine names commands."""

from collections.abc import Mapping

from veracite.engine.errors import EngineError
from veracite.index.errors import LibraryError
from veracite.models.errors import ModelError

__all__ = ["advice"]

_BY_KIND: Mapping[str, str] = {
    "no library": "F4 a adds documents, Ctrl+L chooses others.",
    "all unreadable": "Mend or replace them, or choose others with Ctrl+L.",
    "unreachable": "Check the network: p goes on later. i imports a bundle, which e exports on "
    "another machine.",
    "not on the hub": "Check the spelling; the list names models that are known.",
    "for members": "Fetch the file with a browser; i imports it.",
}


def advice(error: EngineError | LibraryError | ModelError) -> str:
    """What a person in the app can do about it."""
    kind = "" if isinstance(error, LibraryError) else error.kind
    return _BY_KIND.get(kind, error.advice)
