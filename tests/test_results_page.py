"""The page of results: written from what commands print, and true to the program."""

import dataclasses
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

from veracite.engine.evaluation.items import Predicting
from veracite.engine.evaluation.results import (
    Comparison,
    Figure,
    MethodResult,
    Part,
    Result,
    as_json,
)
from veracite.tui.cli.root import root

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "scripts" / "RESULTS.md"
MAIN = "balanced accuracy"
FACTS = {
    "lines": [
        {
            "kind": kind,
            "half": "both",
            "items": 4,
            "cells": {
                **{
                    f"{method}, two-way": {"value": value, "low": 0.5, "high": 1.0}
                    for method in ("Veracite", "verifier", "words in common")
                },
                "Veracite, three-way": {"value": value - 0.25, "low": 0.4, "high": 0.7},
                "lead over words in common": {"value": 0.0, "low": -0.1, "high": 0.1},
                "lead over the verifier alone, three-way": {
                    "value": value - 1,
                    "low": value - 1.1,
                    "high": value - 0.8,
                },
            },
        }
        for kind, value in (("all", 0.875), ("date", 0.75))
    ]
}
CLAIMS = """\
WikiBio GPT-3, passages 59 to 118
    Veracite     precision 1.0000  recall 0.9900  F1 0.9950 (0.9920 to 1.0000)
    Punkt alone  precision 0.9000  recall 0.9000  F1 0.9000 (0.8900 to 0.9100)
FELM world knowledge, odd positions
    Veracite     precision 0.9000  recall 0.9400  F1 0.9196 (0.9000 to 0.9300)
"""
SPEED = {
    "machine": {"cpu": "Analytical Engine", "cores": 2, "system": "Brass"},
    "throughput": {
        "pairs": 200,
        "words": 101.0,
        "threads": 2,
        "batched": [80.0, 90.0, 100.0],
        "single": [20.0, 30.0, 10.0],
        "difference": 2.5e-7,
        "ratio": 4.5,
    },
    "options": [
        {
            "option": "1 passage",
            "method": "Veracite",
            "threads": 2,
            "items": 120,
            "accuracy": 0.71,
            "low": 0.66,
            "high": 0.76,
            "milliseconds": [14.0, 12.0, 19.0],
        }
    ],
}


def modules(monkeypatch: pytest.MonkeyPatch, *names: str) -> list[ModuleType]:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return [importlib.import_module(name) for name in names]


def evaluated(
    value: float,
    lead: tuple[float, float, float],
    *,
    shipped: tuple[float, float, float] = (0.0, -0.1, 0.1),
    calibrated: float | None = 0.04,
    by: str = "temperature",
) -> dict[str, Any]:
    """What `veracite eval detect --json` prints of an invented set."""
    difference, low, high = lead
    note = f"the same after a map ({by}) that was fitted on the other part"
    refit = () if calibrated is None else (Figure("ECE calibrated", calibrated, note=note),)
    rows = (
        MethodResult(
            "veracite",
            (
                Figure(MAIN, value, value - 0.03, value + 0.03),
                Figure("ECE", 0.21),
                *refit,
                *(Figure("ECE by chance", 0.06) for _ in refit),
            ),
            n=400,
            seconds_per_item=0.12,
            compared=(
                Comparison("verifier", MAIN, 0.02, 0.01, 0.03, 0.2),
                Comparison("overlap", MAIN, difference, low, high, 0.2),
                Comparison("similarity", MAIN, 0.2, 0.1, 0.3, 0.01),
            ),
        ),
        MethodResult(
            "veracite as shipped",
            (
                Figure("false supported", 0.41),
                Figure("false contradicted", 0.07),
                Figure("uncertain", 0.2),
            ),
            n=400,
            compared=(Comparison("verifier", MAIN, *shipped),),
        ),
        MethodResult("verifier", (Figure(MAIN, value - 0.02),), n=400),
        MethodResult("overlap", (Figure(MAIN, value - difference),), n=400),
        MethodResult("similarity", (Figure(MAIN, value - 0.2),), n=400),
    )
    parts = (
        Part("thresholds and calibration", "first half of the groups", ("a",), 50, 0.94),
        Part("results", "second half of the groups of each set", ("secret",), 400, 0.5),
    )
    return as_json(
        Result(
            task="detect",
            format="wikibio",
            files=(),
            label_map={"accurate": True, "wrong": False},
            items=800,
            positives=0.5,
            methods=rows,
            parts=parts,
        )
    )


