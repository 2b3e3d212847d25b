"""Which parts of a claim the words of quotes may replace, and in which order they are tried."""

import pytest

from veracite.engine.claims.segmentation import segment
from veracite.engine.skills.extractive.corrections import corrections, substituted
from veracite.engine.types import Citation, Label, Verdict


def corrected(text: str, quote: str) -> list[str]:
    (claim,) = segment(text)
    cited = Citation("/a", None, 0, len(quote), quote, "contradicts", 0.9, "0" * 64, quote)
    verdict = Verdict(claim, Label.CONTRADICTED, 0.9, None, "script", "No.", (cited,))
    return [correction.claim.text for correction in corrections(verdict, [])]


@pytest.mark.parametrize(
    ("text", "quote", "first"),
    [
        ("That night **40** people came up the track.",
         "We had counted on 80 people and that night 300 came up the track.",
         "That night **300** people came up the track."),
        ("It opened in 1968.", "It opened on 3 May 1971.", "It opened in 1971."),
        ("It opened in May 1968.", "It opened on 3 June 1971.", "It opened in June 1971."),
        ("It opened on 3 May 1968.", "It opened in 1971.", "It opened in 1971."),
        ("Twelve men rowed.", "That day sixteen men rowed.", "Sixteen men rowed."),
        ("*Ada* paid *ten* shillings a year.", "She let them have it for one shilling a year.",
         None),
        ("*Ada* paid **ten shillings** a year.", "She let them have it for one shilling a year.",
         "*Ada* paid **one shilling** a year."),
        ("The first\nowner was Ada [2] Bell.", "The first owner was Ada Pell.", None),
        ("The owner of it was Arthur Bell [2].", "The owner of it was Arthur Pell; Eva Holm paid.",
         "The owner of it was Arthur Pell [2]."),
        ("The fair opens on Sunday.", "The fair opens on Saturday.", "The fair opens on Saturday."),
        ("It is 5 metres long.", "It is 4000 mm long.", None),
        ("The files of the Fifth Edition have no name.",
         "The Seventh Edition has files with no name.",
         "The files of the Seventh Edition have no name."),
    ],
)  # fmt: skip
def test_the_likeliest_correction_comes_first(text: str, quote: str, first: str | None) -> None:
    assert next(iter(corrected(text, quote)), None) == first


def test_what_the_quotes_say_needs_no_correction() -> None:
    assert corrected("The fair opens on Sunday.", "The fair opens on Sunday.") == []


def substituted_texts(text: str, quotes: list[str], around: list[str]) -> list[str]:
    (claim,) = segment(text)
    return [one.text for one in substituted(claim, quotes, around)]


def test_the_sentence_that_is_most_alike_corrects_a_claim_first_and_markup_stays() -> None:
    assert substituted_texts(
        "*The mill* had **60** men and ten horses [2].",
        ["In 1904 the mill had 50 men and horses.", "The mill had 40 men and ten horses."],
        [],
    ) == [
        "*The mill* had **40** men and ten horses [2].",
        "*The mill* had **50** men and ten horses [2].",
    ]


def test_what_is_spoken_of_elsewhere_keeps_its_name() -> None:
    text, quote = "The Harrow mill had 60 men in 1990.", "The Kestrel mill had 60 men in 1990."
    assert substituted_texts(text, [quote], [quote]) == [quote]
    assert substituted_texts(text, [quote], [quote, "The Harrow mill had 40 men."]) == []


def test_what_a_broken_encoding_left_is_not_taken_over() -> None:
    quote = "In 1993 he was signed by Leicester City for Â£300,000."
    assert (
        substituted_texts("In 1993 he was signed by Leicester City for £200,000.", [quote], [])
        == []
    )
    assert not any("Â" in one for one in corrected("He was signed for £200,000.", quote))
