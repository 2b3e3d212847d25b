"""Reports for continuous integration: XML as JUnit writes it, a test case for each claim."""

from collections.abc import Collection
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from veracite.engine.display import neutralise
from veracite.engine.report import phrases
from veracite.engine.report.phrases import NameFile
from veracite.engine.report.sarif import has_lines, line_and_column, told
from veracite.engine.settings import DEFAULT_FAIL_ON
from veracite.engine.types import Label, Report

_NO_CHARACTERS = dict.fromkeys((0xFFFE, 0xFFFF), "\ufffd")
"""What XML cannot hold and ``neutralise`` lets pass."""


def render(
    report: Report,
    name: NameFile = phrases.base_name,
    only: Collection[Label] | None = None,
    fail_on: Collection[Label] = DEFAULT_FAIL_ON,
) -> str:
    """The report on a text as XML. Claims that cannot be checked are skipped tests.

    Args:
        name: Turns the path of a document into the name a reader is shown.
        only: Labels of the claims that become test cases; None takes all.
        fail_on: Labels of the claims that are failures.
    """
    shown, title = phrases.chosen(report, only), _plain(phrases.title(report))
    ways = {Label.NOT_CHECKABLE: "skipped"} | dict.fromkeys(fail_on, "failure")
    kinds = [ways.get(verdict.label, "system-out") for _, verdict in shown]
    sums = {
        "tests": str(len(shown)),
        "failures": str(kinds.count("failure")),
        "errors": "0",
        "skipped": str(kinds.count("skipped")),
    }
    root = Element("testsuites", {"name": "Veracite", **sums})
    suite = SubElement(root, "testsuite", {"name": title, **sums})
    properties = SubElement(suite, "properties")
    for fact, value in phrases.facts(report):
        SubElement(properties, "property", {"name": fact, "value": _plain(value)})
    for (number, verdict), kind in zip(shown, kinds, strict=True):
        said = {"classname": title, "name": f"{number}. {_plain(verdict.claim.statement)}"}
        if report.path is not None and has_lines(report.path):
            line, _ = line_and_column(report.source, verdict.claim.start)
            said |= {"file": _plain(report.path), "line": str(line)}
        case = SubElement(suite, "testcase", said)
        shortly = {"type": verdict.label.value, "message": _plain(verdict.explanation)}
        about = SubElement(case, kind, {} if kind == "system-out" else shortly)
        about.text = _plain(told(verdict, name))
    unread = [group.said(name) for group in phrases.unread(report)]
    if told_of := [*report.notes, *([phrases.NOT_LOOKED_UP] if unread else []), *unread]:
        SubElement(suite, "system-err").text = "\n".join(map(_plain, told_of))
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _plain(text: str) -> str:
    return neutralise(text, lines=True).translate(_NO_CHARACTERS)
