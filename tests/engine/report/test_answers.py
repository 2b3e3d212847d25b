"""Answers in the formats that the engine writes: nothing in them passes for a fact that is none."""

import json
import re
from dataclasses import replace

import pytest
from lxml.html import document_fromstring
from reports import HOSTILE, citation, report, validator, verdict

from veracite.engine.display import neutralise
from veracite.engine.methods.cost import Cost
from veracite.engine.report import answers, html, markdown
from veracite.engine.report.json import render
from veracite.engine.types import Answer, Change, Citation, Fix, Label, Report, Verdict

TEXT = "The mill burned. It was rebuilt. Who paid? Berg owned it. Bees hum."
FIRE = citation("It burned in 1904.")
AGAIN = citation("Fire took the mill.", start=300, end=319)
NEVER = citation("It was never rebuilt.", "contradicts", start=500, end=521)
OWNER = citation("The owner was Jo.", "contradicts", start=700, end=717)
HIVES = citation("He kept hives.", "nearest", start=44, end=58)
ODD = citation("Honey is sweet.", "nearest", start=90, end=105)


def said(text: str, label: Label, *citations: Citation, **changes: object) -> Verdict:
    made = verdict(text, label, *citations, source=TEXT)
    return replace(made, **changes)  # type: ignore[arg-type]


VERDICTS = (
    said("The mill burned.", Label.SUPPORTED, FIRE, AGAIN),
    said("It was rebuilt.", Label.CONTRADICTED, NEVER, explanation="It says never."),
    said("Who paid?", Label.NOT_CHECKABLE),
    said("Berg owned it.", Label.SUPPORTED, AGAIN, OWNER, explanation="Another disagrees."),
    said("Bees hum.", Label.NOT_FOUND, HIVES, ODD, explanation="Nothing says so."),
)


SPLIT = replace(VERDICTS[3], label=Label.UNCERTAIN)
"""One document supports it, another one contradicts it: it is not that none supports it."""


def answered(*verdicts: Verdict, complete: bool = True, **changes: object) -> Report:
    """The report on an answer of these sentences; of all five by default."""
    own = verdicts or VERDICTS
    answer = replace(Answer("What burned?", TEXT, own), **changes)  # type: ignore[arg-type]
    told = {"path": None, "verdicts": answer.verdicts, "method": "vtg", "answer": answer}
    return report(*own, source=answer.text, complete=complete, **told)


def test_each_quote_has_one_number_in_order_of_first_use() -> None:
    laid_out = answers.numbered(Answer("", TEXT, VERDICTS))
    assert laid_out.sources == (FIRE, AGAIN, NEVER, OWNER, HIVES)
    marks = [answers.marks(sentence) for sentence in laid_out.sentences]
    assert marks[:3] == ["[1][2]", "(contradicted by [3])", ""]
    assert marks[3:] == ["[2] (contradicted by [4])", "(nearest: [5])"]
    (with_all,) = answers.numbered_together([Answer("", TEXT, VERDICTS)], near=None)
    assert with_all.sources[-1] == ODD


