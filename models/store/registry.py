"""Small open models that can be pulled by name: what ``registry.toml`` says of them."""

import re
from dataclasses import dataclass
from importlib.resources import files

import msgspec

from veracite.models.errors import ModelError
from veracite.models.files import name_from
from veracite.models.store.manifest import Kind

USUAL_CONTEXT = 8192
"""Tokens, where the user asks for no other number."""
_RUNTIME = 200_000_000
"""Bytes for one decoding and the runtime."""

_ANY_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")
_ANY_GGUF = re.compile(r"([\w.-]+/[\w.-]+)/((?:[\w. -]+/)*[\w. -]+\.gguf)")
_QUANTISATION = re.compile(r"(?:^|[.\-_])((?:I?Q\d\w*|BF16|F16|F32|MXFP4))$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file of an entry, and what it must be, where somebody has looked that up."""

    path: str
    size: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A model of the hub."""

    name: str
    kind: Kind
    repository: str
    files: tuple[Wanted, ...] = ()
    """Of an encoder or cross-encoder none: which it has, its repository tells."""
    licence: str | None = None
    """An SPDX expression, or the licence's own name."""
    context: int | None = None
    """Tokens that it was trained for."""
    parameters: int | None = None
    quantisation: str | None = None
    cache: int | None = None
    """Bytes of keys and values for each token of the context."""
    revision: str | None = None
    """A commit; None for the newest."""

    @property
    def address(self) -> str:
        """Of the model on the hub, as ``entry_of`` takes it."""
        if self.kind != "generator":
            return self.repository
        return f"{self.repository}/{self.files[0].path}"

    @property
    def size(self) -> int | None:
        """Bytes of all files, where that is known."""
        sizes = [file.size for file in self.files if file.size is not None]
        return sum(sizes) if self.files and len(sizes) == len(self.files) else None

    @property
    def memory(self) -> int | None:
        """Bytes that a generator takes with its usual context, estimated as the registry says."""
        if self.size is None or self.cache is None or self.context is None:
            return None
        return self.size + self.cache * min(self.context, USUAL_CONTEXT) + _RUNTIME


def registry() -> tuple[Entry, ...]:
    """All models that are known, in the file's order."""
    text = files("veracite.models.store").joinpath("registry.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, tuple[Entry, ...]])["model"]


def entry_of(name: str) -> Entry:
    """The entry of a name, of any GGUF file as ``OWNER/REPOSITORY/FILE.gguf``, or of any encoder
    as ``OWNER/REPOSITORY``; that a repository holds a cross-encoder, its conversion finds out.

    Raises:
        ModelError: There is no such entry.
    """
    known = {entry.name: entry for entry in registry()}
    if name in known:
        return known[name]
    if found := _ANY_GGUF.fullmatch(name):
        stem = found[2].rpartition("/")[2].removesuffix(".gguf")
        file, quantisation = Wanted(found[2]), quantisation_in(stem)
        return Entry(name_from(stem), "generator", found[1], (file,), quantisation=quantisation)
    if _ANY_REPOSITORY.fullmatch(name):
        return Entry(name_from(name.rpartition("/")[2]), "encoder", name)
    raise ModelError(
        f"No model named {name!r} is known.",
        "`veracite models list` names those that are; name any other on the hub "
        "OWNER/REPOSITORY/FILE.gguf, or OWNER/REPOSITORY if it is an encoder or a reranker.",
        "not known",
    )


def quantisation_in(stem: str) -> str | None:
    """What the name of a GGUF file, without its suffix, says at its end: ``Q4_K_M``."""
    found = _QUANTISATION.search(stem)
    return found[1].upper() if found else None
