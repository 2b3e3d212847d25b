"""What is not told, or is denied outright elsewhere, keeps a claim from being supported."""

import pytest
from readings import CONTRADICTED, SUPPORTED, claim, evidence, raw_text_of, reading

from veracite.engine.comparing.additions import added_nowhere
from veracite.engine.judging.decision import bundled_decision
from veracite.engine.judging.verify import Judge
from veracite.engine.words import Label, Scores
from veracite.models.verifier import Verifier

LOAN = "The bank gave the association a loan of £4,000 in March."
LIFT = "The lift was built in 1975. It broke down in January."


@pytest.mark.parametrize(
    ("statement", "text", "added"),
    [
        (
            "The loan of £4,000, all of which has been repaid, was given by the bank.",
            LOAN,
            "all of which has been repaid",
        ),
        ("The lift, whose maker is famous, was built in 1975.", LIFT, "whose maker is famous"),
        ("The lift was built in 1975, causing much noise.", LIFT, "causing much noise"),
        ("The lift was built in 1975, and tenants cheered.", LIFT, "and tenants cheered"),
        ("The lift, a rusty cage, was built in 1975.", LIFT, "a rusty cage"),
        ("The loan, which the bank gave in March, is of £4,000.", LOAN, None),
        ("The lift, built in 1975, broke down in January.", LIFT, None),
        ("In brief, the lift was built in 1975.", LIFT, None),
        ("The lift was built in 1975, in total secrecy.", LIFT, None),
        ("The lift, however, was built in 1975.", LIFT, None),
        ("The lift was built in 1975, in Hannover.", LIFT, None),
    ],
)
def test_a_clause_of_which_nothing_is_told(statement: str, text: str, added: str | None) -> None:
    assert added_nowhere(statement, [text]) == added


@pytest.mark.parametrize(
    ("statement", "label"),
    [
        ("The loan, all of which has been repaid, came from the bank.", Label.UNCERTAIN),
        ("The loan, which came in March, was given by the bank.", Label.SUPPORTED),
    ],
)
def test_such_a_claim_is_not_supported(verifier: Verifier, statement: str, label: Label) -> None:
    item = evidence("document", [LOAN])
    read = reading(claim(statement), [item], [SUPPORTED], {LOAN: SUPPORTED}, joint=SUPPORTED)
    judge = Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(item))
    verdict = judge.settle(read, Scores(0.9, 0.08, 0.02), judge.id)
    assert verdict.label is label
    assert ("says nothing of “all of which has been repaid”" in verdict.explanation) is (
        label is Label.UNCERTAIN
    )


@pytest.mark.parametrize(
    ("statement", "told", "label"),
    [
        ("The plane N2699H crashed.", "The plane N2699G crashed.", Label.UNCERTAIN),
        ("The plane N2699H crashed.", "The plane crashed.", Label.UNCERTAIN),
        ("The plane N2699H crashed.", "The plane N2699H had crashed.", Label.SUPPORTED),
        ("The plane N2699H crashed.", "N2699H, N2699G: the plane crashed.", Label.SUPPORTED),
    ],
)
def test_an_identifier_must_be_stated(
    verifier: Verifier, statement: str, told: str, label: Label
) -> None:
    item = evidence("document", [told])
    read = reading(claim(statement), [item], [SUPPORTED], {told: SUPPORTED}, joint=SUPPORTED)
    judge = Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(item))
    assert judge.settle(read, Scores(0.9, 0.08, 0.02), judge.id).label is label


@pytest.mark.parametrize(
    ("told", "label"),
    [
        ("Her opera was first performed in Vienna.", Label.UNCERTAIN),
        ("Irena Valko was born in Vienna's old town.", Label.SUPPORTED),
    ],
)
def test_what_denies_a_birth_outright_is_no_second_answer(
    verifier: Verifier, told: str, label: Label
) -> None:
    born = "Irena Valko was born in Brno."
    item = evidence("a", [born, told], "Irena Valko")
    said = reading(
        claim("Irena Valko was born in Vienna."), [item], [SUPPORTED],
        {told: SUPPORTED, born: CONTRADICTED}, joint=SUPPORTED,
    )  # fmt: skip
    judge = Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(item))
    assert judge.settle(said, Scores(0.8, 0.1, 0.1), judge.id).label is label


