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

_MOST_ENTRIES = 20_000
"""Files and folders that are looked at below one folder."""
_DEEPEST = 6
_LARGEST_MANIFEST = 2**20
_OLLAMA_MODEL = "application/vnd.ollama.image.model"
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_SHARED_OLLAMA = Path("/usr/share/ollama/.ollama/models")
_WEIGHTS = ("model.safetensors", "pytorch_model.bin")
_CONVERTED = ("bert", "mpnet")
"""What the conversion can read the weights of (``model_type`` in config.json)."""
_DAMAGED = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Found:
    """A model of another application."""

    name: str
    """The application, a slash, and the shortest name that no other of its models has."""
    kind: Kind
    path: Path
    """A GGUF file, or the folder of any other model."""


_Candidate = tuple[str, str, Kind, Path]
"""A short and a long name, and what it is and where."""


def discover(environ: Mapping[str, str] = os.environ) -> tuple[Found, ...]:
    """All models in the usual folders, each once, in the order of their names.

    What cannot be read is left out: these folders belong to others.
    """
    seen: set[Path] = set()
    found: list[Found] = []
    for application, candidates in _applications(environ).items():
        new: list[_Candidate] = []
        for candidate in candidates:
            if (real := candidate[3].resolve()) not in seen:
                seen.add(real)
                new.append(candidate)
        shorts = Counter(short for short, *_ in new)
        for short, long, kind, path in new:
            name = short if shorts[short] == 1 else long
            found.append(Found(f"{application}/{name}", kind, path))
    return tuple(sorted(found, key=lambda model: model.name))


def _applications(environ: Mapping[str, str]) -> dict[str, Iterator[_Candidate]]:
    """What lies in the usual folders under an environment."""

    def named(variable: str) -> Path | None:
        said = environ.get(variable)
        return Path(os.path.expanduser(said)) if said else None

    home = Path(environ.get("HOME") or Path.home())
    cache = named("XDG_CACHE_HOME") or home / ".cache"
    llama, data = cache, named("XDG_DATA_HOME") or home / ".local" / "share"
    if sys.platform == "darwin":
        llama, data = home / "Library" / "Caches", home / "Library" / "Application Support"
    hub = named("HF_HUB_CACHE") or named("HUGGINGFACE_HUB_CACHE")
    return {
        "llama.cpp": _below(named("LLAMA_CACHE") or llama / "llama.cpp"),
        "lm-studio": _below(*_lm_studio(home), cache / "lm-studio" / "models"),
        "ollama": _ollama(named("OLLAMA_MODELS") or home / ".ollama" / "models", _SHARED_OLLAMA),
        "gpt4all": _below(data / "nomic.ai" / "GPT4All", cache / "gpt4all"),
        "huggingface": _hugging_face(hub or (named("HF_HOME") or cache / "huggingface") / "hub"),
    }


def _lm_studio(home: Path) -> Iterator[Path]:
    folder = home / ".lmstudio"
    with suppress(OSError, ValueError):
        pointed = (home / ".lmstudio-home-pointer").read_text(encoding="utf-8").strip()
        folder = Path(pointed) if os.path.isabs(pointed) else folder
    with suppress(*_DAMAGED):
        yield Path(json.loads((folder / "settings.json").read_bytes())["downloadsFolder"])
    yield folder / "models"


def _below(*folders: Path) -> Iterator[_Candidate]:
    """GGUF files in folders and what is below them."""
    for folder in folders:
        for path in _files(folder):
            if path.suffix.lower() == ".gguf":
                long = path.relative_to(folder).with_suffix("").as_posix()
                yield path.stem, long, "generator", path


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


def _ollama(*folders: Path) -> Iterator[_Candidate]:
    """The models that Ollama's manifests name, each a file of the name of its hash."""
    for manifests in (folder / "manifests" for folder in folders):
        for path in _files(manifests):
            with suppress(*_DAMAGED):
                with path.open("rb") as file:
                    layers = json.loads(file.read(_LARGEST_MANIFEST))["layers"]
                *owner, model, tag = path.relative_to(manifests).parts
                for layer in layers:
                    digest = layer["digest"]
                    blob = manifests.parent / "blobs" / str(digest).replace(":", "-")
                    ours = layer["mediaType"] == _OLLAMA_MODEL and _DIGEST.fullmatch(digest)
                    if ours and blob.is_file():
                        short = f"{model}:{tag}"
                        yield short, "/".join((*owner, short)), "generator", blob


def _hugging_face(hub: Path) -> Iterator[_Candidate]:
    """GGUF files and networks in the cache, of the newest snapshot of each repository."""
    with suppress(OSError):
        for folder in sorted(hub.glob("models--*--*")):
            snapshots = sorted(folder.glob("snapshots/*"), key=lambda path: path.stat().st_mtime)
            repository = folder.name.removeprefix("models--").replace("--", "/", 1)
            for newest in snapshots[-1:]:
                for short, long, kind, path in _below(newest):
                    yield short, f"{repository}/{long}", kind, path
                with suppress(*_DAMAGED):
                    yield from _network(newest, repository)


def _network(folder: Path, repository: str) -> Iterator[_Candidate]:
    """An encoder or reranker that can be converted, if a repository holds one."""
    with (folder / "config.json").open("rb") as file:
        said = json.loads(file.read(_LARGEST_MANIFEST))
    has_weights = any((folder / name).is_file() for name in _WEIGHTS)
    reranks = "ForSequenceClassification" in str(said.get("architectures"))
    published = (folder / "onnx" / "model.onnx").is_file() and not reranks
    if (has_weights and said["model_type"] in _CONVERTED) or published:
        yield repository, repository, "cross-encoder" if reranks else "encoder", folder
