"""The query carries what a sentence leaves to its neighbours."""

import pytest

from veracite.engine.claims.coreference import Context
from veracite.engine.claims.pronouns import is_dependent, subject_of, with_name
from veracite.engine.wording.name_kinds import Subject


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("John Smith (born 1942) is a painter.", "John Smith"),
        ("In 1990, Ada Lovelace College was founded.", "Ada Lovelace College"),
        ("The University of Oslo is old.", "University of Oslo"),
        ("The bank, Unite, and the council agreed.", None),
        ("He studied at Yale.", None),
        ("However, many birds can fly.", None),
        ("On 30 November 2007 a Cessna 152 landed hard.", "Cessna 152"),
        ("According to the report, the Piper PA-31T collided with a tree.", "Piper PA-31T"),
        ("Pittsburgh, Pa., U.S.", None),
        ("PRESS NOTE", None),
        ("Operating Certificate(s) held by the operator", None),
        ("Specifically, he flew.", None),
        ('Carl "Bud" Bell was born in Leeds.', 'Carl "Bud" Bell'),
        ('"Over the Hill" is a song by Ada Brown.', "Over the Hill"),
        ("A Day of Rain is a film from 1990.", "A Day of Rain"),
        ("Contrary to belief, Newton did not eat it.", "Newton"),
    ],
)
def test_the_leading_name(sentence: str, name: str | None) -> None:
    subject = subject_of(sentence)
    assert (subject.name if subject else None) == name


def test_a_new_section_forgets_the_subject_and_gives_its_heading() -> None:
    context = Context()
    context.query("John Smith is a painter.")
    context.enter("Acme Corporation", 1)
    assert context.query("The company makes tools.") == "Acme Corporation: The company makes tools."
    context.enter("History", 2)
    assert context.query("It was founded in 1900.") == "Acme Corporation: It was founded in 1900."


def test_a_heading_goes_in_front_only_where_something_is_missing() -> None:
    context = Context()
    context.enter("Acme Corporation", 1)
    assert context.query("It grew.") == "Acme Corporation: It grew."
    for sentence in ("Sales rose in 1990.", "The river Thames flows to the sea."):
        assert context.query(sentence) == sentence
    assert context.query("a rise in sales", item_depth=1) == "Acme Corporation: a rise in sales"


def test_items_take_the_sentence_that_introduces_their_list() -> None:
    context = Context(lead_ins={0: "The report found:"})
    assert context.query("a rise in sales", item_depth=1) == "The report found: a rise in sales"
    context.leave_lists(0)
    assert context.query("a rise in sales", item_depth=1) == "a rise in sales"


def test_roles_depend_on_context_and_names_do_not() -> None:
    assert is_dependent("The company grew.")
    assert is_dependent("Later, in 1980, she retired.")
    assert is_dependent("Since then he has led the firm.")
    assert is_dependent("The company, founded in 1990, grew.")
    assert not is_dependent("Companies grew.")
    assert not is_dependent("The song of the club is old.")
    assert not is_dependent("The Bridge Club was founded in 1990.")
    assert is_dependent("Led by Ada Brown, they won.")


def referent(*sentences: str, heading: str = "") -> str | None:
    """What the last sentence gets in front, after the others, under a heading."""
    context = Context()
    if heading:
        context.enter(heading, 1)
    *before, last = sentences
    for sentence in before:
        context.query(sentence)
    query = context.query(last)
    return None if query == last else query.removesuffix(f": {last}")


REGISTERED = "It was registered N112ED."


@pytest.mark.parametrize(
    ("before", "name"),
    [
        (["The Bombardier Global 7500 crashed.", "The Piper PA-31T burnt."], "Piper PA-31T"),
        (
            ["The Bombardier Global 7500 crashed.", "On 30 November 2007 a Cessna 152 landed."],
            "Cessna 152",
        ),
        (["The Bombardier Global 7500 crashed.", "The second airplane landed hard."], None),
        (["The Bombardier Global 7500 crashed.", "John Smith flew with a friend."], None),
        (["The Bombardier Global 7500 crashed.", "Make: Piper"], "Bombardier Global 7500"),
        (["John Smith flew with a friend."], None),
        (["The pilot died near Latrobe,", "Pa."], None),
        (["The tallest tower in Oslo is the Gran Spire, built of steel."], "Gran Spire"),
    ],
)
def test_it_means_the_last_subject_that_is_no_person(before: list[str], name: str | None) -> None:
    assert referent(*before, REGISTERED) == name


