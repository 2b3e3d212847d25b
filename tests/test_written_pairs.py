"""The pairs written for the verifier: every line is read, their forms keep what a claim needs."""

import random
from collections import Counter
from pathlib import Path

import pytest

from scripts.training.pairs import JOINT
from scripts.training.written import Block, blocks, copies, renderings

SUPPORTED, NEUTRAL, CONTRADICTED = range(3)


def test_labels_are_balanced_nothing_stands_twice_and_whole_blocks_are_kept_for_checks() -> None:
    written = blocks()
    labels = Counter(label for block in written for _, label in block.claims)
    pairs = Counter((block.premise, claim) for block in written for claim, _ in block.claims)

    assert set(labels) == {SUPPORTED, NEUTRAL, CONTRADICTED}
    assert all(0.30 < count / labels.total() < 0.38 for count in labels.values())
    assert max(pairs.values()) == 1
    assert max(Counter(block.premise for block in written).values()) == 1
    held = [block for block in written if block.held_out]

    assert 0.06 < len(held) / len(written) < 0.10
    assert {block.set for block in held} == {block.set for block in written}


def test_a_block_is_read_line_by_line(tmp_path: Path) -> None:
    text = "# Guide > Boiler\nP: It was made in 1910.\nN: It leaks.\nS: The boiler is of 1910.\n\n"
    (tmp_path / "house2.txt").write_text(text + "P: No heading.\nC: There is one.\n", "utf-8")

    first, second = blocks(tmp_path)

    assert first == Block(
        "written_house",
        "Guide > Boiler",
        "It was made in 1910.",
        (("It leaks.", NEUTRAL), ("The boiler is of 1910.", SUPPORTED)),
    )
    assert (second.heading, second.claims) == ("", (("There is one.", CONTRADICTED),))


@pytest.mark.parametrize("line", ["X: unknown", "S: before any premise", "P: one\nP: two"])
def test_what_is_no_line_of_a_block_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "house.txt").write_text(f"{line}\n", encoding="utf-8")

    with pytest.raises(ValueError, match=r"house\.txt: no line of a block"):
        blocks(tmp_path)


def test_a_claim_keeps_the_heading_that_alone_names_its_subject() -> None:
    claim = (("Marden seats 200.", SUPPORTED),)
    named = Block("written_x", "Halls > Marden", "It seats 200 people.", claim)
    needless = Block("written_x", "Notes", "Marden seats 200.", claim)
    other = Block("written_y", "", "Rain fell.", ())
    rng = random.Random(1)

    shown = {pair.premise for _ in range(60) for pair in renderings([named], rng)}
    assert shown == {"Halls > Marden: It seats 200 people.", "Marden: It seats 200 people."}

    shown = {pair.premise for _ in range(200) for pair in renderings([needless, other], rng)}
    assert {"Notes: Marden seats 200.", "Marden seats 200."} < shown
    assert f"Rain fell.{JOINT}Marden seats 200." in shown
    assert len({premise for premise in shown if JOINT in premise}) == 4


def test_what_a_premise_says_is_copied_where_it_stands_alone() -> None:
    premise = (
        "The mill (a stone one) stands in Marden, which has two. It burnt down in 1910. "
        f"Who owned it then?{JOINT}The owner rebuilt it in 1912; nobody helped."
    )
    block = Block("written_x", "Mills", premise, (("It is new.", CONTRADICTED),))
    rng = random.Random(1)

    made = [copy for _ in range(100) for copy in copies([block], rng)]

    assert {(copy.heading, copy.premise) for copy in made} == {("Mills", premise)}
    assert {claim for copy in made for claim in copy.claims} == {
        ("The mill (a stone one) stands in Marden, which has two.", SUPPORTED),
        ("The mill stands in Marden, which has two.", SUPPORTED),
        ("The mill stands in Marden.", SUPPORTED),
        ("The owner rebuilt it in 1912; nobody helped.", SUPPORTED),
        ("The owner rebuilt it in 1912.", SUPPORTED),
    }
