"""The page of results: ``scripts/RESULTS.md`` from ``scripts/results.json``.

    python scripts/results_page.py

The file has everything that ``scripts/measure_quality.py`` measured; the page has what a person
reads in three minutes. Neither holds a path of a machine or a text of the data.
"""

import json
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quality_sets import ENTRIES, PREPARE

SCRIPTS = Path(__file__).resolve().parent
RESULTS = SCRIPTS / "results.json"
PAGE = SCRIPTS / "RESULTS.md"
STALE = "**Veracite's models or rules have changed since; measure this again.**"
BALANCED, AREA = "balanced accuracy", "AUC-ROC"
OURS, SHIPPED, ALONE, WORDS = "veracite", "veracite as shipped", "verifier", "overlap"
_NONE = "not measured"
_INTRODUCTION = """\
Written by `python scripts/measure_quality.py --data DATA --runs RUNS`; everything measured is in
`scripts/results.json`. Thresholds and calibrations come from one half of a set's texts, the figures
from the other, which was looked at once for this page; *as shipped* uses no threshold of the set.
Square brackets are 95 % intervals, a bootstrap over texts. *Network alone* reads the whole passage
without checks or decision; *words in common* is the share of a claim's words that the passage has.
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured, by the name of the set."""

    entries: Mapping[str, Mapping[str, Any]]

    def printed(self, name: str) -> Any:
        """What a set's command printed, nothing if it was not measured."""
        return self.entries.get(name, {}).get("printed", {})

    def method(self, name: str, method: str) -> Mapping[str, Any] | None:
        """One method's results of a set that ``veracite eval`` measured."""
        printed = self.printed(name)
        methods = printed.get("methods", ()) if isinstance(printed, dict) else ()
        return next((one for one in methods if one["method"] == method), None)

    def figure(self, name: str, figure: str, method: str = OURS) -> Mapping[str, Any] | None:
        """One figure of one method, None if there is none."""
        figures = (self.method(name, method) or {}).get("figures", ())
        found = (f for f in figures if f["name"] == figure and f["value"] is not None)
        return next(found, None)

    def value(self, name: str, figure: str, method: str = OURS) -> float | None:
        """Its value."""
        found = self.figure(name, figure, method)
        return None if found is None else float(found["value"])

    def lead(self, name: str, other: str = WORDS) -> Mapping[str, Any] | None:
        """What balanced accuracy is ahead of another method's by."""
        compared = (self.method(name, OURS) or {}).get("compared", ())
        found = (c for c in compared if c["other"] == other and c["figure"] == BALANCED)
        return next(found, None)


def page(held: Mapping[str, Any], decision: Mapping[str, Any], present: Sequence[str]) -> str:
    """The page as Markdown.

    Args:
        held: What ``results.json`` holds.
        decision: The fitted decision, with its figures of leaving one set out.
        present: The ids of the models as they are now.
    """
    measured = Measured(held["entries"])
    models = dict.fromkeys(m for entry in held["entries"].values() for m in entry["models"])
    old = "" if set(models) <= set(present) else f" {STALE}"
    machines = dict.fromkeys(entry["machine"] for entry in held["entries"].values())
    dates = sorted({entry["date"] for entry in held["entries"].values()})
    return "\n".join(
        (
            "# Results\n",
            _INTRODUCTION,
            f"Measured with {', '.join(f'`{model}`' for model in models)}.{old}\n",
            f"{' to '.join(dict.fromkeys((dates[0], dates[-1])))}, {'; '.join(machines)}.\n",
            "## Goals\n",
            table(("goal", "target", "reached", "beside it"), _goals(measured, decision)),
            "## Claims and what was called so\n",
            _strangers(measured),
            "## Sets with labels\n",
            _sets(measured),
            "‡ Other rows of this set trained the network. *Found* is the share of the true items\n"
            "that is called supported, *right* the share of those called so that is true.\n",
            "## Searching, answering, splitting, speed\n",
            _others(measured),
            "## Commands\n",
            f"DATA is laid out as its `README.md` says; HELD is written by `{PREPARE}`.\n",
            "".join(f"- {name}: `{one['command']}`\n" for name, one in measured.entries.items()),
        )
    )


