"""What models and their files can be called: safe on every system."""

import re
from pathlib import PurePosixPath

from veracite.models.errors import ModelError

__all__ = ["is_name", "name_from", "require_name", "stays_inside"]

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")


def is_name(name: str) -> bool:
    """Whether a model can be called so."""
    return _NAME.fullmatch(name) is not None and ".." not in name and not name.endswith(".")


def require_name(name: str) -> None:
    """Nothing, if a model can be called so.

    Raises:
        ModelError: It cannot.
    """
    if not is_name(name):
        raise ModelError(
            f"No model can be named {name[:100]!r}.",
            "Use up to 100 lower-case letters, digits and the signs . - _ between them.",
        )


def name_from(text: str) -> str:
    """The name that is nearest to any text, such as a file's name; ``model`` if nothing is left."""
    kept = re.sub(r"\.{2,}", ".", re.sub(r"[^a-z0-9._-]+", "-", text.lower()))
    return kept.lstrip("-._")[:100].rstrip("-._") or "model"


def stays_inside(path: str) -> bool:
    """Whether a path is plainly below its folder, on every system."""
    parts = path.split("/")
    plain = path.isprintable() and not set(path) & set('\\:*?"<>|') and len(path) <= 255
    return plain and PurePosixPath(path).parts == tuple(parts) and not {"..", "."} & set(parts)
