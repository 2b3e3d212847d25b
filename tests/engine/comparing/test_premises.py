"""What the verifier is given to read."""

from readings import claim, evidence, sentences_of

from veracite.engine.comparing.premises import compose


def everything(premise: str, claim: str) -> bool:
    return True


def test_passages_then_sentences_then_the_joint_premise_are_read() -> None:
    items = [
        evidence("a", ["The mill burned down.", "It stood by the river."], heading="Mill"),
        evidence("b", ["A bridge was built."], rank=2),
    ]
    composed = compose(claim("The mill by the river burned down."), items, sentences_of, everything)
    assert composed.forms == [
        ("Mill: The mill burned down. It stood by the river.",),
        ("A bridge was built.",),
        ("Mill: The mill burned down.", "The mill burned down."),
        ("Mill: It stood by the river.", "It stood by the river."),
        ("A bridge was built.",),
        (
            "Mill: The mill burned down. … It stood by the river. … A bridge was built.",
            "The mill burned down. … It stood by the river. … A bridge was built.",
        ),
    ]


def test_the_joint_premise_takes_what_covers_the_claim_together() -> None:
    filler = [f"The mill had a door number {word}." for word in "alpha beta gamma delta".split()]
    items = [
        evidence("a", ["The mill burned down in 1904.", *filler]),
        evidence("b", ["Anna Berg owned it then."], rank=2),
    ]
    said = claim("The mill of Anna Berg burned down in 1904.")
    joined = compose(said, items, sentences_of, everything).joined
    assert {c.sentence.text for c in joined} >= {
        "The mill burned down in 1904.",
        "Anna Berg owned it then.",
    }


def test_a_passage_without_sentences_counts_as_one() -> None:
    items = [evidence("a", ["Mill | 1904 | burned"])]
    composed = compose(claim("The mill burned."), items, lambda passage: (), everything)
    assert [c.sentence.text for c in composed.candidates] == ["Mill | 1904 | burned"]


def test_the_joint_premise_holds_what_the_verifier_reads() -> None:
    items = [
        evidence("a", ["The mill of Anna Berg burned down in 1904.", "It stood by the river."]),
        evidence("b", ["Anna Berg owned the mill by the river, and much more besides."], rank=2),
    ]
    said = claim("The mill of Anna Berg by the river burned down in 1904.")

    def fits(premise: str, hypothesis: str) -> bool:
        return len(premise) <= 80

    composed = compose(said, items, sentences_of, fits)
    assert [c.sentence.text for c in composed.joined] == [
        "The mill of Anna Berg burned down in 1904.",
        "It stood by the river.",
    ]
