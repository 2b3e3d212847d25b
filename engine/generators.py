"""Which GGUF file is meant: a path, the name of a model, or the one that was chosen for good."""

import os
from pathlib import Path

from veracite.engine.paths import Paths


def generator_file(named: str | None, paths: Paths) -> str | None:
    """The absolute path of a language model's file, which need not exist if a path is named.

    Args:
        named: A path, or the name of a model of the store or of another application; None is the
            one that `veracite models use` chose, if any.
        paths: Where the store is.

    Raises:
        ModelError: There is no model of that name, or the chosen one is gone.
    """
    from veracite.models.store import Choices, Store

    if named is None:
        chosen = Choices(Store(paths.models)).path("generator")
        return None if chosen is None else str(chosen)
    path = os.path.abspath(os.path.expanduser(named))
    if os.sep in named or named.endswith(".gguf") or Path(path).exists():
        return path
    from veracite.models.store.catalogue import find_generator

    return str(find_generator(Store(paths.models), named))
