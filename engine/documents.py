"""What is checked against, or what answers a question, as it is kept in a file."""

import os
from dataclasses import dataclass
from pathlib import Path

_Against = tuple[Path, ...] | str | None


@dataclass(frozen=True, slots=True)
class Documents:
    """Files and folders, else a library."""

    library: str | None = None
    """Its name; None is the default library."""
    sources: tuple[str, ...] = ()
    """Absolute paths."""

    @classmethod
    def of(cls, against: _Against) -> "Documents":
        """Of what a check or a question is given."""
        if isinstance(against, tuple):
            return cls(sources=tuple(map(os.path.abspath, against)))
        return cls(library=against)

    @property
    def against(self) -> _Against:
        """To be given to a check or a question; nothing says that it is still there."""
        return tuple(map(Path, self.sources)) or self.library

    @property
    def missing(self) -> tuple[str, ...]:
        """The files and folders that cannot be found now, such as those on a drive."""
        return tuple(source for source in self.sources if not os.path.exists(source))
