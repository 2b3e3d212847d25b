"""Sentences end where a reader would say so, and their spans are exact."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracite.index.sentences import sentence_spans


def split(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentence_spans(text)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["J. K. Rowling wrote it.", "George W. Bush was president."],
        ["Dr. Smith met Mr. Jones vs. Mrs. Bell.", "They spoke at 5 p.m. on Jan. 5."],
        ["It cost $3.5 million in 1.5 years.", "Pi is 3.14."],
        ["The U.S. Government paid.", "He lived in the U.S.", "It was nice."],
        ['He said "I will go."', "Then he left."],
        ['"Stop!" he cried.', "Nobody did."],
        ["It ended in 1990.[1]", "The next year was better.[2][3]", "So it went."],
        ["It is the largest vendor.[24][25]: 210", "It employs 221,000.[7]: 3–5, 9", "It grew."],
        ["Wait...", "What?", "And then... nothing."],
        ["It rained (in May.)", "(It was cold.)", "The sun came."],
        ["See Fig. 3 and Eq. 2, vol. 4, pp. 5.", "It is No. 5 on the list."],
        ["Founded by S. Jobs et al. in 1976, e.g. in a garage, i.e. at home.", "Apple Inc. grew."],
        ["1. The first item.", "2. The second item."],
        ["雨が降った。", "「寒い。」", "終わり！"],
        ["The Battle of St. Albans was fought.", "Miller v. Smith was not."],
        ["Its plane, reg. N5, crashed.", "It fell on dept. Head Lee."],
        ["It read 29.97 in. Hg at noon.", "The rod is 5 in.", "Paul has it."],
        ["The rod is 5 in. long.", "Another is 6 in.", "The door is open."],
        ["It was hot (KADM), temp. 28 °C, at max. 3 m.", "It came dep. 5 a.m. from Rome."],
        ["It took 5 hrs.", "Mr. Lee won.", "It took 3 min.", "Mrs. Bell lost."],
        ["He came at 5 p.m. Tuesday.", "U.S. Sen. Bell came at 6 p.m. Eastern time."],
        ["The plan (he liked it. She did not. They argued.) failed.", "It ended."],
        ["The cat (arr. 6 p.m. Mr. Lee aboard (it rained. It did.)) slept.", "It woke."],
        ["An open parenthesis (like this.", "It never closes."],
        ["Brig. Gen. Bell led the 3rd Inf. Div. in 1943.", "Cdr. Hill sank."],
        ["He has a B.A. from Leeds and a Ph.D. from Yale.", "Then he taught."],
        ["The suit was filed, 12 F. Supp. 345, and won.", "It is in Sect. 5 of the Act."],
        ["They sell bread, milk, etc. to all.", "Figs, dates, etc.", "Cheese is not sold."],
        ["He fought in World War I.", "Soldiers died in World War II.", "Peace came."],
        ["It is hepatitis C.", "Doctors treat it in Group B.", "Rain fell."],
        ["It rose.(1)", "It fell.(2, 3)", "It stayed."],
        ["It rose.¹", "It fell.²,³", "It stayed."],
        ["It rose steadily.4", "Then it fell."],
        ["It rose…", "Then it fell… and stayed."],
        ["He wrote “It rose. It fell.” and left.", "She stayed."],
        ['The song "Who Was It? Nobody!" is long.', "It sold."],
        ['"It rose."', '"It fell," she said.'],
    ],
    ids=lambda sentences: sentences[0][:20],
)
def test_sentences_end_where_a_reader_would_say_so(sentences: list[str]) -> None:
    between = "" if "。" in sentences[0] else " "
    assert split(between.join(sentences)) == sentences


def test_a_sentence_ends_though_the_space_behind_it_was_forgotten() -> None:
    assert split("He was born in 1950.He died in 1990!The town mourned.It was cold.") == [
        *["He was born in 1950.", "He died in 1990!", "The town mourned.", "It was cold."],
    ]
    names = "Use collections.Counter and System.Text with Node.js from example.com here."
    assert split(names) == [names]


def test_a_blank_line_ends_a_sentence_and_a_line_break_does_not() -> None:
    text = "A title\n\nThe text goes\non here.\n \nEnd"
    assert split(text) == ["A title", "The text goes\non here.", "End"]


def test_a_paragraph_longer_than_the_window_is_split_as_a_short_one() -> None:
    sentence = "The committee of the U.S. Senate met Dr. Smith in 1990."
    assert set(split(" ".join([sentence] * 600))) == {sentence}


@pytest.mark.parametrize(
    "text",
    [
        *[sign * 24_000 for sign in (".", "a", "(")],
        *[signs * 12_000 for signs in (". ", "a.", "A.")],
        *[
            sign * 4_000
            for sign in ("a. (B. ", "5 in. )", 'a "b. C', "a “b. C", "War A. ", "ab.The ")
        ],
        *["a.1 " * 6_000, ")" * 9],
    ],
)
def test_hostile_text_is_covered(text: str) -> None:
    covered = "".join(split(text))
    assert covered.replace(" ", "") == text.replace(" ", "")


@given(st.text(alphabet=st.sampled_from('aB1 .!?"”)[]…\n\t\u00a0é'), max_size=200) | st.text())
def test_spans_are_ordered_trimmed_and_cover_the_text(text: str) -> None:
    position = 0
    for span in sentence_spans(text):
        assert text[position : span.start].strip() == ""
        sentence = text[span.start : span.end]
        assert sentence
        assert sentence == sentence.strip()
        position = span.end
    assert text[position:].strip() == ""


ALONE = """
import sys
from veracite.index.sentences import sentence_spans
assert len(sentence_spans("It rained. The sun came.")) == 2
print([name for name in sys.modules if name.partition(".")[0] in ("nltk", "scipy", "sklearn")])
import nltk
print(nltk.tokenize.punkt.__name__, nltk.sent_tokenize.__name__)
"""


def test_no_more_of_nltk_is_imported_than_is_used_and_all_of_it_can_be_after() -> None:
    said = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\nnltk.tokenize.punkt sent_tokenize\n"
