"""What the user can be told went wrong, from every room below the face.

USER_ERRORS
├── EngineError
│   ├── SettingsError      a setting is unknown or has a value it cannot have
│   ├── InputError         the text to check is missing, unreadable, empty or no text
│   ├── CheckError         the check could not be carried out
│   └── OfflineError       something reached for the network (veracite.engine.offline)
├── LibraryError           veracite.index.errors: ReadError, StorageError, SourceError
└── ModelError             veracite.models.errors

Each carries ``message`` (what happened, one sentence) and ``advice`` (what to do, one sentence).
"""

from collections.abc import Iterator
from contextlib import contextmanager

from veracite.index.errors import LibraryError
from veracite.models.errors import ModelError, UserError


class EngineError(UserError):
    """A failure of the engine, or of what is above it."""


class SettingsError(EngineError):
    """A setting is unknown or has a value it cannot have; the advice names the nearest."""


class InputError(EngineError):
    """The text to check is missing, unreadable, empty or no text."""


class CheckError(EngineError):
    """The check could not be carried out, so there are no verdicts."""


class OfflineError(EngineError):
    """Something reached for the network, which Veracite does not use."""


USER_ERRORS = (EngineError, LibraryError, ModelError)
"""Every exception whose message and advice are meant for the user's eyes."""


@contextmanager
def disk_errors(what: str, advice: str, kind: type[EngineError] = InputError) -> Iterator[None]:
    """Say what failed, and what to do, where the operating system refuses.

    Args:
        what: Failed, a clause that its reason follows: "The conversation cannot be saved".
        kind: Of the error that is raised in place of ``OSError``.
    """
    try:
        yield
    except OSError as error:
        raise kind(f"{what} ({error.strerror or error}).", advice) from error
