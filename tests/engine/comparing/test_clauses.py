"""In which clause of a sentence a claim's subject, and in which its figure stands."""

import pytest

from veracite.engine.comparing.clauses import (
    of_another_case,
    of_another_clause,
    of_another_part,
    said_in_a_clause,
)

FREE = "Admission is free for children; adults pay £4.50."
BEDS = "The hospital has 210 beds, of which 14 are for children."
STAFF = "It employs 640 people, 95 of them doctors."
COURSES = "Teachers pay 40 euros for a full course and pupils pay 25 euros."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Children pay £4.50.", FREE),
        ("Members pay £3.", "Tours are free for members, and visitors pay £3."),
        ("The hospital has 14 beds.", BEDS),
        ("The hospital employs 95 people.", STAFF),
        ("Josiah led the firm until 1924.", "Josiah left the firm; Edmund led it until 1924."),
        ("Pupils pay 40 euros for a full course.", COURSES),
    ],
)
def test_a_figure_of_another_part(said: str, told: str) -> None:
    assert of_another_part(said, told)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Adults pay £4.50.", FREE),
        ("Teachers pay 40 euros for a full course.", COURSES),
        ("The hospital has 210 beds.", BEDS),
        ("The hospital has 14 beds for children.", BEDS),
        ("The hospital has 95 doctors.", STAFF),
        ("Anna Berg died in 1970.", "Anna Berg was born in 1901 and died in 1970."),
        ("The hall cost £4 million.", "The hall opened in 1920; the building cost £4 million."),
        ("The mill burned down in 1904.", "Of the mill nothing but ash was left in 1904."),
        ("The dam's reservoir holds 3 tons.", "The dam is high, and its reservoir holds 3 tons."),
    ],
)
def test_a_figure_of_what_the_claim_speaks_of(said: str, told: str) -> None:
    assert not of_another_part(said, told)


PETS = "Horses are not allowed on the beach, but ponies are allowed."
BIRDS = "The male is called a cock and the female is called a hen."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Horses are allowed on the beach.", PETS),
        ("Ponies are not allowed.", PETS),
        ("The female is called a cock.", BIRDS),
        ("Ann Lee keeps the keys.", "Ann Lee built the boat, and Bo Hill keeps the keys."),
    ],
)
def test_what_a_clause_says_of_another(said: str, told: str) -> None:
    assert of_another_clause(said, told)
    assert not said_in_a_clause(said, told)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Ponies are allowed.", PETS),
        ("The female is called a hen.", BIRDS),
        ("Bo Hill keeps the keys.", "Ann Lee built the boat, and Bo Hill keeps the keys."),
        ("Ann Lee keeps the keys.", "Ann Lee built the boat, and she keeps the keys."),
        ("Ann Lee keeps the keys.", "Ann Lee built the boat and keeps the keys."),
        # The company may be Lumen itself.
        ("Lumen keeps the keys.", "Lumen built the boat, and the company keeps the keys."),
    ],
)
def test_what_a_clause_says_of_the_subject(said: str, told: str) -> None:
    assert not of_another_clause(said, told)


def test_a_sentence_of_one_clause_keeps_nothing_apart() -> None:
    assert not of_another_clause("Horses are allowed.", "Horses are allowed on the beach.")
    assert not said_in_a_clause("Horses are allowed.", "Horses are allowed on the beach.")


def test_a_clause_that_says_the_claim_is_no_denial_of_it() -> None:
    assert said_in_a_clause("The female is called a hen.", BIRDS)


TRAINS = "Trains leave at 7:15 on weekdays and at 9:40 on holidays."
FEES = "A stall costs 30 euros for members and 45 euros for visitors."


@pytest.mark.parametrize(
    ("said", "told", "other"),
    [
        ("Trains leave at 9:40 on weekdays.", TRAINS, True),
        ("Trains leave at 9:40 on holidays.", TRAINS, False),
        ("Trains leave at 9:40.", TRAINS, False),
        ("A stall costs 45 euros for members.", FEES, True),
        ("A stall costs 30 euros for members.", FEES, False),
        ("The fleet has 12 boats in Holm.", "It has 9 boats in Holm and 12 boats in Lund.", True),
        ("The fleet has 12 boats in Lund.", "It has 9 boats in Holm and 12 boats in Lund.", False),
        ("It rose by 3 metres in May.", "It rose by 3 metres in May and 3 metres in June.", False),
    ],
)
def test_a_figure_of_another_case(said: str, told: str, other: bool) -> None:
    assert of_another_case(said, told) is other
