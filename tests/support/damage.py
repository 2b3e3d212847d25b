"""Small damage to files, of the kind that disks do."""

from pathlib import Path


def flip(path: Path, place: int | None = None) -> None:
    """Turn one bit of a file, in its middle if no place is said."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2 if place is None else place] ^= 0x80
    path.write_bytes(content)


def cut_short(path: Path) -> None:
    """Take the last byte of a file away."""
    path.write_bytes(path.read_bytes()[:-1])