OPENED = "The observatory opened in September 1968."
DARK = "It does not get dark before eleven."
CAME = "Eleven visitors and two dogs climbed the hill."


@pytest.mark.parametrize(("other", "label"), [(DARK, Label.UNCERTAIN), (CAME, Label.SUPPORTED)])
def test_of_quotes_that_only_together_support_a_number_one_counts_the_same(
    verifier: Verifier, other: str, label: Label
) -> None:
    items = [evidence("a", [OPENED], rank=1), evidence("b", [other], rank=2)]
    alone = (0.2, 0.75, 0.05)
    said = claim("When the observatory opened in September 1968, eleven visitors came.")
    read = reading(said, items, [alone] * 2, {OPENED: alone, other: alone}, joint=SUPPORTED)
    judge = Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(*items))
    verdict = judge.settle(read, Scores(0.8, 0.15, 0.05), judge.id)
    assert verdict.label is label
    assert ("No quote says “eleven” of what the claim counts." in verdict.explanation) is (
        label is Label.UNCERTAIN
    )


def test_what_no_sentence_says_is_told_so(verifier: Verifier) -> None:
    item = evidence("a", [OPENED, DARK])
    neither = (0.2, 0.6, 0.2)
    said = claim("The observatory opened before dark.")
    read = reading(said, [item], [neither], {OPENED: neither, DARK: neither}, joint=neither)
    judge = Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(item))
    for scores, reason in (
        (Scores(0.9, 0.08, 0.02), "What was found seems to say so; no sentence can be"),
        (Scores(0.02, 0.08, 0.9), "What was found seems to say otherwise; no sentence can be"),
    ):
        verdict = judge.settle(read, scores, judge.id)
        assert verdict.label is Label.UNCERTAIN
        assert verdict.explanation.startswith(reason)
        assert not judge.settle(read, scores, "a model").explanation.startswith(reason)


def test_a_figure_that_no_quote_has_is_named(verifier: Verifier) -> None:
    item = evidence("a", [OPENED])
    said = claim("Some 500 people came when the observatory opened in September 1968.")
    read = reading(said, [item], [SUPPORTED], {OPENED: SUPPORTED}, joint=SUPPORTED)
    judge = Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(item))
    verdict = judge.settle(read, Scores(0.9, 0.08, 0.02), judge.id)
    assert (verdict.label, verdict.explanation) == (
        Label.UNCERTAIN,
        "No quote for this has “500”.",
    )


def test_what_is_held_back_leans_less_to_support(verifier: Verifier) -> None:
    told = "The plane N2699G crashed."
    item = evidence("document", [told])
    said = claim("The plane N2699H crashed.")
    read = reading(said, [item], [SUPPORTED], {told: SUPPORTED}, joint=SUPPORTED)
    judge = Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(item))
    verdict = judge.settle(read, Scores(0.9, 0.08, 0.02), judge.id)
    assert verdict.probability == pytest.approx(0.63)
    assert verdict.scores == Scores(0.63, 0.35, 0.02)


DUST = "Wash the dust filter in lukewarm water."
CARBON = "The carbon filter is sold separately."


