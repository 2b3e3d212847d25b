"""Cleaned text reads well, and every character of it knows where it came from."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veracite.index.cleaning import Markup, clean


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("  two\t words\r\nand\n\n more ", "two words and more"),
        ("informa-\ntion", "information"),
        ("informa-  \r\n  tion", "information"),
        ("well-\nknown", "well-known"),
        ("Anglo-\nSaxon", "Anglo-Saxon"),
        ("1990-\n1995", "1990- 1995"),
        ("pre-\nand post-war", "pre- and post-war"),
        ("a -\nb", "a - b"),
        ("soft\u00adhyphen, soft\u00ad\nbreak", "softhyphen, softbreak"),
        ("zero\u200bwidth \u202eevil\u202c\ufeff \x1b[31mred", "zerowidth evil red"),
        ("of\ufb01ce \ufb03", "office ffi"),
        ("It ended.[1] Then[2, 3] a[4\u20136]", "It ended. Then a"),
        ("see [12] and x[a]", "see [12] and x[a]"),
        ("a \x07[1]\tb", "a [1] b"),
        ("e\u0301 stays", "e\u0301 stays"),
    ],
)
def test_plain(raw: str, text: str) -> None:
    assert clean(raw).text == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("**Bold** and *thin* and __strong__ ~~gone~~", "Bold and thin and strong gone"),
        ("2*3 and 2 * 3, snake_case_name", "2*3 and 2 * 3, snake_case_name"),
        ('a [link](http://x.y/z_(1) "t") here', "a link here"),
        ("a ![picture](p.png) [![x](y)](z)", "a picture x"),
        ("a [link][ref], <https://x.y>", "a link, https://x.y"),
        ("noted.[^1] Kept [brackets]", "noted. Kept [brackets]"),
        ("code `a*b*c` and ``x`y``", "code a*b*c and x`y"),
        ("AT&amp;T \\*star\\* a<br>b <b>c</b><!-- no -->", "AT&T *star* a b c"),
        ("> quoted\n> on", "quoted on"),
        ("one\n- two\n  1. three\n- [x] four", "one two three four"),
        ("a | b\n--- | ---\n1 | 2", "a | b 1 | 2"),
        ("It is ***very** old* there", "It is very old there"),
        ("**A sentence. And half of* one", "A sentence. And half of one"),
        ("A* search, f(x)*g(x) and *.txt", "A* search, f(x)*g(x) and *.txt"),
        ("see https://x.y/_a_b*c. It", "see https://x.y/_a_b*c. It"),
        ("`a[1]` and grew.[1](http://x.y) So [2], no", "a[1] and grew. So [2], no"),
        ("It grew [^1], then.[[2]](x_y 'z')", "It grew, then.[2]"),
        (r'Old.[\[3\]](#n-3) It.\[[a]\](#n_(1) "x") Or [[b]](x)', "Old. It. Or [b]"),
        ("on p. [3](http://x.y)", "on p. 3"),
        ("<li>one</li><li>two</li>", "one two"),
        ("<stamp>Seen</stamp> Vec<u8> and <file>", "Seen Vec<u8> and <file>"),
        ("half a link](http://x.y) and [half", "half a link and [half"),
        ("[\x1b[31mred](http://x.y)", "red"),
    ],
)
def test_markdown(raw: str, text: str) -> None:
    assert clean(raw, "markdown").text == text


def test_a_cleaned_span_has_the_raw_span_that_shows_it() -> None:
    raw = "The **informa-\ntion** of\ufb01ce [there](http://x.y)."
    cleaned = clean(raw, "markdown")
    assert cleaned.text == "The information office there."

    def back(words: str) -> str:
        start = cleaned.text.index(words)
        span = cleaned.to_raw(start, start + len(words))
        return raw[span.start : span.end]

    assert back("information") == "informa-\ntion"
    assert back("office") == "of\ufb01ce"
    assert back("there") == "there"


@pytest.mark.parametrize(
    "sign",
    [
        *["[", "*", "* ", ">", "`", "](", "[a](", "**a ", "_a*b", "<a ", "&", "|a", "![", "a-\n"],
        *["  ", "---", "\n---", "<!--", '](a "', "](/a ", "[1],", "www.", "\x1b]", "`` `"],
    ],
)
@pytest.mark.parametrize("before", ["", "]("])
def test_heaps_of_signs_are_read(sign: str, before: str) -> None:
    raw = f"{before}{sign * 5_000}\nx"
    for markup in ("none", "markdown"):
        assert clean(raw, markup).text.endswith("x")


RAW = st.text(
    alphabet=st.sampled_from("ab1 \n-\t\u00ad\u200b[]()*_`<>!&;#|\\~^.:\ufb01é"), max_size=80
)


@settings(max_examples=50)
@given(RAW | st.text(), st.sampled_from(["none", "markdown"]))
def test_the_map_is_monotone_and_in_range(raw: str, markup: Markup) -> None:
    cleaned = clean(raw, markup)
    position = 0
    for index, character in enumerate(cleaned.text):
        span = cleaned.to_raw(index, index + 1)
        assert 0 <= span.start < span.end <= len(raw)
        assert span.start >= position or span == cleaned.to_raw(index - 1, index)
        position = span.start
        if span.end == span.start + 1 and character.isalnum() and raw[span.start].isascii():
            assert raw[span.start] == character or markup == "markdown"
    whole = cleaned.to_raw(0, len(cleaned.text))
    assert 0 <= whole.start <= whole.end <= len(raw)
