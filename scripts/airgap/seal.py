"""Says in a kit what machine it is for, what is in it, and the SHA-256 of everything.

python scripts/airgap/seal.py KIT EXTRA
"""

import json
import platform
import re
import sys
from collections.abc import Iterable
from pathlib import Path

import sbom
from install import sha256_of


def main(kit: Path, extra: str) -> None:
    """Write kit.json, sbom.cdx.json and, last, SHA256SUMS."""
    (own,) = kit.glob("wheels/veracite-*.whl")
    about = {
        "schema": "veracite.kit/1",
        "install": f"{own.relative_to(kit).as_posix()}{extra}",
        "python": list(sys.version_info[:2]),
        "system": platform.system(),
        "machine": platform.machine(),
        "libc": platform.libc_ver()[0],
        "libc_version": list(_libc_needed(wheel.name for wheel in kit.glob("wheels/*.whl"))),
    }
    (kit / "kit.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    sbom.write(kit)
    files = sorted(path for path in kit.rglob("*") if path.is_file())
    lines = (f"{sha256_of(path)}  {path.relative_to(kit).as_posix()}\n" for path in files)
    (kit / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def _libc_needed(wheels: Iterable[str]) -> tuple[int, ...]:
    """The oldest version of this machine's libc that is new enough for all wheels, by their names.

    One names the versions that it runs with, of which one suffices (PEP 600); one that was compiled
    here without such a name needs, for all that is known, what is here.
    """
    here = tuple(map(int, re.findall(r"\d+", platform.libc_ver()[1])))
    needed: tuple[int, ...] = ()
    for wheel in wheels:
        tags = wheel.removesuffix(".whl").rpartition("-")[2]
        if tags.startswith("linux_"):
            needed = max(needed, here)
        elif found := re.findall(r"manylinux_(\d+)_(\d+)_", tags):
            needed = max(needed, min((int(major), int(minor)) for major, minor in found))
    return needed


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
