"""Other surnames in the pairs that train: everywhere the same one, and nothing else changed."""

import random
import re

from scripts.training.pairs import Pair
from scripts.training.renaming import Surnames

TEXTS = (
    "Mrs Okafor met Edith Marlow on Monday.",
    "Professor Finch and Ilse Brandt walked along Mill Lane to New Zealand House.",
    "Dr Pell kept the finch.",
    "The lane was closed in a house by the mill.",
)


SURNAMES = Surnames(TEXTS)


def test_a_name_becomes_the_same_other_one_in_premise_and_claim() -> None:
    premise = "Minutes of Monday: Marlow, not Okafor, was chosen. Marlow's first act was a vote."
    pair = Pair("set", premise, "Okafor was chosen on Monday, and Okafor's act was a vote.", 2)

    found = [SURNAMES.renamed(pair, random.Random(seed)) for seed in range(20)]

    for renamed in found:
        chosen, beaten = re.findall(r"Monday: (\w+), not (\w+), was", renamed.premise)[0]
        assert {chosen, beaten} == {"Brandt", "Pell"}
        undone = str(renamed).replace(chosen, "Marlow").replace(beaten, "Okafor")
        assert undone == str(pair)
    assert len({renamed.claim for renamed in found}) == 2
