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
        if not zipfile.is_zipfile(path):
            components.append(_named("file", path.name, path.read_bytes()))
            continue
        with zipfile.ZipFile(path) as wheel:
            about = _about(wheel)
            components.append(_named("library", about["Name"], path.read_bytes()) | _said(about))
            folder = kit / "licences" / f"{about['Name']}-{about['Version']}"
            for name in wheel.namelist():
                place = PurePosixPath(name)
                near = ".dist-info/" in name or len(place.parts) == 2
                called = place.name.lower().startswith(_LICENCE) and place.suffix != ".py"
                if (place.suffix and ".dist-info/licenses/" in name) or (near and called):
                    folder.mkdir(parents=True, exist_ok=True)
                    (folder / "-".join(place.parts[1:])).write_bytes(wheel.read(name))
                if about["Name"] == "veracite" and name.endswith(".onnx"):
                    components.append(_named("machine-learning-model", name, wheel.read(name)))
    models = sorted(kit.glob("models/*"))
    components += [_named("data", path.name, path.read_bytes()) for path in models]
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "components": components}
    (kit / "sbom.cdx.json").write_text(json.dumps(bill, indent=1) + "\n", encoding="utf-8")


def _named(kind: str, name: str, content: bytes) -> dict[str, Any]:
    digest = hashlib.sha256(content).hexdigest()
    return {"type": kind, "name": name, "hashes": [{"alg": "SHA-256", "content": digest}]}


def _about(wheel: zipfile.ZipFile) -> Message:
    own = [n for n in wheel.namelist() if n.endswith(".dist-info/METADATA") and n.count("/") == 1]
    return message_from_bytes(wheel.read(own[0]))


def _said(about: Message) -> dict[str, Any]:
    """What a wheel says of itself."""
    name, version = about["Name"].lower().replace("_", "-"), about["Version"]
    lines = [line.split(" :: ") for line in about.get_all("Classifier", [])]
    named = [line[-1] for line in lines if line[0] == "License"]
    named = named or (about["License"] or "").splitlines()[:1]
    expression = about["License-Expression"] or (None if any(named) else _UNSTATED.get(name))
    licences = (
        [{"expression": expression}]
        if expression
        else [{"license": {"name": n}} for n in named if n]
    )
    address = f"pkg:pypi/{name}@{version}"
    return {"bom-ref": address, "version": version, "purl": address, "licenses": licences}
