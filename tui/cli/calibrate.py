"""``veracite eval calibrate``: honest probabilities for a person's own kind of text."""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veracite.engine.report.json import safe_json
from veracite.tui import console
from veracite.tui.cli import evaluating
from veracite.tui.cli.evaluating import DataCommand, asked, data_options, showing_options
from veracite.tui.cli.output import write_file
from veracite.tui.cli.root import Session
from veracite.tui.console import ExitCode

if TYPE_CHECKING:
    from veracite.engine.evaluation.calibrate import Effect, Tuned

_ABOUT = "Fit probabilities and a threshold to your own labelled texts."
_KINDS = {
    "identity": "no map is better than none",
    "temperature": "by temperature",
    "platt": "by a logistic curve",
    "isotonic": "by steps",
}


@click.command(cls=DataCommand, short_help=_ABOUT)
@data_options
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE.json",
    help="Where the calibration is written, for `veracite check --calibration`.",
)
@click.option(
    "--most-wrong",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Call claims supported only from where at most this share of them is false "
    "[default: from where no more false ones are called so than without the calibration].",
)
@click.option(
    "--anyway",
    is_flag=True,
    help="Write it also where the rows held out speak against it.",
)
@showing_options
@click.pass_obj
def calibrate(
    session: Session,
    /,
    output: Path | None,
    most_wrong: float | None,
    anyway: bool,
    list_formats: bool,
    **given: Any,
) -> int:
    """Fit probabilities and a threshold to labelled texts, as `veracite eval detect` reads them.

    The report is of rows that were not fitted on; the file that is written is fitted on all.
    Where those rows speak against it nothing is written, and the exit code is 1.
    """
    if list_formats:
        return evaluating.list_formats("detect")
    evaluating.require_extra()
    evaluating.require_data(given["data"])
    evaluating.require_place(output, given["data"])

    from veracite.engine.evaluation.calibrate import tune
    from veracite.engine.evaluation.figures import OURS, VerdictFigures
    from veracite.engine.evaluation.models import Models

    models = Models(given["threads"])
    try:
        wanted = asked("detect", given)
        by_support = replace(wanted.predicting, against_contradiction=False)
        wanted = replace(wanted, predicting=by_support)
        answered = evaluating.follow(session, wanted, models, given["run"], given["quiet"])
        least = answered.predicting.uncertain_below
        fitted_for = models.judge(least).models
    finally:
        models.close()
    judged = VerdictFigures(answered)
    tuned = tune(
        judged.scores(OURS),
        judged.truth,
        judged.groups,
        judged.split.held,
        least=least,
        most_wrong=most_wrong,
        seed=answered.predicting.seed,
    )
    held = tuned.as_mapping(fitted_for, answered.record)
    refused = bool(tuned.doubts) and not anyway
    if output is not None and not refused:
        write_file(output, (json.dumps(held, indent=1) + "\n").encode())
    if given["as_json"]:
        console.write(f"{safe_json(held, indent=1)}\n", data=True)
    else:
        notes = "".join(f"Note: {note}\n" for note in answered.loaded.notes)
        console.write(_page(tuned, least) + notes + _ending(tuned, output, refused))
    return ExitCode.FINDINGS if refused else ExitCode.OK


def _page(tuned: "Tuned", least: float) -> str:
    before, after = tuned.before, tuned.after
    rows = [
        ("", "before", "after"),
        (
            "expected calibration error",
            f"{before.calibration_error:.3f}",
            f"{after.calibration_error:.3f}",
        ),
        ("Brier score", f"{before.brier:.3f}", f"{after.brier:.3f}"),
        ("supported from", f"{least:.2f}", f"{tuned.part_from:.2f}"),
        *_effects(before, after),
    ]
    lines = [
        f"Fitted on {tuned.fitted} rows ({_KINDS[tuned.part.kind]}), "
        f"measured on {tuned.rows - tuned.fitted} others:",
        *(f"  {name:<32}{one:>8}{two:>8}" for name, one, two in rows),
        f"Fitted on all {tuned.rows} rows ({_KINDS[tuned.calibration.kind]}): supported from "
        f"{tuned.supported_from:.2f}.",
    ]
    if tuned.supported_from >= 1:
        lines.append("No threshold keeps so few wrong: nothing would be called supported.")
    return "\n".join(lines) + "\n"


def _ending(tuned: "Tuned", output: Path | None, refused: bool) -> str:
    lines = [f"Better not use it: {tuned.doubts[0]}", *tuned.doubts[1:]] if tuned.doubts else []
    if refused:
        lines.append("Nothing was written. Label more rows; --anyway writes it all the same.")
    elif output is None:
        lines.append("Nothing was written; --output FILE.json keeps it.")
    else:
        lines.append(f"Use it with: veracite check TEXT --calibration {output}")
    return "\n".join(lines) + "\n"


def _effects(before: "Effect", after: "Effect") -> list[tuple[str, str, str]]:
    return [
        (name, _share(getattr(before, field)), _share(getattr(after, field)))
        for name, field in (
            ("called supported", "called"),
            ("true ones that are", "found"),
            ("false ones that are", "false_called"),
            ("of those called so, wrong", "wrong"),
        )
    ]


def _share(value: float) -> str:
    return "n/a" if value != value else f"{value:.1%}"
