"""Methods on one question in the formats that people read."""

from dataclasses import replace

from lxml import html
from reports import citation, report, verdict

from veracite.engine.methods.cost import Cost
from veracite.engine.report import html as page_of
from veracite.engine.report import markdown
from veracite.engine.report.answers import Compared, Comparison
from veracite.engine.types import Answer, Label

TEXT = "The mill burned. Bees hum."
FIRE = citation("It burned in 1904.")
HIVES = citation("He kept hives.", "nearest", start=44, end=58)
BURNED = verdict("The mill burned.", Label.SUPPORTED, FIRE, source=TEXT)
HUM = verdict("Bees hum.", Label.NOT_FOUND, HIVES, source=TEXT)


def said(method: str, answer: Answer, cost: Cost) -> Compared:
    made = report(*answer.verdicts, source=answer.text, notes=("Search goes by words alone.",))
    return Compared(replace(made, verdicts=answer.verdicts, method=method, answer=answer), cost)


ASKED = Comparison(
    "What?",
    (
        said(
            "vtg", Answer("What?", TEXT, (HUM, BURNED), probability=0.6), Cost(judged=2, seconds=1)
        ),
        said("ceg", Answer("What?", TEXT, (BURNED,)), Cost(judged=1, seconds=0.26)),
        said("hyde", Answer("What?", "", (), nearest=(HIVES,)), Cost()),
    ),
    complete=True,
)


def test_on_the_page_each_method_has_a_column_and_the_numbers_lead_to_common_sources() -> None:
    page = page_of.render_comparison(ASKED)
    tree = html.document_fromstring(page)
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
    assert "Interrupted before" in page_of.render_comparison(replace(ASKED, complete=False))


def test_in_markdown_each_method_has_a_section() -> None:
    written = markdown.render_comparison(replace(ASKED, complete=False))
    heads = [line for line in written.splitlines() if line.startswith("## ")]
    assert heads[:5] == ["## vtg", "## ceg", "## hyde", "## What each costs", "## Sources"]
    vtg, ceg = (written.partition(f"## {one}\n")[2].partition("\n## ")[0] for one in ("vtg", "ceg"))
    assert vtg.strip().startswith("**Perhaps this answers the question (60 %).**")
    assert ceg.strip() == "The mill burned. \\[2\\]"
    assert "**Interrupted before every method had finished.**" in written
    table = "| | vtg | ceg | hyde |\n| --- | ---: | ---: | ---: |\n| sentences | 2 | 1 | 0 |\n"
    assert table in written
