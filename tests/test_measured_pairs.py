"""Pairs of measures: what a figure says of a bound and of another figure is labelled so."""

import operator
import random
import re

from scripts.training.cases import cases
from scripts.training.pairs import CONTRADICTED, NEUTRAL, SUPPORTED

_HOLDS = {
    "no less than": operator.ge, "no more than": operator.le, "less than": operator.lt,
    "more than": operator.gt, "at most": operator.le, "at least": operator.ge,
    "before": operator.lt, "after": operator.gt,
}  # fmt: skip
_SUBJECT = re.compile(r"[Tt]he ((?:[A-Z]\w+ )+[a-z]+(?: [a-z]+)*?)(?= (?:is|has|was|weighs|costs))")


def test_a_bound_of_what_is_measured_is_labelled_by_its_figure() -> None:
    seen: set[int] = set()
    for pair in cases(6000, random.Random(5), measured=10.0):
        word = next((word for word in _HOLDS if f" {word} " in pair.claim), None)
        named = _SUBJECT.search(pair.claim)
        stated = re.split(r"\s…\s|(?<=\.)\s", pair.premise)
        if pair.set != "measured" or word is None or named is None or len(stated) > 2:
            continue
        own = [re.findall(r"\d+", line) for line in stated if named[1] in line]
        (limit,) = re.findall(r"\d+", pair.claim)
        if not own:
            assert pair.label == NEUTRAL
        elif len(own[0]) == 1:
            held = _HOLDS[word](int(own[0][0]), int(limit))
            assert pair.label == (SUPPORTED if held else CONTRADICTED), pair
            seen.add(pair.label)
    assert seen == {SUPPORTED, CONTRADICTED}
