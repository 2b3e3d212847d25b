"""The Markdown report says what the check found, and documents cannot add markup to it."""

import re

import pytest
from markdown_it import MarkdownIt
from reports import HOSTILE, citation, report, verdict

from veracite.engine.report.markdown import escape, render
from veracite.engine.words import FailedDocument, Label

ATTACKS = [
    "<script>alert(1)</script>",
    "[click](javascript:alert(1))",
    "![](https://tracker.example/p.png)",
    "https://evil.example/",
    "www.evil.example",
    "**bold** _it_ `code` ~~gone~~",
    "# heading",
    "- item",
    "1. item",
    "1) item",
    "+ item",
    "> quote",
    "a | b",
    "&lt;b&gt;",
    "---",
    "===",
    "\\",
    "[^1]",
    "$x$",
    "me@evil.example",
]


def test_every_claim_stands_with_label_quote_and_place() -> None:
    out = render(report())
    assert out.startswith("# Checked: draft.md\n")
    assert "4 claims: 1 supported, 1 contradicted, 1 not found, 1 not checkable." in out
    assert "12 documents read, 1 could not be read." in out
    assert "## 2. ✗ contradicted (93 %)" in out
    assert "> It was never rebuilt." in out
    assert "(supports it: mill.pdf, page 3, characters 120-138)" in out
    assert "- broken.pdf: The file is encrypted." in out
    assert "Note: Search goes by words alone." in out
    assert "- k: 6" in out


def test_chosen_claims_keep_their_numbers() -> None:
    out = render(report(), only=(Label.CONTRADICTED, Label.NOT_FOUND))
    assert [line for line in out.splitlines() if re.match(r"## \d", line)] == [
        "## 2. ✗ contradicted (93 %)",
        "## 4. ? not found (93 %)",
    ]
    assert "Shown: 2 of 4 claims, those contradicted or not found." in out
    assert "4 claims: 1 supported, 1 contradicted, 1 not found, 1 not checkable." in out
    assert "Shown" not in render(report())


@pytest.mark.parametrize("text", ATTACKS)
def test_markup_from_documents_stays_text(text: str) -> None:
    markdown = MarkdownIt("commonmark").enable("table").enable("strikethrough")
    assert markdown.render(escape(text)).count("<") == 2  # one paragraph
    shown = markdown.parseInline(escape(text))[0].children
    assert "".join(token.content for token in shown or ()) == text


@pytest.mark.parametrize("text", [*ATTACKS, *HOSTILE.values()])
def test_a_hostile_document_adds_nothing_to_the_structure(text: str) -> None:
    def tags(of: str) -> list[str]:
        tokens = MarkdownIt("commonmark").parse(of)
        inline = [child.type for token in tokens for child in token.children or ()]
        return [token.type for token in tokens] + [kind for kind in inline if "text" not in kind]

    def made(text: str) -> str:
        claim = verdict(text, Label.CONTRADICTED, citation(text, file=f"/{text}"), source=text)
        return render(report(claim, source=text, failed=(FailedDocument(text, text),)))

    assert tags(made(text)) == tags(made("harmless"))
