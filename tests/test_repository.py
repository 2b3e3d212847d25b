"""The rules of the house that no type checker knows."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from veracite.engine.version import __version__

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("engine", "index", "models", "tui")
MEGABYTE = 1_000_000

DOORS = {
    "hnswlib": "index/dense.py",
    "gguf": "models/gguf.py",
    "llama_cpp": "models/llama.py",
    "nltk": "index/sentences.py",
    "onnxruntime": "models/onnx.py",
    "tantivy": "index/lexical.py",
}
"""Each heavy library and the one module that may import it, late."""

HEAVY = (*DOORS, "tokenizers", "textual", "rich", "lxml", "docx", "pypdfium2", "jinja2")
"""What no start of the program may load before it is needed."""


def modules() -> list[Path]:
    """All Python files of the package."""
    return sorted(file for room in ROOMS for file in (ROOT / room).rglob("*.py"))


def imported(tree: ast.AST) -> Iterator[str]:
    """Top-level names of what the code in a tree imports, wherever it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def imported_at_once(tree: ast.Module) -> Iterator[str]:
    """The same of what runs when the module is imported: no functions, no TYPE_CHECKING."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from imported(node)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            pending += node.orelse
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            pending += ast.iter_child_nodes(node)


def parse(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), filename=str(file))


def test_the_import_finder_sees_what_it_should() -> None:
    code = (
        "import a.b\n"
        "if TYPE_CHECKING:\n  import c\n"
        "try:\n  import d\nexcept ImportError:\n  from e.f import g\n"
        "def late():\n  import h\n"
    )
    assert set(imported(ast.parse(code))) == {"a", "c", "d", "e", "h"}
    assert set(imported_at_once(ast.parse(code))) == {"a", "d", "e"}


@pytest.mark.parametrize("library", DOORS)
def test_each_heavy_library_has_one_door(library: str) -> None:
    users = {str(file.relative_to(ROOT)) for file in modules() if library in imported(parse(file))}
    assert users <= {DOORS[library]}


def test_only_the_face_imports_textual_and_rich() -> None:
    users = {
        file.relative_to(ROOT).parts[0]
        for file in modules()
        if {"textual", "rich"} & set(imported(parse(file)))
    }
    assert users <= {"tui"}


def test_heavy_libraries_are_imported_late() -> None:
    hasty = {
        f"{file.relative_to(ROOT)}: {name}"
        for file in modules()
        for name in imported_at_once(parse(file))
        if name in {*DOORS, "tokenizers"}
    }
    assert not hasty


@pytest.mark.parametrize("module", ["veracite.tui.cli", "veracite.engine.workbench"])
def test_importing_loads_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print(*sorted(n for n in {HEAVY!r} if n in sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_bundled_weights_stay_small() -> None:
    weights = [file for file in (ROOT / "models" / "bundled").rglob("*") if file.is_file()]
    assert any(file.suffix == ".onnx" for file in weights)
    assert sum(file.stat().st_size for file in weights) < 100 * MEGABYTE


def test_the_changelog_speaks_of_this_version() -> None:
    newest = re.search(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert newest
    assert __version__ in newest[1]
