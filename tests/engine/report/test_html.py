"""The HTML report stands alone, runs nothing, and documents cannot add markup to it."""

import base64
import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pypdfium2
import pytest
from attacks import MARKUP
from lxml import html
from reports import HOSTILE, SOURCE, citation, conflicting, disagreed, report, verdict

from veracite.engine.report import markdown
from veracite.engine.report.html import render
from veracite.engine.types import Label, Report
from veracite.index.documents import FailedDocument


def structure(page: str) -> list[tuple[str, list[str]]]:
    """Every element with its attributes, those that mark a claim's words aside."""
    tree = html.document_fromstring(page)
    for mark in tree.xpath("//p[@class='claim']/mark"):
        assert sorted(mark.attrib) == ["class", "title"]
        assert len(mark) == 0
        mark.drop_tag()
    for told in tree.xpath("//p[@class='beside']"):
        assert {(e.tag, *e.attrib) for e in told} <= {("span", "class")}
        told.drop_tree()
    return [(str(e.tag), sorted(e.attrib)) for e in tree.iter()]


def infected(text: str) -> Report:
    name = text.replace("/", "")
    quoted = citation(text, file=f"/x/{name}", heading=text, context=text)
    claim = verdict(text, Label.CONTRADICTED, quoted, source=text)
    told = {"failed": (FailedDocument(name, text),), "models": (text,), "notes": (text,)}
    return report(claim, source=text, path=name, **told)


def test_the_page_says_what_the_check_found() -> None:
    tree = html.document_fromstring(render(report()))
    text = " ".join(tree.text_content().split())
    assert "Checked: draft.md" in text
    assert "4 claims: 1 supported, 1 contradicted, 1 not found, 1 not checkable." in text
    assert "12 documents read, 1 could not be read." in text
    assert "looked up in these files. broken.pdf: The file is encrypted. Open it." in text
    (article,) = tree.xpath("//article[@id='claim-2']")
    assert article.get("class") == "contradicted"
    assert article.xpath("string(.//blockquote)") == "It was never rebuilt."
    assert "mill.pdf, characters 120-141" in article.xpath("string(.//figcaption)")


def test_the_text_is_whole_and_its_claims_are_coloured_in_place() -> None:
    tree = html.document_fromstring(render(report()))
    (text,) = tree.xpath("//div[@class='text']")
    assert text.text_content().split() == SOURCE.replace("# ", "").split()
    assert [(a.text, a.get("class"), a.get("href")) for a in text.iter("a")] == [
        ("The mill burned in 1904.", "supported", "#claim-1"),
        ("It was rebuilt in 1911.", "contradicted", "#claim-2"),
        ("Who paid?", "not_checkable", "#claim-3"),
        ("Stamps, she said.", "not_found", "#claim-4"),
    ]


def test_what_is_not_chosen_is_coloured_but_not_listed() -> None:
    tree = html.document_fromstring(render(report(), only=(Label.CONTRADICTED,)))
    assert tree.xpath("//article/@id") == ["claim-2"]
    (text,) = tree.xpath("//div[@class='text']")
    assert text.text_content().split() == SOURCE.replace("# ", "").split()
    assert text.xpath(".//a/@href") == ["#claim-2"]
    assert text.xpath(".//span/@class") == ["supported", "not_checkable", "not_found"]
    assert "Shown: 1 of 4 claims, those contradicted." in tree.text_content()


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


CHROMIUM = shutil.which("chromium")


