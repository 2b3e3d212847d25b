"""A claim that stands in the library as a sentence of its own is supported, and no twin of it is.

Each sentence is looked for in a library that has it, behind a draft's sentence that names somebody
else, and in one that has it only as a quotation, a question, a plan, a condition, a denial or of
somebody else.
"""

import pytest

from veracite.engine.claims.segmentation import segment
from veracite.engine.judge.decision import bundled_decision
from veracite.engine.judge.judge import Judge
from veracite.engine.retrieve import Search
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Label, Verdict
from veracite.index.memory import MemoryLibrary, Text
from veracite.models.verifier import Verifier

BESIDE = "Anna Berg kept the lighthouse at Tarn Point."
"""Of another document; the draft names her before the sentence."""
DRAFT = "The lighthouse keeper was Anna Berg.\n\n"

SENTENCES = (
    "The granary holds forty tonnes of barley.",
    "The museum charges no entrance fee.",
    "The harbour freezes every January.",
    "Nils Orre painted the altar in 1790.",
    "The tower is 38 metres high.",
    "Sofia Lind won the regatta twice.",
    "The theatre was rebuilt in 1871.",
    "Harlow Mill closed its last loom in 1962.",
    "Greta Holm founded the choir in 1921.",
    "The ferry sails at 7:30 on weekdays.",
    "The committee meets on the first Monday of the month.",
    "The society paid £2,900 for the telescope.",
)
NAMED = ("Harlow", "Greta", "Nils", "Sofia")
PRONOUNS = (
    ("Carl Vik sold the sawmill.", "He sailed to Boston with his brother."),
    ("Lena Storm wrote three novels.", "She never learned to read music."),
    ("The Orlan ferry was built in Gdansk.", "It carries 300 passengers."),
    ("Peter Aske was born in Lugo.", "He repaired clocks for forty years."),
    ("Maria Lund led the orchestra.", "She retired to a farm in 1988."),
)
OTHERS = (
    "Jon Fell ran the post office.",
    "Ruth Ames taught chemistry.",
    "The Vestby tram was painted green.",
    "Otto Brand dug wells.",
    "Ida Noor raised goats.",
)
UNNAMED = (
    (
        "The theatre stood by the river.", "It opened in 1871.",
        "The theatre was founded by Karl Holm.", "The museum was founded by Karl Holm.",
    ),
    (
        "The brothers were bakers in Lugo.", "They moved to Oslo in 1920.",
        "The brothers were born in Lugo.", "The sisters were born in Lugo.",
    ),
    (
        "The mine closed in 1911.", "This led to riots in the city.",
        "The mine was sold and closed.", "The bank failed that spring.",
    ),
    (
        "The chapel stands on the hill.", "Its roof is covered with copper.",
        "The chapel was sold in May.", "The school was sold in May.",
    ),
    (
        "The theatre burned down in 1869. It was rebuilt at once.", "It opened again in 1871.",
        "The theatre belonged to Karl Holm. It burned down in 1869.",
        "The museum belonged to Karl Holm. It burned down in 1869.",
    ),
    (
        "The orchard was planted by nuns.", "In 1903, it was sold to the railway.",
        "The orchard lies behind the convent.", "The cellar lies behind the convent.",
    ),
    (
        "The miller was born in Lugo.", "He sailed to Boston with his brother.",
        "The miller was a widower.", "The priest was a bachelor.",
    ),
)  # fmt: skip
"""What stands before a sentence in the draft, the sentence, and what stands before it in a document
that speaks of the same, perhaps in other words, and in one that does not."""


def verdict(verifier: Verifier, draft: str, *documents: str) -> Verdict:
    """Of the draft's last claim, by these documents and one on somebody else."""
    texts = [Text(f"{n}.txt", text) for n, text in enumerate((BESIDE, *documents))]
    library = MemoryLibrary(texts, None)
    bar = CheckSettings().uncertain_below
    judge = Judge(verifier, bundled_decision(), bar, library.sentences, library.raw_text)
    claim = segment(draft, markdown=True)[-1]
    (evidence,) = Search(library, None, None, "lexical").gather([claim])
    ((_, found, _),) = judge.judge([claim], [evidence])
    return found


