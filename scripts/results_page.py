"""The page of results: ``scripts/RESULTS.md`` from ``scripts/results.json``.

    python scripts/results_page.py

The file has everything that ``scripts/measure_quality.py`` measured; the page has what a person
reads in three minutes. Neither holds a path of a machine or a text of the data. In the commands
DATA is the folder that data/README.md describes, HELD what ``scripts/training/untrained.py`` writes
from it, RUNS where results are kept.
"""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from veracite.engine.evaluation.predict import ids_of
from veracite.engine.models import OpenModels
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings

PREPARE = "python -m scripts.training.untrained --data DATA --out HELD"
"""Writes the parts of the training sets that did not train the verifier."""


SCRIPTS = Path(__file__).resolve().parent
ENTRIES: dict[str, str] = tomllib.loads(SCRIPTS.joinpath("measured.toml").read_text("utf-8"))
"""The sets that are measured, and how."""
BLIND = tuple(name.removeprefix("blind-") for name in ENTRIES if name.startswith("blind-"))
"""The sets below ``scripts/blind``."""
TRAINED = ("wice", "contract-nli", "foolmetwice")
"""Sets of which other rows trained the network."""

RESULTS = SCRIPTS / "results.json"
PAGE = SCRIPTS / "RESULTS.md"
STALE = "**Veracite's models or rules have changed since; measure this again.**"
BALANCED, AREA = "balanced accuracy", "AUC-ROC"
OURS, SHIPPED, ALONE, WORDS = "veracite", "veracite as shipped", "verifier", "overlap"
BEFORE = "before"
VERDICTS = ("supported", "contradicted", "not_found", "uncertain", "not_checkable")
_INTRODUCTION = """\
Written by `python scripts/measure_quality.py --data DATA --runs RUNS`; everything measured is in
`scripts/results.json`. Thresholds and calibrations come from one half of a set's texts, the figures
from the other, looked at once for this page, as for each version before; *as shipped* uses no
threshold of the set.
Square brackets are 95 % intervals, a bootstrap over texts. *Network alone* reads the whole passage
without checks or decision; *words in common* is the share of a claim's words that the passage has.
"""
Printed = Mapping[str, Mapping[str, Any]]
"""What the command of each set printed, as JSON."""
Figure = Mapping[str, Any]
"""A figure or a lead, with its interval."""
Counts = Mapping[str, Mapping[str, int]]
"""How often each label was given, by truth."""


def page(held: Mapping[str, Any], decision: Mapping[str, Any], present: Sequence[str]) -> str:
    """The page as Markdown.

    Args:
        held: What ``results.json`` holds: every set, measured.
        decision: The fitted decision, with its figures of leaving one set out.
        present: The ids of the models as they are now.
    """
    entries = held["entries"]
    then = held["before"]
    printed, before = _printed(entries), _printed(then)
    models = dict.fromkeys(m for entry in entries.values() for m in entry["models"])
    old = "" if set(models) <= set(present) else f" {STALE}"
    machines = dict.fromkeys(entry["machine"] for entry in entries.values())
    dates = sorted({entry["date"] for entry in entries.values()})
    return "\n".join(
        (
            "# Results\n",
            _INTRODUCTION,
            f"Measured with {', '.join(f'`{model}`' for model in models)}.{old}\n",
            f"{' to '.join(dict.fromkeys((dates[0], dates[-1])))}, {'; '.join(machines)}, "
            f"commit {' and '.join({entry['commit']: 0 for entry in entries.values()})}.\n",
            "## Goals\n",
            table(("goal", "target", "reached", "beside it"), _goals(printed, before, decision)),
            "## Claims and what was called so\n",
            table(
                ("claims", "in truth", *(label.replace("_", " ") for label in VERDICTS)),
                _labels(printed),
            ),
            "## Sets with labels\n",
            table(
                ("set", "items", "AUC", "network alone", "words", "balanced", "network alone",
                 "words", "shipped", "found", "right", "ECE", BEFORE),
                _sets(printed, before),
            ),
            "‡ Other rows of this set trained the network. *Found* is the share of the true items\n"
            "that is called supported, *right* the share of those called so that is true. Before\n"
            f"is the program of commit {' and '.join({e['commit']: 0 for e in then.values()})} on "
            "the same items: AUC / balanced / shipped; rows of SummEdits trained it, too.\n",
            "## Searching and answering\n",
            table(("set", "figure", "reached"), _others(printed)),
            "## Commands\n",
            f"DATA is laid out as its `README.md` says; HELD is written by `{PREPARE}`.\n",
            *(f"- {n}: `{c}`" for n, c in ENTRIES.items() if not n.startswith("blind")),
            f"- blind-NAME: `{ENTRIES['blind-one'].replace('one', 'NAME')}`\n",
        )
    )  # fmt: skip


