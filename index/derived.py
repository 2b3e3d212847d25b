"""The two indexes that are derived from the catalog.

An index on the disk is opened only if it is what the catalog says it is: present, made by this
version, and with the recorded SHA-256. One that is merely behind gets what it lacks. Without the
right to write (another process is at work, the disk is full) search goes on in memory.
"""

from dataclasses import dataclass

from veracite.index.kept_dense import KeptDense
from veracite.index.kept_lexical import KeptLexical


@dataclass(frozen=True, slots=True)
class Indexes:
    """The lexical and the dense index of one library."""

    lexical: KeptLexical
    dense: KeptDense

    @property
    def current(self) -> bool:
        """Whether both stand where the catalog stands."""
        return self.lexical.current and self.dense.current

    def refresh(self, *, write: bool) -> list[str]:
        """Bring both up to date; notes as from ``KeptLexical.refresh``.

        Raises:
            StorageError: They cannot be written.
        """
        return [*self.lexical.refresh(write=write), *self.dense.refresh(write=write)]

    def release(self) -> None:
        """Let go of memory and open files."""
        self.lexical.release()
        self.dense.release()

    def behind(self) -> list[str]:
        """One sentence for each index on the disk that lags behind the catalog."""
        kept = (("keyword", self.lexical), ("embedding", self.dense))
        return [
            f"The {name} index lacked the newest changes and was brought up to date."
            for name, index in kept
            if index.behind
        ]
