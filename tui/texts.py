"""Reading the text that is to be checked into the app."""

from pathlib import Path

from veracite.engine.errors import InputError

__all__ = ["read_text"]

_MOST_BYTES = 2_000_000
"""An editor on a screen is no place for more; the command line takes it."""


def read_text(path: Path) -> str:
    """The text of a file, its encoding found out.

    Raises:
        InputError: It is missing, no file, unreadable or too large for the screen.
        ReadError: It is no text.
    """
    from veracite.index.readers.plain import decoded

    try:
        if not path.exists():
            raise InputError(f"There is no file {path}.", "Check the spelling.")
        if not path.is_file():
            raise InputError(f"{path} is not a file.", "Open a text or Markdown file.")
        if path.stat().st_size > _MOST_BYTES:
            raise InputError(
                f"{path} is too large to show.", "Check it on the command line: veracite check."
            )
        content = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{path} cannot be read ({error.strerror or error}).", "Check its permissions."
        ) from error
    return decoded(content)
