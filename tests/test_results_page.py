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
from veracite.engine.models import OpenModels
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.tui.cli.root import root

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "scripts" / "RESULTS.md"
MODELS = ("encoder@1", "verifier@2, judge-3")
JUDGE = re.compile(r"`(veracite-verifier-\d+@[0-9a-f]{12}, decision-\d+ [0-9a-f]{12}, judge-\d+)`")
COMMAND = re.compile(r"`python (-m )?(scripts[./][\w./]+)([^`]*)`")
REQUIRED = re.compile(r'add_argument\(\s*"(--[\w-]+)"[^()]*required=True')
PAGES = (ROOT / "README.md", PAGE, ROOT / "scripts" / "LOG.md", *sorted(ROOT.glob("docs/*.md")))
COUNTS = {
    "supported": {"supported": 40, "contradicted": 1, "not_found": 3, "uncertain": 6},
    "contradicted": {"supported": 2, "contradicted": 30, "not_found": 1, "uncertain": 10},
    "neither": {"supported": 1, "contradicted": 4, "not_found": 20, "uncertain": 2},
}


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("results_page")


def entry(printed: Any) -> dict[str, Any]:
    kept = {"command": "veracite eval", "date": "2031-01-31", "machine": "Analytical Engine"}
    return {**kept, "models": list(MODELS), "printed": printed}


def evaluated(balanced: float, area: float) -> dict[str, Any]:
    """A set of 120 items, as ``veracite eval attribute --json`` prints it, cut to its methods."""

    def method(name: str, figures: dict[str, float]) -> dict[str, Any]:
        span = {"low": 0.7, "high": 0.8}
        shown = [{"name": n, "value": v, **span} for n, v in figures.items()]
        return {"method": name, "n": 120, "figures": shown, "compared": []}

    shipped = {"balanced accuracy": 0.7, "false supported": 0.1, "wrong when true": 0.2}
    methods = [
        method("veracite", {"balanced accuracy": balanced, "AUC-ROC": area}),
        method("veracite as shipped", shipped),
    ]
    return {"methods": methods, "parts": []}


def row(page: str, start: str) -> list[str]:
    (line,) = (line for line in page.splitlines() if line.startswith(f"| {start}"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_page_is_made_of_what_was_measured(results: ModuleType) -> None:
    entries = {
        "wikibio": entry(evaluated(0.75, 0.85)),
        "begin": entry(evaluated(0.8, 0.9)),
        "attributionbench": entry(evaluated(0.9, 0.95)),
        "blind-one": entry({"one": COUNTS}),
        "same-subject": entry({"same_subject": COUNTS}),
    }
    crossed = {"leave one set out": {"AUC": 0.8412, "balanced": 0.7713, "ECE": 0.0704}}
    page = results.page({"entries": entries}, crossed, MODELS)

    assert row(page, "leave one set out")[2] == "0.841 / 0.771"
    assert row(page, "AttributionBench and BEGIN")[2] == "0.850"
    assert row(page, "WikiBio")[2] == "0.850 [0.70, 0.80] / 0.750 [0.70, 0.80]"
    assert row(page, "blind set one")[2] == "40 of 50 / 40 of 43; 30 of 43 / 30 of 35"
    assert row(page, "blind set two")[2] == "not measured"
    assert row(page, "same subject")[2] == "4 of 27 / 30 of 43"
    # Found: 2 * 0.7 - 1 + 0.1; right: 1 - 0.2.
    assert row(page, "begin")[-3:-1] == ["0.50", "0.80"]
    assert row(page, "one | contradicted")[2:5] == ["2", "30", "1"]
    assert results.STALE not in page
    assert results.STALE in results.page({"entries": entries}, crossed, ("encoder@1", "other"))


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


def test_the_page_names_its_verifier_and_is_marked_where_that_is_old(results: ModuleType) -> None:
    models = OpenModels(CheckSettings(), Paths.resolve())
    judge = models.judge().id
    models.close()
    top = PAGE.read_text("utf-8").partition("\n## ")[0]
    named = set(JUDGE.findall(top))
    assert named
    assert (results.STALE in top) == (named != {judge})


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
