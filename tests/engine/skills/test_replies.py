"""What models write, read strictly."""

import pytest

from veracite.engine.skills import replies


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("2 6 8", ((1, 5, 7), ())),
        ("Selected Documents: [2], 6,8.", ((1, 5, 7), ())),
        ("0 4 9 12", ((3,), (0, 9, 12))),
        ("Passage 2 (see 1.5 and B-3)", ((1,), ())),
    ],
)
def test_numbers_of_passages(reply: str, read: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    assert replies.numbers(reply, 8) == read


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("1904", "1904"),
        ("  The answer is: 1904\nbecause", "1904"),
        ("So the answer is Anna Berg", "Anna Berg"),
        ("Answering Machine", "Answering Machine"),
        ("18. May 1980", "18. May 1980"),
        ("<think>\nHm. 1905?\n</think>\n\n1904", "1904"),
    ],
)
def test_short_answers(reply: str, read: str) -> None:
    assert replies.short(reply) == read


@pytest.mark.parametrize(
    ("reply", "read", "wrong"),
    [
        ("It burned [1, 2]. It is gone [3].", "It burned [1][2]. It is gone [3].", ()),
        ("It burned [4]. [0] Gone [1][17].", "It burned. Gone [1].", (4, 0, 17)),
    ],
)
def test_citations_of_passages_that_do_not_exist_go(
    reply: str, read: str, wrong: tuple[int, ...]
) -> None:
    assert replies.cited(reply, 3) == (read, wrong)


def test_a_sentence_is_the_first_one_without_citations() -> None:
    assert replies.sentence("Dr. Berg sold it [1]. Then it burned.", "END") == "Dr. Berg sold it."
    assert replies.sentence("Endings are hard.", "END") == "Endings are hard."
