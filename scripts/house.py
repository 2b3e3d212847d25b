"""Writes how large the house is now into the table of docs/developing.md, beside what it was.

The minutes that the tests take are written there by hand.
"""

import ast
import cProfile
import functools
import gc
import io
import re
import statistics
import tempfile
import tokenize
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("engine", "index", "models", "tui")
PARTS = {
    "engine: judge, wording": ("engine/judge/", "engine/wording/"),
    "engine: evaluation": ("engine/evaluation/",),
    "engine: methods": ("engine/methods/",),
    "engine: skills": ("engine/skills/",),
    "engine: the rest": ("engine/",),
    "index": ("index/",),
    "models: conversion": ("models/conversion.py",),
    "models: store": ("models/store/",),
    "models: the rest": ("models/",),
    "tui: cli": ("tui/cli/",),
    "tui: screens, widgets": ("tui/screens/", "tui/widgets/"),
    "tui: the rest": ("tui/",),
}
"""How the files of each row begin; the first row that fits counts a file."""
PAGE = ROOT / "docs" / "developing.md"


def code_lines(file: Path) -> int:
    """Lines of a Python file without blanks, comments and docstrings."""
    text = file.read_text(encoding="utf-8")
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT and token.string.strip():
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                lines.difference_update(range(node.lineno, (node.end_lineno or 0) + 1))
    return len(lines)


def cost_of_a_claim() -> tuple[float, float]:
    """Python calls in our files, and how many of these, for one claim of the sample draft.

    The median. Search and judging, models loaded, caches empty.
    """
    from veracite.engine.claims.segmentation import segment
    from veracite.engine.judge.decision import bundled_decision
    from veracite.engine.models import OpenModels
    from veracite.engine.paths import Paths
    from veracite.engine.settings import CheckSettings

    samples = ROOT / "tests" / "samples"
    claims = segment((samples / "draft.md").read_text(encoding="utf-8"), markdown=True)
    claims = tuple(claim for claim in claims if claim.not_checkable is None)
    ours = f"{ROOT / 'src'}/"
    calls: list[int] = []
    files: list[int] = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        models = OpenModels(CheckSettings(), Paths(home, home / "cache", home / "config.toml"))
        with closing(models), models.library((samples / "library",), []) as library:
            list(library.sync())
            search, judge = models.search(library), models.judge(library)
            for claim in (claims[0], *claims):  # once more, so that everything is loaded
                forget(keep=bundled_decision)
                with cProfile.Profile() as profile:
                    list(judge.judge([claim], search.gather([claim])))
                stats: list[Any] = profile.getstats()
                own = [e for e in stats if getattr(e.code, "co_filename", "").startswith(ours)]
                calls.append(sum(entry.callcount for entry in own))
                files.append(len({entry.code.co_filename for entry in own}))
    return statistics.median(calls[1:]), statistics.median(files[1:])


def forget(keep: object) -> None:
    """Empty every cache of a function of ours but one."""
    for one in gc.get_objects():
        is_cache = isinstance(one, functools._lru_cache_wrapper) and one is not keep
        if is_cache and getattr(one, "__module__", "").startswith("veracite.engine"):
            one.cache_clear()


def rows() -> Iterator[tuple[str, str]]:
    """What is counted in the files, and its value now."""
    lines: dict[str, list[int]] = {part: [] for part in PARTS}
    for file in (file for room in ROOMS for file in (ROOT / room).rglob("*.py")):
        path = file.relative_to(ROOT).as_posix()
        part = next(name for name, begins in PARTS.items() if path.startswith(begins))
        lines[part].append(code_lines(file))
    for part, counts in (*lines.items(), ("all", [*chain(*lines.values())])):
        yield part, f"{sum(counts):,} in {len(counts)}"
    for folder in ("tests", "scripts"):
        yield folder, f"{sum(map(code_lines, (ROOT / folder).rglob('*.py'))):,}"
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    yield "lines of README", str(len(readme.splitlines()))


def main() -> None:
    """Counts, profiles and writes."""
    calls, files = cost_of_a_claim()
    now = dict(rows()) | {
        "Python calls for one claim": f"{calls:,.0f}",
        "files of ours that one claim passes": f"{files:.0f}",
    }
    text = PAGE.read_text(encoding="utf-8")
    for name, value in now.items():
        text = re.sub(rf"(?m)^(\| {name} \| .* \|) .* \|$", rf"\1 {value} |", text)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
