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
    for sentence in ("Sales rose in 1990.", "The river Thames flows to the sea."):
        assert context.query(sentence) == sentence
    assert context.query("It grew.") == "Acme Corporation: It grew."
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
