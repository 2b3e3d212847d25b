"""The page of results, from what the commands printed.

It holds no path of a machine and no text of the data.
"""

from collections.abc import Iterator, Sequence

from measured_with import measured_with
from quality_sets import PREPARE, Entry
from results_goals import Goal, goals
from results_losses import losses
from results_measured import AS_SHIPPED, MAIN, OURS, Measured, named
from results_tables import facts_section, speed_section, table

from veracite.engine.evaluation import report as phrases
from veracite.engine.evaluation.results import Figure, Result

_COLUMNS = {
    "detect": (MAIN, "AUC-ROC", "AP true", "AP false", "false supported", "wrong when true"),
    "choose": ("accuracy",),
    "retrieve": ("nDCG@10", "recall@1", "recall@5", "recall@10", "recall@100", "MRR@10"),
    "answer": ("STR-EM", "EM", "F1", "citation recall", "citation precision", "recall@5"),
}
_OF_LABELS = ("false supported", "false contradicted", "uncertain")
_UNINTERESTING = ("length", "first", "random")
"""Whose leads are not shown."""
_INTRODUCTION = """\
Written by `python scripts/measure_quality.py --data DATA --runs RUNS`; do not edit it by hand. In
the commands DATA is a folder laid out as its `README.md` says (`train/`, `eval/`), RUNS where
results are kept, PYTHON an interpreter that has torch, and HELD what this writes: `{prepare}`.

Thresholds and calibrations come from one half of the texts, every figure from the other. A
threshold is where a logistic curve, fitted to its half with both classes weighing the same,
crosses one half (`engine/evaluation/calibrate.py`); "as shipped" uses no threshold of the set.
Square brackets are 95 % intervals, a bootstrap over texts. *False supported* is the share of the
false items that is called true, *false contradicted* the share of the true ones that is labelled
so, *wrong when true* the share of the items called true that is false. Where a set was drawn from,
the command says `--limit`. The halves for results have been looked at with each version of the
models and rules, and what was shipped was chosen knowing them:
take a difference within its interval for none.
"""


def page(measured: Sequence[Measured], missing: Sequence[Entry], present: Sequence[str]) -> str:
    """The page as Markdown.

    Args:
        measured: What was measured, in the order of the sections.
        missing: What was not.
        present: The ids of the models as they are now.
    """
    parts = [
        "# Results\n",
        _INTRODUCTION.format(prepare=PREPARE),
        *_made_with(measured, present),
        "## Goals\n",
        _goal_table(measured),
        "## Where it loses\n",
        "\n".join(f"- {sentence}" for sentence in losses(measured)) or "Nowhere in what follows.",
        "",
        "## All sets\n",
        _overview(measured),
        *(_section(one) for one in measured),
    ]
    if missing:
        names = "; ".join(entry.title for entry in missing)
        parts += ["## Not measured\n", f"{names}.\n"]
    return "\n".join(parts)


def _made_with(measured: Sequence[Measured], present: Sequence[str]) -> Iterator[str]:
    yield measured_with([model for one in measured for model in one.models], present)
    machines = dict.fromkeys(one.machine for one in measured)
    yield f"Machine: {'; '.join(machines) or 'none'}.\n"


def _goal_table(measured: Sequence[Measured]) -> str:
    rows = [
        (goal.goal, goal.least, goal.reached, _met(goal), goal.beside)
        for goal in goals({one.entry.name: one for one in measured})
    ]
    note = (
        "A mean counts each set alike. Its leads' intervals are put together from those of the\n"
        "sets, which are independent: the squares of the distances from each lead to the ends of\n"
        "its interval add up.\n"
    )
    return f"{table(('goal', 'target', 'reached', 'met', 'beside it'), rows)}\n{note}"


def _met(goal: Goal) -> str:
    if goal.met is None:
        return ""
    if goal.stale:
        return "measured with other models or code"
    return "yes" if goal.met else "**no**"


def _overview(measured: Sequence[Measured]) -> str:
    rows = []
    for one in measured:
        row = one.method(OURS)
        if row is None or row.figure(MAIN) is None:
            continue
        leads = {c.other: phrases.lead(c) for c in row.compared if c.figure == MAIN}
        rows.append(
            (
                one.entry.name + (" ‡" if one.entry.was_trained_on else ""),
                f"{row.n:,}",
                *(_cell(one.figure(MAIN, name)) for name in (OURS, AS_SHIPPED, "verifier")),
                *(leads.get(name, "") for name in ("overlap", "similarity")),
                *(_cell(one.figure(name, AS_SHIPPED)) for name in _OF_LABELS),
                " → ".join(_cell(one.figure(name)) for name in ("ECE", "ECE calibrated")),
                _cell(one.figure("ECE by chance")),
            )
        )
    header = (
        "set",
        "items",
        MAIN,
        "as shipped",
        "verifier alone",
        "lead over words in common",
        "lead over similarity",
        *(f"{name}, as shipped" for name in _OF_LABELS),
        "calibration error → calibrated",
        "were it right",
    )
    note = (
        "*Were it right* is the calibration error that as many items would show by chance if\n"
        "every calibrated probability were right: no goal below it can be met.\n\n"
        "‡ another part of this set trained the model; see its section.\n"
    )
    return f"{table(header, rows)}\n{note}"


def _section(one: Measured) -> str:
    lines = [f"## {one.entry.title}\n", f"`{one.command}`  \n{one.date}, {one.machine}.\n"]
    if one.stale:
        lines.append("**Models or code have changed since; measure this again.**\n")
    lines.append(" ".join(filter(None, (one.entry.trained, one.entry.remark))) + "\n")
    if one.entry.kind == "facts":
        lines.append(facts_section(one.printed))
    elif one.entry.kind == "speed":
        lines.append(speed_section(one.printed))
    elif one.entry.kind == "claims":
        lines.append(f"```\n{str(one.printed).rstrip()}\n```\n")
    else:
        result = one.result
        assert result is not None
        lines.append(_of_result(result))
    return "\n".join(lines)


def _of_result(result: Result) -> str:
    columns = _COLUMNS["detect" if result.task == "attribute" else result.task]
    known = [c for c in columns if any(m.figure(c) for m in result.methods)]
    rows = [
        (
            _bold(method.method),
            *(_cell(method.figure(name)) for name in known),
            phrases.duration(method.seconds_per_item),
        )
        for method in result.methods
    ]
    parts = [f"{phrases.part(part)}." for part in result.parts]
    labels = [f"Labels: {phrases.labels(result)}."] if result.label_map else []
    said = [f"{phrases.extent(result)}.", *labels, *parts, *result.notes]
    lines = [" ".join(said) + "\n", table(("", *known, "ms"), rows)]
    leads = [
        (named(m.method), named(c.other), c.figure, phrases.lead(c), _p(c.p_mcnemar))
        for m in result.methods
        for c in m.compared
        if c.other not in _UNINTERESTING
    ]
    if leads:
        lines.append(table(("lead of", "over", "in", "by", "McNemar"), leads))
    errors = [
        f"{figure.name} {phrases.number(figure.value)}"
        for method in result.methods
        for figure in method.figures
        if figure.name.startswith("ECE")
    ]
    if errors:
        lines.append(f"Expected calibration error: {', '.join(errors)}.\n")
    return "\n".join(lines)


def _bold(method: str) -> str:
    return f"**{named(method)}**" if method in (OURS, AS_SHIPPED, "hybrid") else named(method)


def _cell(figure: Figure | None) -> str:
    return "" if figure is None else phrases.measured(figure)


def _p(value: float | None) -> str:
    return "" if value is None else phrases.p_value(value)
