"""The page of results is made of what was measured, names its models, and its commands exist."""

import gzip
import importlib
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from scripts.training import documents, untrained
from scripts.training.dataset import SHARE
from scripts.training.pairs import held_out

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "scripts" / "RESULTS.md"
COMMAND = re.compile(r"`python (-m )?(scripts[./][\w./]+)([^`]*)`")
REQUIRED = re.compile(r'add_argument\(\s*"(--[\w-]+)"[^()]*required=True|options\(__doc__, (.+)')
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


def test_the_readme_has_figures_of_the_page(results: ModuleType) -> None:
    entries = json.loads(results.RESULTS.read_text("utf-8"))["entries"]
    readme = (ROOT / "README.md").read_text("utf-8").partition("| What was measured")[2]
    sets = [entries[f"blind-{name}"]["printed"][name] for name in results.BLIND]
    for label in results.VERDICTS[:2]:
        right = sum(counts[label][label] for counts in sets)
        called = sum(given[label] for counts in sets for given in counts.values())
        assert f"| {right} of {called} rightly |" in readme
    assert f"| {results._share([c['supported'] for c in sets], 'supported')} |" in readme
    for name in ("wikibio", "attributionbench", "begin"):
        (ours, *_) = entries[name]["printed"]["methods"]
        (balanced,) = (f["value"] for f in ours["figures"] if f["name"] == results.BALANCED)
        assert f"{balanced:.3f}" in readme


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_have_all_options_that_their_scripts_require(page: Path) -> None:
    for _, script, options in COMMAND.findall(page.read_text("utf-8")):
        path = script if script.endswith(".py") else script.replace(".", "/") + ".py"
        required = re.findall(r"--[\w-]+", str(REQUIRED.findall((ROOT / path).read_text("utf-8"))))
        assert {*required} <= {*options.split()}, script


def test_no_row_that_trained_is_in_the_held_out_files(tmp_path: Path) -> None:
    """The loaders of the training say which rows trained; the files hold exactly the others."""
    out = tmp_path / "held"
    out.mkdir()
    sets: dict[str, list[dict[str, Any]]] = {
        "wice/dev": [
            {"claim": f"Claim {n}.", "evidence": ["A line."], "label": "supported",
             "meta": {"claim_title": f"Village {n // 2}"}}
            for n in range(40)
        ],
        "wice/oracle_chunks_claim_dev": [],
        "attributionbench/dev_all_subset_balanced": [
            {"question": f"Why {n}?", "src_dataset": "ExpertQA" if n % 2 else "LFQA"}
            for n in range(40)
        ],
    }  # fmt: skip
    contracts = [
        {"id": n, "file_name": f"{n}.pdf", "text": "A line.",
         "annotation_sets": [{"annotations": {"a": {"choice": "Entailment"}}}]}
        for n in range(40)
    ]  # fmt: skip
    labels = {"a": {"hypothesis": "It is a line."}}
    files = {f"{n}.jsonl": "".join(json.dumps(r) + "\n" for r in rows) for n, rows in sets.items()}
    files["contract_nli/dev.json"] = json.dumps({"documents": contracts, "labels": labels})
    for name, text in files.items():
        path = tmp_path / "train" / f"{name}.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text.encode()))

    untrained.write(tmp_path, out)

    def kept(name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (out / f"{name}.jsonl").read_text().splitlines()]

    examples = list(documents.wice(tmp_path))
    trained = {e.claim for e in examples if not held_out(e.key, SHARE[e.set])}
    found = {item["claim"] for item in kept("wice")}
    assert found
    assert trained
    assert found | trained == {e.claim for e in examples}
    assert found.isdisjoint(trained)
    credited = kept("attributionbench")
    assert sum(item["src_dataset"] == "LFQA" for item in credited) == 20
    asked = {item["question"] for item in credited if item["src_dataset"] == "ExpertQA"}
    assert all(held_out(question, SHARE["expertqa"]) for question in asked)
    signed = {int(row["group"]) for row in json.loads((out / "contract_nli.json").read_text())}
    assert signed == {n for n in range(40) if held_out(f"{n}.pdf", SHARE["contract_nli"])}
    assert signed
