"""What to do about an error, by the app's keys where the engine names commands."""

from collections.abc import Mapping

from veracite.engine.errors import EngineError
from veracite.index.errors import LibraryError
from veracite.models.errors import ModelError

BY_KIND: Mapping[str, str] = {
    # The library
    "no library": "Add documents with F4 and a, or choose others with Ctrl+L.",
    "all unreadable": "Repair or replace them, or choose others with Ctrl+L.",
    # The hub
    "unreachable": "Check the network: p goes on later. i imports a bundle, which e exports on "
    "another machine.",
    "not on the hub": "Check the spelling; the list names models that are known.",
    "for members": "Download the file with a browser, then import it with i.",
    "changed on the hub": "It was moved, renamed or changed. Choose another one of the list.",
    "not known": "The list names those that are; any other on the hub is "
    "OWNER/REPOSITORY/FILE.gguf, or OWNER/REPOSITORY if it is an encoder or a reranker.",
    # The store
    "here already": "Verify it with v, or remove it with d and download it again with p.",
    "name taken": "Remove that one first, with d in the Models view (F6).",
    "damaged in the store": "Remove it with d in the Models view (F6), and download it again with "
    "p, or import it with i.",
    "to be converted": "Convert it into the store with i in the Models view (F6).",
    # What is in use
    "choice gone": "Choose another one with u in the Models view (F6), or none with Use none in "
    "its command palette (Ctrl+P).",
    "choices damaged": "Use none, in the command palette (Ctrl+P) of the Models view (F6), begins "
    "anew.",
    "not here yet": "Download it with p in the Models view (F6).",
    "no such model": "Check the spelling; the Models view (F6) shows all.",
    "no language model": "Name a language model; the Models view (F6) shows which are here.",
    "always in use": "Choose another kind of model with u in the Models view (F6).",
    "no model in use": "Choose a language model with u in the Models view (F6).",
    # How it is loaded
    "context too large": "Set a smaller context in the config file, or use another model: u in the "
    "Models view (F6).",
    "context too small": "Set a larger context in the config file, or give it less to read.",
    "no GPU": "Take gpu_layers out of the config file.",
    "does not load": "Download it again with p in the Models view (F6), or use another one with u.",
}


def advice(error: EngineError | LibraryError | ModelError) -> str:
    """What a person in the app can do about it."""
    kind = "" if isinstance(error, LibraryError) else error.kind
    return BY_KIND.get(kind, error.advice)
