"""Wheels of what is installed here, so that a test can carry them away without any network."""

import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.tags import parse_tag

_NOT_IN_WHEELS = ("INSTALLER", "REQUESTED", "direct_url.json", "RECORD")


def closure(requirements: Iterable[str]) -> set[str]:
    """Names of the installed packages that meet requirements, with all that these need."""
    found: set[str] = set()
    pending = [(Requirement(line), "") for line in requirements]
    while pending:
        needed, wanted = pending.pop()
        if needed.marker is not None and not needed.marker.evaluate({"extra": wanted}):
            continue
        for extra in ("", *needed.extras):
            if f"{needed.name}[{extra}]" not in found:
                found.add(f"{needed.name}[{extra}]")
                lines = distribution(needed.name).requires or ()
                pending += [(Requirement(line), extra) for line in lines]
    return {name.partition("[")[0] for name in found}


def repack(name: str, folder: Path) -> Path:
    """Write the wheel of an installed package into a folder."""
    installed = distribution(name)
    tags = {tag for line in _tags(installed) for tag in parse_tag(line)}
    parts = [sorted({getattr(tag, part) for tag in tags}) for part in ("interpreter", "abi")]
    parts.append(sorted({tag.platform for tag in tags}))
    stem = f"{name.replace('-', '_').lower()}-{installed.version}"
    wheel = folder / f"{stem}-{'-'.join('.'.join(part) for part in parts)}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        held = list(_files(installed))
        for path in held:
            archive.write(str(installed.locate_file(path)), path)
        archive.writestr(f"{_info(installed)}/RECORD", "".join(f'"{path}",,\n' for path in held))
    return wheel


def _tags(installed: Distribution) -> list[str]:
    lines = (installed.read_text("WHEEL") or "").splitlines()
    return [line.removeprefix("Tag: ") for line in lines if line.startswith("Tag: ")]


def _info(installed: Distribution) -> str:
    """The package's own .dist-info; setuptools carries some of other packages further down."""
    records = (path for path in installed.files or () if path.name == "RECORD")
    return min(records, key=lambda path: len(path.parts)).parent.as_posix()


def _files(installed: Distribution) -> Iterator[str]:
    """Paths of what the wheel held; what pip wrote beside it, and scripts, are made anew."""
    info = _info(installed)
    for path in installed.files or ():
        made = path.parent.as_posix() == info and path.name in _NOT_IN_WHEELS
        if not made and path.suffix != ".pyc" and ".." not in path.parts:
            yield path.as_posix()
