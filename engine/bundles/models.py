"""Models in a bundle: ``models/<name>/`` with the manifest and the files, ``licences/<name>.txt``.

Nobody vouches for the hashes in a bundle but the bundle itself: they show that it arrived as it was
written. Where the registry knows a file's hash, the imported model counts as known; no other does.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from veracite.engine.bundles import Bundle, Exported, is_bundle, new_bundle, open_bundle, refused
from veracite.engine.errors import SettingsError
from veracite.models.errors import ModelError
from veracite.models.files import blocks, disk_errors, quoted, require_name, require_room
from veracite.models.store import (
    LARGEST_MANIFEST,
    MANIFEST,
    BringEvent,
    Brought,
    Copied,
    ModelManifest,
    Store,
    bring,
    damaged,
    manifest_from,
    prove,
    recognised,
    write,
)

_MODELS, _LICENCES = "models", "licences"

ExportEvent = Copied | Exported


def export_models(store: Store, names: Sequence[str], target: Path) -> Iterator[ExportEvent]:
    """Write models of the store into one bundle; their hashes are checked on the way.

    Raises:
        ModelError: There is no such model, or it is damaged.
        InputError: The bundle cannot be written. In both cases there is none.
    """
    manifests = [store.get(name) for name in dict.fromkeys(names)]
    lacking: list[str] = []
    about = {_MODELS: [manifest.name for manifest in manifests]}
    with new_bundle(target, "models", about, sum(one.size for one in manifests)) as add:
        for manifest in manifests:
            folder, place = store.path(manifest.name), f"{_MODELS}/{manifest.name}"
            for file in manifest.files:
                content = blocks(folder / file.path)
                if file.sha256 != (yield from add(f"{place}/{file.path}", content, file.path)):
                    told = f"The model {manifest.name} is damaged: {file.path} is not what it was."
                    raise damaged(manifest.name, told)
            list(add(f"{place}/{MANIFEST}", [(folder / MANIFEST).read_bytes()], MANIFEST))
            licence, is_whole = _licence_of(manifest)
            list(add(f"{_LICENCES}/{manifest.name}.txt", [licence], ""))
            if not is_whole:
                lacking.append(manifest.name)
    yield Exported(target.stat().st_size, tuple(lacking))


def import_path(store: Store, path: Path, name: str | None = None) -> Iterator[BringEvent]:
    """Put what is in a file or folder into the store: a bundle's models, or a model by itself.

    Args:
        path: A bundle, or as ``veracite.models.store.bring``.
        name: What it is to be called, if it is a single model.

    Raises:
        SettingsError: It is a bundle of several models, and a name was given.
        InputError, ModelError: As ``bring`` and ``import_models``.
    """
    return import_models(store, path, name) if is_bundle(path) else bring(store, path, name)


def import_models(store: Store, path: Path, name: str | None = None) -> Iterator[BringEvent]:
    """Put all models of a bundle into the store, or none of them.

    Args:
        name: What the bundle's only model is to be called, if not as it was.

    Raises:
        SettingsError: A name was given for several models.
        InputError: The bundle cannot be read or trusted.
        ModelError: A model in it cannot be used, there is another one of its name, or the disk
            refuses.
    """
    with open_bundle(path, "models") as bundle, ExitStack() as stack, disk_errors(store.folder):
        manifests = _manifests(bundle)
        if name is not None:
            if len(manifests) > 1:
                raise SettingsError("The bundle's models keep their names.", "Leave out --name.")
            require_name(name)
            manifests = {place: replace(one, name=name) for place, one in manifests.items()}
        there = [manifest for manifest in manifests.values() if _is_there(store, manifest)]
        new = {place: one for place, one in manifests.items() if one not in there}
        require_room(store.folder, sum(manifest.size for manifest in new.values()))
        staged: list[Path] = []
        for place, manifest in new.items():
            staged.append(stack.enter_context(store.stage()))
            for file in manifest.files:
                blocks = bundle.blocks(f"{place}/{file.path}")
                target = staged[-1] / file.path
                if file != (yield from write(blocks, target, file.path, file.size)):
                    told = f"the SHA-256 of {file.path} is not what its manifest says"
                    raise refused(path, told)
            prove(staged[-1], manifest)
        for folder, manifest in zip(staged, new.values(), strict=True):
            store.adopt(folder, recognised(manifest))
    for manifest in manifests.values():
        yield Brought(recognised(manifest), before=manifest in there)


def _manifests(bundle: Bundle) -> dict[str, ModelManifest]:
    """The models' manifests by their folders in the bundle, with whose list they agree.

    Raises:
        InputError: They do not.
        ModelError: One is no manifest.
    """
    found: dict[str, ModelManifest] = {}
    for path in bundle.sizes:
        place, _, file = path.rpartition("/")
        if file == MANIFEST and place.count("/") == 1:
            with bundle.open(path) as content:
                manifest = manifest_from(content.read(LARGEST_MANIFEST + 1))
            if place != f"{_MODELS}/{manifest.name}":
                raise refused(bundle.path, f"{quoted(path)} is the manifest of another model")
            found[place] = manifest
    described = {f"{place}/{MANIFEST}" for place in found}
    expected = {
        f"{place}/{file.path}": file.size for place, one in found.items() for file in one.files
    }
    others = {
        path: size
        for path, size in bundle.sizes.items()
        if not path.startswith(f"{_LICENCES}/") and path not in described
    }
    if not found or others != expected:
        raise refused(bundle.path, "its files are not those that its models' manifests name")
    return found


def _is_there(store: Store, manifest: ModelManifest) -> bool:
    """Whether the same model is in the store.

    Raises:
        ModelError: Another one of the same name is.
    """
    if manifest.name not in store.names():
        return False
    if store.get(manifest.name).files == manifest.files:
        return True
    raise ModelError(
        f"There is another model named {manifest.name} already.",
        f"Remove it first with `veracite models remove {manifest.name}`.",
        "name taken",
    )


def _licence_of(manifest: ModelManifest) -> tuple[bytes, bool]:
    """What there is to know of a model's licence, and whether its text is in it.

    Some texts are part of Veracite; the hub writes their names in small letters.
    """
    named = manifest.licence or "not stated"
    said = f"{manifest.name}\nSource: {manifest.source}\nLicence: {named}\n\n".encode()
    ours = files("veracite.engine.bundles").joinpath("licences").iterdir()
    wanted = f"{named}.txt".casefold()
    known = [text.read_bytes() for text in ours if text.name.casefold() == wanted]
    found = known or [b"The text of this licence is kept at the source.\n"]
    return said + b"\n\n".join(found), bool(known)
