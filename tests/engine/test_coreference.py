"""The query carries what a sentence leaves to its neighbours."""

import pytest

from veracite.engine.coreference import Context, is_dependent, leading_name


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("John Smith (born 1942) is a painter.", "John Smith"),
        ("In 1990, Ada Lovelace College was founded.", "Ada Lovelace College"),
        ("The University of Oslo is old.", "University of Oslo"),
        ("IBM was founded in 1911.", "IBM"),
        ("The director, Dr Ada Brown, also writes a column.", "Dr Ada Brown"),
        ("Their club, the Oslo Chess Club, dates from 1957.", "Oslo Chess Club"),
        ("In 1990, the firm, Acme (now Beta), was sold.", "Acme"),
        ("The physicist Marie Curie was born in Warsaw.", "Marie Curie"),
        ("Her brother, John Smith, was a painter.", None),
        ("The bank, Unite, and the council agreed.", None),
        ("The couple had one daughter, Ann Smith (born 1944).", None),
        ("The War Behind the Front was published in 1990.", "War Behind the Front"),
        ("The company, founded in 1990, makes tools.", None),
        ("He studied at Yale.", None),
        ("Sales rose.", None),
        ("However, many birds can fly.", None),
        ("On 30 November 2007 a Cessna 152 landed hard.", "Cessna 152"),
        ("On November 30, 2007, a Cessna 152 landed hard.", "Cessna 152"),
        ("According to the report, the Piper PA-31T collided with a tree.", "Piper PA-31T"),
        ("It is known that Ada Brown flew the aircraft.", "Ada Brown"),
        ("Latrobe, Pa.", None),
        ("Pa. The aircraft burnt.", None),
        ("Pittsburgh, Pa., U.S.", None),
        ("PRESS NOTE", None),
        ("PRESS NOTE on two accidents", None),
        ("Aircraft Make: Cessna of Wichita", None),
        ("Operating Certificate(s) held by the operator", None),
        ("Specifically, he flew.", None),
        ("Below is the report.", None),
    ],
)
def test_the_leading_name(sentence: str, name: str | None) -> None:
    assert leading_name(sentence) == name


def test_a_pronoun_takes_the_last_subject() -> None:
    context = Context()
    first = "John Smith (born 1942) is a painter."
    assert context.query(first) == first
    assert context.query("He studied at Yale.") == "John Smith: He studied at Yale."
    assert context.query("In 1970, he moved.") == "John Smith: In 1970, he moved."


def test_a_new_section_forgets_the_subject_and_gives_its_heading() -> None:
    context = Context()
    context.query("John Smith is a painter.")
    context.enter("Acme Corporation", 1)
    assert context.query("The company makes tools.") == "Acme Corporation: The company makes tools."
    context.enter("History", 2)
    assert context.query("It was founded in 1900.") == "Acme Corporation: It was founded in 1900."


def test_a_role_with_its_name_is_its_own_subject_and_that_of_what_follows() -> None:
    context = Context()
    context.query("John Smith and Ada Lovelace visited two schools.")
    sentence = "The director, Dr Ada Brown, also writes a column."
    assert context.query(sentence) == sentence
    assert context.query("She retired in 1990.") == "Dr Ada Brown: She retired in 1990."
    aside = "Her brother, John Brown, was a painter."
    assert context.query(aside) == f"Dr Ada Brown: {aside}"
    assert context.query("She moved to Oslo.") == "Dr Ada Brown: She moved to Oslo."


def test_a_heading_goes_in_front_only_where_something_is_missing() -> None:
    context = Context()
    context.enter("Acme Corporation", 1)
    assert context.query("It grew.") == "Acme Corporation: It grew."
    for sentence in ("Sales rose in 1990.", "The river Thames flows to the sea."):
        assert context.query(sentence) == sentence
    assert context.query("a rise in sales", item_depth=1) == "Acme Corporation: a rise in sales"


def test_a_name_that_is_already_there_is_not_repeated() -> None:
    context = Context()
    context.enter("Oslo", 1)
    assert context.query("Oslo is a city.") == "Oslo is a city."


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
    assert not is_dependent("The director, Ada Brown, retired.")
    assert not is_dependent("The novel Dune sold well.")


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
        (["The Bombardier Global 7500 crashed."], "Bombardier Global 7500"),
        (["The Bombardier Global 7500 crashed.", "The Piper PA-31T burnt."], "Piper PA-31T"),
        (
            ["The Bombardier Global 7500 crashed.", "On 30 November 2007 a Cessna 152 landed."],
            "Cessna 152",
        ),
        (["The Bombardier Global 7500 crashed.", "The second airplane landed hard."], None),
        (["The Bombardier Global 7500 crashed.", "There was another accident."], None),
        (["The Bombardier Global 7500 crashed.", "John Smith flew with a friend."], None),
        (["The Bombardier Global 7500 crashed.", "Make: Piper"], "Bombardier Global 7500"),
        (["John Smith flew with a friend."], None),
        (["The pilot died near Latrobe,", "Pa."], None),
    ],
)
def test_it_means_the_last_subject_that_is_no_person(before: list[str], name: str | None) -> None:
    assert referent(*before, REGISTERED) == name


@pytest.mark.parametrize(
    ("before", "name"),
    [
        (["John Smith flew with a friend."], "John Smith"),
        (["Captain Brown flew with a friend."], "Captain Brown"),
        (["John Smith flew home.", "The airplane burnt."], "John Smith"),
        (["John Smith flew home.", "Smith landed late.", "Smith is a baker."], "John Smith"),
        (["Philip of France (1116-1131) was a king."], "Philip of France"),
        (["John Smith flew home.", "The pilot of the other airplane survived."], None),
        (["John Smith flew home.", "Brown followed by car."], None),
        (["John Smith's father was a baker."], None),
        (["John Smith and Bob Brown were bakers."], None),
        (["Mrs Brown flew home."], None),
        (["Ada Brown flew home.", "She landed late.", "Her brother came by car."], None),
        (["The Piper PA-31T burnt."], None),
        (["Acme Corporation was sold."], None),
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


def test_a_heading_is_a_subject_only_of_its_own_kind() -> None:
    assert referent("He was 45 years old.", heading="John Smith") == "John Smith"
    assert referent(REGISTERED, heading="John Smith") is None
    assert referent(REGISTERED, heading="Piper PA-31T") == "Piper PA-31T"
    assert referent("He was 45 years old.", heading="Piper PA-31T") is None


def test_an_event_of_someone_is_not_the_aircraft() -> None:
    incident = "It was his second incident in an RV-8."
    assert referent("The Piper PA-31T burnt.", incident) is None
    assert referent("John Smith flew home.", incident) == "John Smith"


def test_it_may_stand_for_nothing() -> None:
    assert referent("Oslo is old.", "It's important to note that the pilot slept.") is None
