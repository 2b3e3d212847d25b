"""What can go wrong in the library.

LibraryError
├── ReadError          one document could not be read (the library goes on without it)
├── StorageError       the index folder cannot be written, is full, or is damaged
└── SourceError        a file, folder or pattern that was named is none
"""


class LibraryError(Exception):
    """A failure that the user is told about.

    Args:
        message: What happened, one sentence.
        advice: What to do about it, one sentence.
    """

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(f"{message} {advice}")
        self.message = message
        self.advice = advice


class ReadError(LibraryError):
    """One document could not be read; the library lists it as failed and goes on.

    Args:
        lacking: The programs of which any would read it: once there is one it is tried again.
    """

    def __init__(self, message: str, advice: str, lacking: str = "") -> None:
        super().__init__(message, advice)
        self.lacking = lacking


class StorageError(LibraryError):
    """The index folder cannot be written, is full, or is damaged beyond rebuilding."""


class SourceError(LibraryError):
    """A named file or folder does not exist or cannot be listed, or a pattern means nothing."""
