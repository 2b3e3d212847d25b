"""A library's content as one Lance dataset, on storage that several machines share. The only door
to lance.

A row is the head (what the library follows, and by which encoder), a file or a document that a file
holds, or a passage with its embedding. Whoever builds writes fragments, which nobody sees, and then
commits them: one commit takes the rows of the files that changed away, puts the new ones in, and
puts another head in the place of the one before. Of two builds at once the second finds that its
head is gone and is refused, so nothing is in twice. A reader stays with the version that it opened.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Self

import lance
import numpy as np
import pyarrow as pa
from lance.commit import CommitConflictError
from lance.fragment import FragmentMetadata, write_fragments
from lance.query import BooleanQuery, MatchQuery, Occur
from numpy.typing import NDArray

from veracite.index.catalog import storable
from veracite.index.errors import StorageError
from veracite.index.lexical import HEADING_WEIGHT
from veracite.index.storage import disk_full, make_private_folder

HEAD, FILE, PASSAGE = range(3)
"""The kinds of rows."""
_CHUNK = 2000
_SECRET = re.compile(r"KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL", re.I)
_TEXTS = "file path sha256 reader extractor title reason advice pages rows heading text id facts"
_NUMBERS = "size mtime_ns start end page"
_COLUMNS = {"kind": pa.int8(), "raw": pa.large_binary()}
_COLUMNS |= {name: pa.string() for name in _TEXTS.split()}
_COLUMNS |= {name: pa.int64() for name in _NUMBERS.split()}
"""``file`` is where a document lies, ``path`` its own name: of what an archive holds, both differ.
A file without ``extractor`` could not be read. ``raw`` is its text, compressed with zlib."""
OF_FILES = sorted(_COLUMNS.keys() - set("kind id facts start end page heading text".split()))
"""The columns that rows of files have."""
_WORDS = {
    "base_tokenizer": "simple",
    "with_position": False,
    "max_token_length": 64,
    "lower_case": True,
    "ascii_folding": True,
    "stem": True,
    "language": "English",
    "remove_stop_words": False,
}
"""As near to ``veracite.index.lexical`` as Lance comes."""


@dataclass(frozen=True, slots=True)
class Head:
    """What holds for a whole library; everything that is no text is a JSON value."""

    encoder: str
    """The id of the encoder whose embeddings are held."""
    dimension: int
    memory: int
    """Bytes that reading one file may take."""
    sources: Sequence[str] = ()
    patterns: Sequence[Sequence[str]] = ((), ())
    """Included, excluded; as ``veracite.index.sources.Patterns``."""
    mounted: Sequence[str] = ()
    unread: Sequence[Sequence[Any]] = ()
    """Places that could not be looked at, each as ``FailedDocument``."""
    others: Sequence[str] = ()
    left_out: int = 0
    built: float | None = None
    """When a build last came to its end, in seconds since 1970."""


class Dataset:
    """A dataset that is open at one version.

    Args:
        address: A folder, or s3://bucket/place. Keys for it are in the environment (AWS_...).
        version: None is the newest.

    Raises:
        StorageError: From every method: it is not there, cannot be reached, read or written.
    """

    def __init__(self, address: str, version: int | None = None) -> None:
        self.address = address
        with lance_errors(address):
            self.lance = lance.dataset(address, version=version)
            self._at, self.head = self._found_head()

    @classmethod
    def create(cls, address: str, head: Head) -> Self:
        """Make an empty one; a new folder can be read by this user only."""
        if "://" not in address:
            make_private_folder(Path(address))
        with lance_errors(address):
            made = lance.write_dataset(_head_row(head), address, mode="create")
            for column in ("text", "heading"):
                made.create_scalar_index(column, "INVERTED", **_WORDS)
            for column, kind in {"kind": "BITMAP", "path": "BTREE", "id": "BTREE"}.items():
                made.create_scalar_index(column, kind)
        return cls(address)

    @property
    def version(self) -> int:
        """Of its content: greater after every commit."""
        return int(self.lance.version)

    @property
    def bytes(self) -> int:
        """How much storage the files of this version take, without indexes."""
        return sum(
            file.file_size_bytes or 0
            for fragment in self.lance.get_fragments()
            for file in fragment.metadata.files
        )

    def _found_head(self) -> tuple[int, Head]:
        """The head, and the fragment that it is in: one of the last."""
        for fragment in reversed(self.lance.get_fragments()):
            if found := fragment.to_table(columns=["facts"], filter=f"kind = {HEAD}").to_pylist():
                return fragment.fragment_id, Head(**json.loads(found[0]["facts"]))
        raise StorageError(
            f"{self.address} holds no library of Veracite.", "Name another place with --storage."
        )

    def rows(self, kind: int, columns: Sequence[str], where: str = "") -> Iterator[dict[str, Any]]:
        """The rows of a kind that fit a condition, with these columns."""
        condition = f"kind = {kind} AND ({where})" if where else f"kind = {kind}"
        with lance_errors(self.address):
            for batch in self.lance.scanner(columns=list(columns), filter=condition).to_batches():
                yield from batch.to_pylist()

    def count(self, where: str) -> int:
        """How many rows fit a condition."""
        with lance_errors(self.address):
            return int(self.lance.count_rows(where))

    def nearest(
        self, queries: NDArray[Any], k: int, columns: Sequence[str], *, exact: bool
    ) -> list[list[dict[str, Any]]]:
        """The k passages of each query, shape (n, dimension), whose embeddings are nearest.

        Args:
            exact: Compare all of them, whether or not there is an index.
        """
        wanted = {"column": "vector", "q": queries.astype("float16"), "k": k, "metric": "cosine"}
        wanted |= {"use_index": False} if exact else {"search_effort": 0.9, "refine_factor": 30}
        found: list[list[dict[str, Any]]] = [[] for _ in queries]
        with lance_errors(self.address):
            told = self.lance.scanner(columns=[*columns, "_distance"], nearest=wanted).to_table()
        for row in told.to_pylist():
            found[row.pop("query_index")].append(row)
        return found

    def worded(self, query: str, k: int, columns: Sequence[str]) -> list[list[dict[str, Any]]]:
        """The k passages that have most of a query by BM25, each with its ``_score``, as the one
        list of a list."""
        fields = {"text": 1.0, "heading": HEADING_WEIGHT}
        words = [(Occur.SHOULD, MatchQuery(query, name, boost=fields[name])) for name in fields]
        asked = {"columns": [*columns, "_score"], "full_text_query": BooleanQuery(words)}
        with lance_errors(self.address):
            return [self.lance.scanner(**asked, limit=k).to_table().to_pylist()]

    def write(
        self, rows: Sequence[dict[str, Any]], vectors: NDArray[Any] | None = None
    ) -> list[str]:
        """Write rows to where nobody sees them yet; as ``commit`` takes them.

        Args:
            vectors: Of the passages among them, in their order, shape (n, dimension).
        """
        with lance_errors(self.address):
            table = _table(rows, vectors, self.head.dimension)
            written = write_fragments(table, self.address, schema=table.schema)
        return [json.dumps(fragment.to_json()) for fragment in written]

    def commit(self, fragments: Sequence[str], stale: Sequence[str], head: Head) -> None:
        """Put fragments in, in place of the rows that fit a condition; all or nothing.

        Raises:
            StorageError: Besides: someone else has committed since this was opened.
        """
        old = {self._at}
        with lance_errors(self.address):
            for one in stale:
                found = self.lance.scanner(columns=[], filter=one, with_row_address=True)
                old |= {place >> 32 for place in found.to_table()["_rowaddr"].to_pylist()}
            where = " OR ".join((f"kind = {HEAD}", *stale))
            left = {number: self.lance.get_fragment(number).delete(where) for number in old}
            last = write_fragments(_head_row(head), self.address, schema=self.lance.schema)
            new = [FragmentMetadata.from_json(fragment) for fragment in fragments]
            self.lance = lance.LanceDataset.commit(
                self.lance,
                lance.LanceOperation.Update(
                    removed_fragment_ids=[number for number, rest in left.items() if rest is None],
                    updated_fragments=[rest for rest in left.values() if rest is not None],
                    new_fragments=[*new, *last],
                ),
                read_version=self.version,
            )
            self._at, self.head = self._found_head()

    def index(self) -> None:
        """Make an index by nearness, an approximate one: all embeddings are read once."""
        parts = round(self.count(f"kind = {PASSAGE}") ** 0.5 / 2)
        how = {"num_partitions": parts, "num_sub_vectors": self.head.dimension // 8}
        with lance_errors(self.address):
            self.lance.create_index("vector", "IVF_PQ", metric="cosine", replace=True, **how)

    @property
    def indexed(self) -> bool:
        """Whether passages are found by an approximate index."""
        with lance_errors(self.address):
            return any("vector" in one.field_names for one in self.lance.describe_indices())

    def follow(self) -> None:
        """Bring the indexes that there are up to date."""
        with lance_errors(self.address):
            self.lance.optimize.optimize_indices()

    def compact(self) -> None:
        """Join small fragments, and delete what no version of the last day needs."""
        with lance_errors(self.address):
            self.lance.optimize.compact_files()
            self.lance.cleanup_old_versions(timedelta(days=1))


def among(column: str, values: Iterable[str]) -> list[str]:
    """Conditions of which each row that has one of these values in a column fits one."""
    held = ["'" + value.replace("'", "''") + "'" for value in values]
    chunks = (held[at : at + _CHUNK] for at in range(0, len(held), _CHUNK))
    return [f"{column} IN ({', '.join(chunk)})" for chunk in chunks]


def _head_row(head: Head) -> Any:
    return _table([{"kind": HEAD, "facts": json.dumps(asdict(head))}], None, head.dimension)


def _table(rows: Sequence[dict[str, Any]], vectors: NDArray[Any] | None, dimension: int) -> Any:
    """The rows as Arrow has them; those that are no passages have no vector."""
    none = np.array([row["kind"] != PASSAGE for row in rows])
    wide = np.zeros((len(rows), dimension), np.float16)
    if vectors is not None:
        wide[~none] = vectors
    vector = pa.FixedSizeListArray.from_arrays(
        pa.array(wide.ravel()), dimension, mask=pa.array(none)
    )
    held = [
        {name: storable(one) if isinstance(one, str) else one for name, one in row.items()}
        for row in rows
    ]
    schema = pa.schema(list(_COLUMNS.items()))
    return pa.Table.from_pylist(held, schema=schema).append_column("vector", vector)


@contextmanager
def lance_errors(address: str) -> Iterator[None]:
    """Turn what Lance says into one sentence and advice; keys of the environment are left out."""
    again = "Run the same command again; what was committed before is kept."
    try:
        yield
    except CommitConflictError:
        raise StorageError(
            f"Another build has changed the library in {address} meanwhile.", again
        ) from None
    except (OSError, ValueError, RuntimeError) as error:
        told = str(error)
        if "No space left" in told or "StorageFull" in told:
            raise disk_full(Path(address)) from None
        # What is shorter is a switch, such as HF_HUB_DISABLE_IMPLICIT_TOKEN=1.
        keys = [key for name, key in os.environ.items() if _SECRET.search(name) and len(key) > 3]
        for key in sorted(keys, key=len, reverse=True):
            told = told.replace(key, "...")
        said = re.split(r"\n|, /|: /home/", told)[0][:300].rstrip(". ")
        raise StorageError(
            f"The library in {address} could not be read or written ({said}).",
            f"Check that the storage can be reached and its keys are in the environment. {again}",
        ) from None


def require_address(address: str) -> str:
    """The address of a dataset as it is kept: of a folder an absolute path.

    Raises:
        StorageError: It holds a name and password, which belong into the environment.
    """
    if "://" not in address:
        return os.path.abspath(os.path.expanduser(address))
    if "@" in address or "?" in address:
        raise StorageError(
            "The address of the storage holds keys.",
            "Leave them out, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.",
        )
    return address.rstrip("/")
