"""The hashes of everything that was ever pulled: ``.pulled.json`` in the folder of models.

They stay when a model is removed, so that the same place on the hub cannot hold something else
without anybody noticing.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from veracite.models.errors import ModelError
from veracite.models.store.disk import write_json

__all__ = ["changed", "record", "recorded"]

_FILE = ".pulled.json"
"""No model's name begins with a dot."""
_SCHEMA = "veracite.pulled/1"

Hashes = dict[str, dict[str, str]]
"""By address on the hub, ``OWNER/REPOSITORY/FILE``, and by commit: the SHA-256."""


def changed(before: Hashes, commit: str, files: Mapping[str, str]) -> tuple[str, ...]:
    """The files that are others than whatever came from their addresses before, if anything did.

    Args:
        before: As ``recorded``.
        files: The SHA-256 of each address.

    Raises:
        ModelError: One is another although the commit is the same, which git does not allow.
    """
    for address, sha256 in files.items():
        known = before.get(address, {}).get(commit, sha256)
        if known != sha256:
            raise ModelError(
                f"What the hub holds as {address} is not what it was when it was first pulled: its "
                f"SHA-256 is {sha256}, and {known} was recorded for the same commit.",
                "Do not trust the server; compare the hash with what the model's makers say.",
            )
    return tuple(
        address
        for address, sha256 in files.items()
        if address in before and sha256 not in before[address].values()
    )


def record(folder: Path, before: Hashes, commit: str, files: Mapping[str, str]) -> None:
    """Add the SHA-256 of each address to what was recorded before.

    Raises:
        OSError: The disk refuses.
    """
    hashes = {**before}
    for address, sha256 in files.items():
        hashes[address] = {**hashes.get(address, {}), commit: sha256}
    write_json(folder / _FILE, {"schema": _SCHEMA, "sha256": hashes})


def recorded(folder: Path) -> Hashes:
    """Everything that was recorded in a store's folder.

    Raises:
        ModelError: It cannot be read.
        OSError: The disk refuses.
    """
    try:
        said = json.loads((folder / _FILE).read_bytes())
        if said["schema"] == _SCHEMA:
            return {
                str(address): {str(commit): str(sha256) for commit, sha256 in commits.items()}
                for address, commits in said["sha256"].items()
            }
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    raise ModelError(
        f"{folder / _FILE}, which holds the hashes of what was pulled, is damaged.",
        "Delete that file; the hashes are recorded anew from then on.",
    )
