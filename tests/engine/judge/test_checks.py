"""The checks beside the network are features of the decision, and show in its probabilities."""

import pytest
from readings import claim, evidence, reading

from veracite.engine.judge.decision import bundled_decision, log_odds
from veracite.engine.judge.judge import Judge
from veracite.engine.models import OpenModels
from veracite.engine.retrieve import Search
from veracite.index.memory import MemoryLibrary, Text, Vectors

OPENED = "The museum of Orme was opened in 1902."


def supported(models: OpenModels, said: str, *, without: str | None = None) -> float:
    """How probably a document that says ``OPENED`` supports a claim."""
    decision = bundled_decision().without([without] if without else [])
    library = MemoryLibrary([Text("orme.txt", OPENED)], Vectors(models.open_encoder().encode))
    judge = Judge(models.open_verifier(), decision, 0.5, library.sentences, library.raw_text)
    evidence = Search(library, None, None, "hybrid").gather([claim(said)])
    ((_, reading),) = judge.read([claim(said)], evidence)
    return decision.decide(reading, 0.5).scores.supported


def test_words_left_over_lower_the_probability_of_supported(models: OpenModels) -> None:
    more = f"{OPENED[:-1]} for a brewery's heirs in Leeds."
    found = supported(models, more)
    assert found < supported(models, more, without="words left over")
    assert found < supported(models, OPENED)


def test_a_sentence_that_denies_lowers_what_several_together_support() -> None:
    one, other = "Anna Berg kept the Orme lighthouse.", "The Orme lamp was lit in 1902."
    found = []
    for denial in (0.06, 0.92):
        rows = {f"{one} {other}": (0.8, 0.15, 0.05), "": (0.02, 0.98 - denial, denial)}
        said = claim("Anna Berg kept the Orme lighthouse, lit in 1902.")
        read = reading(said, [evidence("a", [f"{one} {other}"])], rows)
        assert {premise.kind for premise in read.premises.premises} > {"sentence"}
        assert read.whole[2:] == pytest.approx([log_odds(0.02), log_odds(denial)])
        found.append(bundled_decision().decide(read, 0.5).scores.supported)
    assert found[0] > found[1]


@pytest.mark.parametrize(("day", "other"), [("In 2019", "In 2015"), ("On 9 May", "On 2 May")])
@pytest.mark.parametrize(("denial", "counts"), [(0.9, False), (0.94, True)])
def test_what_is_of_another_case_denies_only_if_the_network_is_sure(
    day: str, other: str, denial: float, counts: bool
) -> None:
    said = f"{day} the Harlow yard employed 40 people."
    told = f"{other} the Harlow yard employed 62 people."
    read = reading(claim(said), [evidence("a", [told])], {"": (0.02, 0.98 - denial, denial)})
    assert (read.elsewhere is None) is counts