@pytest.mark.parametrize(
    ("before", "name"),
    [
        (["John Smith flew with a friend."], "John Smith"),
        (["John Smith flew home.", "The airplane burnt."], "John Smith"),
        (["John Smith flew home.", "Smith landed late.", "Smith is a baker."], "John Smith"),
        (["John Smith flew home.", "The pilot of the other airplane survived."], None),
        (["John Smith's father was a baker."], None),
        (["John Smith and Bob Brown were bakers."], None),
        (["Ada Brown flew home.", "She landed late.", "Her brother came by car."], None),
        (["The Piper PA-31T burnt."], None),
        (["The current president of Freedonia is Rufus Bell."], "Rufus Bell"),
        (["In fact, Bell did not fly home."], "Bell"),
    ],
)
def test_he_means_the_last_person(before: list[str], name: str | None) -> None:
    assert referent(*before, "He was 45 years old.") == name


@pytest.mark.parametrize(
    "heading", ["PRESS NOTE", "Press note", "MEMO", "Summary", "TWO ACCIDENTS", "Two accidents"]
)
@pytest.mark.parametrize("sentence", ["He was 45 years old.", REGISTERED])
def test_a_heading_that_names_nobody_is_no_subject(heading: str, sentence: str) -> None:
    assert referent(sentence, heading=heading) is None


def resolved(*sentences: str, heading: str = "") -> str | None:
    """The last sentence with a name for its pronoun, after the others, under a heading."""
    context = Context()
    if heading:
        context.enter(heading, 1)
    for sentence in sentences[:-1]:
        context.read(sentence)
    return context.read(sentences[-1]).resolved


ADA = "Ada Brown (born 1950) is a Welsh painter."
ACME = "Acme Corporation is a software company based in Leeds."


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        ([ADA, "She was born in 1950."], "Ada Brown was born in 1950."),
        ([ADA, "Her father was a baker."], "Ada Brown's father was a baker."),
        ([ADA, "In 1970, she moved."], "In 1970, Ada Brown moved."),
        ([ADA, "She met Carl Bell.", "She moved."], "Ada Brown moved."),
        ([ADA, "Brown sings.", "She moved."], "Ada Brown moved."),
        ([ACME, "It was founded in 1990."], "Acme Corporation was founded in 1990."),
        ([ACME, "It sells tools.", "The company grew."], "Acme Corporation grew."),
        (["The Elms are a band.", "Their songs are short."], "The Elms' songs are short."),
        (
            ["The University of Oslo is old.", "In 1990, it grew."],
            "In 1990, the University of Oslo grew.",
        ),
        (
            ["The tallest tower here is the Gran Spire.", "It fell."],
            "The Gran Spire fell.",
        ),
        (["Fox Squadron was formed in 1916.", "The squadron fell."], "Fox Squadron fell."),
        (["Dune is a shrub.", "The shrub's leaves fall."], "Dune's leaves fall."),
        (['"Over the Hill" is a song.', "The song sold well."], "Over the Hill sold well."),
    ],
)
def test_a_name_takes_the_place_of_a_pronoun(sentences: list[str], expected: str) -> None:
    assert resolved(*sentences) == expected


@pytest.mark.parametrize(
    "sentences",
    [
        [ADA, "The dam burst."],
        [ADA, "He was born in 1950.", "She moved."],
        [ADA, "This was in 1950."],
        [ADA, "It grew."],
        [ADA, "Her sister was a singer.", "She moved.", "She died."],
        ["Ada Brown met Carla Bell.", "She moved.", "She died."],
        ["Brown did not fly home.", "He was 45."],
        [ACME, "The film won a prize."],
        [ACME, "The company car was sold."],
        ["The population was 500.", "Its seat is Leeds."],
        [ACME, "Its main product is a drill.", "It is red."],
        ["Acme Corporation launched a phone.", "It sold well."],
        ["Acme Corporation was bought by Beta Group.", "It is in Leeds."],
    ],
)
def test_an_open_pronoun_stays(sentences: list[str]) -> None:
    assert resolved(*sentences) is None


def test_only_a_pronoun_in_front_is_replaced() -> None:
    ada = Subject("Ada Brown", person=True, thing=False)
    assert with_name("She said that she won.", ada) == "Ada Brown said that she won."
    assert with_name("Nobody saw her.", ada) is None