@pytest.mark.parametrize(
    ("file", "shown"), [("/a.md", "It burned in 1904."), ("/a.txt", "It *burned* in [1904](/y).")]
)
def test_people_read_quotes_without_the_notation_of_their_document(file: str, shown: str) -> None:
    quote = citation("It *burned* in [1904](/y).", file=file)
    assert answers.prose(quote) == shown
    made = answered(replace(VERDICTS[0], citations=(quote,)), nearest=(quote,))
    page = html.render(made)
    assert f"<strong>[1]</strong> {shown}</blockquote>" in page
    assert f'<blockquote dir="auto">{shown}</blockquote>' in page
    assert markdown.render(made).replace("\\", "").count(f"> {shown}") == 2
    assert json.loads(render(made))["answer"]["citations"][0]["quote"] == quote.quote


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (answered(VERDICTS[0]), []),
        (answered(VERDICTS[4]), ["support no sentence"]),
        (answered(verdicts=(), text=""), ["No answer was found"]),
        (answered(VERDICTS[0], complete=False), ["Interrupted: this"]),
        (answered(VERDICTS[0], probability=0.3), ["Perhaps this does not answer the question (30"]),
        (
            answered(VERDICTS[0], probability=0.81, unanswered=("who paid?", "who\x1b slept?")),
            [
                "No sentence found for: who paid?",
                "No sentence found for: who\\x1b slept?",
                "Very likely this answers the rest of the question (81 %).",
            ],
        ),
        (answered(SPLIT), []),
        (answered(VERDICTS[0], probability=0.93, sufficient=False), ["do not suffice to answer"]),
        (answered(verdicts=(), text="", complete=False), ["Interrupted before anything was"]),
    ],
)
def test_what_makes_an_answer_doubtful_is_said(made: Report, expected: list[str]) -> None:
    told = answers.doubts(made)
    assert len(told) == len(expected)
    assert all(words in doubt for words, doubt in zip(expected, told, strict=True))


def test_the_json_says_what_programs_need_and_keeps_to_the_schema() -> None:
    made = json.loads(render(answered(rounds=3, nearest=(ODD,), unanswered=("who paid?",))))
    text = made["answer"]["text"]
    one = made["answer"]["sentences"][0]
    assert text[one["start"] : one["end"]] == "The mill burned."
    assert (one["label"], one["supported_by"]) == ("supported", [1, 2])
    split = made["answer"]["sentences"][3]
    assert (split["supported_by"], split["contradicted_by"]) == ([2], [4])
    assert [one["number"] for one in made["answer"]["citations"]] == [1, 2, 3, 4, 5]
    assert (made["question"], made["method"], made["rounds"]) == ("What burned?", "vtg", 3)
    assert made["answer"]["unanswered"] == ["who paid?"]
    assert [one["quote"] for one in made["nearest"]] == [ODD.quote]
    assert {"answer", "complete"}.isdisjoint(json.loads(render(report())))
    mended = Fix("a", "b", (Change(VERDICTS[1], "", True, "No."),))
    for other in (
        answered(sufficient=False, probability=0.5, nearest=(HIVES,), complete=False),
        answered(verdicts=(), text=""),
        replace(report(), method="fix", fix=mended),
    ):
        validator().validate(json.loads(render(other)))


def plain(page: str) -> str:
    """What a browser would copy from a page."""
    body = re.sub(r"<style>.*?</style>|<[^>]+>", "", page, flags=re.DOTALL)
    return body.replace("&#39;", "'")


@pytest.mark.parametrize("kind", ["md", "html"])
def test_what_is_not_supported_says_so_where_it_stands(kind: str) -> None:
    written = markdown.render(answered()) if kind == "md" else plain(html.render(answered()))
    written = written.replace("\\", "").replace("*", "")
    assert re.search(r"(?m)^The mill burned\. \[1\]\[2\]$", written)
    assert "✗ contradicted (93 %): It was rebuilt. " in written
    assert "? not found (93 %): Bees hum. " in written
    assert "· not checkable (a question): Who paid?" in written
    assert "Another disagrees." in written
    places = [written.index(text) for text in ("The mill burned.", FIRE.quote, OWNER.quote)]
    assert places == sorted(places)


def test_a_number_on_the_page_leads_to_its_source() -> None:
    page = html.render(answered(nearest=(ODD,)))
    sources = {f"source-{n}" for n in range(1, 6)}
    assert set(re.findall(r'href="#(source-\d+)"', page)) == sources
    assert set(re.findall(r'id="(source-\d+)"', page)) == sources
    assert "Nearest to the question" in page


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=list(HOSTILE))
def test_nothing_of_a_document_question_or_text_is_obeyed(hostile: str) -> None:
    bad = f"<script>{hostile}</script>"
    quote = replace(FIRE, quote=bad, context=bad, heading=bad, file=f"/{bad}".replace("\x00", ""))
    claim = replace(VERDICTS[0].claim, statement=bad, text=bad)
    own = replace(VERDICTS[0], claim=claim, citations=(quote,), explanation=bad)
    wrong = replace(own, label=Label.NOT_FOUND, citations=(replace(quote, relation="nearest"),))
    made = answered(own, wrong, question=bad, nearest=(quote,), text="")
    made = replace(made, notes=(bad,))
    both = answers.Comparison(
        bad, (answers.Compared(made, Cost()), answers.Compared(made, Cost())), True
    )
    kinds = (markdown, html)
    pages = [page.render(made) for page in kinds]
    for written in (*pages, *(page.render(both) for page in kinds)):
        assert neutralise(written, lines=True) == written
        assert "<script>" not in written.replace("\\<", "").replace("\\>", "")


