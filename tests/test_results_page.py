"""The page of results is made of what was measured, names its models, and its commands exist."""

import gzip
import importlib
import json
import re
import shlex
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

from scripts.training import documents, untrained
from scripts.training.dataset import SHARE
from scripts.training.pairs import held_out
from veracite.tui.cli.root import root

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "scripts" / "RESULTS.md"
COMMAND = re.compile(r"`python (-m )?(scripts[./][\w./]+)([^`]*)`")
REQUIRED = re.compile(r'add_argument\(\s*"(--[\w-]+)"[^()]*required=True')
PAGES = (ROOT / "README.md", PAGE, ROOT / "scripts" / "LOG.md", *sorted(ROOT.glob("docs/*.md")))


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("results_page")


def test_the_page_is_what_was_measured_and_says_so_if_that_is_old(results: ModuleType) -> None:
    held = json.loads(results.RESULTS.read_text("utf-8"))
    decision = json.loads((ROOT / "engine/judge/decision.json").read_text("utf-8"))
    assert PAGE.read_text("utf-8") == results.page(held, decision, results.models_now())
    assert results.STALE in results.page(held, decision, ("another",))


def test_the_commands_exist(results: ModuleType) -> None:
    shown = [entry.shown for entry in results.ENTRIES]
    assert set(shown) >= set(re.findall(r"^- [\w-]+: `([^`]+)`", PAGE.read_text("utf-8"), re.M))
    for line in shown:
        program, *words = shlex.split(line)
        named = {word for word in words if word.startswith("--")}
        if program == "veracite":
            command: click.Command | None = root
            for word in words[:2]:
                assert isinstance(command, click.Group), line
                command = command.get_command(click.Context(command), word)
            assert command is not None, line
            assert named <= {name for option in command.params for name in option.opts}, line
        else:
            name = words[1].replace(".", "/") + ".py" if words[0] == "-m" else words[0]
            script = (ROOT / name).read_text("utf-8")
            assert all(f'"{option}"' in script for option in named), line
        assert not re.search(r"(?:^|[\s=])[/~]", line), line


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_have_all_options_that_their_scripts_require(page: Path) -> None:
    for _, script, options in COMMAND.findall(page.read_text("utf-8")):
        path = script if script.endswith(".py") else script.replace(".", "/") + ".py"
        required = set(REQUIRED.findall((ROOT / path).read_text("utf-8")))
        assert required <= set(options.split()), script


def test_no_row_that_trained_is_in_the_held_out_files(tmp_path: Path) -> None:
    """The loaders of the training say which rows trained; the files hold exactly the others."""
    out = tmp_path / "held"
    out.mkdir()
    gold = [{"text": "Gold.", "section_header": "Top"}]
    sets: dict[str, list[dict[str, Any]]] = {
        "wice/dev": [
            {"claim": f"Claim {n}.", "evidence": ["A line."], "label": "supported",
             "meta": {"claim_title": f"Village {n // 2}"}}
            for n in range(40)
        ],
        "wice/oracle_chunks_claim_dev": [],
        "foolmetwice/dev": [
            {"text": f"Fact {n}.", "label": "SUPPORTS", "wikipedia_page": f"Page {n // 2}",
             "gold_evidence": gold, "retrieved_evidence": []}
            for n in range(40)
        ],
        "foolmetwice/test": [],
        "attributionbench/dev_all_subset_balanced": [
            {"question": f"Why {n}?", "src_dataset": "ExpertQA" if n % 2 else "LFQA"}
            for n in range(40)
        ],
    }  # fmt: skip
    contracts = [{"file_name": f"{n}.pdf"} for n in range(40)]
    files = {f"{n}.jsonl": "".join(json.dumps(r) + "\n" for r in rows) for n, rows in sets.items()}
    files["contract_nli/dev.json"] = json.dumps({"documents": contracts})
    for name, text in files.items():
        path = tmp_path / "train" / f"{name}.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text.encode()))

    untrained.write(tmp_path, out)

    def kept(name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (out / f"{name}.jsonl").read_text().splitlines()]

    for name, field in (("wice", "claim"), ("foolmetwice", "text")):
        examples = list(getattr(documents, name)(tmp_path))
        trained = {e.claim for e in examples if not held_out(e.key, SHARE[e.set])}
        found = {item[field] for item in kept(name)}
        assert found, name
        assert trained, name
        assert found | trained == {e.claim for e in examples}, name
        assert found.isdisjoint(trained), name
    credited = kept("attributionbench")
    assert sum(item["src_dataset"] == "LFQA" for item in credited) == 20
    asked = {item["question"] for item in credited if item["src_dataset"] == "ExpertQA"}
    assert all(held_out(question, SHARE["expertqa"]) for question in asked)
    signed = json.loads((out / "contract_nli.json").read_text())["documents"]
    assert signed
    assert all(held_out(d["file_name"], SHARE["contract_nli"]) for d in signed)