def _printed(entries: Mapping[str, Mapping[str, Any]]) -> Printed:
    return {name: entry["printed"] for name, entry in entries.items()}


def _methods(said: Mapping[str, Any]) -> Mapping[str, Mapping[str, Figure]]:
    """The figures of each method of a set, by their names; ours comes first."""
    return {m["method"]: {f["name"]: f for f in m["figures"]} for m in said["methods"]}


def _goals(
    printed: Printed, before: Printed, decision: Mapping[str, Any]
) -> Iterator[Sequence[str]]:
    crossed = decision["leave one set out"]
    reached = f"{crossed['AUC']:.3f} / {crossed['balanced']:.3f}"
    goal = "leave one set out, mean of the real sets: AUC / balanced"
    yield goal, "0.84 / 0.77", reached, "`scripts/fit_decision.py`"
    yield "calibration error, leave one set out, mean", "0.08", f"{crossed['ECE']:.3f}", ""
    both, leads = [], []
    for name in ("attributionbench", "begin"):
        ours = printed[name]["methods"][0]
        both.append(_methods(printed[name])[OURS][BALANCED]["value"])
        leads += [c for c in ours["compared"] if (c["other"], c["figure"]) == (WORDS, BALANCED)]
    ahead = "; ".join(f"ahead by {_shown(lead, of='difference')}" for lead in leads)
    goal, target = "AttributionBench and BEGIN, mean balanced", "0.85, ahead of words in common"
    yield goal, target, f"{sum(both) / 2:.3f}", ahead
    found = _methods(printed["wikibio"])
    ours, alone, words = (_shown(found[method][BALANCED]) for method in (OURS, ALONE, WORDS))
    goal, reached = "WikiBio, all articles one library: AUC / balanced", _shown(found[OURS][AREA])
    beside = f"network alone {alone}; words in common {words}"
    yield goal, "0.86 / 0.776", f"{reached} / {ours}", beside
    target = "75 % / 90 %; 55 % / 85 %"
    sets, then = _claims(printed), _claims(before)
    for name, counts in sets.items():
        goal = f"{name}: true ones found / right; false ones named / right"
        beside = f"{BEFORE} {_both_sides(then[name])}" if name in then else ""
        yield goal, target, _both_sides(counts), beside
    given = [row for counts in sets.values() for row in counts.values()]
    true = [counts["supported"] for counts in sets.values()]
    yield "true ones of these sets that are contradicted", "3 %", _share(true, "contradicted"), ""
    yield "true ones of these sets that are not found", "10 %", _share(true, "not_found"), ""
    yield "claims of these sets that are uncertain", "a fifth", _share(given, "uncertain"), ""
    ours, alone = (
        _shown(printed["changed-facts"]["lines"][0]["cells"][f"{method}, three-way"])
        for method in ("Veracite", "verifier")
    )
    yield "changed facts, three-way", "0.985", ours, f"network alone {alone}"
    same: Counts = printed["same-subject"]["same_subject"]
    false, kept = (
        f"{same[truth]['contradicted']} of {sum(same[truth].values())}"
        for truth in ("neither", "contradicted")
    )
    goal = "same subject, other time or case: false contradictions / true ones kept"
    target, beside = "at most 8 / at least 35", "three rules and a bar were chosen knowing it"
    yield goal, target, f"{false} / {kept}", beside
    claim = printed["speed"]["seconds_a_claim"]
    goal = "a claim of the samples / of WikiBio as one library, search included"
    reached = f"{claim['samples']:.2f} s / {claim['set']:.2f} s"
    yield goal, "0.6 s", reached, ", ".join(printed["speed"]["processor_has"])


