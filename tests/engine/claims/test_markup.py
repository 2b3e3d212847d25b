"""Where the prose of a draft stands."""

import pytest

from veracite.engine.claims.markup import DraftBlock, read_blocks


def contents(source: str, blocks: tuple[DraftBlock, ...]) -> list[tuple[str, str]]:
    return [
        (block.kind, "|".join(source[span.start : span.end] for span in block.spans))
        for block in blocks
    ]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_every_kind_of_block_is_found_at_its_place(line_end: str) -> None:
    source = (
        "\ufeff# A title #\n\nA wrapped\nparagraph.\n\n> Quoted\n> twice.\n\n- one\n- two\n\n"
        "| a | b |\n|---|---|\n| 1 | x \\| y |\n\n```python\nprint(1)\n```\n\n"
        "[link]: http://example.org\n\n---\n\n<p>Hello</p>"
    ).replace("\n", line_end)
    assert contents(source, read_blocks(source)) == [
        ("heading", "A title"),
        ("paragraph", "A wrapped|paragraph."),
        ("paragraph", "Quoted|twice."),
        ("list_item", "one"),
        ("list_item", "two"),
        ("table_head", "a|b"),
        ("table_row", "1|x \\| y"),
        ("code", "print(1)"),
        ("html", "<p>Hello</p>"),
    ]


def test_front_matter_is_no_prose() -> None:
    source = "---\ntitle: Draft\nauthor: A. Person\n---\n\nThe text.\n"
    assert contents(source, read_blocks(source)) == [("paragraph", "The text.")]


def test_indented_lines_are_prose() -> None:
    source = "# Oslo\n\n    The company was founded in 1990 and moved\nto Bergen.\n"
    assert contents(source, read_blocks(source))[1:] == [
        ("paragraph", "The company was founded in 1990 and moved|to Bergen.")
    ]


@pytest.mark.parametrize("language", ["markdown", "text"])
def test_an_answer_fenced_as_prose_is_read(language: str) -> None:
    source = f"```{language}\n# Oslo\n\nOslo is the capital of Norway.\n```\n"
    assert contents(source, read_blocks(source)) == [
        ("heading", "Oslo"),
        ("paragraph", "Oslo is the capital of Norway."),
    ]


def test_a_paragraph_over_a_line_of_dashes_is_no_heading() -> None:
    source = "The bridge was opened in 1932 by the king.\n------\n\nTitle\n=====\n"
    assert [block.kind for block in read_blocks(source)] == ["paragraph", "heading"]


def test_bullets_that_markdown_does_not_know_are_items() -> None:
    source = "It found:\n• a rise\n• a fall\n"
    assert contents(source, read_blocks(source)) == [
        ("paragraph", "It found:"),
        ("list_item", "a rise"),
        ("list_item", "a fall"),
    ]


def test_plain_text_keeps_its_signs() -> None:
    source = "# not a heading\n\n- an item\n"
    assert contents(source, read_blocks(source, markdown=False)) == [
        ("paragraph", "# not a heading"),
        ("list_item", "an item"),
    ]
