"""A file of a bundle in the pieces that its reader asks for: lines, or so many bytes."""

from veracite.engine.bundles.reading import Bundle
from veracite.index.portable import NotPortable

_LONGEST_LINE = 64 * 2**20
"""Bytes about one file; a text of 100 MB takes a tenth of that."""


class Pieces:
    """A file of a bundle, piece by piece.

    Every method raises NotPortable where the file ends in the middle of a piece, and InputError
    where it is not what the bundle's list says.
    """

    def __init__(self, bundle: Bundle, name: str) -> None:
        self._blocks = bundle.blocks(name)
        self._held = bytearray()
        self.done = 0
        """Bytes that were taken."""

    def line(self) -> bytes:
        """The next line; empty at the end."""
        searched = 0
        while (end := self._held.find(b"\n", searched) + 1) == 0:
            searched = len(self._held)
            if searched > _LONGEST_LINE:
                raise NotPortable("a line about a file is too long")
            if not self._more():
                if self._held:
                    raise NotPortable("the last line about a file is not complete")
                return b""
        return self._cut(end)

    def take(self, size: int) -> bytes:
        """The next so many bytes."""
        taken = self.up_to(size)
        if len(taken) < size:
            raise NotPortable("a text is not complete")
        return taken

    def up_to(self, size: int) -> bytes:
        """The next so many bytes, or those that are left."""
        while len(self._held) < size and self._more():
            pass
        return self._cut(size)

    def require_end(self) -> None:
        """Nothing, if nothing is left."""
        if self._held or self._more():
            raise NotPortable("there is a text that belongs to no file")

    def _more(self) -> bool:
        block = next(self._blocks, b"")
        self._held += block
        return bool(block)

    def _cut(self, size: int) -> bytes:
        piece = bytes(self._held[:size])
        del self._held[:size]
        self.done += len(piece)
        return piece