def _claims(printed: Printed) -> dict[str, Counts]:
    """The sets of claims with their names."""
    strangers = {f"strangers, {name} set": c for name, c in printed["strangers"].items()}
    blind = {name: printed.get(f"blind-{name}", {}).get(name) for name in BLIND}
    return strangers | {f"blind set {name}": found for name, found in blind.items() if found}


def _labels(printed: Printed) -> Iterator[Sequence[str]]:
    """Labels against truth, as shipped."""
    blind = [printed[f"blind-{name}"][name] for name in BLIND]
    for name in ("strangers", "same-subject"):
        for of, counts in printed[name].items():
            for truth, given in counts.items():
                yield of, truth, *(str(given[label]) for label in VERDICTS)
    for truth in blind[0]:
        yield "blind", truth, *(str(sum(one[truth][label] for one in blind)) for label in VERDICTS)


def _sets(printed: Printed, before: Printed) -> Iterator[Sequence[str]]:
    for name, said in printed.items():
        found = _methods(said) if "methods" in said else {}
        if SHIPPED not in found:
            continue
        shipped = {name: figure["value"] for name, figure in found[SHIPPED].items()}
        methods = [found[method] for method in (OURS, ALONE, WORDS)]
        yield (
            f"{name}{' ‡' if name in TRAINED else ''}",
            str(said["methods"][0]["n"]),
            *(_shown(of[AREA], span=False) for of in methods),
            *(_shown(of[BALANCED]) for of in methods),
            f"{shipped[BALANCED]:.3f}",
            # Recall and precision of what is called supported as shipped.
            f"{2 * shipped[BALANCED] - 1 + shipped['false supported']:.2f}",
            f"{1 - shipped['wrong when true']:.2f}",
            _shown(found[OURS]["ECE"], span=False),
            _then(_methods(before[name])) if name in before else "",
        )


def _then(found: Mapping[str, Mapping[str, Figure]]) -> str:
    figures = ((OURS, AREA), (OURS, BALANCED), (SHIPPED, BALANCED))
    return " / ".join(_shown(found[method][name], span=False) for method, name in figures)


def _others(printed: Printed) -> Iterator[Sequence[str]]:
    for name in ("scifact", "nq-retrieve", "nq-answer"):
        figure = "STR-EM" if name == "nq-answer" else "recall@6"
        found = _methods(printed[name]).items()
        told = [f"{m} {_shown(of[figure], span=at == 0)}" for at, (m, of) in enumerate(found)]
        yield name, figure, "; ".join(told)


def _both_sides(counts: Counts) -> str:
    return "; ".join(_found_and_right(counts, label) for label in VERDICTS[:2])


def _found_and_right(counts: Counts, label: str) -> str:
    right, called = counts[label][label], sum(given[label] for given in counts.values())
    return f"{right} of {sum(counts[label].values())} / {right} of {called}"


def _share(given: Sequence[Mapping[str, int]], label: str) -> str:
    return f"{sum(row[label] for row in given)} of {sum(sum(row.values()) for row in given)}"


def _shown(found: Figure, *, of: str = "value", span: bool = True) -> str:
    """A figure, with its interval where that is wanted."""
    sign = "+" if of == "difference" else ""
    value = f"{found[of]:{sign}.3f}"
    return f"{value} [{found['low']:{sign}.2f}, {found['high']:{sign}.2f}]" if span else value


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows under a header as Markdown."""
    return "".join(f"| {' | '.join(row)} |\n" for row in [header, ["---"] * len(header), *rows])


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
