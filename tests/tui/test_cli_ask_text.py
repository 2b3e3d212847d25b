"""An answer on a terminal: marked where it is no fact, harmless, and readable at any width."""

from dataclasses import replace

import pytest
from reports import HOSTILE, citation, report, verdict

from veracite.engine.display import neutralise, width_of
from veracite.engine.report.phrases import base_name
from veracite.engine.types import Answer, Label, Report
from veracite.tui.console import Look
from veracite.tui.text_report import render_answer

PLAIN = Look(colour=False, unicode=True, width=80)
TEXT = "The mill burned. It was rebuilt. Bees hum in spring."
NEAR = tuple(citation(f"Hive {n}.", "nearest", start=n, end=n + 7) for n in range(200, 203))
VERDICTS = (
    verdict("The mill burned.", Label.SUPPORTED, citation("It burned."), source=TEXT),
    replace(
        verdict(
            "It was rebuilt.",
            Label.CONTRADICTED,
            citation("Never rebuilt.", "contradicts", start=9),
            source=TEXT,
        ),
        explanation="The claim says rebuilt, the document says never.",
    ),
    verdict("Bees hum in spring.", Label.NOT_FOUND, *NEAR, source=TEXT),
)


def answered(**changes: object) -> Report:
    answer = replace(Answer("What burned?", TEXT, VERDICTS), **changes)  # type: ignore[arg-type]
    return replace(report(*answer.verdicts, source=TEXT), method="vtg", answer=answer)


def test_only_what_is_supported_stands_without_a_mark() -> None:
    lines = render_answer(answered(), PLAIN, base_name).splitlines()
    assert lines[2:6] == [
        "The mill burned. [1]",
        "✗ contradicted (93 %): It was rebuilt. (contradicted by [2])",
        "  The claim says rebuilt, the document says never.",
        "? not found (93 %): Bees hum in spring. (nearest: [3])",
    ]
    assert "[1] mill.pdf, page 3, characters 120-130" in lines
    assert "    “It burned.”" in lines
    assert "3 sentences: 1 supported, 1 contradicted, 1 not found." in lines
    assert "[4] " not in "\n".join(lines)
    verbose = render_answer(answered(), PLAIN, base_name, verbose=True)
    assert "(nearest: [3][4][5])" in verbose
    assert verbose.count("The quoted sentence says so.") == 2


def test_what_the_documents_do_not_answer_is_said() -> None:
    none = answered(text="", verdicts=(), sufficient=False, nearest=NEAR[:2])
    written = render_answer(none, PLAIN, base_name)
    assert written.startswith(
        "What burned?\n\nNo answer was found in the documents.\n"
        "The passages that were found do not suffice to answer the question.\n\n"
        "Nearest to the question in the documents:\nmill.pdf, page 3, characters 200-207\n"
        "    “Hive 200.”\n\nmill.pdf"
    )


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=list(HOSTILE))
def test_nothing_of_a_document_or_question_is_obeyed(hostile: str) -> None:
    quote = citation(hostile, context=hostile, file=f"/{hostile}".replace("\x00", ""))
    claim = replace(VERDICTS[0].claim, statement=hostile)
    own = replace(VERDICTS[2], claim=claim, explanation=hostile, citations=(quote,))
    made = answered(question=hostile, verdicts=(own, own), nearest=(quote,))
    written = render_answer(made, PLAIN, base_name, verbose=True)
    assert neutralise(written, lines=True) == written


@pytest.mark.parametrize("width", [20, 40, 80])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    look = Look(colour=False, unicode=False, width=width)
    written = render_answer(answered(nearest=NEAR, probability=0.3), look, base_name)
    assert max(map(width_of, written.splitlines())) <= width
    assert written.isascii()
    assert "x contradicted" in written
