"""What the verifier is given to read."""

from readings import claim, evidence, sentences_of

from veracite.engine.judge.premises import Premises, compose
from veracite.index.documents import Evidence


def composed(said: str, *items: Evidence) -> Premises:
    return compose(claim(said), items, sentences_of, lambda *_: True)


def read(premises: Premises, kind: str) -> list[str]:
    return [premise.text for premise in premises.premises if premise.kind == kind]


def test_sentences_their_neighbours_a_passage_and_what_covers_the_claim_are_read() -> None:
    mill = evidence("a", ["The mill burned down.", "It stood by the river.", "Bees came."])
    bridge = evidence("b", ["Anna Berg owned it then.", "A bridge was built."], rank=2)
    found = composed("The mill by the river burned down under Anna Berg.", mill, bridge)
    alone = read(found, "sentence")
    assert alone[0] == "The mill burned down."
    assert "Anna Berg owned it then." in alone
    whole = "The mill burned down. It stood by the river. Bees came."
    assert whole in [*read(found, "window"), *read(found, "passage")]  # once, if it is both
    (joint,) = read(found, "joint")
    assert "It stood by the river. … Anna Berg owned it then." in joint
    stood = composed("It stood by the broad river.", mill)
    assert read(stood, "sentence")[0] == "The mill burned down. It stood by the river."  # whom


def test_three_windows_two_passages_and_lone_sentences_are_read() -> None:
    told = [f"The mill had wheel {n} and stone {n}." for n in range(9)]
    bees = ["The mill had a wheel.", "Nobody went there.", "Bees came.", "Years went by."]
    found = composed(
        "The mill had a wheel and a stone.", evidence("a", told), evidence("b", bees, rank=2)
    )
    windows = read(found, "window")
    assert windows == [" ".join(told[:2]), " ".join(told[1:4]), " ".join(told[3:6])]
    assert read(found, "passage") == [" ".join(told), " ".join(bees)]
    lone = [evidence(f"{n}", [f"A wheel of mill {n}."], rank=n) for n in (1, 2, 3)]
    assert len(read(composed("A wheel of the mill.", *lone), "sentence")) == 3


def test_what_the_lighthouse_is_stands_before_what_it_does() -> None:
    told = [
        "Marrow Tower is a white lighthouse.",
        "Few know it.",
        "The lighthouse was lit in 1871.",
    ]
    found = composed("Marrow Tower was lit in 1871.", evidence("a", told))
    assert f"{told[0]} {told[2]}" in read(found, "sentence")
    other = ["Marrow Tower is near a bridge.", "The lighthouse was lit in 1871."]
    found = composed("Marrow Tower was lit in 1871.", evidence("a", other))
    assert "The lighthouse was lit in 1871." in read(found, "sentence")


def test_a_window_opens_with_whom_its_first_sentence_means() -> None:
    told = ["Bees came.", "Ada Moe left.", "She was born in Brae.", "A trial of lamps began."]
    found = composed("The trial of lamps began.", evidence("a", told))
    assert " ".join(told[1:]) in read(found, "window")


def test_a_heading_is_read_where_it_has_words_that_the_sentence_lacks() -> None:
    item = evidence("a", ["The roof fell in."], heading="Parish news > Harrow mill")
    assert read(composed("The roof of Harrow mill fell in.", item), "sentence") == [
        "Harrow mill: The roof fell in."
    ]
    assert read(composed("The roof fell in.", item), "sentence") == ["The roof fell in."]


def test_rows_of_tables_are_read_alone_under_all_of_their_heading() -> None:
    told = ("Oats | 2021: 3", "Crop: Rye | 2021: 8", "Crop: Hops | 2021: 5", "2020: 1 | 2021: 2")
    table = evidence("a", [f"{row}." for row in told], heading="Farm report > Tonnes")
    found = composed("In 2021 rye, hops and oats gave 8, 5 and 3 tonnes, 2 more.", table)
    rows = ["Oats, 2021: 3.", "Rye: 2021: 8.", "Hops: 2021: 5.", "2020: 1, 2021: 2."]
    assert {*read(found, "sentence")} == {f"Farm report > Tonnes. {row}" for row in rows}
    assert read(found, "window") == read(found, "joint") == []


def test_rare_words_come_first() -> None:
    common = [evidence(f"{n}", [f"The guild met in hall {n}."], rank=n) for n in range(1, 8)]
    rare = evidence("rare", ["A quillon was shown."], rank=8)
    found = composed("The guild met where a quillon lay.", *common, rare)
    assert "A quillon was shown." in read(found, "sentence")


def test_a_passage_without_sentences_counts_as_one() -> None:
    items = [evidence("a", ["Mill | 1904 | burned"])]
    found = compose(claim("The mill burned."), items, lambda passage: (), lambda *_: True)
    assert [c.sentence.text for c in found.candidates] == ["Mill | 1904 | burned"]


SAID = (
    "The mill by the river burned down in 1904, which her uncle had sold to the guild of the town."
)
BURNED = "The mill burned down in 1904."
RIVER = "The river runs by the mill."
SOLD = "The uncle had sold it to the guild of the town in the year before."


def test_the_joint_premise_holds_what_the_verifier_reads() -> None:
    items = [evidence("a", [BURNED, RIVER, SOLD])]
    found = compose(claim(SAID), items, sentences_of, lambda premise, _: len(premise) <= 66)
    assert read(found, "joint") == [f"{BURNED} … {RIVER}"]


def test_a_sentence_of_another_document_joins_for_a_good_part_of_the_claim_only() -> None:
    items = [evidence("a", [BURNED, RIVER]), evidence("b", [SOLD], rank=2)]
    items.append(evidence("c", ["The old river is long."], rank=3))
    assert read(composed(SAID, *items), "joint") == [f"{BURNED} … {RIVER} … {SOLD}"]
    items = [evidence("a", [BURNED, SOLD]), evidence("c", [RIVER], rank=2)]
    found = composed(SAID, *items)
    assert read(found, "joint") == [f"{BURNED} … {SOLD}"]