def lowered(sentence: str) -> str:
    """The sentence as the end of another one."""
    own = sentence.rstrip(".")
    return own if own.startswith(NAMED) else own[0].lower() + own[1:]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_of_the_library_is_supported_whoever_stands_before_it(
    verifier: Verifier, sentence: str
) -> None:
    for said in (sentence, f"**{sentence}** [3]"):
        found = verdict(verifier, DRAFT + said, f"Some facts of the place. {sentence} So it is.")
        assert found.label is Label.SUPPORTED, found
        assert found.citations[0].quote == sentence


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_quoted_asked_planned_supposed_or_denied_sentence_supports_nothing(
    verifier: Verifier, sentence: str
) -> None:
    said = lowered(sentence)
    for document in (
        f"The forged leaflet claimed: “{sentence}” Nobody believed it.",
        f"It is not true that {said}.",
        f"Is it true that {said}?",
        f"{sentence.rstrip('.')}?",
        f"If {said}, the council will be glad.",
        f"The council hopes that {said} one day.",
    ):
        found = verdict(verifier, DRAFT + sentence, document)
        assert found.label is not Label.SUPPORTED, (document, found.explanation)


@pytest.mark.parametrize(("before", "sentence"), PRONOUNS)
def test_a_pronoun_on_both_sides_or_on_one_has_one_antecedent(
    verifier: Verifier, before: str, sentence: str
) -> None:
    document = f"{before} {sentence}"
    assert verdict(verifier, document, document).label is Label.SUPPORTED
    name = " ".join(before.split()[: 3 if before.startswith("The") else 2])
    told = f"{name} {sentence.split(' ', 1)[1]}"
    assert verdict(verifier, told, document).label is Label.SUPPORTED


@pytest.mark.parametrize(
    ("before", "sentence", "same", "other"),
    [
        *((*pair, pair[0], other) for pair, other in zip(PRONOUNS, OTHERS, strict=True)),
        *UNNAMED,
    ],
)
def test_a_pronoun_of_another_antecedent_is_not_the_claim(
    verifier: Verifier, before: str, sentence: str, same: str, other: str
) -> None:
    draft = f"{before} {sentence}"
    for told in (before, same):
        found = verdict(verifier, draft, f"{told} {sentence}")
        assert found.label is Label.SUPPORTED, (told, found)
    found = verdict(verifier, draft, f"{other} {sentence}")
    assert found.label is not Label.SUPPORTED, found


def test_what_stands_there_is_supported_although_another_document_denies_it(
    verifier: Verifier,
) -> None:
    said = "Harlow Mill closed its last loom in 1962."
    found = verdict(verifier, said, said, "Harlow Mill closed its last loom in 1958.")
    assert found.label is Label.SUPPORTED
    assert [c.quote for c in found.citations if c.relation == "contradicts"] == [
        "Harlow Mill closed its last loom in 1958."
    ]


def test_words_that_no_quote_accounts_for_show_in_the_probability(verifier: Verifier) -> None:
    document = "The Arden dam was finished in 1926 and holds 14 million cubic metres."
    plain = verdict(verifier, "The Arden dam was finished in 1926.", document)
    more = verdict(verifier, "The Arden dam was finished in 1926 by Otto Brand.", document)
    assert plain.label is Label.SUPPORTED
    assert plain.scores
    assert more.scores
    assert more.scores.supported < plain.scores.supported - 0.2


def test_a_sentence_that_says_the_claim_does_not_contradict_it(verifier: Verifier) -> None:
    said = "The Arden dam was finished in 1926."
    document = "In 1931, five years after the Arden dam was finished in 1926, it was raised."
    found = verdict(verifier, said, document)
    assert found.label is not Label.CONTRADICTED
    assert all(c.relation != "contradicts" for c in found.citations)


def test_parts_the_other_way_round_say_the_same(verifier: Verifier) -> None:
    found = verdict(verifier, "The ferry warden was Ida Noor.", "Ida Noor was the ferry warden.")
    assert found.label is Label.SUPPORTED, found
