"""The query carries what a sentence leaves to its neighbours."""

import pytest

from veracite.engine.claims.coreference import Context, Reading


def query(context: Context, sentence: str, depth: int = 0) -> str:
    return context.read(sentence, item_depth=depth).query


def test_a_new_section_forgets_the_subject_and_gives_its_heading() -> None:
    context = Context()
    context.read("John Smith is a painter.")
    context.enter("Acme Corporation", 1)
    assert query(context, "It grew.") == "Acme Corporation: It grew."
    assert query(context, "The company grew.") == "The company grew."
    context.enter("History", 2)
    assert query(context, "It was founded in 1900.") == "Acme Corporation: It was founded in 1900."
    assert query(context, "Sales rose in 1990.") == "Sales rose in 1990."
    assert query(context, "a rise in sales", 1) == "Acme Corporation: a rise in sales"


def test_items_take_the_sentence_that_introduces_their_list() -> None:
    context = Context(lead_ins={0: "The report found:"})
    assert query(context, "a rise in sales", 1) == "The report found: a rise in sales"
    context.leave_lists(0)
    assert query(context, "a rise in sales", 1) == "a rise in sales"


def last_read(*sentences: str, heading: str = "") -> Reading:
    """The last sentence, after the others, under a heading."""
    context = Context()
    if heading:
        context.enter(heading, 1)
    *_, found = map(context.read, sentences)
    return found


def referent(*sentences: str, heading: str = "") -> str | None:
    """What the last sentence gets in front."""
    last, found = sentences[-1], last_read(*sentences, heading=heading).query
    return None if found == last else found.removesuffix(f": {last}")


REGISTERED = "It was registered N112ED."


@pytest.mark.parametrize(
    ("before", "name"),
    [
        (["The Bombardier Global 7500 crashed.", "The Piper PA-31T burnt."], "Piper PA-31T"),
        (["The Bombardier Global 7500 crashed.", "John Smith flew with a friend."], None),
        (["The Bombardier Global 7500 crashed.", "Make: Piper"], "Bombardier Global 7500"),
        (["The bank, Unite, and the council agreed."], None),
        (["On 30 November 2007 a Cessna 152 landed hard."], "Cessna 152"),
        (["According to the report, the Piper PA-31T collided."], "Piper PA-31T"),
    ],
)
def test_it_means_the_last_subject_that_is_no_person(before: list[str], name: str | None) -> None:
    assert referent(*before, REGISTERED) == name


@pytest.mark.parametrize(
    ("before", "name"),
    [
        (["John Smith flew with a friend."], "John Smith"),
        (["John Smith flew home.", "Smith landed late.", "Smith is a baker."], "John Smith"),
        (["John Smith flew home.", "The pilot of the other airplane survived."], None),
        (["John Smith's father was a baker."], None),
        (["Ada Brown flew home.", "She landed late.", "Her brother came by car."], None),
        (['Carl "Bud" Bell was born in Leeds.'], 'Carl "Bud" Bell'),
    ],
)
def test_he_means_the_last_person(before: list[str], name: str | None) -> None:
    assert referent(*before, "He was 45 years old.") == name


@pytest.mark.parametrize("heading", ["PRESS NOTE", "Press note", "MEMO", "Summary"])
@pytest.mark.parametrize("sentence", ["He was 45 years old.", REGISTERED])
def test_a_heading_that_names_nobody_is_no_subject(heading: str, sentence: str) -> None:
    assert referent(sentence, heading=heading) is None


def test_the_heading_over_a_place_is_nobody() -> None:
    assert referent("Her son ran it.", heading="Halm Mill") is None
    assert referent("It lies on the Lathe.", heading="Halm Mill") == "Halm Mill"


def resolved(*sentences: str, heading: str = "") -> str | None:
    """The last sentence with a name for its pronoun."""
    return last_read(*sentences, heading=heading).resolved


ADA = "Ada Brown (born 1950) is a Welsh painter."
ACME = "Acme Corporation is a software company based in Leeds."


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        ([ADA, "She was born in 1950."], "Ada Brown was born in 1950."),
        ([ADA, "Her father was a baker."], "Ada Brown's father was a baker."),
        ([ADA, "Later, in 1980, she retired."], "Later, in 1980, Ada Brown retired."),
        ([ADA, "She met Carl Bell.", "She moved."], "Ada Brown moved."),
        ([ACME, "It was founded in 1990."], "Acme Corporation was founded in 1990."),
        (
            ["The University of Oslo is old.", "In 1990, it grew."],
            "In 1990, the University of Oslo grew.",
        ),
    ],
)
def test_a_name_takes_the_place_of_a_pronoun(sentences: list[str], expected: str) -> None:
    assert resolved(*sentences) == expected


@pytest.mark.parametrize(
    "sentences",
    [
        [ADA, "The dam burst."],
        [ADA, "He was born in 1950.", "She moved."],
        [ADA, "Her sister was a singer.", "She moved.", "She died."],
        ["Ada Brown met Carla Bell.", "She moved.", "She died."],
        [ACME, "The company grew."],
        [ACME, "Companies grew."],
        [ACME, "Its main product is a drill.", "It is red."],
        ["Acme Corporation launched a phone.", "It sold well."],
        ["Acme Corporation was bought by Beta Group.", "It is in Leeds."],
    ],
)
def test_an_open_pronoun_stays(sentences: list[str]) -> None:
    assert resolved(*sentences) is None
