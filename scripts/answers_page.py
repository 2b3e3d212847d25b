"""The page of answers, from what ``veracite eval answer`` printed.

It holds no path of a machine and no text of the data.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from answer_sets import FIRST, GOAL, QuestionSet
from measured_with import measured_with
from results_tables import table

from veracite.engine.evaluation import phrases
from veracite.engine.evaluation.answered import CITED
from veracite.engine.evaluation.results import Comparison, Figure, MethodResult, Result

__all__ = ["Answers", "page"]

_COLUMNS = (
    "answered",
    CITED,
    "STR-EM",
    "F1",
    "citation recall",
    "citation precision",
    "support",
    "recall@5",
    "words",
    "searches",
    "claims judged",
    "model calls",
    "tokens",
)
_INTRODUCTION = """\
Written by `python scripts/measure_answers.py --data DATA --runs RUNS`; do not edit it by hand. In
the commands DATA is a folder laid out as its `README.md` says.

Every question is asked of one library of all its set's documents. *Cited STR-EM* is the share of
gold answers that stand, word for word, in the sentences that cite, 0 for an answer of more than
three sentences; STR-EM counts every sentence. *Citation recall and precision* are ALCE's and
*support* is the share of sentences that the method's own judge calls supported: both rest on the
bundled verifier, which the methods ask themselves, so they say how consistent an answer is and not
how right. *Top-passage* is retrieve-top-1-passage, whole; *top-sentences* the three sentences most
similar to the question; they understand nothing. Square brackets are 95 % intervals, a bootstrap
over questions; McNemar's exact test is of the questions that were answered in full.
"""


@dataclass(frozen=True)
class Answers:
    """A set with what its command printed, and when and where that was."""

    set: QuestionSet
    command: str
    date: str
    machine: str
    result: Result


def page(measured: Sequence[Answers], present: Sequence[str]) -> str:
    """The page as Markdown.

    Args:
        measured: What was measured, in the order of the sections.
        present: The ids of the models as they are now.
    """
    models = [str(model) for one in measured for model in one.result.record["models"]]
    parts = [
        "# Answers\n",
        _INTRODUCTION,
        measured_with(models, present),
        "## The goal\n",
        _goals(measured),
        "## What helps\n",
        *(line for one in measured for line in _helps(one)),
        "",
        *(_section(one) for one in measured),
    ]
    return "\n".join(parts)


def _goals(measured: Sequence[Answers]) -> str:
    rows = []
    for one in measured:
        row = _row(one.result, FIRST)
        if not one.set.goal or row is None:
            continue
        figure, top = row.figure(CITED), _row(one.result, "top-passage")
        met = figure is not None and (figure.value or 0) >= GOAL
        rows.append(
            (
                one.set.name,
                f"{row.n:,}",
                f"{GOAL:.2f}",
                _cell(figure),
                "yes" if met else "**no**",
                *(_cell(top.figure(name)) if top else "" for name in (CITED, "STR-EM")),
            )
        )
    header = (
        *("set", "questions", f"target, {CITED}", FIRST, "met"),
        *(f"top-passage, {name}" for name in (CITED, "STR-EM")),
    )
    return table(header, rows) if rows else "Not measured.\n"


def _helps(one: Answers) -> Iterator[str]:
    """Which methods are surely better or worse than the first, and which parts surely help."""
    leads = [
        (method.method, lead)
        for method in one.result.methods
        for lead in method.compared
        if lead.figure == CITED and not _is_plain(one.result, lead.other)
    ]
    others = [lead for method, lead in leads if method == FIRST and ":" not in lead.other]
    parts = [lead for method, lead in leads if lead.other.startswith(f"{method}:")]
    for what, found in ((FIRST, others), ("the whole method", parts)):
        if found:
            yield f"- {one.set.name}, {CITED} against {what}: {_sorted(found)}."


def _sorted(leads: Sequence[Comparison]) -> str:
    """The others by how they do: a lead of the first is a loss of the other."""
    better = [lead.other for lead in leads if lead.high is not None and lead.high < 0]
    worse = [lead.other for lead in leads if lead.low is not None and lead.low > 0]
    same = [lead.other for lead in leads if lead.other not in (*better, *worse)]
    told = (("surely better", better), ("surely worse", worse), ("no difference shown", same))
    return "; ".join(f"{what}: {', '.join(names)}" for what, names in told if names)


def _section(one: Answers) -> str:
    result = one.result
    known = [c for c in _COLUMNS if any(m.figure(c) for m in result.methods)]
    rows = [
        (
            method.method + ("*" if method.trivial else ""),
            *(_cell(method.figure(name)) for name in known),
            phrases.duration(method.seconds_per_item),
        )
        for method in result.methods
    ]
    leads = [
        (
            method.method,
            lead.other,
            lead.figure,
            phrases.lead(lead),
            phrases.p_value(lead.p_mcnemar),
        )
        for method in result.methods
        for lead in method.compared
    ]
    return "\n".join(
        [
            f"## {one.set.title}\n",
            f"`{one.command}`  \n{one.date}, {one.machine}.\n",
            f"Models: {', '.join(f'`{model}`' for model in result.record['models'])}.\n",
            " ".join([f"{phrases.extent(result)}.", *result.notes]) + "\n",
            table(("", *known, "ms"), rows),
            table(("lead of", "over", "in", "by", "McNemar"), leads),
        ]
    )


def _row(result: Result, name: str) -> MethodResult | None:
    return next((method for method in result.methods if method.method == name), None)


def _is_plain(result: Result, name: str) -> bool:
    row = _row(result, name)
    return row is not None and row.trivial


def _cell(figure: Figure | None) -> str:
    return "" if figure is None else phrases.measured(figure)
