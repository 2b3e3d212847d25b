"""What a bundle says of its models' licences."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from veracite.models.store.manifest import ModelManifest, state_terms


def licence_of(folder: Path, manifest: ModelManifest) -> bytes:
    """What there is to know of a model's licence, with its texts where we have them."""
    named = manifest.licence or "not stated"
    said = f"{manifest.name}\nSource: {manifest.source}\nLicence: {named}\n\n".encode()
    texts = manifest.texts
    found = [(folder / text.path).read_bytes() for text in texts]
    if not state_terms(texts):
        known = _well_known(named)
        kept = b"The text of this licence is kept at the source.\n"
        found.append(known.read_bytes() if known else kept)
    return said + b"\n\n".join(found)


def has_text(manifest: ModelManifest) -> bool:
    """Whether the text of a model's licence came with it, or is part of Veracite."""
    stated = state_terms(manifest.texts)
    return stated or _well_known(manifest.licence or "") is not None


def _well_known(licence: str) -> Traversable | None:
    """The text of a licence that is part of Veracite; the hub writes its name in small letters."""
    texts = files("veracite.engine.bundles").joinpath("licences").iterdir()
    wanted = f"{licence}.txt".casefold()
    return next((text for text in texts if text.name.casefold() == wanted), None)
