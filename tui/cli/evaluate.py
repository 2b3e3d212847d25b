"""``veracite eval``: how good the verdicts, searches and answers are on labelled data, and honest
probabilities for a person's own kind of text."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veracite.engine.evaluation.items import SELFCHECK, Answered, Asked, Task, as_json
from veracite.engine.libraries import Libraries, documents
from veracite.engine.report.json import safe_json
from veracite.engine.settings import METHOD_NAMES, CheckSettings, declared, with_values
from veracite.models.files import private_folder
from veracite.tui import console
from veracite.tui.cli import options
from veracite.tui.cli.output import require_place, write_file
from veracite.tui.cli.running import path_of
from veracite.tui.cli.session import Session
from veracite.tui.console import ExitCode, Look, UsageError
from veracite.tui.progress import results

if TYPE_CHECKING:
    from veracite.engine.evaluation.calibrate import Tuned
    from veracite.engine.models import OpenModels

_ABOUT: dict[Task, str] = {
    "detect": "Which sentences of a text are true: WikiBio GPT-3, FELM, your own labelled texts.",
    "attribute": "Which claims their documents support: WiCE, AggreFact, AttributionBench, ...",
    "retrieve": "Which documents are found for a query: BEIR folders, NQ with gold passages.",
    "answer": "How right, and how well cited, answers are: NQ, HotpotQA, ASQA, QAMPARI, ...",
}
_CALIBRATE = "Fit probabilities and a threshold to your own labelled texts."
_EXTRA = ("matplotlib", "scipy", "sklearn")
"""What the extra ``eval`` brings."""


# --- What is asked ----------------------------------------------------------------------------


_FILE = click.Path(path_type=Path)
_DATA: list[Any] = [
    click.option(
        "--data",
        "-d",
        multiple=True,
        type=_FILE,
        metavar="FILE",
        help="Files or folders of the set; several after one flag, or one after each.",
    ),
    click.argument("more", nargs=-1, type=_FILE, metavar="[FILE]..."),
    click.option(
        "--format", "form", metavar="NAME", help="Format of the files [default: recognised]."
    ),
    click.option(
        "--limit", type=click.IntRange(1), metavar="N", help="Take only N items, drawn at random."
    ),
    click.option(
        "--seed",
        type=click.IntRange(0),
        default=0,
        show_default=True,
        help="Seed of everything that is drawn at random.",
    ),
    click.option(
        "--collection",
        type=click.Choice(["each", "all"]),
        default="each",
        help="Judge an item by its own documents, or by all items' as one library [default: each].",
    ),
    options.settings(
        k="Passages that an item is judged or answered by [default: as check and ask]."
    ),
    options.settings("threads"),
]
_LABEL = click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="LABEL=true|false",
    help="What a label of the set means (repeatable).",
)
_AGAINST = options.documents(
    "Files or folders (repeatable) or a named library that decide in place of the documents that "
    "the set brings."
)
_method = partial(click.option, "--method", "-m", "methods", multiple=True)
_VERDICTS = [
    _AGAINST,
    options.settings("uncertain_below"),
    click.option(
        "--without-check",
        multiple=True,
        metavar="ID",
        help="Pass over a check of the decision, to see what it is worth.",
    ),
    options.settings(
        calibration="Calibration that `veracite eval calibrate` made of other texts than these."
    ),
    _LABEL,
    _method(
        type=click.Choice([SELFCHECK]),
        help="Judge also by the other texts of the same model that the set brings (slow).",
    ),
]
_ANSWERS = [
    _AGAINST,
    options.settings(model="A language model that writes the answers."),
    _method(
        metavar="NAME,...",
        help=f"Answer by these beside the plain ways (repeatable): {', '.join(METHOD_NAMES)}. A "
        "preset or a setting follows after a colon: vtg:asqa-table6:T=1 [default: the best one].",
    ),
]
_OWN: dict[Task, list[Any]] = {"detect": _VERDICTS, "attribute": _VERDICTS, "answer": _ANSWERS}
_REPORT = click.option(
    "--report", type=_FILE, metavar="FILE.html", help="Write a report with plots."
)


def _models(session: Session, given: dict[str, Any]) -> "OpenModels":
    """What is used and measured; a language model only writes."""
    from veracite.engine.models import OpenModels

    known = declared(CheckSettings)
    told = {name: value for name, value in given.items() if name in known and value is not None}
    settings = with_values(CheckSettings(judge="bundled"), told)
    return OpenModels(settings, session.paths, without=given.get("without_check", ()))


def _asked(
    session: Session, task: Task, given: dict[str, Any], contradiction: bool | None = None
) -> Asked:
    by = given.get("against")
    if by and given["collection"] == "all":
        raise UsageError(
            "--collection all makes a library of the set's documents, and --against names another.",
            "Leave one of them out.",
        )
    named = (name.strip() for names in given.get("methods", ()) for name in names.split(","))
    return Asked(
        task=task,
        files=_files(given),
        format=given["form"],
        methods=tuple(name for name in named if name),
        limit=given["limit"],
        scope=given["collection"],
        against=documents(by, Libraries(session.paths)) if by else None,
        against_contradiction=contradiction,
        seed=given["seed"],
        label_map=_label_map(given.get("labels", ())),
    )


def _files(given: dict[str, Any]) -> tuple[Path, ...]:
    """The data: what follows ``--data``, and what stands alone."""
    return tuple(path.expanduser() for path in (*given["data"], *given["more"]))


def _label_map(labels: tuple[str, ...]) -> dict[str, bool]:
    found: dict[str, bool] = {}
    for label in labels:
        name, equals, value = label.rpartition("=")
        if not (equals and name and value.lower() in ("true", "false")):
            raise UsageError(
                f"--label {label!r} does not say what a label means.",
                "Write it as LABEL=true or LABEL=false.",
            )
        found[name] = value.lower() == "true"
    return found


def _require(given: dict[str, Any], output: Path | None) -> None:
    """Find out before the work what it lacks.

    Raises:
        UsageError: The libraries of the extra ``eval`` or the data are missing, or the output is
            impossible.
    """
    if missing := [name for name in _EXTRA if find_spec(name) is None]:
        raise UsageError(
            f"Evaluation needs libraries that are not installed ({', '.join(missing)}).",
            "Install them with: pip install 'veracite[eval]'",
        )
    if not _files(given):
        raise UsageError("No data is named.", "Name the set's files with --data FILE.")
    for path in _files(given):
        path_of(str(path), "file or folder")
        require_place(output, str(path))


def _follow(session: Session, wanted: Asked, models: "OpenModels") -> Answered:
    """Make every prediction, telling on standard error how far it is."""
    from veracite.engine.evaluation.predict import ask

    events = ask(wanted, models, session.paths.evaluations)
    (answered,) = results(events, Answered, "Evaluating", quiet=session.quiet)
    return answered


# --- Measuring --------------------------------------------------------------------------------


@click.group("eval")
def evaluate() -> None:
    """Measure verdicts, search and answers on labelled data, beside simple baselines.

    Files are read in the format in which the sets are published. A run that was stopped goes on
    where it was when the same command is given again.
    """


def _evaluate(session: Session, /, task: Task, **given: Any) -> int:
    page = given["report"]
    _require(given, page)
    named = page is not None and (page.is_file() or not page.exists())
    if named and page.suffix.lower() not in (".html", ".htm"):
        raise UsageError(
            f"A report is a page of HTML, and {str(page)!r} does not end in .html or .htm.",
            "Name another file.",
        )

    # Else matplotlib would keep its list of fonts in folders that are not ours.
    with suppress(OSError):
        fonts = private_folder(session.paths.cache / "matplotlib")
        os.environ.setdefault("MPLCONFIGDIR", str(fonts))
    from veracite.engine.evaluation import report
    from veracite.engine.evaluation.figures import sum_up

    with closing(_models(session, given)) as models:
        answered = _follow(session, _asked(session, task, given), models)
    result = sum_up(answered)
    if page is not None:
        write_file(page, report.page(result, answered).encode())
    if session.as_json:
        console.write(safe_json(as_json(result), indent=1), data=True)
    else:
        look = Look.of(sys.stdout)
        for line, *styles in report.lines(result, look.width):
            console.write(f"{look.paint(line, *filter(None, styles))}\n")
    if not session.quiet:
        console.say(f"Every prediction: {answered.run / 'predictions.jsonl'}")
    return ExitCode.OK


for _task, _about in _ABOUT.items():
    _run = options.work(partial(_evaluate, task=_task))
    _shown = options.together(_run, [*_DATA, *_OWN.get(_task, ()), _REPORT])
    evaluate.command(_task, help=_about, short_help=_about)(_shown)


# --- Calibrating ------------------------------------------------------------------------------


@evaluate.command(short_help=_CALIBRATE)
@partial(options.together, options=[*_DATA, _AGAINST, _LABEL])
@options.output("Where the calibration is written, for `veracite check --calibration`.")
@click.option(
    "--most-wrong",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Call claims supported only from where at most this share of them is false "
    "[default: from where no more false ones are called so than without the calibration].",
)
@click.option(
    "--anyway", is_flag=True, help="Write it also where the rows held out speak against it."
)
@options.work
def calibrate(
    session: Session, /, output: Path | None, most_wrong: float | None, anyway: bool, **given: Any
) -> int:
    """Fit probabilities and a threshold to labelled texts, as `veracite eval detect` reads them.

    The report is of rows that were not fitted on; the file that is written is fitted on all.
    Where those rows speak against it nothing is written, and the exit code is 1.
    """
    _require(given, output)

    from veracite.engine.evaluation.calibrate import tune
    from veracite.engine.evaluation.figures import OURS, VerdictFigures

    wanted = _asked(session, "detect", given, contradiction=False)
    least = CheckSettings().uncertain_below
    with closing(_models(session, given)) as models:
        answered = _follow(session, wanted, models)
        fitted_for = models.judge().models
    of = VerdictFigures(answered)
    tuned = tune(of.scores[OURS], of.truth, of.groups, of.split.held, least, most_wrong)
    held = tuned.as_mapping(fitted_for, answered.record)
    refused = bool(tuned.doubts) and not anyway
    if output is not None and not refused:
        write_file(output, (json.dumps(held, indent=1) + "\n").encode())
    if session.as_json:
        console.write(safe_json(held, indent=1), data=True)
    else:
        notes = [f"Note: {note}" for note in answered.loaded.notes]
        lines = [*_told(tuned, least), *notes, *_ending(tuned, output, refused)]
        console.write("".join(f"{line}\n" for line in lines))
    return ExitCode.FINDINGS if refused else ExitCode.OK


def _told(tuned: "Tuned", least: float) -> Iterator[str]:
    yield f"Fitted on {tuned.fitted} rows, measured on {tuned.rows - tuned.fitted} others:"
    yield f"  {'':<32}{'before':>8}{'after':>8}"
    for name, before in tuned.before.items():
        yield f"  {name:<32}{before:>8.3f}{tuned.after[name]:>8.3f}"
    yield f"  {'supported from':<32}{least:>8.3f}{tuned.part_from:>8.3f}"
    yield f"Fitted on all {tuned.rows} rows: supported from {tuned.supported_from:.2f}."
    if tuned.supported_from >= 1:
        yield "No threshold keeps so few wrong: nothing would be called supported."


def _ending(tuned: "Tuned", output: Path | None, refused: bool) -> Iterator[str]:
    if tuned.doubts:
        yield f"Better not use it: {' '.join(tuned.doubts)}"
    if refused:
        yield "Nothing was written. Label more rows; --anyway writes it all the same."
    elif output is None:
        yield "Nothing was written; --output FILE.json keeps it."
    else:
        yield f"Use it with: veracite check TEXT --calibration {output}"