def answered() -> dict[str, Any]:
    """What `veracite eval answer --json` prints of an invented set."""
    rows = (
        MethodResult(
            "retrieve-read",
            (Figure("STR-EM", 0.7),),
            n=100,
            compared=(
                Comparison("ceg", "STR-EM", 0.2, 0.1, 0.3),
                Comparison("vtg", "STR-EM", 0.01, -0.1, 0.1),
                Comparison("top-passage", "STR-EM", -0.2, -0.3, -0.1),
                Comparison("top-sentences", "STR-EM", 0.2, 0.1, 0.3),
            ),
        ),
        MethodResult("ceg", (Figure("STR-EM", 0.5),), n=100),
        MethodResult("vtg", (Figure("STR-EM", 0.69),), n=100),
        MethodResult("top-passage", (Figure("STR-EM", 0.9),), n=100, trivial=True),
        MethodResult("top-sentences", (Figure("STR-EM", 0.5),), n=100, trivial=True),
    )
    return as_json(
        Result("answer", "open-qa", files=(), label_map={}, items=100, positives=None, methods=rows)
    )


def written(monkeypatch: pytest.MonkeyPatch, printed: dict[str, Any], stale: bool = False) -> str:
    """The page when only these entries were measured."""
    sets, held, pages = modules(monkeypatch, "quality_sets", "results_measured", "results_page")
    measured = [
        held.Measured(
            entry=entry,
            command=entry.command,
            date="2031-01-31",
            machine="Analytical Engine, 2 cores",
            models=("encoder@1", "verifier@2"),
            stale=stale,
            printed=printed[entry.name],
        )
        for entry in sets.ENTRIES
        if entry.name in printed
    ]
    missing = [e for e in sets.ENTRIES if e.name not in printed]
    page: str = pages.page(measured, missing, ("encoder@1", "verifier@2"))
    return page


