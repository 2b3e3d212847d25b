"""What the hub says of a repository, checked before it is used."""

import re
from dataclasses import dataclass
from typing import Any

__all__ = ["Remote", "RemoteFile", "remote_from"]

_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of a repository, as the hub announces it."""

    path: str
    size: int
    sha256: str | None
    """None for the small files that the hub keeps in git itself."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A repository at one commit."""

    repository: str
    commit: str
    licence: str | None
    files: tuple[RemoteFile, ...]


def remote_from(repository: str, info: Any) -> Remote:
    """What the hub said (``huggingface_hub.ModelInfo``), checked.

    Raises:
        ValueError: It cannot be.
    """
    if not isinstance(info.sha, str) or not _COMMIT.fullmatch(info.sha):
        raise ValueError(info.sha)
    card = info.card_data or {}
    licence = card.get("license")
    if licence == "other":
        licence = card.get("license_name") or licence
    files = [
        RemoteFile(file.rfilename, _size(file.size), _sha256(file.lfs.sha256 if file.lfs else None))
        for file in info.siblings or ()
    ]
    return Remote(repository, info.sha, str(licence) if licence else None, tuple(files))


def _size(said: object) -> int:
    if type(said) is not int or said < 0:
        raise ValueError(said)
    return said


def _sha256(said: object) -> str | None:
    if said is not None and not (isinstance(said, str) and _SHA256.fullmatch(said)):
        raise ValueError(said)
    return said
