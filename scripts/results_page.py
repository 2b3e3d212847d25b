"""The page of results: ``scripts/RESULTS.md`` from ``scripts/results.json``.

    python scripts/results_page.py

The file has everything that ``scripts/measure_quality.py`` measured; the page has what a person
reads in three minutes. Neither holds a path of a machine or a text of the data. In the commands
DATA is the folder that data/README.md describes, HELD what ``scripts/training/untrained.py`` writes
from it, RUNS where results are kept.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veracite.engine.evaluation.predict import ids_of
from veracite.engine.models import OpenModels
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings

PREPARE = "python -m scripts.training.untrained --data DATA --out HELD"
"""Writes the parts of the training sets that did not train the verifier."""


@dataclass(frozen=True)
class Entry:
    """A set and how it is measured."""

    name: str
    command: str
    trained: bool = False
    """Whether other rows of the set trained the network."""


_ATTRIBUTE, _DETECT = "veracite eval attribute --data", "veracite eval detect --data"
_WIKIBIO = "DATA/eval/wikibio/wikibio_gpt3_000-118.jsonl.gz"
_FELM = "DATA/eval/felm/felm_wk_even.jsonl.gz"
_NQ = "DATA/eval/nq_oracle/nq-open-oracle_0-1299.jsonl.gz"

BLIND = ("one", "two", "three", "four", "five")
"""The sets below ``scripts/blind``."""
ENTRIES = (
    Entry("wikibio", f"{_DETECT} {_WIKIBIO} --collection all"),
    Entry("felm", f"{_DETECT} {_FELM} --data DATA/eval/felm/ceg_felm_top10_even.jsonl.gz"),
    Entry("wikiretr", f"{_ATTRIBUTE} DATA/eval/wikiretr/wikiretr-gpt3-subset-chinese.json.gz"),
    Entry("attributionbench", f"{_ATTRIBUTE} HELD/attributionbench.jsonl --limit 400"),
    Entry(
        "begin",
        f"{_ATTRIBUTE} DATA/eval/begin/begin_dev_cmu.tsv.gz --data "
        "DATA/eval/begin/begin_dev_tc.tsv.gz --data DATA/eval/begin/begin_dev_wow.tsv.gz "
        "--limit 400",
    ),
    Entry("wice", f"{_ATTRIBUTE} HELD/wice.jsonl", trained=True),
    Entry("summedits", f"{_ATTRIBUTE} HELD/summedits.jsonl --limit 300"),
    Entry("contract-nli", f"{_ATTRIBUTE} HELD/contract_nli.json", trained=True),
    Entry("foolmetwice", f"{_ATTRIBUTE} HELD/foolmetwice.jsonl --limit 300", trained=True),
    Entry("scifact", "veracite eval retrieve --data DATA/eval/scifact/scifact.zip"),
    Entry("nq-retrieve", f"veracite eval retrieve --data {_NQ} --limit 300"),
    Entry("nq-answer", f"veracite eval answer --data {_NQ} --limit 150"),
    Entry("changed-facts", "python scripts/changed_facts.py"),
    Entry("same-subject", "python scripts/measure_strangers.py --sets tests/data --json"),
    Entry("strangers", "python scripts/measure_strangers.py --sets scripts/strangers --json"),
    *(
        Entry(f"blind-{n}", f"python scripts/measure_strangers.py --sets scripts/blind/{n} --json")
        for n in BLIND
    ),
    Entry("speed", f"python scripts/measure_speed.py --data {_WIKIBIO}"),
)
"""What is measured."""

SCRIPTS = Path(__file__).resolve().parent
RESULTS = SCRIPTS / "results.json"
PAGE = SCRIPTS / "RESULTS.md"
STALE = "**Veracite's models or rules have changed since; measure this again.**"
BALANCED, AREA = "balanced accuracy", "AUC-ROC"
OURS, SHIPPED, ALONE, WORDS = "veracite", "veracite as shipped", "verifier", "overlap"
VERDICTS = ("supported", "contradicted", "not_found", "uncertain", "not_checkable")
_NONE = "not measured"
_INTRODUCTION = """\
Written by `python scripts/measure_quality.py --data DATA --runs RUNS`; everything measured is in
`scripts/results.json`. Thresholds and calibrations come from one half of a set's texts, the figures
from the other, which was looked at once for this page; *as shipped* uses no threshold of the set.
Square brackets are 95 % intervals, a bootstrap over texts. *Network alone* reads the whole passage
without checks or decision; *words in common* is the share of a claim's words that the passage has.
"""
Found = Mapping[str, Any] | None
"""A figure with its interval, if there is one."""
Counts = Mapping[str, Mapping[str, int]]
"""How often each label was given, by truth."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured, by the name of the set."""

    entries: Mapping[str, Mapping[str, Any]]

    def printed(self, name: str) -> Mapping[str, Any]:
        """What a set's command printed, nothing if it was not measured."""
        found: Mapping[str, Any] = self.entries.get(name, {}).get("printed", {})
        return found

    def method(self, name: str, method: str) -> Mapping[str, Any]:
        """One method's results of a set that ``veracite eval`` measured, if there are any."""
        every: Iterable[Mapping[str, Any]] = self.printed(name).get("methods", ())
        return next((one for one in every if one["method"] == method), {})

    def figure(self, name: str, figure: str, method: str = OURS) -> Found:
        """One figure of one method, None if there is none."""
        figures = self.method(name, method).get("figures", ())
        return next((f for f in figures if f["name"] == figure and f["value"] is not None), None)

    def lead(self, name: str) -> Found:
        """What balanced accuracy is ahead of words in common by."""
        compared = self.method(name, OURS).get("compared", ())
        found = (c for c in compared if c["other"] == WORDS and c["figure"] == BALANCED)
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
    commands = (f"- {e.name}: `{e.command}`\n" for e in ENTRIES if e.name in measured.entries)
    return "\n".join(
        (
            "# Results\n",
            _INTRODUCTION,
            f"Measured with {', '.join(f'`{model}`' for model in models)}.{old}\n",
            f"{' to '.join(dict.fromkeys((dates[0], dates[-1])))}, {'; '.join(machines)}.\n",
            "## Goals\n",
            table(("goal", "target", "reached", "beside it"), _goals(measured, decision)),
            "## Claims and what was called so\n",
            table(
                ("claims", "in truth", *(label.replace("_", " ") for label in VERDICTS)),
                _labels(measured),
            ),
            "## Sets with labels\n",
            table(
                ("set", "items", "AUC", "network alone", "words", "balanced", "network alone",
                 "words", "shipped", "found", "right", "ECE"),
                _sets(measured),
            ),
            "‡ Other rows of this set trained the network. *Found* is the share of the true items\n"
            "that is called supported, *right* the share of those called so that is true.\n",
            "## Searching and answering\n",
            table(("set", "figure", "reached"), _others(measured)),
            "## Commands\n",
            f"DATA is laid out as its `README.md` says; HELD is written by `{PREPARE}`.\n",
            "".join(commands),
        )
    )  # fmt: skip


