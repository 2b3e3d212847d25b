"""``veracite eval``: how good the verdicts, searches and answers are on labelled data."""

import sys
from typing import TYPE_CHECKING, Any

import click

from veracite.engine.report.json import safe_json
from veracite.tui import console
from veracite.tui.cli.calibrate import calibrate
from veracite.tui.cli.evaluating import (
    DataCommand,
    asked,
    follow,
    list_formats,
    require_data,
    require_extra,
    require_page,
    require_place,
    task_options,
)
from veracite.tui.cli.output import write_file
from veracite.tui.cli.root import Session
from veracite.tui.console import ExitCode, Look

if TYPE_CHECKING:
    from veracite.engine.evaluation.items import Result, Task

_ABOUT: dict["Task", str] = {
    "detect": "Which sentences of a text are true: WikiBio GPT-3, FELM, your own labelled texts.",
    "attribute": "Which claims their documents support: WiCE, AggreFact, AttributionBench, ...",
    "choose": "Which of two answers is right: HaluEval.",
    "retrieve": "Which documents are found for a query: BEIR folders, NQ with gold passages.",
    "answer": "How right, and how well cited, answers are: NQ, HotpotQA, ASQA, QAMPARI, ...",
}
_STYLES = {"title": "bold", "heading": "bold", "trivial": "dim", "note": "dim"}


class _InOrder(click.Group):
    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group("eval", cls=_InOrder)
def evaluate() -> None:
    """Measure verdicts, search and answers on labelled data, beside simple baselines.

    Files are read in the format in which the sets are published. A run that was stopped goes on
    where it was when the same command is given again.
    """


def _add(task: "Task") -> None:
    def run(session: Session, /, **given: Any) -> int:
        return _evaluate(session, task, given)

    run.__doc__ = _ABOUT[task]
    named = evaluate.command(task, cls=DataCommand, short_help=_ABOUT[task])
    named(click.pass_obj(task_options(run, task)))


def _evaluate(session: Session, task: "Task", given: dict[str, Any]) -> int:
    if given["list_formats"]:
        return list_formats(task)
    require_extra()
    require_data(given["data"])
    require_page(given["report"])
    require_place(given["report"], given["data"])

    from veracite.engine.evaluation import report
    from veracite.engine.evaluation.figures import sum_up
    from veracite.engine.evaluation.items import as_json
    from veracite.engine.evaluation.models import Models

    models = Models(
        given["threads"],
        file=given.get("model"),
        paths=session.paths,
        calibration=given.get("calibration"),
        without=given.get("without_check", ()),
    )
    try:
        answered = follow(session, asked(task, given), models, given["run"], given["quiet"])
    finally:
        models.close()
    result = sum_up(answered)
    if given["report"] is not None:
        write_file(given["report"], report.page(result).encode())
    if given["as_json"]:
        console.write(f"{safe_json(as_json(result), indent=1)}\n", data=True)
    else:
        console.write(_table(result))
    if not given["quiet"]:
        console.say(f"Every prediction: {answered.run / 'predictions.jsonl'}")
    return ExitCode.OK


def _table(result: "Result") -> str:
    from veracite.engine.evaluation import report

    look = Look.of(sys.stdout)
    return "".join(
        f"{look.paint(line.text, _STYLES[line.role]) if line.role in _STYLES else line.text}\n"
        for line in report.lines(result, look.width)
    )


for _task in _ABOUT:
    _add(_task)
evaluate.add_command(calibrate)
