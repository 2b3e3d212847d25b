"""What one command line shares between its parts."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from veracite.engine.paths import Paths

if TYPE_CHECKING:
    from veracite.models.store import Store


@dataclass
class Session:
    """Where things are kept, and how what comes out is told."""

    paths: Paths
    debug: bool = False
    as_json: bool = False
    """Whether what comes out is for programs."""
    quiet: bool = False
    """Whether no progress and no warnings are told."""

    @property
    def store(self) -> "Store":
        """The store of models."""
        from veracite.models.store import Store

        return Store(self.paths.models)
