"""The HTML report stands alone, runs nothing, and documents cannot add markup to it."""

import base64
import hashlib
import re

import pytest
from lxml import html
from reports import HOSTILE, SOURCE, citation, report, verdict

from veracite.engine.report.html import render
from veracite.engine.words import FailedDocument, Label, Report

ATTACKS = [
    "<script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)',
    "' autofocus onfocus=alert(1) '",
    "javascript:alert(1)",
    "<a href='javascript:alert(1)'>x</a>",
    "{{ 7 * 7 }} {% raw %}",
    "<!-- comment",
    "&lt;script&gt;",
]


def structure(page: str) -> list[tuple[str, list[str]]]:
    tree = html.document_fromstring(page)
    return [(str(e.tag), sorted(e.attrib)) for e in tree.iter()]


def infected(text: str) -> Report:
    claim = verdict(
        text,
        Label.CONTRADICTED,
        citation(text, file=f"/x/{text.replace('/', '')}", heading=text, context=text),
        source=text,
    )
    return report(
        claim,
        source=text,
        path=text.replace("/", ""),
        failed=(FailedDocument(text.replace("/", ""), text),),
        models=(text,),
        notes=(text,),
    )


def test_the_page_says_what_the_check_found() -> None:
    tree = html.document_fromstring(render(report()))
    text = " ".join(tree.text_content().split())
    assert "Checked: draft.md" in text
    assert "4 claims: 1 supported, 1 contradicted, 1 not found, 1 not checkable." in text
    assert "12 documents read, 1 could not be read." in text
    assert "broken.pdf: The file is encrypted." in text
    (article,) = tree.xpath("//article[@id='claim-2']")
    assert article.get("class") == "contradicted"
    assert article.xpath("string(.//blockquote)") == "It was never rebuilt."
    assert "mill.pdf, characters 120-141" in article.xpath("string(.//figcaption)")


def test_the_text_is_whole_and_its_claims_are_coloured_in_place() -> None:
    tree = html.document_fromstring(render(report()))
    (text,) = tree.xpath("//div[@class='text']")
    assert text.text_content() == SOURCE
    assert [(a.text, a.get("class"), a.get("href")) for a in text.iter("a")] == [
        ("The mill burned in 1904.", "supported", "#claim-1"),
        ("It was rebuilt in 1911.", "contradicted", "#claim-2"),
        ("Who paid?", "not_checkable", "#claim-3"),
        ("Stamps, she said.", "not_found", "#claim-4"),
    ]


def test_the_labels_are_explained() -> None:
    tree = html.document_fromstring(render(report()))
    legend = tree.xpath("//ul[@class='legend']/li")
    assert [item.get("class") for item in legend] == [str(label) for label in Label]
    assert all(len(item.text_content().split()) > 5 for item in legend)


def test_what_is_not_chosen_is_coloured_but_not_listed() -> None:
    tree = html.document_fromstring(render(report(), only=(Label.CONTRADICTED,)))
    assert tree.xpath("//article/@id") == ["claim-2"]
    assert tree.xpath("//div[@class='text']/a/@href") == ["#claim-2"]
    (text,) = tree.xpath("//div[@class='text']")
    assert text.text_content() == SOURCE
    assert [s.get("class") for s in text.iter("span")] == [
        "supported",
        "not_checkable",
        "not_found",
    ]
    assert "Shown: 1 of 4 claims, those contradicted." in tree.text_content()


def test_a_long_path_of_headings_is_shortened_from_the_left() -> None:
    def caption(heading: str) -> str:
        quote = citation("It was never rebuilt.", heading=heading)
        page = render(report(verdict("Who paid?", Label.SUPPORTED, quote)))
        return str(html.document_fromstring(page).xpath("string(//figcaption/bdi[2])"))

    assert caption("x" * 80) == "x" * 80
    short = caption("The beginning of it > " * 10 + "The last heading")
    assert short.startswith("…")
    assert short.endswith("of it > The last heading")
    assert 60 < len(short) <= 80


def test_the_page_needs_nothing_else_and_forbids_scripts() -> None:
    page = render(report())
    tree = html.document_fromstring(page)
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    style = re.search(r"<style>(.*)</style>", page, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}'")
    assert tree.xpath("//script | //link | //img | //iframe | //@style") == []
    assert {href[0] for href in tree.xpath("//@href")} == {"#"}
    assert "url(" not in style[1]


@pytest.mark.parametrize("text", [*ATTACKS, *HOSTILE.values()])
def test_hostile_text_adds_no_element_and_no_attribute(text: str) -> None:
    page = render(infected(text))
    assert structure(page) == structure(render(infected("harmless")))
    assert page.replace("\n", "").isprintable()


@pytest.mark.parametrize("text", ATTACKS)
def test_markup_is_shown_as_the_text_it_is(text: str) -> None:
    tree = html.document_fromstring(render(infected(text)))
    assert tree.xpath("string(//blockquote)") == text


def test_the_same_report_gives_the_same_bytes() -> None:
    assert render(report()) == render(report())