@pytest.mark.parametrize(
    ("statement", "label"),
    [
        ("The carbon filter can be washed in lukewarm water.", Label.UNCERTAIN),
        ("The dust filter can be washed in lukewarm water.", Label.SUPPORTED),
        ("The fine filter can be washed in lukewarm water.", Label.SUPPORTED),
    ],
)
def test_of_two_kinds_that_are_told_apart_the_claim_s_own_is_quoted(
    verifier: Verifier, statement: str, label: Label
) -> None:
    item = evidence("manual", [DUST, CARBON])
    neutral = (0.05, 0.9, 0.05)
    told = {DUST: SUPPORTED, CARBON: neutral}
    read = reading(claim(statement), [item], [SUPPORTED], told, joint=SUPPORTED)
    judge = Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(item))
    verdict = judge.settle(read, Scores(0.9, 0.08, 0.02), judge.id)
    assert verdict.label is label
    assert ("speaks of the dust filter" in verdict.explanation) is (label is Label.UNCERTAIN)


@pytest.mark.parametrize(
    ("probability", "label"), [(0.63, Label.UNCERTAIN), (0.7, Label.SUPPORTED)]
)
def test_what_only_several_sentences_support_must_be_surer(
    verifier: Verifier, probability: float, label: Label
) -> None:
    items = [evidence("a", [OPENED], rank=1), evidence("b", [CAME], rank=2)]
    alone = (0.2, 0.75, 0.05)
    said = claim("When the observatory opened in September 1968, eleven visitors came.")
    read = reading(said, items, [alone] * 2, {OPENED: alone, CAME: alone}, joint=SUPPORTED)
    judge = Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(*items))
    scores = Scores(probability, 0.95 - probability, 0.05)
    assert judge.settle(read, scores, judge.id).label is label


def test_where_documents_disagree_the_claim_is_uncertain_and_both_are_quoted(
    verifier: Verifier,
) -> None:
    cost = "The harbour at Ledmoor cost 45,000 pounds."
    items = [
        evidence("a", ["The harbour at Ledmoor was built in 1871.", "It cost 42,000 pounds."]),
        evidence("b", [cost], rank=2),
    ]
    said = claim("The harbour at Ledmoor cost 42,000 pounds.")
    told = {"It cost 42,000 pounds.": (0.2, 0.7, 0.1), cost: CONTRADICTED}
    read = reading(said, items, [SUPPORTED, CONTRADICTED], told, joint=SUPPORTED)
    judge = Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(*items))
    verdict = judge.settle(read, Scores(0.02, 0.08, 0.9), judge.id)
    assert verdict.label is Label.UNCERTAIN
    assert [c.relation for c in verdict.citations] == ["supports", "contradicts"]
    assert verdict.scores is not None
    assert verdict.scores.supported == pytest.approx(verdict.scores.contradicted, abs=0.05)


@pytest.mark.parametrize(
    "said",
    ["Staples took at least thirty diver hours a plot.", "Loose seed took at most one diver hour."],
)
def test_a_limit_is_no_superlative(verifier: Verifier, said: str) -> None:
    told = "Staples took 31 diver hours a plot, and loose seed took 1 diver hour."
    item = evidence("a", [told])
    read = reading(claim(said), [item], [SUPPORTED], {told: SUPPORTED}, joint=SUPPORTED)
    judge = Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(item))
    verdict = judge.settle(read, Scores(0.9, 0.08, 0.02), judge.id)
    assert "compared" not in verdict.explanation
    assert verdict.label is Label.SUPPORTED


HOURS = "Staples took 31 diver hours a plot, seed bags 9 hours, and loose seed less than one."
LEAST = "Staples took 31 diver hours a plot, the most of all, and seed bags 9 hours."


@pytest.mark.parametrize(("told", "label"), [(HOURS, Label.UNCERTAIN), (LEAST, Label.SUPPORTED)])
def test_figures_do_not_say_which_is_the_least(verifier: Verifier, told: str, label: Label) -> None:
    item = evidence("a", [told])
    said = claim("Staples took the most diver hours a plot.")
    read = reading(said, [item], [SUPPORTED], {told: SUPPORTED}, joint=SUPPORTED)
    judge = Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(item))
    verdict = judge.settle(read, Scores(0.9, 0.08, 0.02), judge.id)
    assert verdict.label is label
    assert ("“most”" in verdict.explanation) is (label is Label.UNCERTAIN)
