"""The rules of the house that no type checker knows."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

from veracite.engine.version import __version__

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("engine", "index", "models", "tui")
MEGABYTE = 1_000_000

DOORS = {
    "hnswlib": "index/dense.py",
    "simsimd": "index/dense.py",
    "gguf": "models/gguf.py",
    "llama_cpp": "models/llama.py",
    "nltk": "index/sentences.py",
    "onnxruntime": "models/onnx.py",
    "tantivy": "index/lexical.py",
}
"""Each heavy library and the one module that may import it, late."""

HEAVY = {*DOORS, "tokenizers", "textual", "rich", "lxml", "docx", "pypdfium2", "jinja2"}
"""What no start of the program may load before it is needed."""


def modules() -> list[Path]:
    """All Python files of the package."""
    return sorted(file for room in ROOMS for file in (ROOT / room).rglob("*.py"))


def imported(file: Path) -> Iterator[str]:
    """Top-level names of what a file's code imports, wherever it does."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def loaded(libraries: set[str], *names: str) -> list[str]:
    """Which libraries are loaded where modules are imported by these names."""
    code = f"import sys, {', '.join(names)}; print(*({libraries!r} & sys.modules.keys()))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return run.stdout.split()


def test_each_heavy_library_has_one_door() -> None:
    found = {(name, str(f.relative_to(ROOT))) for f in modules() for name in imported(f)}
    assert {use for use in found if use[0] in DOORS} == set(DOORS.items())


def test_heavy_libraries_are_imported_late() -> None:
    # Those of the extra cluster are loaded where one is used: a contract of import-linter.
    extra = {ROOT / "index" / f"{name}.py" for name in ("building", "cluster", "dataset")}
    every = (file for file in modules() if file not in extra)
    names = [".".join(("veracite", *f.relative_to(ROOT).with_suffix("").parts)) for f in every]
    assert loaded({*DOORS, "tokenizers", "huggingface_hub", "torch"}, *names) == []


def test_importing_loads_nothing_heavy() -> None:
    assert loaded(HEAVY, "veracite.tui.cli", "veracite.engine.workbench") == []


def test_no_import_leads_back_to_where_it_began() -> None:
    known = grimp.build_graph("veracite", cache_dir=None)
    graph = {name: known.find_modules_directly_imported_by(name) for name in known.modules}
    TopologicalSorter(graph).prepare()  # raises an error that names the circle


def test_bundled_weights_stay_small() -> None:
    weights = [file for file in (ROOT / "models" / "bundled").rglob("*") if file.is_file()]
    assert any(file.suffix == ".onnx" for file in weights)
    assert sum(file.stat().st_size for file in weights) < 100 * MEGABYTE


def test_the_changelog_speaks_of_this_version() -> None:
    newest = re.search(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert newest
    assert __version__ in newest[1]
