"""What a text is checked against, or a question asked of: a library that is there and not empty."""

from collections.abc import Sequence
from pathlib import Path

from veracite.engine.display import neutralise
from veracite.engine.errors import CheckError, InputError
from veracite.engine.libraries import DEFAULT_LIBRARY, Libraries
from veracite.index.documents import Encode
from veracite.index.library import Library

Against = tuple[Path, ...] | str | None
"""Files and folders, a named library, or the default library."""

_MOST_FAILED = 10


def open_library(
    against: Against, libraries: Libraries, encode: Encode | None, encoder_id: str | None
) -> Library:
    """Opens the library that is meant; the caller closes it.

    Raises:
        InputError: There is no such library.
        LibraryError: Its folder cannot be used, or a source does not exist.
    """
    if isinstance(against, tuple):
        folder = libraries.adhoc(against)
    else:
        name = against or DEFAULT_LIBRARY
        if name not in libraries.names():
            message, advice = _no_library(name, against is None, libraries.names())
            raise InputError(message, advice, "no library")
        folder = libraries.folder(name)
    library = Library.open(folder, encode=encode, encoder_id=encoder_id)
    if isinstance(against, tuple):
        try:
            library.add(against)
        except BaseException:
            library.close()
            raise
    return library


def own_document(path: str | None, library: Library) -> str | None:
    """The path under which the library holds the very text that is checked, if it does."""
    if path is None:
        return None
    own = str(Path(path).resolve())
    return next((d.path for d in library.documents() if str(Path(d.path).resolve()) == own), None)


def require_documents(library: Library, own: str | None) -> None:
    """A verdict without documents would mean nothing.

    Raises:
        CheckError: Nothing could be read.
    """
    status = library.status()
    if status.documents > (own is not None):
        return
    if status.failed:
        raise CheckError(_all_failed(status.failed), _mend(status.failed), "all unreadable")
    where = ", ".join(str(source) for source in library.sources)
    if own is not None:
        raise CheckError(
            "The only document there is the text itself.", "Name the folder of its sources."
        )
    raise CheckError(
        f"There are no documents in {where or 'this library'}.",
        "Name a folder with .txt, .md, .pdf, .docx or .html files.",
    )


def _no_library(name: str, default: bool, names: Sequence[str]) -> tuple[str, str]:
    if default:
        return (
            "There is no default library yet.",
            "Name documents with --against FOLDER, or make the library with "
            "`veracite library add FOLDER`.",
        )
    known = f" The libraries are: {', '.join(names)}." if names else ""
    return (
        f"There is neither a file or folder nor a library named {name!r}.",
        f"Check the spelling, or make it with `veracite library add FOLDER --name {name}`.{known}",
    )


def _all_failed(failed: Sequence[tuple[str, str]]) -> str:
    count = "The only document" if len(failed) == 1 else f"None of the {len(failed)} documents"
    lines = [f"{count} could {'not ' if len(failed) == 1 else ''}be read:"]
    lines += [
        f"  {neutralise(file)}: {neutralise(reason)}" for file, reason in failed[:_MOST_FAILED]
    ]
    if (more := len(failed) - _MOST_FAILED) > 0:
        lines.append(f"  ... and {more} more")
    return "\n".join(lines)


def _mend(failed: Sequence[tuple[str, str]]) -> str:
    advice = "Mend or replace them, or check against another folder."
    if len(failed) <= _MOST_FAILED:
        return advice
    return f"{advice} `veracite library status` with the same folder or name lists them all."