HUM = said("Bees hum.", Label.NOT_FOUND, HIVES)
BURNED = said("The mill burned.", Label.SUPPORTED, FIRE)
ASKED = answers.Comparison(
    "What?",
    (
        answers.Compared(answered(HUM, BURNED, probability=0.6), Cost(judged=2, seconds=1.02345)),
        answers.Compared(replace(answered(BURNED), method="ceg"), Cost(judged=1, seconds=0.26)),
        answers.Compared(
            replace(answered(verdicts=(), text="", nearest=(HIVES,)), method="hyde"), Cost()
        ),
    ),
    complete=True,
)


def test_a_comparison_holds_each_report_and_its_cost() -> None:
    made = json.loads(render(ASKED))
    assert (made["schema"], made["complete"]) == ("veracite.comparison/1", True)
    first, _, third = made["methods"]
    assert (first["sentences"], first["supported"]) == (2, 0.5)
    assert (first["cost"]["judged"], first["cost"]["seconds"]) == (2, 1.023)
    assert first["report"] == json.loads(render(ASKED.compared[0].report))
    assert (third["sentences"], third["supported"]) == (0, None)


def test_on_the_page_each_method_has_a_column_and_the_numbers_lead_to_common_sources() -> None:
    page = html.render(ASKED)
    tree = document_fromstring(page)
    assert page.startswith("<!doctype html>")
    columns = tree.xpath("//div[@class='columns']/section")
    assert [column.findtext("h2") for column in columns] == ["vtg", "ceg", "hyde"]
    first, second, third = (" ".join(column.text_content().split()) for column in columns)
    assert first.startswith("vtg Perhaps this answers the question (60 %). ? not found")
    assert first.endswith("The mill burned. [2]")
    assert second == "ceg The mill burned. [2]"
    assert "No answer was found" in third
    assert set(tree.xpath("//@href")) == {"#source-1", "#source-2"}
    assert tree.xpath("//figure/@id") == ["source-1", "source-2"]
    rows = [[cell.text_content() for cell in row] for row in tree.xpath("//table//tr")]
    assert rows == [
        ["", "vtg", "ceg", "hyde"],
        ["sentences", "2", "1", "0"],
        ["supported", "50 %", "100 %", "-"],
        ["claims judged", "2", "1", "0"],
        ["seconds", "1.0", "0.3", "0.0"],
    ]
    assert page.count("Search goes by words alone.") == 1
    assert "Interrupted" not in page
    assert "Interrupted before" in html.render(replace(ASKED, complete=False))


def test_in_markdown_each_method_has_a_section() -> None:
    written = markdown.render(replace(ASKED, complete=False))
    heads = [line for line in written.splitlines() if line.startswith("## ")]
    assert heads[:5] == ["## vtg", "## ceg", "## hyde", "## What each costs", "## Sources"]
    vtg, ceg = (written.partition(f"## {one}\n")[2].partition("\n## ")[0] for one in ("vtg", "ceg"))
    assert vtg.strip().startswith("**Perhaps this answers the question (60 %).**")
    assert ceg.strip() == "The mill burned. \\[2\\]"
    assert "**Interrupted before every method had finished.**" in written
    table = "| | vtg | ceg | hyde |\n| --- | ---: | ---: | ---: |\n| sentences | 2 | 1 | 0 |\n"
    assert table in written
