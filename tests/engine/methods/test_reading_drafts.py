"""What a drafted answer says and cites, sentence by sentence."""

from veracite.engine.methods.answers import read

PASSAGES = ("one", "two", "three")


def test_a_text_is_joined_by_blanks_and_each_sentence_keeps_what_it_cites() -> None:
    written = read("Who?", "A mill burned [1]. [2] Bees [3]\nlive there. Owls do. [9]", PASSAGES)
    assert written.text == "A mill burned. Bees\nlive there. Owls do."
    assert written.cited == ((0, 1), (2,), ())
    spans = [written.text[claim.start : claim.end] for claim in written.claims]
    assert spans == [claim.text for claim in written.claims]
