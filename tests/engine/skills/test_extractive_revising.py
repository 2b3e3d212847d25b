"""Without a language model: claims are judged as a check does, wrong ones give way to quotes."""

import pytest
from stepping import value_of

from veracite.engine.claims.segmentation import segment
from veracite.engine.models import OpenModels
from veracite.engine.skills.base import Skills
from veracite.engine.skills.extractive import ExtractiveSkills
from veracite.index.documents import Passage
from veracite.index.memory import MemoryLibrary, Text

TEXTS = (
    Text(
        "fair",
        "The Tarn fair takes place in Osk every September. It lasts five days. Visitors to the "
        "Tarn fair are on the rise.",
        "Fair",
    ),
    Text(
        "mill",
        "The Harrow mill was built in 1790. The mill burned down in 1904. Anna Berg owned the "
        "Harrow mill from 1880 until the fire. It is an inn now, slightly smaller than the barn.",
        "Harrow mill",
    ),
    Text(
        "weir",
        "The Harrow bridge was designed by Ada Moe. It was opened in 1932. Eva Moe's only book, "
        "Weirs, came out in 1931 with drawings by her sister. The Harrow bridge cost £2,500 to "
        "build.",
        "Bridge",
    ),
)
UNFOUNDED = "The mayor collects stamps."
LEFT_ALONE = "The Harrow mill was built in 1790."


@pytest.fixture(scope="module")
def library() -> MemoryLibrary:
    return MemoryLibrary(TEXTS, None)


@pytest.fixture(scope="module")
def passages(library: MemoryLibrary) -> tuple[Passage, ...]:
    """The fair's, the mill's, the bridge's."""
    (found,) = library.search_many(
        ["the Harrow mill, the Tarn fair, the Harrow bridge"], k=3, mode="lexical"
    )
    return tuple(sorted((e.passage for e in found), key=lambda one: one.document.path))


@pytest.fixture(scope="module")
def skills(models: OpenModels, library: MemoryLibrary) -> Skills:
    judge = models.judge(library)
    return ExtractiveSkills(models.open_encoder(), judge, search=lambda query: ())


def test_a_claim_is_cited_from_what_supports_it(
    skills: Skills, passages: tuple[Passage, ...]
) -> None:
    assert value_of(skills.cite("The mill burned down in 1904.", passages, 3)) == (1,), "a quote"
    assert value_of(skills.cite("The Harrow mill burned down in 1904.", passages, 3)) == (1,)
    assert value_of(skills.cite(UNFOUNDED, passages, 3)) == ()
    assert value_of(skills.cite(UNFOUNDED, (), 3)) == ()


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (f"{UNFOUNDED} {LEFT_ALONE}", LEFT_ALONE),
        (f"- {LEFT_ALONE}\n- {UNFOUNDED}\n- More.\n", f"- {LEFT_ALONE}\n- More.\n"),
        (UNFOUNDED, ""),
        ("The Harrow mill was built in 1890.", "The Harrow mill was built in 1790."),
        ("**The Harrow mill burned down in 1911.**", "**The Harrow mill burned down in 1904.**"),
        ("**Anna Borg** owned the Harrow mill until the fire [1].",
         "**Anna Berg** owned the Harrow mill until the fire [1]."),
        ("The Tarn fair lasts seven days.", "The Tarn fair lasts five days."),
        ("The Harrow mill burned down on 3 May 1911.", "The mill burned down in 1904."),
        ("Mr Carl Dunn owned the Harrow mill until the fire.",
         "Anna Berg owned the Harrow mill until the fire."),
        ("Eva Moe's only book, Weirs, came out in 1931 with drawings by her uncle.",
         "Eva Moe's only book, Weirs, came out in 1931 with drawings by her sister."),
        ("Visitors to the Tarn fair are falling.", "Visitors to the Tarn fair are on the rise."),
        ("The Harrow mill is a chapel now.", ""),
        ("The Tarn fair takes place in Lund every September.",
         "The Tarn fair takes place in Osk every September."),
        ("The Harrow bridge cost 7,500 pounds to build.",
         "The Harrow bridge cost £2,500 to build."),
        ("Sixty men rowed from the Kestrel mill in 1904.", ""),
        ("The Harrow bridge was opened by Ada Moe.", ""),
        ("The Harrow bridge was closed in 1932.", ""),
    ],
)  # fmt: skip
def test_the_smallest_edit_is_made_or_another_sentence_stands_there_or_what_nothing_says_goes(
    skills: Skills, passages: tuple[Passage, ...], wrong: str, right: str
) -> None:
    (claim,) = (one for one in segment(wrong) if one.statement not in (LEFT_ALONE, "More."))
    assert value_of(skills.revise(wrong, [claim], passages)).text == right


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("Halden Energy is located in Calgary.", "Halden Energy is located in Edmonton."),
        ("Maria Tveit joined Halden Energy in 1992.", "Maria Tveit joined Halden Energy in 1990."),
        ("Maria Tveit was succeeded as chief executive by Ole Ness in 2014.",
         "Maria Tveit was succeeded as chief executive by Jonas Bakke in 2014."),
    ],
)  # fmt: skip
def test_what_stands_there_is_of_its_kind_from_a_sentence_that_says_it(
    models: OpenModels, wrong: str, right: str
) -> None:
    """Seen once: "located in Section, Alberta" of a contents box, the year of something else, and
    "succeeded by CEO"."""
    told = (
        "Contents: 1 Section, Alberta 2 History 3 CEO.",
        "Halden Energy is located in Edmonton.",
        "Maria Tveit joined Halden Energy in 1990.",
        "Halden Energy opened a refinery in 1993.",
        "Maria Tveit was succeeded as chief executive by Jonas Bakke in 2014.",
        "The chief executive is CEO of Halden Energy.",
    )
    silent = [sentence for sentence in told if sentence != right]
    for texts, expected in ((told, right), (silent, "")):
        library = MemoryLibrary([Text("halden", " ".join(texts), "Halden Energy")], None)
        (found,) = library.search_many([wrong], k=1, mode="lexical")
        skills = ExtractiveSkills(models.open_encoder(), models.judge(library), lambda query: ())
        revised = value_of(skills.revise(wrong, segment(wrong), [item.passage for item in found]))
        assert revised.text == expected, "no word of another kind, and no other year"
