"""A verb may have many objects: another one is no denial."""

import pytest
from readings import CONTRADICTED, claim, evidence, raw_text_of, reading

from veracite.engine.comparing.objects import another_object, another_of_its_kind
from veracite.engine.comparing.premises import Candidate
from veracite.engine.comparing.sides import Sides
from veracite.engine.judging.citations import about_something_else, has_ground
from veracite.engine.words import Label
from veracite.index.documents import Sentence


def sides(said: str, told: str) -> Sides:
    passage = evidence("document", [told]).passage
    return Sides(claim(said), Candidate(passage, 0, Sentence(0, len(told), None, told)))


@pytest.mark.parametrize(
    ("said", "told", "unsaid"),
    [
        ("The club serves beer.", "The club serves tea on Sundays.", "beer"),
        ("The museum keeps a submarine.", "The museum keeps three vessels.", "submarine"),
        ("The museum keeps four cranes.", "The museum keeps three vessels.", "four cranes"),
        ("The scheduler supports time zones.", "The scheduler supports dates.", "time zones"),
        ("Guests receive a towel.", "Guests receive a key on arrival.", "towel"),
        ("Visitors may bring dogs.", "Visitors may bring children.", "dogs"),
        ("She studied the violin in Graz.", "She studied the piano in Graz.", "violin"),
        ("Ada Lind spoke French.", "Ada Lind spoke Czech and German.", "French"),
        ("The clinic treats people with gout.", "The clinic treats people with flu.", "gout"),
        ("The school offers courses in law.", "The school offers courses in art.", "law"),
        ("In 1846 a fire destroyed the inn.", "In 1846 a fire destroyed the mill.", "inn"),
        ("Voice control works with bells.", "Voice control works with words.", "bells"),
        ("The café serves tea and beer.", "The café serves tea and cakes.", "beer"),
    ],
)
def test_another_object_of_the_same_verb(said: str, told: str, unsaid: str) -> None:
    assert another_object(sides(said, told)) == unsaid


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The club serves beer.", "The club serves only tea."),
        ("The club serves beer.", "The club serves no beer."),
        ("The club serves beer.", "The club never serves wine."),
        ("The club serves beer.", "The club refused to serve tea."),
        ("The town has 420 beds.", "The town has 240 beds."),
        ("The tower has a pointed roof.", "The tower has a flat roof."),
        ("The tower weighs four tons.", "The tower weighs three tons."),
        ("The council hired Boyle.", "The council hired Renner."),
        ("The yard was built by monks.", "The yard was built by nuns."),
        ("Ada Lind married a painter.", "Ada Lind married a baker."),
        ("The dog became a nuisance.", "The dog became a star."),
        ("The shop sells hot drinks.", "The shop sells cold drinks."),
        ("The mill gives flour.", "The school lends tablets."),
        ("The line closed in May.", "The line closed in June."),
        ("Pupils pay 12 euros.", "Pupils pay 15 euros."),
    ],
)
def test_what_may_be_denied_by_another_answer_is_left_to_the_verifier(said: str, told: str) -> None:
    assert another_object(sides(said, told)) is None


@pytest.mark.parametrize(
    ("said", "told", "expected"),
    [
        (
            "Support for macOS was dropped.",
            "Support for Windows 8 was dropped.",
            ("macOS", "Windows 8"),
        ),
        (
            "The number of doctors is 95.",
            "The number of nurses is 310.",
            ("doctors", "nurses"),
        ),
        (
            "The station at Merrow burned down in 1935.",
            "The station at Aldwick burned down in 1921.",
            ("Merrow", "Aldwick"),
        ),
        ("The number of doctors is 95.", "The number of doctors is 310.", None),
        ("The roof of the museum is flat.", "The roof of the building is steep.", None),
        ("The head of the firm is Lind.", "The head of Lumen is Sand.", None),
        ("Everything in these five lines is read.", "Everything in these two lines is read.", None),
        ("Lind and Sand are dead.", "Lind and Brand are alive.", None),
    ],
)
def test_another_of_a_kind(said: str, told: str, expected: tuple[str, str] | None) -> None:
    assert another_of_its_kind(sides(said, told)) == expected


@pytest.mark.parametrize(
    ("said", "told", "reason"),
    [
        ("The club serves beer.", "The club serves tea.", "does not say “beer”"),
        ("The fee for boats is £9.", "The fee for bikes is £2.", "of bikes, not of boats"),
        ("The press has 320 kg of paper.", "Press | 320 kg", "does not say “paper”"),
        ("The club serves beer.", "The club serves only tea.", None),
        ("The tunnel was built.", "The tunnel was planned in 1902.", "a plan or forecast"),
        ("The tunnel was built.", "The tunnel was planned but never built.", None),
    ],
)
def test_the_verdict_does_not_rest_on_it(said: str, told: str, reason: str | None) -> None:
    item = evidence("document", [told])
    read = reading(claim(said), [item], [CONTRADICTED], {told: CONTRADICTED}, joint=CONTRADICTED)
    assert has_ground(read, Label.CONTRADICTED, raw_text_of(item)) is (reason is None)
    explained = about_something_else(read, raw_text_of(item))
    assert explained is None if reason is None else reason in (explained or "")
