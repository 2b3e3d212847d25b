"""The page of HTML: everything is there, nothing runs, and hostile text stays text."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from lxml import html

from veracite.engine.evaluation.page import plot, render
from veracite.engine.evaluation.results import (
    Comparison,
    Curve,
    DataFile,
    Figure,
    MethodResult,
    Mistake,
    Part,
    Result,
    Subset,
    Unavailable,
    as_json,
    from_json,
)

ATTACKS = [
    "</style><script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    "</svg></desc><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)',
    "' autofocus onfocus=alert(1) '",
    "<a href='javascript:alert(1)'>x</a>",
    "{{ 7 * 7 }} {% raw %}",
    "<!-- comment",
    "]]>",
    "&lt;script&gt;",
    "\x1b[31mred\x07",
    "\u202eevil\u2066",
    "\ud800",
    "a\u200bb\x00c",
]


def result(text: str = "tiny", mistakes: int = 2) -> Result:
    """A result in which everything that data can say is this text."""
    ends = ((0.1, 0.25, 3.0), (0.75, 0.5, 4.0))
    figure = Figure(f"{text} accuracy", 0.75, 0.7, 0.8, text)
    return Result(
        task="detect",
        format=text,
        files=(DataFile(text, text, 1200),),
        label_map={text: True, "no": False},
        items=1908,
        positives=0.25,
        methods=(
            MethodResult(
                method=text,
                figures=(figure, Figure("ROC-AUC", None)),
                n=954,
                problems=3,
                seconds_per_item=0.0351,
                threshold=0.5,
                threshold_from=text,
                compared=(Comparison("length", text, 0.0625, 0.0313, 0.125, 0.0313),),
            ),
            MethodResult("length", (Figure("ROC-AUC", 0.5),), 954, trivial=True),
        ),
        parts=(Part(text, text, (text, "b"), 954, 0.5),),
        curves=(
            *(
                Curve(kind, text, ends, Figure(text, 0.5))
                for kind in ("precision-recall", "reliability", "speed")
            ),
            Curve("roc", "length", ()),
        ),
        subsets=(Subset(text, 7, 0.5, {text: figure}),),
        mistakes=tuple(
            Mistake(f"{text} {n}", text, text, text, text, 0.5, n / 100) for n in range(mistakes)
        ),
        notes=(text,),
        unavailable=(Unavailable(text, text),),
        differences=(text,),
        record={"seed": 7, "settings": {"of": text}, text: text},
    )


def tree_of(made: Result) -> html.HtmlElement:
    return html.document_fromstring(render(made))


def plain(tree: html.HtmlElement) -> str:
    return " ".join(str(tree.text_content()).split())


def rows(tree: html.HtmlElement, heading: str) -> list[list[str]]:
    table = tree.xpath("//section[starts-with(h2, $heading)]//table", heading=heading)[0]
    return [[plain(cell) for cell in row.xpath("th | td")] for row in table.xpath(".//tr")]


def structure(page: str) -> list[tuple[str, list[str]]]:
    return [(str(e.tag), sorted(e.attrib)) for e in html.document_fromstring(page).iter()]


def test_the_results_are_a_table_with_the_baselines_beside() -> None:
    tree = tree_of(result())
    assert rows(tree, "Results") == [
        ["Method", "Items", "tiny accuracy", "ROC-AUC", "ms per item"],
        ["tiny", "954", "0.750 [0.70, 0.80]", "n/a", "35.1"],
        ["length trivial", "954", "", "0.500", "n/a"],
    ]
    (trivial,) = tree.xpath("//tr[@class='trivial']/th/bdi/text()")
    assert trivial == "length"


def test_leads_and_sets_have_tables() -> None:
    tree = tree_of(result())
    assert rows(tree, "Leads")[1] == [
        "tiny", "length", "tiny", "+0.062 [+0.031, +0.125]", "p = 0.031",
    ]  # fmt: skip
    assert rows(tree, "By set") == [
        ["Set", "Items", "True", "tiny"],
        ["tiny", "7", "50.0 %", "0.750 [0.70, 0.80]"],
    ]


def test_the_page_tells_what_a_reader_must_know() -> None:
    page = re.sub(r"\s+", " ", " ".join(tree_of(result()).xpath("//body//text()")))
    for said in (
        "1,908 items, 25.0 % of them true.",
        "Thresholds, from the tiny: tiny 0.500",
        "tiny accuracy: tiny",
        "tiny gave no prediction for 3 of 954 items",
        "length : its characters with a minus: shorter is truer",
        "Not available: tiny (tiny)",
        "counted otherwise than by the papers' scripts tiny",
        "Receiver operating characteristic: not drawn",
        "Labels taken for true: tiny; for false: no",
        ", 1,200 bytes, SHA-256 tiny",
        "tiny (2 groups, 954 items, 50.0 % true) Its groups tiny, b",
        "seed 7 settings of tiny tiny tiny",
    ):
        assert said in page


def test_plots_stand_in_the_page_under_their_titles() -> None:
    tree = tree_of(result())
    assert tree.xpath("//figure/figcaption/text()") == [
        "Precision and recall",
        "Reliability",
        "Accuracy against time",
    ]
    assert len(tree.xpath("//figure/img[starts-with(@src, 'data:image/svg+xml;base64,')]")) == 3
    assert rows(tree, "Plots")[1:] == [
        ["tiny", "0.100", "0.250", "3"],
        ["tiny", "0.750", "0.500", "4"],
    ]


def test_what_there_is_not_has_no_heading() -> None:
    tree = tree_of(Result("retrieve", "beir", (), {}, 3, None, (MethodResult("bm25", (), 3),)))
    assert tree.xpath("//h2/text()") == ["Results", "What it was measured on"]


def test_the_surest_mistakes_come_first_and_are_counted() -> None:
    tree = tree_of(result(mistakes=120))
    table = rows(tree, "Where tiny")
    assert table[0] == ["Claim", "In the set", "Given", "Score"]
    assert [row[0] for row in table[1:]] == [f"tiny tiny {n}" for n in range(119, 69, -1)]
    assert len(table) == 51
    assert "The first 50 of 120." in plain(tree)


def test_where_one_of_two_answers_is_chosen_the_mistakes_are_named_so() -> None:
    chosen = replace(
        result(), task="choose", mistakes=(Mistake("1", "tiny", "Who?", "Ann", "Bo", -0.5, 0.5),)
    )
    head, row = rows(tree_of(chosen), "Where tiny")
    assert head == ["Question", "Right", "Chosen", "Lead of the right one"]
    assert [cell.split()[0] for cell in row] == ["Who?", "Ann", "Bo", "-0.500"]


def test_the_page_needs_nothing_else_and_forbids_scripts() -> None:
    page = render(result())
    tree = html.document_fromstring(page)
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    style = re.search(r"<style>(.*)</style>", page, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy.startswith(
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'"
    )
    assert tree.xpath("//script | //link | //iframe | //@style | //@href") == []
    assert all(source.startswith("data:") for source in tree.xpath("//@src"))
    assert "url(" not in style[1]
    assert "@import" not in style[1]


def test_hostile_text_adds_no_element_and_no_attribute() -> None:
    page = render(result(" ".join(ATTACKS)))
    assert structure(page) == structure(render(result("harmless")))
    assert page.replace("\n", "").isprintable()


def test_markup_is_shown_as_the_text_it_is() -> None:
    text = " ".join(attack for attack in ATTACKS if attack.isprintable())
    tree = tree_of(result(text))
    assert tree.xpath("string(//h1/bdi)") == text
    assert rows(tree, "Where")[1][0] == f"{text} {text} 1"


def test_the_same_result_gives_the_same_bytes() -> None:
    made = result(mistakes=60)
    assert render(from_json(json.loads(json.dumps(as_json(made))))) == render(made)


@pytest.mark.parametrize(
    "text", ["tiny", "$x_1$ and $\\frac{$", *ATTACKS[4:8], "\x1b[31m\ud800\x00日本"]
)
def test_a_plot_is_an_svg_in_which_text_is_text(text: str) -> None:
    for kind in ("precision-recall", "reliability", "speed"):
        drawn = plot(result(text), kind)
        assert drawn is not None
        svg = base64.b64decode(drawn.address.partition(",")[2]).decode()
        names = {element.tag.partition("}")[2] for element in ElementTree.fromstring(svg).iter()}
        assert not names & {"script", "foreignObject", "image", "a"}
        assert "onerror=" not in re.sub(r">[^<]*<", "><", svg)
    assert plot(result(text), "roc") is None, "a curve without points"


def test_undefined_points_and_intervals_are_left_out() -> None:
    bare = Curve("speed", "tiny", ((5.0, 0.5),), Figure("accuracy", 0.5))
    odd = Curve("speed", "length", ((0.0, 0.5), (3.0, None), (2.0, 0.4)), None)
    assert plot(replace(result(), curves=(bare, odd)), "speed") is not None
