"""The page of results is made of what was measured, names its models, and its commands exist."""

import gzip
import importlib
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

from veracite.engine.evaluation.models import Models
from veracite.tui.cli.root import root

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "scripts" / "RESULTS.md"
MODELS = ("encoder@1", "verifier@2, judge-3")


JUDGE = re.compile(r"`(veracite-verifier-\d+@[0-9a-f]{12}, decision-\d+ [0-9a-f]{12}, judge-\d+)`")
COMMAND = re.compile(r"`python (-m )?(scripts[./][\w./]+)([^`]*)`")
REQUIRED = re.compile(r'add_argument\(\s*"(--[\w-]+)"[^()]*required=True')
PAGES = (ROOT / "README.md", PAGE, ROOT / "scripts" / "LOG.md", *sorted(ROOT.glob("docs/*.md")))


def modules(monkeypatch: pytest.MonkeyPatch, *names: str) -> list[ModuleType]:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return [importlib.import_module(name) for name in names]


def entry(printed: Any) -> dict[str, Any]:
    kept = {"command": "veracite eval", "date": "2031-01-31", "machine": "Analytical Engine"}
    return {**kept, "models": list(MODELS), "printed": printed}


def figure(name: str, value: float, low: float | None = None, high: float | None = None) -> Any:
    return {"name": name, "value": value, "low": low, "high": high, "note": ""}


def evaluated(balanced: float, area: float) -> dict[str, Any]:
    """A set of 120 items, as ``veracite eval attribute --json`` prints it, cut to its methods."""
    lead = {"other": "overlap", "figure": "balanced accuracy", "difference": 0.05, "low": 0.01}
    ours = [figure("balanced accuracy", balanced, 0.7, 0.8), figure("AUC-ROC", area)]
    shipped = [
        figure("balanced accuracy", 0.7),
        figure("false supported", 0.1),
        figure("wrong when true", 0.2),
    ]
    methods = [
        {"method": "veracite", "n": 120, "figures": ours, "compared": [{**lead, "high": 0.09}]},
        {"method": "veracite as shipped", "n": 120, "figures": shipped, "compared": []},
        {"method": "verifier", "n": 120, "figures": ours[:1], "compared": []},
    ]
    return {"methods": methods, "parts": []}


COUNTS = {
    "supported": {"supported": 40, "contradicted": 1, "not_found": 3, "uncertain": 6},
    "contradicted": {"supported": 2, "contradicted": 30, "not_found": 1, "uncertain": 10},
    "neither": {"supported": 1, "contradicted": 4, "not_found": 20, "uncertain": 2},
}