def opened(page: str, folder: Path, *options: str) -> tuple[str, list[str], list[str]]:
    """What a page becomes in Chromium, what the console says of it, and what it asks the network
    for, Chromium's own calls aside; no name is found there."""
    (folder / "page.html").write_text(page, encoding="utf-8")
    off = "gpu quic background-networking component-update sync".split()
    run = subprocess.run(
        [
            *(str(CHROMIUM), "--headless", "--no-sandbox", "--no-first-run"),
            *(f"--disable-{what}" for what in off),
            *(f"--user-data-dir={folder / 'profile'}", f"--log-net-log={folder / 'net.json'}"),
            *("--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", *options),
            (folder / "page.html").as_uri(),
        ],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    said = [line for line in run.stderr.splitlines() if "CONSOLE" in line]
    log = (folder / "net.json").read_text(encoding="utf-8")
    asked = re.findall(r'"url":"(https?://(?!\w+\.google(?:apis)?\.com/)[^"]*)"', log)
    return run.stdout, said, asked


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")
def test_a_browser_shows_and_prints_every_claim_and_asks_for_nothing(tmp_path: Path) -> None:
    page, claims = render(report()), [verdict.claim.text for verdict in report().verdicts]
    dom, said, asked = opened(page, tmp_path, "--dump-dom")
    shown = html.document_fromstring(dom).xpath("//p[@class='claim']")
    assert [claim.text_content() for claim in shown] == claims
    assert (said, asked) == ([], [])
    opened(page, tmp_path, f"--print-to-pdf={tmp_path / 'page.pdf'}", "--no-pdf-header-footer")
    with pypdfium2.PdfDocument(tmp_path / "page.pdf") as printed:
        assert [round(side / 72 * 25.4) for side in printed[0].get_size()] == [210, 297]
        text = "".join(sheet.get_textpage().get_text_bounded() for sheet in printed)
    assert not {claim for claim in claims if " ".join(text.split()).count(claim) < 2}
    attacked = page.replace("<h1>", "<img src='http://example.org/x.png'><h1>")
    assert "Content Security Policy" in opened(attacked, tmp_path, "--dump-dom")[1][0]
    unguarded = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", attacked)
    assert set(opened(unguarded, tmp_path, "--dump-dom")[2]) == {"http://example.org/x.png"}


@pytest.mark.parametrize("text", [*MARKUP, *HOSTILE.values()])
def test_hostile_text_adds_no_element_and_no_attribute(text: str) -> None:
    page = render(infected(text))
    assert structure(page) == structure(render(infected("harmless")))
    assert page.replace("\n", "").isprintable()
    if text in MARKUP:
        assert html.document_fromstring(page).xpath("string(//blockquote)") == text


def test_the_words_of_a_claim_are_marked_by_how_the_quote_bears_on_them() -> None:
    claim = "The mill burned in 1914 at night."
    tree = html.document_fromstring(render(conflicting(claim, "It burned in 1904.")))
    (shown,) = tree.xpath("//p[@class='claim']")
    assert shown.text_content() == claim
    assert [(m.text, m.get("class"), m.get("title")) for m in shown.iter("mark")] == [
        ("mill", "found", "agrees"),
        ("burned", "found", "agrees"),
        ("1914", "conflict", "differs: 1904"),
        ("night", "missing", "not in the quote"),
    ]
    (told,) = tree.xpath("//p[@class='beside']")
    assert told.text_content() == "not in the quote: night."


@pytest.mark.parametrize(
    ("quote", "parts"),
    [
        ("The mayor supported the new road.", ["opposed", "supported"]),
        ("All of the council was for it.", []),
    ],
)
def test_a_contradiction_is_shown_where_two_sentences_differ_in_one_place(
    quote: str, parts: list[str]
) -> None:
    made = conflicting("The mayor opposed the new road.", quote)
    tree = html.document_fromstring(render(made))
    assert [part.text for part in tree.xpath("//table[@class='pairs']//strong")] == parts
    rows = [row for row in markdown.render(made).splitlines() if row.startswith("| The mayor")]
    assert re.findall(r"\*\*(.*?)\*\*", "".join(rows)) == parts
    assert tree.xpath("string(//blockquote)") == quote


def test_the_passage_around_several_quotes_is_shown_once() -> None:
    said = ("The mill burned in 1904.", "It was rebuilt in 1911.")
    around = " ".join(said)
    quotes = [citation(quote, context=around) for quote in said]
    made = report(verdict(around, Label.SUPPORTED, *quotes, source=around), source=around)
    tree = html.document_fromstring(render(made))
    assert len(tree.xpath("//figure")) == 2
    assert [one.xpath("string(p)") for one in tree.iter("details")] == [around]


def test_both_sides_of_a_disagreement_stand_together() -> None:
    tree = html.document_fromstring(render(disagreed()))
    assert "The library disagrees with itself on 1 claim." in tree.text_content()
    (split,) = tree.xpath("//div[@class='split']")
    left, right = split.xpath("div")
    assert left.xpath("string(.//blockquote)") == "It burned in 1904."
    assert right.xpath("string(.//blockquote)") == "The fire was in 1905."
