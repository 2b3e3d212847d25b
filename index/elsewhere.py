"""Sources on another machine: a library that was imported holds what was read from them there.

Nothing is looked for at their paths here, where something else may lie. What was read from them
stays until the source is removed, or added again, which means the place of that name on this
machine.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from veracite.index.catalog import Catalog

_KEY = "elsewhere"


def elsewhere(catalog: Catalog) -> tuple[Path, ...]:
    """The sources that are on another machine, in order."""
    marked = set(json.loads(catalog.meta(_KEY) or "[]"))
    return tuple(source for source in catalog.sources() if str(source) in marked)


def set_elsewhere(catalog: Catalog, sources: Iterable[Path]) -> None:
    """Note that these of the sources, and no others, are on another machine."""
    catalog.set_meta(_KEY, json.dumps([str(source) for source in sources]))


def come_back(catalog: Catalog, paths: Iterable[Path]) -> None:
    """Note that these paths mean places on this machine from now on."""
    held = elsewhere(catalog)
    if left := set(held) & set(paths):
        set_elsewhere(catalog, [source for source in held if source not in left])


def is_below(path: str, places: Iterable[Path]) -> bool:
    """Whether a path is one of some places or lies below one."""
    return any(Path(path).is_relative_to(place) for place in places)
