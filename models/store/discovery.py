"""Models that other applications have put on this machine, to be used where they are.

llama.cpp, LM Studio, Ollama, GPT4All and the Hugging Face libraries each have a usual folder, and
most an environment variable that names another one. What is found is only named here; nothing is
opened but Ollama's manifests, and nothing is written.
"""

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from veracite.models.store.manifest import Kind

__all__ = ["Found", "discover"]

_MOST_ENTRIES = 20_000
"""Files and folders that are looked at below one folder."""
_DEEPEST = 6
_LARGEST_MANIFEST = 2**20
_OLLAMA_MODEL = "application/vnd.ollama.image.model"
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_SHARED_OLLAMA = Path("/usr/share/ollama/.ollama/models")
_WEIGHTS = ("model.safetensors", "pytorch_model.bin")
_NETWORKS = ("bert", "roberta", "xlm-roberta", "mpnet", "distilbert")
"""What the conversion can make ours (``model_type`` in config.json)."""


@dataclass(frozen=True, slots=True)
class Found:
    """A model of another application."""

    name: str
    """The application, a slash, and the shortest name that no other of its models has."""
    kind: Kind
    path: Path
    """A GGUF file, or the folder of any other model."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    short: str
    long: str
    kind: Kind
    path: Path


def discover(environ: Mapping[str, str] = os.environ) -> tuple[Found, ...]:
    """All models in the usual folders, each once, in the order of their names.

    What cannot be read is left out: these folders belong to others.
    """
    places = _Places(environ)
    applications = {
        "llama.cpp": _below(places.llama_cpp()),
        "lm-studio": _below(*places.lm_studio()),
        "ollama": (found for folder in places.ollama() for found in _ollama(folder)),
        "gpt4all": _below(*places.gpt4all()),
        "huggingface": _hugging_face(places.hugging_face()),
    }
    seen: set[Path] = set()
    found: list[Found] = []
    for application, candidates in applications.items():
        new: list[_Candidate] = []
        for candidate in candidates:
            if (real := candidate.path.resolve()) not in seen:
                seen.add(real)
                new.append(candidate)
        shorts = Counter(candidate.short for candidate in new)
        for one in new:
            name = one.short if shorts[one.short] == 1 else one.long
            found.append(Found(f"{application}/{name}", one.kind, one.path))
    return tuple(sorted(found, key=lambda model: model.name))


class _Places:
    """The usual folders under an environment."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._home = Path(environ.get("HOME") or Path.home())
        self._mac = sys.platform == "darwin"
        self._cache = self._named("XDG_CACHE_HOME") or self._home / ".cache"

    def llama_cpp(self) -> Path:
        cache = self._home / "Library" / "Caches" if self._mac else self._cache
        return self._named("LLAMA_CACHE") or cache / "llama.cpp"

    def lm_studio(self) -> Iterator[Path]:
        home = self._home / ".lmstudio"
        with suppress(OSError, ValueError):
            pointed = (self._home / ".lmstudio-home-pointer").read_text(encoding="utf-8").strip()
            home = Path(pointed) if os.path.isabs(pointed) else home
        with suppress(OSError, ValueError, KeyError, TypeError):
            settings = json.loads((home / "settings.json").read_bytes())
            yield Path(settings["downloadsFolder"])
        yield home / "models"
        yield self._cache / "lm-studio" / "models"

    def ollama(self) -> Iterator[Path]:
        yield self._named("OLLAMA_MODELS") or self._home / ".ollama" / "models"
        yield _SHARED_OLLAMA

    def gpt4all(self) -> Iterator[Path]:
        data = self._named("XDG_DATA_HOME") or self._home / ".local" / "share"
        if self._mac:
            data = self._home / "Library" / "Application Support"
        yield data / "nomic.ai" / "GPT4All"
        yield self._cache / "gpt4all"

    def hugging_face(self) -> Path:
        home = self._named("HF_HOME") or self._cache / "huggingface"
        return self._named("HF_HUB_CACHE") or self._named("HUGGINGFACE_HUB_CACHE") or home / "hub"

    def _named(self, variable: str) -> Path | None:
        said = self._environ.get(variable)
        return Path(os.path.expanduser(said)) if said else None


def _below(*folders: Path) -> Iterator[_Candidate]:
    """GGUF files in folders and what is below them."""
    for folder in folders:
        for path in _files(folder):
            if path.suffix.lower() == ".gguf":
                long = path.relative_to(folder).with_suffix("").as_posix()
                yield _Candidate(path.stem, long, "generator", path)


def _files(folder: Path) -> Iterator[Path]:
    """Paths of the files below a folder, in the order of their names, within limits."""
    left = _MOST_ENTRIES
    for place, folders, names in os.walk(folder, followlinks=True):
        yield from (Path(place, name) for name in sorted(names)[:left])
        left -= len(folders) + len(names)
        if left <= 0:
            return
        if len(Path(place).relative_to(folder).parts) >= _DEEPEST:
            folders.clear()
        folders.sort()


def _ollama(folder: Path) -> Iterator[_Candidate]:
    """The models that Ollama's manifests name, each a file of the name of its hash."""
    manifests = folder / "manifests"
    for path in _files(manifests):
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            with path.open("rb") as file:
                layers = json.loads(file.read(_LARGEST_MANIFEST))["layers"]
            for layer in layers:
                digest = layer["digest"]
                blob = folder / "blobs" / str(digest).replace(":", "-")
                if layer["mediaType"] == _OLLAMA_MODEL and _DIGEST.fullmatch(digest):
                    *owner, model, tag = path.relative_to(manifests).parts
                    if blob.is_file():
                        long = "/".join((*owner, f"{model}:{tag}"))
                        yield _Candidate(f"{model}:{tag}", long, "generator", blob)


def _hugging_face(hub: Path) -> Iterator[_Candidate]:
    """GGUF files and networks in the cache, of the newest snapshot of each repository."""
    with suppress(OSError):
        for repository in sorted(hub.glob("models--*--*")):
            snapshots = sorted(repository.glob("snapshots/*"), key=lambda p: p.stat().st_mtime)
            if snapshots:
                owner_and_name = repository.name.removeprefix("models--").replace("--", "/", 1)
                yield from _snapshot(snapshots[-1], owner_and_name)


def _snapshot(folder: Path, repository: str) -> Iterator[_Candidate]:
    for found in _below(folder):
        yield _Candidate(found.short, f"{repository}/{found.long}", found.kind, found.path)
    with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
        config = folder / "config.json"
        if (
            any((folder / name).is_file() for name in _WEIGHTS)
            and config.stat().st_size < _LARGEST_MANIFEST
            and (said := json.loads(config.read_bytes()))["model_type"] in _NETWORKS
        ):
            reranks = "ForSequenceClassification" in str(said.get("architectures"))
            kind: Kind = "cross-encoder" if reranks else "encoder"
            yield _Candidate(repository, repository, kind, folder)
