"""Thresholds and results never share a group."""

import numpy as np

from veracite.engine.evaluation.splits import split


def _truth(pattern: str) -> np.ndarray:
    return np.array([mark == "+" for mark in pattern])


def test_the_first_half_of_the_groups_is_for_thresholds() -> None:
    made = split(list("aabbbccd"), [""] * 8, _truth("+-+-+-+-"), "halves")
    assert made.chosen.tolist() == [True] * 5 + [False] * 3
    assert made.held.tolist() == [False] * 5 + [True] * 3


def test_each_set_is_halved() -> None:
    made = split(list("aabbccdd"), list("xxxxyyyy"), _truth("+-+-+-+-"), "halves")
    assert made.chosen.tolist() == [True, True, False, False] * 2


def test_groups_stay_whole_wherever_their_items_stand() -> None:
    groups = list("abababcdcd")
    made = split(groups, [""] * 10, _truth("+-" * 5), "halves")
    assert {g for g, c in zip(groups, made.chosen, strict=True) if c} == {"a", "b"}
    assert not {"a", "b"} & {g for g, h in zip(groups, made.held, strict=True) if h}


def test_a_file_sorted_by_label_is_dealt_in_turn() -> None:
    made = split(list("abcdefgh"), [""] * 8, _truth("++++----"), "halves")
    assert made.chosen.tolist() == [True, False] * 4
    assert made.names == ("odd-numbered groups", "even-numbered groups")


def test_a_file_that_is_sorted_but_for_a_few_is_dealt_in_turn() -> None:
    """Both halves hold items of both classes: one set in two is sorted, or rows were drawn."""
    groups = [str(n) for n in range(40)]
    made = split(groups, [""] * 40, _truth("-" + "+" * 20 + "-" * 18 + "+"), "halves")
    assert made.names == ("odd-numbered groups", "even-numbered groups")
    beside = split(
        [*groups, *"abcd"], ["x"] * 40 + ["y"] * 4, _truth("+" * 20 + "-" * 20 + "+-+-"), "halves"
    )
    assert made.chosen.tolist() == beside.chosen[:40].tolist()


def test_halves_that_differ_as_chance_has_it_are_kept() -> None:
    groups = [str(n) for n in range(40)]
    made = split(groups, [""] * 40, _truth("++-+" * 5 + "+--+" * 5), "halves")
    assert made.names[0] == "first half of the groups"


def test_a_single_group_is_split_by_its_items() -> None:
    made = split(["a"] * 6, [""] * 6, _truth("+-+-+-"), "halves")
    assert made.chosen.tolist() == [True] * 3 + [False] * 3


def test_parts_are_named_by_what_they_are_of() -> None:
    one = split(list("aabb"), [""] * 4, _truth("+-+-"), "halves")
    two = split(list("aabbccdd"), list("xxxxyyyy"), _truth("+-+-+-+-"), "halves")
    assert one.names == ("first half of the groups", "second half of the groups")
    assert two.names[1] == "second half of the groups of each set"
