"""Nothing of a document reaches a terminal but visible text, in lines that fit."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reports import HOSTILE

from veracite.engine.display import neutralise, shorten, width_of, wrap

INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def hidden(text: str) -> list[str]:
    return [c for c in text if unicodedata.category(c) in INVISIBLE]


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_becomes_visible_text(text: str) -> None:
    assert hidden(neutralise(text)) == []
    assert hidden(neutralise(text, lines=True).replace("\n", "")) == []


@given(st.text(st.characters(exclude_characters="\u0600\u0601\u0602\u0603\u0604\u0605\u06dd")))
def test_no_text_keeps_a_control_character(text: str) -> None:
    shown = neutralise(text, lines=True)
    assert [c for c in shown if unicodedata.category(c) in ("Cc", "Cs") and c != "\n"] == []
    assert neutralise(shown, lines=True) == shown


ORDINARY = ["Größe: 3 µm – „gut“ 🎉", "日本語の文", "العربية ٣ \u0601", "naïve café", "क्षत्रिय"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("caf\udce9.pdf", "caf\\udce9.pdf"),
        ("one\r\ntwo\rthree\tfour\u2028five", "one two three four five"),
        ("sup\u200bport\u00aded", "supported"),
        *zip(ORDINARY, ORDINARY, strict=True),
    ],
)
def test_hidden_characters_are_shown_and_ordinary_ones_left_alone(text: str, shown: str) -> None:
    assert neutralise(text) == shown


def test_line_breaks_may_stay() -> None:
    text = "one\r\ntwo\rthree\tfour\u2028five"
    assert neutralise(text, lines=True) == "one\ntwo\nthree four\nfive"


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


def test_a_text_is_shortened_to_the_columns_there_are() -> None:
    assert shorten("abcdefgh", 6) == "abc..."
    assert shorten("日本語の文", 7, "…") == "日本語…"
    assert shorten("日本語", 6) == "日本語"
    assert shorten("one two three", 9, " […]") == "one t […]"
