"""Lines that fit: wide characters take two columns, combining ones none."""

import pytest

from veracite.engine.wrap import shorten, width_of, wrap


def test_lines_are_indented_and_all_but_the_first_hang() -> None:
    assert wrap("one two three", 11, "  ") == ["  one two", "  three"]
    assert wrap("one two three", 9, hanging="  ") == ["one two", "  three"]
    assert wrap("", 9) == []


@pytest.mark.parametrize("width", [5, 8, 9, 10, 11, 24])
@pytest.mark.parametrize(
    "text", ["日本語の文は空白がない。" * 5, "a日b本c " * 9, "x" * 40, "e\u0301 " * 20]
)
def test_no_line_is_too_wide_and_nothing_is_lost(text: str, width: int) -> None:
    lines = wrap(text, width, " ")
    assert max(map(width_of, lines)) <= width
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_what_fits_exactly_stays_on_its_line() -> None:
    assert wrap("日本語", 6) == ["日本語"]
    assert wrap("日本語", 5) == ["日本", "語"]


def test_a_text_is_shortened_to_the_columns_there_are() -> None:
    assert shorten("abcdefgh", 6) == "abc..."
    assert shorten("日本語の文", 7, "…") == "日本語…"
    assert shorten("日本語", 6) == "日本語"
    assert shorten("one two three", 9, " […]") == "one t […]"


@pytest.mark.parametrize(("most", "kept"), [(3, "..."), (1, "."), (0, ""), (-14, "")])
def test_where_there_is_no_room_hardly_anything_is_left(most: int, kept: str) -> None:
    assert shorten("a name of a model", most) == kept
