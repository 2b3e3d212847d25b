"""BM25 takes any text as a query, and scores by what is in the index alone."""

from pathlib import Path

import pytest

from veracite.index.lexical import Lexical, digest

PASSAGES = [
    (1, None, "NASA announced its budget for 2024."),
    (2, None, "The café in Zürich serves coffee."),
    (3, "Space agencies", "They announced nothing."),
    (4, None, "Running dogs ran past the runner."),
]


@pytest.fixture
def index() -> Lexical:
    made = Lexical(None)
    made.add(PASSAGES)
    return made


def ids(found: list[tuple[int, float]]) -> list[int]:
    return [passage for passage, _ in found]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("NASA: budget", [1]),
        ('"budget" AND (NOT) nasa* [2024 TO', [1]),
        ("CAFE zurich", [2]),
        ("cafe\u0301", [2]),
        ("runs", [4]),
        ("space agency", [3]),
        ("?! --", []),
        ("", []),
        ("unheard", []),
    ],
)
def test_plain_words_find_passages_whatever_they_look_like(
    index: Lexical, query: str, expected: list[int]
) -> None:
    assert ids(index.search(query, 10)) == expected


def test_ties_are_broken_by_id_wherever_passages_stand() -> None:
    index = Lexical(None)
    index.add((900 - number, None, "same words") for number in range(60))
    assert ids(index.search("same", 5)) == [841, 842, 843, 844, 845]


def test_the_digest_sees_every_file(tmp_path: Path) -> None:
    Lexical(tmp_path / "index").add(PASSAGES)
    before = digest(tmp_path / "index")
    for path in sorted((tmp_path / "index").iterdir()):
        if not path.name.endswith(".lock"):
            content = path.read_bytes()
            path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
            assert digest(tmp_path / "index") != before, path
            path.write_bytes(content)
    assert digest(tmp_path / "index") == before


def test_no_text_fails() -> None:
    index = Lexical(None)
    index.add([(1, "\ud800", "\udcff lone \x00 surrogates"), (2, None, "x" * 100_000)])
    assert ids(index.search("surrogates \ud800", 3)) == [1]
    assert index.search("word " * 100_000, 3) == []
