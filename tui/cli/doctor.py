"""``veracite doctor``."""

import sys
from collections.abc import Sequence
from dataclasses import asdict

import click

from veracite.engine import diagnosis
from veracite.engine.diagnosis import Finding
from veracite.engine.display import neutralise, wrap
from veracite.tui import console
from veracite.tui.cli import options, output
from veracite.tui.cli.session import Session
from veracite.tui.console import ExitCode, Look, UsageError

_STYLES = {"ok": ("green",), "optional": ("yellow",), "broken": ("bold", "red")}
_MARGIN = 20


@click.command
@click.option(
    "--self-test",
    is_flag=True,
    help="Have the installation check a small text of its own instead, with nothing of yours.",
)
@click.option(
    "--offline",
    is_flag=True,
    help="Try to reach the network, which has to fail, and to make a check without one.",
)
@options.facts
def doctor(session: Session, /, self_test: bool, offline: bool) -> int:
    """Try everything that a check needs; say what works and what to do about the rest.

    The exit code is 3 if anything that is needed does not work.
    """
    if self_test and offline:
        raise UsageError("--self-test and --offline exclude each other.", "Leave one of them out.")
    if offline:
        from veracite.engine.apart import try_offline

        findings = list(try_offline())
    else:
        findings = list(diagnosis.self_test() if self_test else diagnosis.diagnose(session.paths))
    if session.as_json:
        found = [asdict(finding) for finding in findings]
        output.write_json({"schema": "veracite.doctor/1", "findings": found})
    else:
        console.write(_page(findings, Look.of(sys.stdout)))
    return ExitCode.FAILED if any(f.state == "broken" for f in findings) else ExitCode.OK


def _page(findings: Sequence[Finding], look: Look) -> str:
    lines = []
    for finding in findings:
        state = look.paint(f"{finding.state:<9}", *_STYLES[finding.state])
        text = neutralise(finding.detail)
        first, *rest = wrap(text, look.width - _MARGIN - 10) or [""]
        lines.append(f"{state} {finding.name:<{_MARGIN}}{first}")
        lines += [f"{'':<{_MARGIN + 10}}{line}" for line in rest]
        lines += wrap(neutralise(finding.advice or ""), look.width, " " * (_MARGIN + 10))
    return "\n".join(lines) + "\n"
