"""What a drafted answer says and cites, sentence by sentence."""

import pytest

from veracite.engine.methods.answers import read

PASSAGES = ("one", "two", "three")


@pytest.mark.parametrize(
    ("draft", "said"),
    [
        (
            "The bridge has a length of a [1]. than the old one it is longer [2].",
            [("The bridge has a length of a.", (0,)), ("than the old one it is longer.", (1,))],
        ),
        (
            "It measures 40 m [1]. long bridges are rare [2]. sail under it [3].",
            [
                ("It measures 40 m.", (0,)),
                ("long bridges are rare.", (1,)),
                ("sail under it.", (2,)),
            ],
        ),
    ],
)
def test_sentences_that_cite_are_never_read_as_one(
    draft: str, said: list[tuple[str, tuple[int, ...]]]
) -> None:
    written = read("How long is it?", draft, PASSAGES)
    claims = [claim.text for claim in written.claims]
    assert list(zip(claims, written.cited, strict=True)) == said
    spans = [written.text[claim.start : claim.end] for claim in written.claims]
    assert spans == claims


def test_a_text_is_joined_by_blanks_where_its_sentences_are_told_apart() -> None:
    written = read("Who?", "A mill burned [1]. [2] Bees [3]\nlive there. [9]", PASSAGES)
    assert written.text == "A mill burned. Bees\nlive there."
    assert written.cited == ((0, 1), (2,))


def test_a_draft_without_words_says_nothing() -> None:
    assert read("Who?", " [1] ", PASSAGES).claims == ()
