"""The checks beside the network are features of the decision, and show in its probabilities."""

import pytest
from readings import claim

from veracite.engine.judge.decision import bundled_decision
from veracite.engine.judge.judge import Judge
from veracite.engine.retrieve import Search
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.models.bundled import bundled_encoder, bundled_verifier

OPENED = "The museum of Orme was opened in 1902."
PAINTED = "The museum of Orme was painted green by Otto Brand."
BOTH = "The museum of Orme was opened in 1902 and painted green by Otto Brand."


def supported(said: str, *texts: str, without: str | None = None) -> float:
    """How probably documents of these texts support a claim."""
    decision = bundled_decision().without([without] if without else [])
    library = MemoryLibrary(
        [Text(str(n), text) for n, text in enumerate(texts)], Vectors(bundled_encoder().encode)
    )
    judge = Judge(bundled_verifier(), decision, 0.55, library.sentences, library.raw_text)
    evidence = Search(library, None, None, "hybrid").gather([claim(said)])
    ((_, reading),) = judge.read([claim(said)], evidence)
    return decision.decide(reading, 0.55).scores.supported


@pytest.mark.parametrize(
    ("check", "said", "texts", "plainer"),
    [
        ("words left over", f"{OPENED[:-1]} for a brewery's heirs in Leeds.", [OPENED], [OPENED]),
        ("figure differs", OPENED.replace("1902", "1904"), [OPENED], [OPENED]),
        ("several documents", BOTH, [OPENED, PAINTED], [f"{OPENED} {PAINTED}"]),
    ],
)
def test_what_no_premise_says_lowers_the_probability(
    check: str, said: str, texts: list[str], plainer: list[str]
) -> None:
    found = supported(said, *texts)
    assert found < supported(said, *texts, without=check)
    assert found < supported(said if plainer != texts else OPENED, *plainer)