def row(page: str, start: str) -> list[str]:
    (line,) = (line for line in page.splitlines() if line.startswith(f"| {start}"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_page_is_made_of_what_was_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    (results,) = modules(monkeypatch, "results_page")
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
    assert row(page, "calibration error")[2] == "0.070"
    assert row(page, "AttributionBench and BEGIN")[2] == "0.850"
    assert row(page, "WikiBio")[2] == "0.850 / 0.750 [0.70, 0.80]"
    assert row(page, "blind set one")[2] == "40 of 50 / 40 of 43; 30 of 43 / 30 of 35"
    assert row(page, "blind set two")[2] == "not measured"
    assert row(page, "same subject")[2] == "4 of 27 / 30 of 43"
    assert row(page, "pairs judged")[2] == "not measured"
    # Found: 2 * 0.7 - 1 + 0.1; right: 1 - 0.2.
    assert row(page, "begin")[-3:-1] == ["0.50", "0.80"]
    assert row(page, "one | contradicted")[2:5] == ["2", "30", "1"]
    assert results.STALE not in page
    assert results.STALE in results.page({"entries": entries}, crossed, ("encoder@1", "other"))


def shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Every command that the page can show or, once it is written, does show."""
    sets, quality = modules(monkeypatch, "quality_sets", "measure_quality")
    for entry in sets.ENTRIES:
        yield quality.shown_command(entry, True)
    yield sets.PREPARE
    yield from re.findall(r"`((?:veracite|python) [^`]+)`", PAGE.read_text("utf-8"))


def test_the_commands_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    for line in shown(monkeypatch):
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
            assert all(f'"{option}"' in script or f"{option[2:]}" in script for option in named)


def test_the_page_names_its_verifier_and_is_marked_where_that_is_old(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (results,) = modules(monkeypatch, "results_page")
    models = Models()
    judge = models.ids[1]
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


def test_folders_of_a_machine_are_put_in_only_when_run(monkeypatch: pytest.MonkeyPatch) -> None:
    (quality,) = modules(monkeypatch, "measure_quality")
    places = {"DATA": Path("/sets"), "HELD": Path("/kept/held")}
    run = quality._words(
        "python scripts/x.py --felm DATA/eval/a.gz --out HELD --torch-python PYTHON", places, "/py"
    )
    assert run[1:] == (
        "scripts/x.py --felm /sets/eval/a.gz --out /kept/held --torch-python /py".split()
    )
    for line in shown(monkeypatch):
        assert not re.search(r"(?:^|[\s=])[/~]", line), line


def _compressed(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()))


def test_no_row_that_trained_is_in_the_held_out_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The loaders of the training say which rows trained; the files hold exactly the others."""
    monkeypatch.syspath_prepend(str(ROOT))
    untrained, documents, dataset, pairs = (
        importlib.import_module(f"scripts.training.{name}")
        for name in ("untrained", "documents", "dataset", "pairs")
    )
    train, out = tmp_path / "train", tmp_path / "held"
    out.mkdir()
    lines: dict[str, list[dict[str, Any]]] = {"wice": [], "foolmetwice": [], "bench": []}
    for n in range(40):
        meta = {"claim_title": f"Village {n // 2}"}
        lines["wice"].append(
            {"claim": f"Claim {n}.", "evidence": ["A line."], "label": "supported", "meta": meta}
        )
        gold = [{"text": f"Gold {n}.", "section_header": "Top"}]
        lines["foolmetwice"].append(
            {
                "text": f"Fact {n}.",
                "label": "SUPPORTS",
                "wikipedia_page": f"Page {n // 2}",
                "gold_evidence": gold,
                "retrieved_evidence": [],
            }
        )
        origin = "ExpertQA" if n % 2 else "LFQA"
        lines["bench"].append({"claim": f"C {n}", "question": f"Why {n}?", "src_dataset": origin})
    texts = {name: "".join(json.dumps(r) + "\n" for r in rows) for name, rows in lines.items()}
    _compressed(train / "wice" / "dev.jsonl.gz", texts["wice"])
    _compressed(train / "wice" / "oracle_chunks_claim_dev.jsonl.gz", "")
    _compressed(train / "foolmetwice" / "dev.jsonl.gz", texts["foolmetwice"])
    _compressed(train / "foolmetwice" / "test.jsonl.gz", "")
    bench = train / "attributionbench" / "dev_all_subset_balanced.jsonl.gz"
    _compressed(bench, texts["bench"])
    edits = [
        {"id": f"news_{n // 3}_{n % 3}", "doc": "It rained.", "summary": f"Rain {n}.", "label": 1}
        for n in range(60)
    ]
    _compressed(train / "summedits" / "summedits_news.json.gz", json.dumps(edits))
    contracts = [
        {"id": n, "file_name": f"{n}.pdf", "text": "x", "spans": [], "annotation_sets": []}
        for n in range(40)
    ]
    whole = json.dumps({"documents": contracts, "labels": {}})
    _compressed(train / "contract_nli" / "dev.json.gz", whole)

    untrained.write(tmp_path, out)

    def kept(name: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (out / f"{name}.jsonl").read_text().splitlines()]

    for name, field in (("wice", "claim"), ("foolmetwice", "text"), ("summedits", "summary")):
        examples = list(getattr(documents, name)(tmp_path))
        trained = {e.claim for e in examples if not pairs.held_out(e.key, dataset.SHARE[e.set])}
        found = {item[field] for item in kept(name)}
        assert found, name
        assert trained, name
        assert found.isdisjoint(trained), name
        assert found | trained == {e.claim for e in examples}, name
    credited = kept("attributionbench")
    assert sum(item["src_dataset"] == "LFQA" for item in credited) == 20
    assert all(
        pairs.held_out(item["question"], dataset.SHARE["expertqa"])
        for item in credited
        if item["src_dataset"] == "ExpertQA"
    )
    signed = json.loads((out / "contract_nli.json").read_text())["documents"]
    assert signed
    assert all(pairs.held_out(d["file_name"], dataset.SHARE["contract_nli"]) for d in signed)
