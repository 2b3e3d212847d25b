"""What tells one state of the data and of the code from another: SHA-256."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from veracite.engine.errors import InputError
from veracite.engine.evaluation.files import parts_of
from veracite.engine.evaluation.results import DataFile

__all__ = ["code_digest", "data_files"]

_JUDGEMENT = ("claims", "comparing", "facts", "judging", "methods", "tables", "wording")
_PREDICTING = (
    "engine/*.py",
    *(f"engine/{folder}/*.py" for folder in _JUDGEMENT),
    "engine/judging/*.json",
    *(
        f"engine/evaluation/{name}.py"
        for name in (
            "alce",
            "files",
            "formats",
            "question_sets",
            "reading",
            "statement_sets",
            "answering",
            "choices",
            "entailing",
            "evidence",
            "list_answers",
            "marking",
            "method_answers",
            "predicting",
            "searching",
            "selfchecking",
            "statements",
        )
    ),
    "engine/skills/**/*.py",
    "engine/skills/prompts/*.toml",
    "index/**/*.py",
    "index/*.json",
    "models/*.py",
)
"""The code that predictions depend on; what only counts and shows them is not among it."""


def code_digest(root: Path = Path(__file__).parents[2]) -> str:
    """The start of a SHA-256 over the code that predictions depend on.

    A version says too little to whoever works on the code: predictions of an older state would be
    taken for those of the present one.

    Args:
        root: The folder that holds the rooms ``engine``, ``index`` and ``models``.
    """
    whole = hashlib.sha256()
    for path in sorted({path for pattern in _PREDICTING for path in root.glob(pattern)}):
        content = path.read_bytes()
        whole.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode() + content)
    return whole.hexdigest()[:12]


def data_files(paths: Iterable[Path]) -> tuple[DataFile, ...]:
    """Name, SHA-256 and size of each file, and of every file of data in each folder, sorted.

    Raises:
        InputError: A file cannot be read, or a folder holds no data.
    """
    return tuple(
        _data_file(file, file.relative_to(path.parent).as_posix())
        for path in paths
        for file in (_held(path) if path.is_dir() else [path])
    )


def _held(folder: Path) -> list[Path]:
    """The files of data in a folder, without licences and notes."""
    return [part.path for part in parts_of([folder])]


def _data_file(path: Path, name: str) -> DataFile:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return DataFile(name, digest, file.tell())
    except OSError as error:
        raise InputError(
            f"{path} cannot be read ({error.strerror or error}).",
            "Name a file that exists and that you may read.",
        ) from error