def _goals(measured: Measured, decision: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    crossed = decision["leave one set out"]
    yield (
        "leave one set out, mean of the real sets: AUC / balanced",
        "0.84 / 0.77",
        f"{crossed['AUC']:.3f} / {crossed['balanced']:.3f}",
        "`scripts/fit_decision.py`",
    )
    yield "calibration error, leave one set out, mean", "0.08", f"{crossed['ECE']:.3f}", ""
    pair = ("attributionbench", "begin")
    both = [found["value"] for name in pair if (found := measured.figure(name, BALANCED))]
    leads = [_shown(lead, of="difference") for n in pair if (lead := measured.lead(n))]
    yield (
        "AttributionBench and BEGIN, mean balanced",
        "0.85, ahead of words in common",
        f"{sum(both) / 2:.3f}" if len(both) == 2 else _NONE,
        "; ".join(f"ahead by {lead}" for lead in leads),
    )
    balanced = {m: _shown(measured.figure("wikibio", BALANCED, m)) for m in (OURS, ALONE, WORDS)}
    yield (
        "WikiBio, all articles one library: AUC / balanced",
        "0.86 / 0.776",
        f"{_shown(measured.figure('wikibio', AREA))} / {balanced[OURS]}",
        f"network alone {balanced[ALONE]}; words in common {balanced[WORDS]}",
    )
    for name, of in (("strangers", "second"), *((f"blind-{n}", n) for n in BLIND)):
        counts: Counts = measured.printed(name).get(of, {})
        reached = (_found_and_right(counts, label) for label in ("supported", "contradicted"))
        title = f"blind set {of}" if of in BLIND else f"{name}, {of} set"
        yield (
            f"{title}: true ones found / right; false ones named / right",
            "75 % / 90 %; 55 % / 85 %",
            "; ".join(reached) if counts else _NONE,
            "",
        )
    lines = measured.printed("changed-facts").get("lines", ())
    cells: Mapping[str, Found] = lines[0]["cells"] if lines else {}
    yield (
        "changed facts, three-way",
        "0.985",
        _shown(cells.get("Veracite, three-way"), _NONE),
        f"network alone {_shown(cells.get('verifier, three-way'), _NONE)}",
    )
    same: Counts = measured.printed("same-subject").get("same_subject", {})
    called = (
        f"{same.get(truth, {}).get('contradicted', 0)} of {_total(same, truth)}"
        for truth in ("neither", "contradicted")
    )
    yield (
        "same subject, other time or case: false contradictions / true ones kept",
        "at most 8 / at least 35",
        " / ".join(called) if same else _NONE,
        "two rules were kept knowing it",
    )
    speed = measured.printed("speed")
    claim = speed.get("seconds_a_claim")
    yield (
        "a claim of the samples / of WikiBio as one library, search included",
        "0.6 s",
        f"{claim['samples']:.2f} s / {claim['set']:.2f} s" if claim else _NONE,
        ", ".join(speed.get("processor_has", ())),
    )


def _labels(measured: Measured) -> Iterator[Sequence[str]]:
    """Labels against truth, as shipped."""
    for name in ("strangers", *(f"blind-{n}" for n in BLIND), "same-subject"):
        for of, counts in measured.printed(name).items():
            for truth, given in counts.items():
                yield of, truth, *(str(given.get(label, 0)) for label in VERDICTS)


def _sets(measured: Measured) -> Iterator[Sequence[str]]:
    for entry in ENTRIES:
        name = entry.name
        if measured.figure(name, AREA) is None:
            continue
        balanced, false, wrong = (
            (measured.figure(name, figure, SHIPPED) or {}).get("value")
            for figure in (BALANCED, "false supported", "wrong when true")
        )
        yield (
            f"{name}{' ‡' if entry.trained else ''}",
            str(measured.method(name, OURS)["n"]),
            *(_shown(measured.figure(name, AREA, m), span=False) for m in (OURS, ALONE, WORDS)),
            *(_shown(measured.figure(name, BALANCED, m)) for m in (OURS, ALONE, WORDS)),
            _shown(measured.figure(name, BALANCED, SHIPPED), span=False),
            # Recall and precision of what is called supported as shipped.
            "" if balanced is None or false is None else f"{2 * balanced - 1 + false:.2f}",
            "" if wrong is None else f"{1 - wrong:.2f}",
            _shown(measured.figure(name, "ECE"), span=False),
        )


def _others(measured: Measured) -> Iterator[Sequence[str]]:
    for name, figure, methods in (
        ("scifact", "recall@6", ("hybrid", "dense", "lexical")),
        ("nq-retrieve", "recall@6", ("hybrid", "dense", "lexical")),
        ("nq-answer", "STR-EM", None),
    ):
        named = methods or [m["method"] for m in measured.printed(name).get("methods", ())]
        found = [(m, measured.figure(name, figure, m)) for m in named]
        told = "; ".join(f"{m} {_shown(f, span=m == named[0])}" for m, f in found if f)
        yield name, figure, told or _NONE


def _found_and_right(counts: Counts, label: str) -> str:
    right = counts.get(label, {}).get(label, 0)
    called = sum(given.get(label, 0) for given in counts.values())
    return f"{right} of {_total(counts, label)} / {right} of {called}"


def _total(counts: Counts, truth: str) -> int:
    return sum(counts.get(truth, {}).values())


def _shown(found: Found, missing: str = "n/a", *, of: str = "value", span: bool = True) -> str:
    """A figure, with its interval where it has one and that is wanted."""
    if found is None:
        return missing
    sign = "+" if of == "difference" else ""
    value = f"{found[of]:{sign}.3f}"
    if not span or found.get("low") is None or found.get("high") is None:
        return value
    return f"{value} [{found['low']:{sign}.2f}, {found['high']:{sign}.2f}]"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows under a header as Markdown."""
    cells = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


def models_now() -> list[str]:
    """The ids of the models as they are now."""
    with closing(OpenModels(CheckSettings(), Paths.resolve())) as models:
        return ids_of(models)


def write() -> None:
    """Write the page of what the file holds."""
    held = json.loads(RESULTS.read_text("utf-8"))
    decision = json.loads((SCRIPTS.parent / "engine/judge/decision.json").read_text("utf-8"))
    PAGE.write_text(page(held, decision, models_now()), "utf-8")


if __name__ == "__main__":
    write()
