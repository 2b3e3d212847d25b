"""Other surnames in the pairs that train: everywhere the same one, and nothing else changed."""

import random
import re
from dataclasses import replace

import pytest

from scripts.training.pairs import Pair
from scripts.training.renaming import Surnames

TEXTS = (
    "Mrs Okafor met Edith Marlow on Monday.",
    "Professor Finch and Ilse Brandt walked along Mill Lane to New Zealand House.",
    "Dr Pell kept the finch.",
    "The lane was closed in a house by the mill.",
)


@pytest.fixture
def surnames() -> Surnames:
    return Surnames(TEXTS)


def test_surnames_stand_behind_titles_and_first_names(surnames: Surnames) -> None:
    pair = Pair("set", "Okafor, Marlow, Brandt, Pell.", "Pell wrote.", 0)
    names = {"Okafor", "Marlow", "Brandt", "Pell"}

    assert len(surnames) == len(names)  # not Monday, Finch (a bird as well), Lane, Zealand, House
    renamed = surnames.renamed(pair, random.Random(0))
    assert renamed == pair  # all four are taken


def test_a_name_becomes_the_same_other_one_in_premise_and_claim(surnames: Surnames) -> None:
    premise = "Minutes of Monday: Marlow, not Okafor, was chosen. Marlow's first act was a vote."
    pair = Pair("set", premise, "Okafor was chosen on Monday, and Okafor's act was a vote.", 2)

    found = [surnames.renamed(pair, random.Random(seed)) for seed in range(20)]

    for renamed in found:
        chosen, beaten = re.findall(r"Monday: (\w+), not (\w+), was", renamed.premise)[0]
        assert {chosen, beaten} == {"Brandt", "Pell"}
        undone = {chosen: "Marlow", beaten: "Okafor"}
        for new, old in undone.items():
            renamed = replace(
                renamed,
                premise=renamed.premise.replace(new, old),
                claim=renamed.claim.replace(new, old),
            )
        assert renamed == pair
    assert len({renamed.claim for renamed in found}) == 2


def test_a_pair_without_known_names_stays_as_it_is(surnames: Surnames) -> None:
    pair = Pair("set", "The dome was built in 1910.", "The dome is of 1910.", 0)

    assert surnames.renamed(pair, random.Random(0)) == pair
