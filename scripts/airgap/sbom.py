"""Says what is in a kit: sbom.cdx.json (CycloneDX 1.6), and the licences of all wheels.

It is made of the wheels themselves, not of an environment, so it names what the kit carries.
"""

import hashlib
import json
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path, PurePosixPath
from typing import Any

_UNSTATED = {"hnswlib": "Apache-2.0"}
"""Licences of what says its own in its repository alone."""
_LICENCE = ("licen", "copying", "notice", "thirdpart")


def write(kit: Path) -> None:
    """Write the kit's bill of materials, and what its wheels say of licences into ``licences``."""
    components: list[dict[str, Any]] = []
    for path in sorted(kit.glob("wheels/*.whl")):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if not zipfile.is_zipfile(path):
            components.append({"type": "file", "name": path.name, "hashes": _hashes(digest)})
            continue
        with zipfile.ZipFile(path) as wheel:
            about = _about(wheel)
            components.append(_component(about, digest))
            folder = kit / "licences" / f"{about['Name']}-{about['Version']}"
            for name in wheel.namelist():
                place = PurePosixPath(name)
                near = ".dist-info/" in name or len(place.parts) == 2
                if near and place.name.lower().startswith(_LICENCE) and place.suffix != ".py":
                    folder.mkdir(parents=True, exist_ok=True)
                    (folder / "-".join(place.parts[1:])).write_bytes(wheel.read(name))
            if about["Name"] == "veracite":
                components += [_weights(wheel, n) for n in wheel.namelist() if n.endswith(".onnx")]
    for path in sorted(kit.glob("models/*")):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        components.append({"type": "data", "name": path.name, "hashes": _hashes(digest)})
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": components}
    (kit / "sbom.cdx.json").write_text(json.dumps(bill, indent=1) + "\n", encoding="utf-8")


def _about(wheel: zipfile.ZipFile) -> Message:
    own = [n for n in wheel.namelist() if n.endswith(".dist-info/METADATA") and n.count("/") == 1]
    return message_from_bytes(wheel.read(own[0]))


def _component(about: Message, digest: str) -> dict[str, Any]:
    name, version = about["Name"].lower().replace("_", "-"), about["Version"]
    classified = [
        line.rpartition(" :: ")[2]
        for line in about.get_all("Classifier", [])
        if line.startswith("License ::")
    ]
    named = classified or [line for line in (about["License"] or "").splitlines()[:1] if line]
    expression = about["License-Expression"] or (None if named else _UNSTATED.get(name))
    licences = [{"license": {"name": one}} for one in named]
    return {
        "type": "library",
        "bom-ref": f"pkg:pypi/{name}@{version}",
        "name": about["Name"],
        "version": version,
        "purl": f"pkg:pypi/{name}@{version}",
        "hashes": _hashes(digest),
        "licenses": [{"expression": expression}] if expression else licences,
    }


def _weights(wheel: zipfile.ZipFile, name: str) -> dict[str, Any]:
    digest = hashlib.sha256(wheel.read(name)).hexdigest()
    return {"type": "machine-learning-model", "name": name, "hashes": _hashes(digest)}


def _hashes(digest: str) -> list[dict[str, str]]:
    return [{"alg": "SHA-256", "content": digest}]
