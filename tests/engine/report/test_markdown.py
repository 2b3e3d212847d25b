"""The Markdown report says what the check found, and documents cannot add markup to it."""

import re

import pytest
from markdown_it import MarkdownIt
from reports import HOSTILE, citation, conflicting, report, verdict

from veracite.engine.report.markdown import escape, render
from veracite.engine.types import Label
from veracite.index.documents import FailedDocument

ATTACKS = [
    *["<script>alert(1)</script>", "[click](javascript:alert(1))"],
    *["![](https://tracker.example/p.png)", "https://evil.example/", "www.evil.example"],
    *["**bold** _it_ `code` ~~gone~~", "# heading", "- item", "1. item", "1) item", "+ item"],
    *["> quote", "a | b", "&lt;b&gt;", "---", "===", "\\", "[^1]", "$x$", "me@evil.example"],
]


def test_every_claim_stands_with_label_quote_and_place() -> None:
    out = render(report())
    assert out.startswith("# Checked: draft.md\n")
    assert "4 claims: 1 supported, 1 contradicted, 1 not found, 1 not checkable." in out
    assert "12 documents read, 1 could not be read." in out
    assert "## 2. ✗ contradicted (93 %)" in out
    assert "> It was never rebuilt." in out
    assert "(supports it: mill.pdf, page 3, characters 120-138)" in out
    assert "looked up in these files.\n\nbroken.pdf: The file is encrypted. Open it.\n" in out
    assert "Note: Search goes by words alone." in out
    assert "- k: 6" in out


def test_chosen_claims_keep_their_numbers() -> None:
    out = render(report(), only=(Label.CONTRADICTED, Label.NOT_FOUND))
    heads = [line for line in out.splitlines() if re.match(r"## \d", line)]
    assert heads == ["## 2. ✗ contradicted (93 %)", "## 4. ? not found (93 %)"]
    assert "Shown: 2 of 4 claims, those contradicted or not found." in out
    assert "4 claims: 1 supported, 1 contradicted, 1 not found, 1 not checkable." in out


@pytest.mark.parametrize("text", ATTACKS)
def test_markup_from_documents_stays_text(text: str) -> None:
    markdown = MarkdownIt("commonmark").enable("table").enable("strikethrough")
    assert markdown.render(escape(text)).count("<") == 2  # one paragraph
    shown = markdown.parseInline(escape(text))[0].children
    assert "".join(token.content for token in shown or ()) == text


def tags(of: str, *, marks: bool = True) -> list[str]:
    """What a Markdown reader makes of a text; ``marks``: emphasis and strong text included."""
    tokens = MarkdownIt("commonmark").enable("table").parse(of)
    inline = [child.type for token in tokens for child in token.children or ()]
    kept = [kind for kind in inline if "text" not in kind]
    if not marks:
        kept = [kind for kind in kept if not kind.startswith(("em_", "strong_"))]
    return [token.type for token in tokens] + kept


@pytest.mark.parametrize("text", [*ATTACKS, *HOSTILE.values()])
@pytest.mark.parametrize("hostile", ["document", "claim"])
def test_what_is_hostile_adds_nothing_to_the_structure(text: str, hostile: str) -> None:
    def made(text: str) -> list[str]:
        quoted = citation(text, file=f"/{text}") if hostile == "document" else citation("Nobody.")
        said = "Who paid?" if hostile == "document" else text
        claim = verdict(said, Label.CONTRADICTED, quoted, source=said)
        failed = (FailedDocument(quoted.quote, quoted.quote),)
        return tags(render(report(claim, source=said, failed=failed)), marks=hostile != "claim")

    assert made(text) == made("harmless")


def test_what_differs_and_what_no_quote_says_is_marked_in_the_claim() -> None:
    out = render(conflicting("The mill burned in 1914 at night.", "It burned in 1904."))
    assert "\nThe mill burned in **1914** at *night*.\n" in out
    assert "\nagrees: " not in out
    assert "\nnot in the quote: night\n" in out


def test_a_contradiction_stands_in_a_table_side_by_side() -> None:
    quote = "Then, of all years, | it burned in 1904 | again."
    out = render(conflicting("The mill of the town burned in 1914.", quote))
    rows = MarkdownIt("commonmark").enable("table").render(out)
    cells = re.findall(r"<t[hd]>(.*?)</t[hd]>", rows)
    assert cells == [
        "The claim says",
        "The document says",
        "… town burned in <strong>1914</strong>.",
        "… it burned in <strong>1904</strong> | again. (mill.pdf, page 3)",
    ]