def row(page: str, start: str) -> list[str]:
    """The cells of the first table row that starts so."""
    line = next(line for line in page.splitlines() if line.startswith(f"| {start}"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_goals_stand_beside_what_was_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    page = written(
        monkeypatch,
        {
            "wikibio": evaluated(0.75, (0.05, 0.01, 0.09)),
            "wikiretr": evaluated(0.72, (0.05, 0.01, 0.09)),
            "summedits": evaluated(0.60, (0.05, 0.01, 0.09)),
            "changed-facts": FACTS,
            "claims": CLAIMS,
            "speed": SPEED,
        },
    )
    assert row(page, "WikiBio, articles")[1:4] == ["0.776", "0.750 [0.72, 0.78]", "**no**"]
    assert row(page, "Mean over attribution")[2:4] == ["0.720 (wikiretr)", "yes"]
    assert row(page, "Mean over these")[2:4] == ["0.660 (wikiretr, summedits)", "**no**"]
    assert row(page, "FELM with")[2:] == ["not measured", "", ""]
    assert row(page, "Changed facts, two-way accuracy: Veracite")[2:4] == [
        "0.875 (date 0.750)",
        "yes",
    ]
    assert row(page, "Sentence boundaries, F1 on WikiBio")[2:4] == ["0.9950", "yes"]
    assert row(page, "Sentence boundaries, F1 on FELM")[2:4] == ["0.9196", "**no**"]
    assert row(page, "Pairs judged")[2:4] == ["4.50 times", "yes"]
    assert row(page, "Calibration error, calibrated")[2:4] == [
        "3 of 3 sets; mean 0.040, worst 0.040 (wikibio); were every probability right, 0 sets "
        "would",
        "yes",
    ]


def test_plain_ways_stand_beside_each_goal(monkeypatch: pytest.MonkeyPatch) -> None:
    page = written(
        monkeypatch,
        {
            "felm": evaluated(0.75, (0.05, 0.01, 0.09)),
            "wikiretr": evaluated(0.60, (-0.05, -0.09, 0.01)),
            "begin": evaluated(0.80, (0.03, 0.0, 0.11)),
            "changed-facts": FACTS,
        },
    )
    assert row(page, "FELM with")[4] == (
        "the verifier alone 0.730; words in common 0.700; similarity 0.550; "
        "lead over words in common +0.050 [+0.010, +0.090]"
    )
    # The mean of -0.05 and 0.03, and half of the roots of 0.04² + 0.03² and 0.06² + 0.08².
    assert row(page, "Mean over attribution")[2:] == [
        "0.700 (wikiretr, begin)",
        "yes",
        "the verifier alone 0.680; words in common 0.710; similarity 0.500; "
        "lead over words in common -0.010 [-0.035, +0.040]",
    ]
    assert row(page, "Changed facts, two-way accuracy: Veracite")[4] == (
        "three-way 0.625; words in common 0.875; lead over words in common +0.000 [-0.100, +0.100]"
    )
    lost = page.partition("## Where it loses")[2].partition("\n## ")[0]
    assert re.search(
        r"Mean over attribution.*: is behind, though not surely, words in common .*-0\.010", lost
    )


@pytest.mark.parametrize(
    ("value", "shown"), [(0.69971, ["0.6997", "**no**"]), (0.7, ["0.700", "yes"])]
)
def test_what_just_misses_a_goal_does_not_look_as_if_it_met_it(
    monkeypatch: pytest.MonkeyPatch, value: float, shown: list[str]
) -> None:
    page = written(monkeypatch, {"wikiretr": evaluated(value, (0.05, 0.01, 0.09))})
    reached, met = row(page, "Mean over attribution")[2:4]
    assert [reached.split()[0], met] == shown


def test_no_mean_of_a_way_that_a_set_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = evaluated(0.60, (0.05, 0.01, 0.09))
    lacking["methods"] = [m for m in lacking["methods"] if m["method"] != "overlap"]
    lacking["methods"][0]["compared"].pop(1)
    page = written(monkeypatch, {"wikiretr": lacking, "begin": evaluated(0.80, (0.03, 0.0, 0.11))})
    assert row(page, "Mean over attribution")[4] == (
        "the verifier alone 0.680; similarity 0.500; lead over similarity +0.200 [+0.129, +0.271]"
    )


def test_calibration_as_shipped_counts_every_set(monkeypatch: pytest.MonkeyPatch) -> None:
    page = written(
        monkeypatch,
        {
            "wikibio": evaluated(0.75, (0.05, 0.01, 0.09)),
            "wikiretr": evaluated(0.72, (0.05, 0.01, 0.09), calibrated=None),
            "wice": evaluated(0.60, (0.05, 0.01, 0.09), by="identity", calibrated=0.21),
        },
    )
    assert row(page, "Calibration error, as shipped")[2:4] == [
        "0 of 3 sets; mean 0.210, worst 0.210 (wikibio)",
        "**no**",
    ]
    refitted = row(page, "Calibration error, calibrated")[2]
    assert refitted.startswith("1 of 2 sets; mean 0.125, worst 0.210 (wice)")
    assert "too few to fit on: wikiretr (47 true, 3 false items)" in refitted
    assert refitted.endswith("so nothing was changed: wice")


def test_a_plain_measure_that_is_not_beaten_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    page = written(
        monkeypatch,
        {
            "wikibio": evaluated(0.7, (0.05, 0.01, 0.09)),
            "felm": evaluated(0.7, (0.01, -0.04, 0.06)),
            "begin": evaluated(0.7, (-0.05, -0.09, -0.01)),
        },
    )
    lost = page.partition("## Where it loses")[2].partition("\n## ")[0]
    assert not re.search(r"^- (?:WikiBio|FELM).*loses to", lost, re.MULTILINE)
    assert re.search(r"Mean over attribution.*loses to words in common .*-0\.050", lost)
    assert re.search(
        r"FELM.*is not surely better than words in common .*\+0\.010 \[-0\.040, \+0", lost
    )
    assert re.search(r"BEGIN.*loses to words in common .*-0\.050", lost)
    assert not re.search(r"WikiBio GPT-3, all .*(?:loses to|not surely better)", lost)
    assert "41.0 % of what is false is called supported" in lost


def test_where_only_contradicted_counts_as_false_nothing_is_said_of_supported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = dataclasses.asdict(Predicting(scope="each", against_contradiction=True))
    printed = evaluated(0.7, (0.05, 0.01, 0.09)) | {"record": {"settings": settings}}
    page = written(monkeypatch, {"felm": printed})

    lost = page.partition("## Where it loses")[2].partition("\n## ")[0]
    assert "41.0 % of what is false is not called contradicted" in lost
    assert "is called supported" not in lost


def test_losses_of_answers_changed_facts_and_labels_as_shipped_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = written(
        monkeypatch,
        {
            "wikibio": evaluated(0.7, (0.05, 0.01, 0.09), shipped=(-0.2, -0.3, -0.1)),
            "felm": evaluated(0.7, (0.05, 0.01, 0.09), shipped=(-0.2, -0.3, 0.1)),
            "nq-answer": answered(),
            "changed-facts": FACTS,
        },
    )
    lost = page.partition("## Where it loses")[2].partition("\n## ")[0]
    assert re.search(r"WikiBio.*, as shipped: loses to the verifier alone .*-0\.200", lost)
    assert not re.search(r"FELM.*, as shipped: loses", lost)
    assert re.search(r"NQ-open.*, retrieve-read: loses to top-passage \(STR-EM -0\.200", lost)
    assert "ceg is surely worse than retrieve-read" in lost
    assert "vtg" not in lost
    assert "top-sentences" not in lost
    assert re.search(
        r"Changed facts.*: loses to the verifier alone, three-way \(date -0\.250 \[", lost
    )
    assert "loses to words in common" not in lost


def test_a_section_says_how_it_was_measured_and_what_trained(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = written(monkeypatch, {"wice": evaluated(0.7, (0.1, 0.05, 0.15)), "speed": SPEED})
    section = page.partition("\n## WiCE")[2].partition("\n## ")[0]
    assert "`veracite eval attribute --data HELD/wice.jsonl`" in section
    assert "2031-01-31, Analytical Engine, 2 cores." in section
    assert "Part of this set trained the model." in section
    assert "ECE calibrated 0.040" in section
    assert row(section, "**Veracite**")[1:] == ["0.700 [0.67, 0.73]", "", "120"]
    assert row(page, "wice ‡")[1] == "400"
    assert row(page, "wice ‡")[7:10] == ["0.410", "0.070", "0.200"]
    assert row(page, "transformers, one pair")[1:] == ["20.0", "10.0 to 30.0"]
    assert row(page, "1 passage")[3:] == ["0.710 [0.66, 0.76]", "14.0", "12.0 to 19.0"]
    assert "measure this again" not in page
    assert "HaluEval QA" in page.partition("## Not measured")[2]


def test_old_results_are_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = {
        "speed": SPEED,
        "claims": CLAIMS,
        "changed-facts": FACTS,
        "begin": evaluated(0.8, (0.05, 0.01, 0.09)),
    }
    page = written(monkeypatch, printed, stale=True)
    assert page.count("**Models or code have changed since; measure this again.**") == len(printed)
    goals = page.partition("## Goals")[2].partition("\n## ")[0]
    assert "| yes |" in written(monkeypatch, printed)
    assert "| yes |" not in goals
    assert "**no**" not in goals
    assert row(page, "Pairs judged")[3] == "measured with other models or code"
    assert row(page, "Mean over attribution")[3] == "measured with other models or code"


def shown(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Every command that the page can show or, once it is written, does show."""
    sets, quality = modules(monkeypatch, "quality_sets", "measure_quality")
    for entry in sets.ENTRIES:
        yield quality.shown_command(entry, entry.limit, True)
    yield sets.PREPARE
    if PAGE.exists():
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
