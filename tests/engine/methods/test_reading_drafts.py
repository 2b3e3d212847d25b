"""What a drafted answer says and cites, sentence by sentence."""

from veracite.engine.methods.answers import read

PASSAGES = ("one", "two", "three")


def test_a_text_is_joined_by_blanks_and_each_sentence_keeps_what_it_cites() -> None:
    written = read("Who?", "A mill burned [1]. [2] Bees [3]\nlive there. Owls do. [9]", PASSAGES)
    assert written.text == "A mill burned. Bees\nlive there. Owls do."
    assert written.cited == ((0, 1), (2,), ())
    spans = [written.text[claim.start : claim.end] for claim in written.claims]
    assert spans == [claim.text for claim in written.claims]


def test_sentences_that_read_as_one_cite_together() -> None:
    written = read("How long is it?", "It measures 40 m [1]. long bridges are rare [2].", PASSAGES)
    assert set().union(*written.cited) == {0, 1}
    assert written.claims[-1].end == len(written.text)


def test_a_draft_without_words_says_nothing() -> None:
    assert read("Who?", " [1] ", PASSAGES).claims == ()
