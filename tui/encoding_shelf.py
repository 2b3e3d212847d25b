"""The libraries of this machine, with what encodes them anew for another encoder."""

from collections.abc import Generator

from veracite.engine.events import Event
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.tui.local_shelf import LocalShelf
from veracite.tui.reencoder import Reencoder

__all__ = ["EncodingShelf"]


class EncodingShelf(LocalShelf):
    """As ``LocalShelf``; a library that is deleted is encoded no longer."""

    def __init__(self, settings: CheckSettings, paths: Paths, reencoder: Reencoder) -> None:
        super().__init__(settings, paths)
        self.reencoder = reencoder

    def delete(self, name: str) -> Generator[Event, None, None]:
        """Delete a library's index; no events."""
        with self.reencoder.at_rest():  # it would write what is being deleted
            yield from super().delete(name)
