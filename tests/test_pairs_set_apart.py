"""What measures does not train: no sentence of it stands in the pairs that were written.

``VERACITE_TEST_DATA=FOLDER:...`` names folders of other sets that measure.
"""

import os
from pathlib import Path

import pytest

from scripts.training.set_apart import plain, sentences, texts
from scripts.training.written import FOLDER

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def written() -> set[str]:
    """The sentences of all pairs that were written."""
    places = (FOLDER, FOLDER.with_name("written_folders"))
    return {sentence for text in texts(places) for sentence in sentences(text)}


@pytest.mark.parametrize(
    "place",
    [
        "engine/exam.jsonl",
        "scripts/blind",
        "scripts/mending",
        "scripts/near",
        "scripts/samples",
        "scripts/strangers",
        "scripts/tables",
        "tests/samples",
        "tests/changed_facts",
        "tests/data",
        *os.environ.get("VERACITE_TEST_DATA", "no such folder").split(os.pathsep),
    ],
)
def test_no_written_pair_has_a_sentence_that_measures(place: str, written: set[str]) -> None:
    if not (ROOT / place).exists():
        pytest.skip("VERACITE_TEST_DATA names no folder of sets that measure")
    measuring = {sentence for text in texts([ROOT / place]) for sentence in sentences(text)}
    assert len(measuring) > 10
    assert measuring & written == set()


def test_a_sentence_is_known_again_whatever_its_case_and_punctuation(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("S: The mill, rebuilt in 1910, was SOLD.\n", "utf-8")
    (tmp_path / "b.jsonl").write_text(
        '{"claim": "Short one. The mill rebuilt in 1910 was sold!", "n": [1, "x"]}\n', "utf-8"
    )
    for name in ("a.txt", "b.jsonl"):
        found = [s for text in texts([tmp_path / name]) for s in sentences(text)]
        assert found == ["the mill rebuilt in 1910 was sold"]
    assert plain("“A”, b – C!") == "a b c"
