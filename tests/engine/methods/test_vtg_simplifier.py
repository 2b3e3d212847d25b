"""VTG's citation simplifier: what is left supports the claim, and nothing of it can go."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import pytest
from asking import ScriptedJudge, ScriptedSkills, run, tools
from hypothesis import given, settings
from hypothesis import strategies as st

from veracite.engine.events import Simplified
from veracite.engine.methods.base import Tools
from veracite.engine.methods.vtg import simplified
from veracite.engine.types import Claim, Label, Scores, Verdict
from veracite.index.documents import Evidence

CLAIM = Claim("It is so.", 0, 9, "It is so.", "It is so.")
LETTERS = "abcde"


@dataclass
class Bench:
    """Passages "a" to "e", and a judge by a rule on sets of them."""

    tools: Tools
    judge: ScriptedJudge
    passages: dict[str, Evidence]

    def simplified(
        self, letters: str, enough: Sequence[str], weak: str = ""
    ) -> tuple[str, str, list[str]]:
        """What is left of passages, where these sets and no others support the claim; the verdict's
        quotes; and which sets were judged. Weak passages say less than the others."""
        sets = [set(one) for one in enough]

        def says(_: str, texts: Sequence[str]) -> Label:
            judged = {text[0] for text in texts}
            if judged in sets:
                return Label.SUPPORTED
            return Label.NOT_FOUND if judged <= set(weak) else Label.UNCERTAIN

        self.judge.says = says
        before = len(self.judge.judged)
        verdict = Verdict(CLAIM, Label.SUPPORTED, 0.9, Scores(0.9, 0.1, 0.0), "script", "")
        cited = tuple(self.passages[letter] for letter in letters)
        (after, left), events = run(simplified(verdict, cited, self.tools))
        assert after.label is Label.SUPPORTED
        kept = "".join(item.passage.text[0] for item in left)
        dropped = [event for event in events if isinstance(event, Simplified)]
        assert len(dropped) == (kept != letters)
        judged = ["".join(text[0] for text in texts) for _, texts in self.judge.judged[before:]]
        return kept, "".join(quote.quote[0] for quote in after.citations), judged


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    texts = [f"{letter} is a letter." for letter in LETTERS]
    with tools(ScriptedSkills(), texts, tmp_path_factory.mktemp("verdicts")) as (given_, judge):
        (found,) = given_.library.search_many(["a letter"], k=5, mode="lexical")
        passages = {item.passage.text[0]: item for item in found}
        yield Bench(given_, judge, passages)


def test_the_weakest_goes_first_of_equals_the_last(bench: Bench) -> None:
    assert bench.simplified("abc", ["abc", "ab", "bc"], weak="a")[0] == "bc"
    assert bench.simplified("abc", ["abc", "ab", "bc"]) == ("ab", "a", ["a", "b", "c", "ab"])
    kept, quoted, judged = bench.simplified("abcd", ["abcd", "bcd", "bc"])
    assert (kept, quoted) == ("bc", "b"), "c is needed once a has gone"
    assert judged[4:] == ["abc", "abd", "acd", "bcd", "bc"]


SETS = ["".join(one) for size in range(1, 6) for one in combinations(LETTERS, size)]


@settings(max_examples=60, deadline=None)
@given(
    some=st.lists(st.booleans(), min_size=len(SETS), max_size=len(SETS)),
    alone=st.booleans(),
    count=st.integers(1, 5),
)
def test_what_is_left_is_enough_and_nothing_of_it_can_go(
    bench: Bench, some: list[bool], alone: bool, count: int
) -> None:
    letters = LETTERS[:count]
    enough = {
        one for one, chosen in zip(SETS, some, strict=True) if chosen and (alone or len(one) > 1)
    }
    enough.add(letters)
    kept, quoted, _ = bench.simplified(letters, sorted(enough))
    assert kept in enough
    assert all(kept.replace(letter, "") not in enough for letter in kept)
    assert quoted == ("" if kept == letters else kept[0])
    assert bench.simplified(letters, sorted(enough))[0] == kept
