"""What to do about an error: the command line names its commands, the app its keys."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from veracite import engine, models
from veracite.tui.service import BY_KIND

COMMAND = re.compile(r"`veracite |\bveracite doctor|(?<!\w)--[a-z]")
OF_OTHERS = re.compile(r"(pip install|llama-gguf-split) [^.]*")
NOT_IN_THE_APP = {"use_no_longer", "_require_encoder"}
"""Only commands come this way."""


def failures(folder: Path) -> Iterator[tuple[str, str, set[str]]]:
    """For each failure that a module words: where, all its words, and its words one by one."""
    for path in sorted(folder.rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            for call in ast.walk(function):
                name = getattr(call, "func", None)
                if isinstance(name, ast.Name) and name.id == "ModelError":
                    said = [n.value for n in ast.walk(call) if isinstance(n, ast.Constant)]
                    strings = [each for each in said if isinstance(each, str)]
                    yield function.name, " ".join(strings), set(strings)


def test_every_failure_of_a_model_that_names_a_command_has_words_for_the_app() -> None:
    folders = (Path(models.__path__[0]), Path(engine.__path__[0]) / "bundles")
    found = [each for folder in folders for each in failures(folder)]
    naming = [
        (function, said)
        for function, words, said in found
        if COMMAND.search(OF_OTHERS.sub("", words))
    ]
    assert len(naming) > 15
    lacking = [f for f, said in naming if not said & set(BY_KIND) and f not in NOT_IN_THE_APP]
    assert not lacking


def test_the_app_names_no_command() -> None:
    assert not [said for said in BY_KIND.values() if COMMAND.search(said)]
