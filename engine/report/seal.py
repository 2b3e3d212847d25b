"""Seals on reports: HMAC-SHA-256 over a report's JSON, by a key that its maker keeps.

The seal is the last field of the JSON. It says that whoever holds the key wrote every byte of the
file; it does not say who that is, and everybody who can check it can make one.
"""

import hashlib
import hmac
import json
import re
import secrets
from pathlib import Path
from typing import Any, Literal

from veracite.engine.errors import InputError
from veracite.engine.paths import for_owner
from veracite.engine.report.json import safe_json

Found = Literal["intact", "changed", "another key", "missing"]

_ALGORITHM = "HMAC-SHA-256"
_KEY = re.compile(r"[0-9a-f]{64}\n?")


def make_key(path: Path) -> None:
    """Write a new key, 32 bytes of chance in hexadecimal digits, readable by its owner only.

    Raises:
        OSError: It cannot be written, or there is such a file.
    """
    with open(path, "x", encoding="ascii", opener=for_owner) as file:
        file.write(f"{secrets.token_hex(32)}\n")


def read_key(path: Path) -> bytes:
    """The key in a file.

    Raises:
        InputError: It cannot be read, is no key, or others can read it.
    """
    try:
        mode, text = path.stat().st_mode, path.read_text("ascii", errors="replace")
    except OSError as error:
        raise InputError(f"The key {path} cannot be read ({error}).", "Check the file.") from error
    if mode & 0o077:
        raise InputError(f"Others can read or change the key {path}.", f"Run `chmod 600 {path}`.")
    if not _KEY.fullmatch(text):
        raise InputError(f"{path} holds no key.", "`veracite report key FILE` makes one.")
    return bytes.fromhex(text)


def sealed(report: str, key: bytes) -> str:
    """A report's JSON with its seal."""
    return safe_json(json.loads(report) | {"seal": _seal(report, key)}, indent=2)


def check(content: bytes, key: bytes) -> Found:
    """Whether the file of a sealed report is to the byte what it was when the key sealed it."""
    try:
        told: dict[str, Any] = json.loads(content)
        seal = told.pop("seal", None)
    except (ValueError, AttributeError, RecursionError):
        return "changed"
    if not isinstance(seal, dict):
        return "missing" if seal is None else "changed"
    right = _seal(safe_json(told, indent=2), key)
    if seal.get("key") != right["key"]:
        return "another key"
    whole = safe_json(told | {"seal": right}, indent=2).encode("utf-8", "surrogatepass")
    return "intact" if hmac.compare_digest(whole, content) else "changed"


def _seal(report: str, key: bytes) -> dict[str, str]:
    made = hmac.new(key, report.encode("utf-8", "surrogatepass"), hashlib.sha256)
    return {
        "algorithm": _ALGORITHM,
        "key": hashlib.sha256(b"veracite key " + key).hexdigest()[:16],
        "hmac": made.hexdigest(),
    }