def _goals(measured: Measured, decision: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    crossed = decision["leave one set out"]
    yield (
        "leave one set out, mean of the real sets: AUC / balanced",
        "0.84 / 0.77",
        f"{crossed['AUC']:.3f} / {crossed['balanced']:.3f}",
        "`scripts/fit_decision.py`",
    )
    yield (
        "calibration error, leave one set out, mean",
        "0.08",
        f"{crossed['ECE']:.3f}",
        "",
    )
    both = [measured.value(name, BALANCED) for name in ("attributionbench", "begin")]
    leads = [measured.lead(name) for name in ("attributionbench", "begin")]
    yield (
        "AttributionBench and BEGIN, mean balanced",
        "0.85, ahead of words in common",
        _mean(both),
        "; ".join(f"ahead by {_interval(lead, 'difference')}" for lead in leads if lead),
    )
    yield (
        "WikiBio, all articles one library: AUC / balanced",
        "0.86 / 0.776",
        f"{_shown(measured.figure('wikibio', AREA))} / "
        f"{_shown(measured.figure('wikibio', BALANCED))}",
        f"network alone {_shown(measured.figure('wikibio', BALANCED, ALONE))}; "
        f"words in common {_shown(measured.figure('wikibio', BALANCED, WORDS))}",
    )
    for name, title in (
        ("strangers", "strangers, second set"), ("blind-one", "blind set one"),
        ("blind-two", "blind set two"),
    ):  # fmt: skip
        counts = _counts(measured, name, "second" if name == "strangers" else None)
        reached = [_found_and_right(counts, label) for label in ("supported", "contradicted")]
        yield (
            f"{title}: true ones found / right; false ones named / right",
            "75 % / 90 %; 55 % / 85 %",
            "; ".join(reached) if counts else _NONE,
            "",
        )
    facts = {
        line["kind"]: line["cells"]
        for line in measured.printed("changed-facts").get("lines", ())
        if line["half"] == "both"
    }.get("all", {})
    yield (
        "changed facts, three-way",
        "0.985",
        _cell(facts.get("Veracite, three-way")),
        f"network alone {_cell(facts.get('verifier, three-way'))}",
    )
    same = _counts(measured, "same-subject", "same_subject")
    false = same.get("neither", {}).get("contradicted", 0)
    kept = same.get("contradicted", {}).get("contradicted", 0)
    yield (
        "same subject, other time or case: false contradictions / true ones kept",
        "at most 8 / at least 35",
        f"{false} of {_total(same, 'neither')} / {kept} of {_total(same, 'contradicted')}"
        if same
        else _NONE,
        "the bar was chosen knowing it",
    )
    speed = measured.printed("speed")
    timed = speed.get("throughput")
    yield (
        "pairs judged, against one at a time in transformers",
        "4 times",
        f"{timed['ratio']:.2f} times" if timed else _NONE,
        "",
    )


def _strangers(measured: Measured) -> str:
    """Labels against truth, as shipped."""
    labels = ("supported", "contradicted", "not_found", "uncertain", "not_checkable")
    rows = [
        (of, truth, *(str(given.get(label, 0)) for label in labels))
        for name in ("strangers", "blind-one", "blind-two", "same-subject")
        for of, table in measured.printed(name).items()
        for truth, given in table.items()
    ]
    return table(("claims", "in truth", *(label.replace("_", " ") for label in labels)), rows)


def _sets(measured: Measured) -> str:
    rows = []
    for entry in ENTRIES:
        row = measured.method(entry.name, OURS)
        if row is None or measured.figure(entry.name, AREA) is None:
            continue
        name = entry.name
        rows.append(
            (
                f"{name}{' ‡' if entry.trained else ''}",
                str(row["n"]),
                *(_shown(measured.figure(name, AREA, m), span=False) for m in (OURS, ALONE, WORDS)),
                *(_shown(measured.figure(name, BALANCED, m)) for m in (OURS, ALONE, WORDS)),
                _shown(measured.figure(name, BALANCED, SHIPPED), span=False),
                *_found(measured, name),
                _shown(measured.figure(name, "ECE"), span=False),
            )
        )
    header = ("set", "items", "AUC", "network alone", "words", "balanced", "network alone", "words",
              "shipped", "found", "right", "ECE")  # fmt: skip
    return table(header, rows)


def _found(measured: Measured, name: str) -> tuple[str, str]:
    """Recall and precision of what is called supported as shipped."""
    balanced, false, wrong = (
        measured.value(name, figure, SHIPPED)
        for figure in (BALANCED, "false supported", "wrong when true")
    )
    found = "" if balanced is None or false is None else f"{2 * balanced - 1 + false:.2f}"
    return found, "" if wrong is None else f"{1 - wrong:.2f}"


def _others(measured: Measured) -> str:
    rows = []
    for name, figure, methods in (
        ("halueval", "accuracy", (OURS, ALONE, WORDS, "shorter")),
        ("scifact", "recall@6", ("hybrid", "dense", "lexical")),
        ("nq-retrieve", "recall@6", ("hybrid", "dense", "lexical")),
        ("nq-answer", "STR-EM", None),
    ):
        named = methods or [m["method"] for m in measured.printed(name).get("methods", ())]
        found = [(m, measured.figure(name, figure, m)) for m in named]
        told = "; ".join(f"{m} {_shown(f, span=m == named[0])}" for m, f in found if f)
        rows.append((name, figure, told or _NONE))
    for line in (measured.printed("claims") or "").splitlines():
        if "Veracite" in line and "F1" in line:
            rows.append(("claims", "sentences, F1", " ".join(line.split())))
    speed = measured.printed("speed")
    for cost in speed.get("options", ()):
        middle = statistics.median(cost["milliseconds"])
        rows.append(
            (f"a claim, {cost['option']}", "ms", f"{middle:.0f} ({cost['threads']} threads)")
        )
    return table(("set", "figure", "reached"), rows)


def _counts(measured: Measured, name: str, of: str | None) -> Mapping[str, Mapping[str, int]]:
    """How often each label was given, by truth."""
    tables = measured.printed(name)
    found: Mapping[str, Mapping[str, int]] = tables.get(of or name.removeprefix("blind-"), {})
    return found


def _found_and_right(counts: Mapping[str, Mapping[str, int]], label: str) -> str:
    right = counts.get(label, {}).get(label, 0)
    called = sum(given.get(label, 0) for given in counts.values())
    return f"{right} of {_total(counts, label)} / {right} of {called}"


def _total(counts: Mapping[str, Mapping[str, int]], truth: str) -> int:
    return sum(counts.get(truth, {}).values())


def _mean(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{statistics.fmean(known):.3f}" if known and len(known) == len(values) else _NONE


def _shown(figure: Mapping[str, Any] | None, *, span: bool = True) -> str:
    if figure is None:
        return "n/a"
    return _interval(figure, "value") if span else f"{figure['value']:.3f}"


def _interval(found: Mapping[str, Any], name: str) -> str:
    sign = "+" if name == "difference" else ""
    value = f"{found[name]:{sign}.3f}"
    if found.get("low") is None or found.get("high") is None:
        return value
    return f"{value} [{found['low']:{sign}.2f}, {found['high']:{sign}.2f}]"


def _cell(found: Mapping[str, Any] | None) -> str:
    return _NONE if found is None else _interval(found, "value")


def table(header: Sequence[str], rows: Iterator[Sequence[str]] | Sequence[Sequence[str]]) -> str:
    """Rows under a header as Markdown."""
    cells = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


def write(present: Sequence[str]) -> None:
    """Write the page of what the file holds."""
    held = json.loads(RESULTS.read_text("utf-8"))
    decision = json.loads((SCRIPTS.parent / "engine/judge/decision.json").read_text("utf-8"))
    PAGE.write_text(page(held, decision, present), "utf-8")


def main() -> int:
    """Run from the command line."""
    from measure_quality import present

    write(present()["models"])
    return 0


if __name__ == "__main__":
    sys.exit(main())
