"""The main job, done on the samples with the real models: what a newcomer sees in the demo."""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from reports import report_of

from veracite.engine.events import Event, Judged
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Citation, Label, Report, Verdict
from veracite.engine.workbench import Workbench
from veracite.index.progress import Encoded, FileRead
from veracite.index.reading import Reader
from veracite.tui import text_report
from veracite.tui.console import Look

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "tests" / "samples"
LIBRARY = SAMPLES / "library"
REPORT_PDF = LIBRARY / "annual-report-2023.pdf"
DRAFT = (SAMPLES / "draft.md").read_text(encoding="utf-8")
EXPECTED: list[dict[str, Any]] = json.loads(
    (SAMPLES / "expected.json").read_text(encoding="utf-8")
)["sentences"]
MOST_MISSED = 5
"""Of the 22 checkable sentences, so many may get a label that a careful reader would not give."""
RELATION = {Label.SUPPORTED: "supports", Label.CONTRADICTED: "contradicts"}


Check = Callable[[str], list[Event]]


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    """Checks a text with this module's own index and verdicts."""
    home = tmp_path_factory.mktemp("samples")
    paths = Paths(home / "data", home / "cache", home / "config.toml")

    def checked(text: str) -> list[Event]:
        with Workbench(CheckSettings(), paths) as bench:
            return list(bench.check(text, path="draft.md", against=(LIBRARY,)))

    return checked


@pytest.fixture(scope="module")
def report(check: Check) -> Report:
    return report_of(check(DRAFT))


def judged_anew(events: Sequence[Event]) -> list[str]:
    """Statements that models judged in this run, rather than remembered."""
    return [
        event.verdict.claim.statement
        for event in events
        if isinstance(event, Judged) and event.verdict.scores and not event.cached
    ]


def verdict_on(report: Report, fragment: str) -> Verdict:
    """The verdict on the one claim that holds a fragment."""
    (found,) = [v for v in report.verdicts if fragment in " ".join(v.claim.statement.split())]
    return found


def citations(report: Report) -> list[Citation]:
    return [citation for verdict in report.verdicts for citation in verdict.citations]


def letters(text: str) -> str:
    """A text without what line breaks do to it."""
    return "".join(character for character in text if character.isalnum())


def ids(sentence: dict[str, Any]) -> str:
    return str(sentence["text"])[:40]


def test_all_documents_are_read(report: Report) -> None:
    files = [file for file in LIBRARY.rglob("*") if file.is_file()]
    assert report.documents_read == len(files)
    assert report.failed == ()
    assert set(report.extractors) == {"docx", "html", "md", "pdf", "txt"}


@pytest.mark.parametrize("sentence", [s for s in EXPECTED if s["certain"]], ids=ids)
def test_certain_sentences_get_the_right_label(report: Report, sentence: dict[str, Any]) -> None:
    verdict = verdict_on(report, sentence["text"])
    assert verdict.label == sentence["labels"][0], verdict.explanation
    if verdict.label in RELATION:
        cited = {
            (Path(citation.file).relative_to(LIBRARY).as_posix(), citation.page)
            for citation in verdict.citations
            if citation.relation == RELATION[verdict.label]
        }
        assert cited & {(place["file"], place["page"]) for place in sentence["cites"]}


@pytest.mark.parametrize("sentence", EXPECTED, ids=ids)
def test_no_verdict_is_the_opposite_of_the_truth(
    report: Report, sentence: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    if miss := sentence.get("known_miss"):
        request.applymarker(pytest.mark.xfail(reason=miss, strict=True))
    verdict = verdict_on(report, sentence["text"])
    assert verdict.label in (*sentence["labels"], Label.NOT_FOUND), verdict.explanation


def test_most_verdicts_are_those_of_a_careful_reader(report: Report) -> None:
    checkable = [s for s in EXPECTED if s["labels"][0] != Label.NOT_CHECKABLE]
    missed = {
        s["text"]: str(verdict.label)
        for s in checkable
        if (verdict := verdict_on(report, s["text"])).label not in s["labels"]
    }
    assert len(missed) <= MOST_MISSED, missed


def test_quotes_stand_verbatim_in_the_extracted_text(report: Report) -> None:
    with Reader() as reader:
        read = {file: next(reader.read(Path(file))) for file in {c.file for c in citations(report)}}
    texts = {file: part.found.text for file, part in read.items() if part.found}
    assert citations(report)
    for citation in citations(report):
        assert citation.quote.strip()
        assert texts[citation.file][citation.start : citation.end] == citation.quote


def test_quotes_from_the_pdf_alone_have_pages_and_stand_on_them(report: Report) -> None:
    with pypdfium2.PdfDocument(REPORT_PDF) as document:
        pages = [letters(page.get_textpage().get_text_bounded()) for page in document]
    seen = set()
    for citation in citations(report):
        assert (citation.page is None) == (citation.file != str(REPORT_PDF))
        if citation.page is not None:
            seen.add(citation.page)
            assert letters(citation.quote)[:20] in pages[citation.page - 1]
    assert seen >= {1, 2, 3}


def test_verdicts_cite_what_decides_them_or_else_what_is_nearest(report: Report) -> None:
    seen = Counter(verdict.label for verdict in report.verdicts)
    assert min(seen[label] for label in (*RELATION, Label.NOT_FOUND)) > 0
    for verdict in report.verdicts:
        relations = {citation.relation for citation in verdict.citations}
        if verdict.label in RELATION:
            assert RELATION[verdict.label] in relations
        elif verdict.label is Label.NOT_FOUND:
            assert relations == {"nearest"}


def test_documents_that_disagree_are_both_quoted(report: Report) -> None:
    verdict = verdict_on(report, "dates from March 1957")
    assert verdict.disagreement is not None
    quoted = {c.relation: Path(c.file).name for c in verdict.citations}
    assert quoted == {"supports": "history.md", "contradicts": "leaflet-2009.md"}


@pytest.mark.usefixtures("report")
def test_a_changed_sentence_is_judged_alone_and_nothing_is_read_again(check: Check) -> None:
    events = check(DRAFT.replace("An adult ticket costs £7.", "An adult ticket costs £9."))
    assert not [event for event in events if isinstance(event, FileRead | Encoded)]
    assert judged_anew(events) == ["An adult ticket costs £9."]


def test_the_readme_shows_what_the_demo_prints(report: Report) -> None:
    def without_percentages(text: str) -> str:
        return re.sub(r"\d+ %", "N %", text)

    printed = text_report.render(
        report, Look(colour=False, unicode=True, width=80), lambda file: os.path.relpath(file, ROOT)
    )
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"<!-- begin demo -->\n```\n(.*?)\n```", readme, re.S)
    assert shown
    command, *blocks = shown[1].split("\n\n")
    assert command in (ROOT / "scripts" / "demo.sh").read_text(encoding="utf-8")
    assert len(blocks) > 5
    stale = [
        block
        for block in blocks
        if block != "[...]" and without_percentages(block) not in without_percentages(printed)
    ]
    assert not stale, "run scripts/update_docs.py"
