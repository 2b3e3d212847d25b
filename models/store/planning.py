"""What a pull will download, before it begins."""

from collections.abc import Mapping
from dataclasses import dataclass

from veracite.models.errors import ModelError
from veracite.models.store import licences
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

_MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Plan:
    """What a pull will download."""

    entry: Entry
    remote: Remote
    files: tuple[RemoteFile, ...]
    texts: tuple[RemoteFile, ...] = ()
    """The licence and what belongs to it, as far as the repository holds it."""

    @classmethod
    def of(cls, entry: Entry, store: Store, hub: Hub) -> "Plan":
        """Look up an entry that is to come into a store.

        Raises:
            ModelError: It is there already, the hub cannot be reached, or its files are not those
                of the entry.
        """
        if entry.name in store.names():
            raise _taken(entry, store)
        remote = hub.look_up(entry.repository, entry.revision)
        offered = {file.path: file for file in remote.files}
        wanted = entry.files or _to_be_converted(entry, offered)
        texts = tuple(offered[name] for name in licences.texts_among(offered))
        return cls(
            entry,
            remote,
            tuple(_expected(entry, file, offered) for file in wanted),
            tuple(file for file in texts if file.size <= licences.LARGEST),
        )

    @property
    def licence(self) -> str | None:
        """As it is known, or as the hub states it."""
        return self.entry.licence or self.remote.licence

    @property
    def size(self) -> int:
        """Bytes of all files."""
        return sum(file.size for file in (*self.files, *self.texts))

    @property
    def is_large(self) -> bool:
        """Whether somebody should be asked first: more than 1 GB."""
        return self.size > 1_000_000_000


def _taken(entry: Entry, store: Store) -> ModelError:
    """Says that a model of this name is in the store, and whether it is another one."""
    there = store.get(entry.name)
    if there.source == entry.repository:
        return ModelError(
            f"The model {entry.name} is here already.",
            f"`veracite models verify {entry.name}` checks it; remove it first to pull it anew.",
            "here already",
        )
    return ModelError(
        f"Another model named {entry.name} is here already, from {there.source}.",
        "Pull this one under another name with `veracite models pull ... --name NAME`, or remove "
        f"the other first with `veracite models remove {entry.name}`.",
        "name taken",
    )


def _to_be_converted(entry: Entry, offered: Mapping[str, RemoteFile]) -> tuple[Wanted, ...]:
    """The files that a conversion reads; of the weights, the safer format.

    Raises:
        ModelError: The repository is one of language models.
    """
    if not set(_WEIGHTS) & set(offered) and (there := _ggufs(entry, offered)):
        raise ModelError(
            f"{entry.repository} holds language models, of which one has to be named.",
            f"Name one of its files: {there}.",
        )
    weights = next((path for path in _WEIGHTS if path in offered), _WEIGHTS[0])
    return tuple(map(Wanted, (*(path for path in _BESIDE_WEIGHTS if path in offered), weights)))


def _ggufs(entry: Entry, offered: Mapping[str, RemoteFile]) -> str:
    """The addresses of the repository's GGUF files, or of the first of many."""
    there = [
        f"{entry.repository}/{path}"
        for path in offered
        if path.endswith(".gguf") and stays_inside(path)
    ]
    return ", ".join(there[:_MOST_NAMED]) + (", ..." if len(there) > _MOST_NAMED else "")


def _expected(entry: Entry, wanted: Wanted, offered: Mapping[str, RemoteFile]) -> RemoteFile:
    """The file that is wanted, if the one that is offered is the one that is known."""
    file = offered.get(wanted.path)
    if file is None or not stays_inside(file.path):
        message = f"The repository {entry.repository} holds no file {wanted.path}."
        if there := _ggufs(entry, offered):
            raise ModelError(message, f"It holds {there}; name one of them.")
        raise ModelError(
            message,
            "Choose another model with `veracite models list`; this one was moved or renamed.",
            "changed on the hub",
        )
    if wanted.size not in (None, file.size) or (
        wanted.sha256 and file.sha256 and wanted.sha256 != file.sha256
    ):
        raise ModelError(
            f"The hub offers another {wanted.path} than the one that is known.",
            "Choose another model with `veracite models list`; this one was changed.",
            "changed on the hub",
        )
    return RemoteFile(file.path, file.size, wanted.sha256 or file.sha256)
