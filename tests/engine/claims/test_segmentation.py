"""From a draft to claims: exact spans, clean statements, reasons for what cannot be checked."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veracite.engine.claims.segmentation import segment
from veracite.engine.types import Claim

PIECES = [
    *"[]()*_`~<>|#-+ \n\t\r.!?:;&\\^\"'",
    *["\r\n", "\u2028", "\x1b[31m", "\u202e", "\u200b", "\0", "\ud800", "[1]", "[^1]", "&amp;"],
    *["&nbsp;", "word", "The cat sat. ", "He is", "1942", "    ", "> ", "- ", "1. ", "# "],
    *["\n[^1]: ", "<script>", "</script>", "Make: Piper\n", "Held:\n", "Она летела. "],
    *["```\n", "| a | b |\n|---|---|\n", "](x)", "![", "<b>", "</b>", "<br>", "<!-- x -->"],
    *["http://x.y/z", "---\n", "\ufeff", "ß", "日本。", "e.g. ", "&NotEqualTilde;"],
]


def assert_sound(source: str, claims: tuple[Claim, ...]) -> None:
    position = 0
    for claim in claims:
        assert position <= claim.start < claim.end <= len(source)
        assert claim.text == source[claim.start : claim.end]
        assert claim.statement == " ".join(claim.statement.split())
        assert claim.statement
        assert not set(claim.statement) & set("\x1b\u202e\u200b\0\ud800\n")
        position = claim.end


@settings(max_examples=110, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(), st.booleans())
def test_spans_are_exact_for_any_markup_and_text(source: str, markdown: bool) -> None:
    assert_sound(source, segment(source, markdown=markdown))


HEAPED = [
    *("<script>", "<script ", "[^1]: ", "A: b\n", "[", "*", "* ", ">", "`", "](", "[a]("),
    *("**a ", "_a*b", "<a ", "&", "|a", "![", "in ", "(A "),
]


@pytest.mark.parametrize("sign", HEAPED)
def test_heaps_of_signs_are_read(sign: str) -> None:
    source = "The bridge was opened in 1932.\n\n" + sign * 10_000
    claims = segment(source)
    assert_sound(source, claims)
    assert claims[0].statement == "The bridge was opened in 1932."


def statements(source: str) -> list[str]:
    return [claim.statement for claim in segment(source) if claim.not_checkable is None]


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        ("Oslo grew [1, 2], then shrank [12–14].", "Oslo grew, then shrank."),
        ("Oslo grew fast (Smith et al., 2020).", "Oslo grew fast."),
        ("Oslo grew fast.[citation needed]", "Oslo grew fast."),
        ("Oslo grew ([source](http://x.y/z)).", "Oslo grew."),
        ("The town<br>was<sup>[3]</sup> founded <b>early</b>.", "The town was founded early."),
    ],
)
def test_the_statement_is_free_of_markup(source: str, statement: str) -> None:
    assert statements(source) == [statement]
    assert segment(source)[0].end == len(source)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_draft_with_every_kind_of_block(line_end: str) -> None:
    source = (
        "\ufeff# Oslo\n\nOslo is old. It has a harbour.\n\nThe report found:\n\n- a rise in crime\n"
        "- Sales fell.\n\n```\nx = {1: 2}\n```\n\n| City | Size |\n|---|---|\n| Oslo | 5 |\n\n"
        "## References\n\n1. Smith, J. (2020). The thing. Journal of X, 12(3), 4-5.\n"
    ).replace("\n", line_end)
    assert_sound(source, segment(source))
    found = [(c.statement, c.query, c.not_checkable) for c in segment(source)]
    fragment = "a fragment without a statement"
    assert found == [
        ("Oslo", "Oslo", "a heading"),
        ("Oslo is old.", "Oslo is old.", None),
        ("It has a harbour.", "Oslo: It has a harbour.", None),
        ("The report found:", "The report found:", fragment),
        ("a rise in crime", "The report found: a rise in crime", None),
        ("Sales fell.", "The report found: Sales fell.", None),
        ("x = {1: 2}", "x = {1: 2}", "code"),
        ("City; Size", "City; Size", "a heading"),
        ("City: Oslo; Size: 5", "City: Oslo; Size: 5", None),
        ("References", "References", "a heading"),
        (
            "Smith, J. (2020). The thing. Journal of X, 12(3), 4-5.",
            "Smith, J. (2020). The thing. Journal of X, 12(3), 4-5.",
            "a reference",
        ),
    ]


def test_plain_text_keeps_its_signs() -> None:
    claims = segment("# not a heading\n\n- an item\n", markdown=False)
    assert [claim.statement for claim in claims] == ["# not a heading", "an item"]


def test_an_empty_draft_has_no_claims() -> None:
    assert segment("") == segment(" \r\n\ufeff") == segment("---\n\n![](x.png)\n\n***\n") == ()


FRAGMENT, REFERENCE = "a fragment without a statement", "a reference"
FOREIGN = "written in {}, which the bundled models do not read"
GERMAN = "Der Bericht wurde im Jahr 2019 veröffentlicht und umfasst zwölf Kapitel."
FOOTNOTES = (
    "The wing failed.[^1][^b]\n\n[^1]: Wikipedia, 2023.\n[^b]: NTSB report,\np. 4.\n"
    "[^3]: The wing was rebuilt in 1950.\n"
)
CITED = [
    ("The wing failed.", None),
    ("Wikipedia, 2023.", REFERENCE),
    ("NTSB report, p. 4.", REFERENCE),
    ("The wing was rebuilt in 1950.", None),
]


@pytest.mark.parametrize(
    ("source", "markdown", "expected"),
    [
        (FOOTNOTES, True, CITED),
        (FOOTNOTES, False, CITED),
        (
            "<script>alert(1)</script>\n\nThe wing <SCRIPT>alert(2)</SCRIPT> failed.\n\n"
            "<style>p {color: red}</style> <p>The tail held.</p>\n\n<script> The crew survived.\n",
            True,
            [("The wing failed.", None), ("The tail held.", None), ("The crew survived.", None)],
        ),
        (
            f"It was published in 2019. この報告書は2019年に発表された。 Sales fell.\n\n{GERMAN}\n",
            True,
            [
                ("It was published in 2019.", None),
                ("この報告書は2019年に発表された。", FOREIGN.format("Japanese")),
                ("Sales fell.", None),
                (GERMAN, FOREIGN.format("German")),
            ],
        ),
        (
            "Make: Cessna\nInjuries: 1 fatal\nOperating Certificate(s) Held:\nNumber: N112ED\n",
            True,
            [
                ("Make: Cessna", None),
                ("Injuries: 1 fatal", None),
                ("Operating Certificate(s) Held:", FRAGMENT),
                ("Number: N112ED", None),
            ],
        ),
    ],
    ids=["footnotes", "footnotes of a plain text", "scripts", "languages", "a form"],
)
def test_what_cannot_be_checked_says_why_and_scripts_are_left_out(
    source: str, markdown: bool, expected: list[tuple[str, str | None]]
) -> None:
    claims = segment(source, markdown=markdown)
    assert [(claim.statement, claim.not_checkable) for claim in claims] == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "Three rivers:\n\n1. Arn: It is long. It is wide.\n2. Bel: It is short.\n",
            ["Three rivers:", "Arn: It is long.", "It is wide.", "Bel: It is short."],
        ),
        (
            "- Dr. A. B. Hill won.\n- The U.S. Army lost [1].\n* It was No. 5.\n",
            ["Dr. A. B. Hill won.", "The U.S. Army lost.", "It was No. 5."],
        ),
        (
            "The dam burst in 1950.[1]It was rebuilt.[2] Nobody died (Hill, 2005).",
            ["The dam burst in 1950.", "It was rebuilt.", "Nobody died (Hill, 2005)."],
        ),
        ("---\ntitle: Draft\nauthor: A. Person\n---\n\nIt fell.\n", ["It fell."]),
        ("# Oslo\n\n    It was founded in 1990 and moved\nto Bergen.\n",
         ["Oslo", "It was founded in 1990 and moved to Bergen."]),
        ("```markdown\n# Oslo\n\nOslo is old.\n```\n", ["Oslo", "Oslo is old."]),
        ("The bridge was opened in 1932 by the king.\n------\n\nTitle\n=====\n",
         ["The bridge was opened in 1932 by the king.", "Title"]),
        ("It found:\n• a rise\n• a fall\n", ["It found:", "a rise", "a fall"]),
        ("| | Food |\n|---|---|\n| Ducks | Leaves |\n| | Ash |\n",
         ["Food", "Ducks; Food: Leaves", "Food: Ash"]),
        ("It opened.[1] [2] **It closed.** *Then* it burnt.[^3]",
         ["It opened.", "It closed.", "Then it burnt."]),
        ("Sales fell\\\nCosts fell in July<br>Debts rose.\n\nThe firm was sold\\\nin 1990.\n",
         ["Sales fell", "Costs fell in July", "Debts rose.", "The firm was sold in 1990."]),
        ("<div>Wages fell<p>taxes rose</p></div>\n", ["Wages fell", "taxes rose"]),
    ],
)  # fmt: skip
def test_lists_and_marks_are_cut_where_a_reader_would(source: str, expected: list[str]) -> None:
    assert [claim.statement for claim in segment(source)] == expected


def test_a_resolved_statement_goes_beside_a_claim_that_stays_as_it_is() -> None:
    source = "# Life\n\nAda Brown (born 1950) is a Welsh painter. **She** moved to Oslo.[1]\n"
    *_, claim = segment(source)
    assert (claim.text, claim.statement) == ("**She** moved to Oslo.[1]", "She moved to Oslo.")
    assert claim.query == "Ada Brown: She moved to Oslo."
    assert claim.resolved == claim.hypothesis == "Ada Brown moved to Oslo."
