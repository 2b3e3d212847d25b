"""Markdown tables of what ``changed_facts.py`` and ``measure_speed.py`` measure."""

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from veracite.engine.evaluation import report as phrases


def facts_section(measured: Mapping[str, Any]) -> str:
    """The table of ``changed_facts.py``."""
    lines = measured["lines"]
    methods = list(lines[0]["cells"])
    rows = [
        (
            line["kind"],
            line["half"],
            str(line["items"]),
            *(_interval(line["cells"][name]) for name in methods),
        )
        for line in lines
    ]
    return table(("change", "half", "claims", *methods), rows)


def speed_section(measured: Mapping[str, Any]) -> str:
    """The tables of ``measure_speed.py``."""
    machine = measured["machine"]
    lines = [f"{machine['cpu']}, {machine['cores']} cores, {machine['system']}.\n"]
    timed = measured["throughput"]
    if timed is None:
        lines.append("The throughput was not measured (`--torch-python` was not given).\n")
    else:
        rows = [
            (name, f"{statistics.median(timed[key]):.1f}", _span(timed[key], ".1f"))
            for name, key in (
                ("Veracite: batches sorted by length", "batched"),
                ("transformers, one pair at a time", "single"),
            )
        ]
        lines += [
            f"{timed['pairs']} pairs, premises of {timed['words']:.0f} words (median), "
            f"{timed['threads']} threads, {len(timed['single'])} rounds in turns; the two differ "
            f"by at most {timed['difference']:.1e} in a probability.\n",
            table(("", "pairs a second (median)", "rounds"), rows),
            f"Ratio of the medians: {timed['ratio']:.2f}.\n",
        ]
    kept = [
        (
            cost["option"],
            cost["method"],
            str(cost["threads"]),
            f"{cost['accuracy']:.3f} {phrases.interval(cost['low'], cost['high'])}",
            f"{statistics.median(cost['milliseconds']):.1f}",
            _span(cost["milliseconds"], ".1f"),
        )
        for cost in measured["options"]
    ]
    if kept:
        header = (
            "option",
            "method",
            "threads",
            "balanced accuracy",
            "ms per claim (median)",
            "rounds",
        )
        count = measured["options"][0]["items"]
        lines += [f"{count} statements of the set, its documents as one library.\n"]
        lines += [table(header, kept)]
    return "\n".join(lines)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows under a header as Markdown."""
    cells = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


def _interval(cell: Mapping[str, float]) -> str:
    return f"{cell['value']:.3f} {phrases.interval(cell['low'], cell['high'])}"


def _span(values: Sequence[float], form: str) -> str:
    return f"{min(values):{form}} to {max(values):{form}}"
