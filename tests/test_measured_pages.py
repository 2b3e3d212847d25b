"""Every page of figures says with which models it was measured, and whether these are old."""

import importlib
import re
from pathlib import Path
from types import ModuleType

import pytest

from veracite.engine.evaluation.models import Models

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"
PAGES = ("RESULTS.md",)
LOG = "scripts/LOG.md"
DOCS = sorted(f"docs/{page.name}" for page in (SCRIPTS.parent / "docs").glob("*.md"))
JUDGE = re.compile(r"`(veracite-verifier-\d+@[0-9a-f]{12}, decision-\d+ [0-9a-f]{12}, judge-\d+)`")
NEAR_THE_TOP = 20
"""Lines."""


def modules(monkeypatch: pytest.MonkeyPatch, *names: str) -> list[ModuleType]:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    return [importlib.import_module(name) for name in names]


COMMAND = re.compile(r"`python (-m )?(scripts[./][\w./]+)([^`]*)`")
REQUIRED = re.compile(r'add_argument\(\s*"(--[\w-]+)"[^()]*required=True')


@pytest.fixture(scope="module")
def judge() -> str:
    """The id of the verifier, the decision and the rules as they are."""
    models = Models()
    try:
        return models.ids[1]
    finally:
        models.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_names_its_verifier_and_is_marked_where_that_is_old(
    name: str, judge: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (line,) = modules(monkeypatch, "results_page")
    text = (SCRIPTS / name).read_text("utf-8")
    top = "\n".join(text.splitlines()[:NEAR_THE_TOP])
    named = set(JUDGE.findall(top))
    assert named
    assert named >= set(JUDGE.findall(text))
    assert (line.STALE in top) == (named != {judge})


@pytest.mark.parametrize("name", ["README.md", *DOCS, *(f"scripts/{page}" for page in PAGES), LOG])
def test_commands_have_all_options_that_their_scripts_require(name: str) -> None:
    for _, script, options in COMMAND.findall((SCRIPTS.parent / name).read_text("utf-8")):
        path = script if script.endswith(".py") else script.replace(".", "/") + ".py"
        required = set(REQUIRED.findall((SCRIPTS.parent / path).read_text("utf-8")))
        assert required <= set(options.split()), script
