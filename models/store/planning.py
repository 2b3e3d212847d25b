"""What a pull will download, before it begins."""

from collections.abc import Mapping
from dataclasses import dataclass

from veracite.models.errors import ModelError
from veracite.models.store.hub import Hub
from veracite.models.store.names import stays_inside
from veracite.models.store.registry import Entry, Wanted
from veracite.models.store.remote import Remote, RemoteFile
from veracite.models.store.store import Store

__all__ = ["Plan"]

_WEIGHTS = ("model.safetensors", "pytorch_model.bin")
_BESIDE_WEIGHTS = (
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    "modules.json",
    "sentence_bert_config.json",
    "1_Pooling/config.json",
)
"""What a conversion may need; no repository holds all of it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a pull will download."""

    entry: Entry
    remote: Remote
    files: tuple[RemoteFile, ...]

    @classmethod
    def of(cls, entry: Entry, store: Store, hub: Hub) -> "Plan":
        """Look up an entry that is to come into a store.

        Raises:
            ModelError: It is there already, the hub cannot be reached, or its files are not those
                of the entry.
        """
        if entry.name in store.names():
            raise ModelError(
                f"The model {entry.name} is here already.",
                f"`veracite models verify {entry.name}` checks it; remove it first to pull it "
                "anew.",
            )
        remote = hub.look_up(entry.repository, entry.revision)
        offered = {file.path: file for file in remote.files}
        wanted = entry.files or _to_be_converted(offered)
        return cls(entry, remote, tuple(_expected(file, offered) for file in wanted))

    @property
    def licence(self) -> str | None:
        """As it is known, or as the hub states it."""
        return self.entry.licence or self.remote.licence

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in self.files)

    @property
    def is_large(self) -> bool:
        """Whether somebody should be asked first: more than 1 GB."""
        return self.size > 1_000_000_000


def _to_be_converted(offered: Mapping[str, RemoteFile]) -> tuple[Wanted, ...]:
    """The files that a conversion reads; of the weights, the safer format."""
    weights = next((path for path in _WEIGHTS if path in offered), _WEIGHTS[0])
    return tuple(map(Wanted, (*(path for path in _BESIDE_WEIGHTS if path in offered), weights)))


def _expected(wanted: Wanted, offered: Mapping[str, RemoteFile]) -> RemoteFile:
    """The file that is wanted, if the one that is offered is the one that is known."""
    file = offered.get(wanted.path)
    if file is None or not stays_inside(file.path):
        raise ModelError(
            f"The repository holds no file {wanted.path}.",
            "Choose another model with `veracite models list`; this one was moved or renamed.",
        )
    if wanted.size not in (None, file.size) or (
        wanted.sha256 and file.sha256 and wanted.sha256 != file.sha256
    ):
        raise ModelError(
            f"The hub offers another {wanted.path} than the one that is known.",
            "Choose another model with `veracite models list`; this one was changed.",
        )
    return RemoteFile(file.path, file.size, wanted.sha256 or file.sha256)
