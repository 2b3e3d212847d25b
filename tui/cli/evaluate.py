"""``veracite eval``: how good the verdicts, searches and answers are on labelled data."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veracite.engine.report.json import safe_json
from veracite.tui import console
from veracite.tui.cli.calibrate import calibrate
from veracite.tui.cli.evaluating import (
    asked,
    data_options,
    follow,
    judging_options,
    require_data,
    require_folder,
)
from veracite.tui.cli.root import Session
from veracite.tui.console import ExitCode, Look

if TYPE_CHECKING:
    from veracite.engine.evaluation.items import Task

__all__ = ["evaluate"]

_ABOUT = {
    "detect": "Which sentences of a text are true: WikiBio GPT-3, FELM, your own labelled texts.",
    "attribute": "Which claims their documents support: WiCE, AggreFact, AttributionBench, ...",
    "choose": "Which of two answers is right: HaluEval.",
    "retrieve": "Which documents are found for a query: BEIR folders, NQ with gold passages.",
    "answer": "How right, and how well cited, answers are: NQ, HotpotQA, ASQA, QAMPARI, ...",
}


@click.group("eval")
def evaluate() -> None:
    """Measure verdicts, search and answers on labelled data, beside simple baselines.

    Files are read in the format in which the sets are published. A run that was stopped goes on
    where it was when the same command is given again.
    """


def _add(task: "Task") -> None:
    judges = task in ("detect", "attribute")

    def run(session: Session, /, **given: Any) -> int:
        return _evaluate(session, task, given)

    run.__doc__ = _ABOUT[task]
    command = data_options(judging_options(run) if judges else run)
    evaluate.command(task, short_help=_ABOUT[task])(command)


def _evaluate(session: Session, task: "Task", given: dict[str, Any]) -> int:
    from veracite.engine.evaluation.formats import formats_of

    if given["list_formats"]:
        known = formats_of(task)
        width = max(map(len, known))
        lines = (f"{name:<{width}}  {about}" for name, about in known.items())
        console.write("\n".join(lines) + "\n")
        return ExitCode.OK
    require_data(given["data"])
    report: Path | None = given["report"]
    require_folder(report)

    from veracite.engine.evaluation import results, summing, table
    from veracite.engine.evaluation.predicting import Models

    models = Models(given["threads"])
    try:
        answered = follow(session, asked(task, given), models, given["run"], given["quiet"])
        result = summing.sum_up(answered, models)
    finally:
        models.close()
    if report is not None:
        from veracite.engine.evaluation.report_html import render

        report.write_text(render(result), encoding="utf-8")
    if given["as_json"]:
        console.write(f"{safe_json(results.as_json(result), indent=1)}\n", data=True)
        return ExitCode.OK
    console.write(table.render(result, Look.of(sys.stdout).width))
    if not given["quiet"]:
        console.say(f"Every prediction: {answered.run / 'predictions.jsonl'}")
    return ExitCode.OK


for _task in _ABOUT:
    _add(_task)  # type: ignore[arg-type]
evaluate.add_command(calibrate)
