"""Bundles as an enemy would write them: a good one, taken apart, changed and put together."""

import json
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from veracite.engine.errors import USER_ERRORS

LIST = "bundle.json"
STORED, DEFLATED = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED


@dataclass
class Forgery:
    """What is to be in a bundle."""

    entries: dict[str, bytes]
    said: dict[str, Any]
    """What ``bundle.json`` says."""
    more: list[tuple[zipfile.ZipInfo, bytes]] = field(default_factory=list)
    """Written after the entries, whatever their names."""
    list_bytes: bytes | None = None
    change_bytes: Callable[[bytearray], Any] | None = None
    """Of the finished file."""

    @classmethod
    def of(cls, bundle: Path) -> "Forgery":
        with zipfile.ZipFile(bundle) as archive:
            entries = {info.filename: archive.read(info) for info in archive.infolist()}
        said = json.loads(entries.pop(LIST))
        return cls(entries, said)

    def json(self, path: str) -> Any:
        return json.loads(self.entries[path])

    def put_json(self, path: str, content: Any) -> None:
        self.entries[path] = json.dumps(content).encode()

    def add(self, name: str, content: bytes = b"", *, kind: int = STORED, mode: int = 0) -> None:
        """One more entry."""
        info = zipfile.ZipInfo(name)
        info.filename = info.orig_filename = name  # as it is, with its backslashes and zeros
        info.compress_type = kind
        info.external_attr = mode << 16
        self.more.append((info, content))

    def write(self, path: Path) -> Path:
        said = json.dumps(self.said).encode() if self.list_bytes is None else self.list_bytes
        with warnings.catch_warnings(), zipfile.ZipFile(path, "w") as archive:
            warnings.simplefilter("ignore")  # zipfile warns of names that are there twice
            for name, entry in {LIST: said, **self.entries}.items():
                if name != LIST or said:
                    archive.writestr(zipfile.ZipInfo(name), entry)
            for info, entry in self.more:
                archive.writestr(info, entry, info.compress_type)
        if self.change_bytes is not None:
            changed = bytearray(path.read_bytes())
            self.change_bytes(changed)
            path.write_bytes(changed)
        return path


def in_directory(content: bytearray, name: str) -> int:
    """Where the zip file's directory tells of an entry: the place of its record."""
    start = 0
    while (start := content.index(b"PK\1\2", start)) >= 0:
        length = struct.unpack_from("<H", content, start + 28)[0]
        if content[start + 46 : start + 46 + length] == name.encode():
            return start
        start += 4
    raise ValueError(name)


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder, and what is in them; links by where they lead."""
    return {
        str(path.relative_to(folder)): str(path.readlink()).encode()
        if path.is_symlink()
        else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


Forge = Callable[[Forgery], None]


def require_refused(
    forge: Forge, reason: str, good: Path, folder: Path, take: Callable[[Path], Iterable[object]]
) -> None:
    """A bundle that was forged so is refused for this reason, and leaves nothing in the folder."""
    bundle = Forgery.of(good)
    forge(bundle)
    bundle.write(folder / "bundle")
    before = tree(folder)
    with pytest.raises(USER_ERRORS, match=f"(?s){reason}"):
        list(take(folder / "bundle"))
    assert tree(folder) == before


def without(path: str) -> Forge:
    """One entry less."""
    return lambda bundle: bundle.entries.__delitem__(path)
