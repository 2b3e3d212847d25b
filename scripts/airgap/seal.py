"""Says in a kit what machine it is for, and the SHA-256 of everything in it.

python scripts/airgap/seal.py KIT EXTRA
"""

import hashlib
import json
import platform
import sys
from pathlib import Path


def main(kit: Path, extra: str) -> None:
    """Write kit.json and, last, SHA256SUMS."""
    (own,) = kit.glob("wheels/veracite-*.whl")
    about = {
        "schema": "veracite.kit/1",
        "install": f"{own.relative_to(kit).as_posix()}{extra}",
        "python": list(sys.version_info[:2]),
        "system": platform.system(),
        "machine": platform.machine(),
    }
    (kit / "kit.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    files = sorted(path for path in kit.rglob("*") if path.is_file())
    lines = (f"{_sha256(path)}  {path.relative_to(kit).as_posix()}\n" for path in files)
    (kit / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
