"""Without a language model: answers, summaries and queries are made of the passages' own words."""

import re
from itertools import cycle, islice
from pathlib import Path

import pytest
from marrow import ASTRAY, LIT, TEXTS
from stepping import run, value_of

from veracite.engine.claims.citation_marks import parse
from veracite.engine.events import Streamed
from veracite.engine.models import OpenModels
from veracite.engine.skills.base import DEFAULT_WRITING, Skills, Writing
from veracite.engine.skills.extractive import ExtractiveSkills
from veracite.engine.skills.extractive.questions import Question, follow_up
from veracite.engine.skills.extractive.quotes import quotes_of
from veracite.index.documents import Passage
from veracite.index.memory import MemoryLibrary, Text, Vectors


@pytest.fixture(scope="module")
def library(models: OpenModels) -> MemoryLibrary:
    return MemoryLibrary(TEXTS, Vectors(models.open_encoder().encode))


@pytest.fixture(scope="module")
def skills(models: OpenModels, library: MemoryLibrary) -> Skills:
    return skills_on(models, library)


def skills_on(models: OpenModels, library: MemoryLibrary) -> ExtractiveSkills:
    judge, encoder = models.judge(library), models.open_encoder()
    return ExtractiveSkills(encoder, judge, lambda query: passages_for(library, query))


def passages_for(library: MemoryLibrary, query: str) -> tuple[Passage, ...]:
    (found,) = library.search_many([query], k=3)
    return tuple(item.passage for item in found)


def answered(models: OpenModels, asked: str, *texts: str) -> list[str]:
    """What is said in plain sentences from the passages of a library of these texts."""
    encoder, named = models.open_encoder(), [Text(f"{n}", text) for n, text in enumerate(texts)]
    library = MemoryLibrary(named, Vectors(encoder.encode))
    passages, plain = passages_for(library, asked), Writing("plain")
    drafts = value_of(skills_on(models, library).answer(asked, passages, writing=plain))
    return [draft.text for draft in drafts]


@pytest.mark.parametrize("step", [1, -1])
def test_an_answer_is_quoted_and_every_sentence_ends_with_its_passage(
    skills: Skills, library: MemoryLibrary, step: int
) -> None:
    passages = passages_for(library, LIT)[::step]
    (draft,), events = run(skills.answer(LIT, passages))
    sentences = parse(draft.text)
    assert "4 May 1871" in draft.text
    assert 1 <= len(sentences) <= 3
    for sentence in sentences:
        (number,) = sentence.citations
        _, _, said = sentence.statement.partition("was ")
        assert said in passages[number - 1].text
    assert [event for event in events if isinstance(event, Streamed)] == [Streamed(draft.text)]
    assert draft.mean_probability is not None
    assert 0 < draft.mean_probability <= 1


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (LIT, "4 May 1871"),
        ("Who designed Marrow Tower?", "Ada Lindqvist"),
        ("How many crowns did the construction of Osk Bridge cost?", "90,000"),
    ],
)
def test_short_answers(skills: Skills, library: MemoryLibrary, question: str, answer: str) -> None:
    passages = passages_for(library, question)
    (draft,) = value_of(skills.answer(question, passages, writing=Writing("short")))
    assert draft.text == answer
    assert value_of(skills.refine(question, ["1902"], passages, DEFAULT_WRITING)).text == answer


def test_passages_that_do_not_answer_give_no_answer(skills: Skills, library: MemoryLibrary) -> None:
    passages = passages_for(library, ASTRAY)
    assert passages, "something is always found"
    assert value_of(skills.answer(ASTRAY, passages)) == ()
    assert value_of(skills.next_claim(ASTRAY, passages, ())) is None
    assert value_of(skills.summarise(ASTRAY, passages[0])) is None
    assert value_of(skills.extract(ASTRAY, passages[0])) is None
    assert not value_of(skills.sufficient(ASTRAY, passages)).sufficient
    assert value_of(skills.refine(ASTRAY, ["356.7"], passages, DEFAULT_WRITING)).text == "356.7"


@pytest.mark.parametrize(("more", "quoted"), [(17, 3), (18, 2)])
def test_ninety_words_are_quoted_at_most(models: OpenModels, more: int, quoted: int) -> None:
    by = ("by the Lindqvist brothers", "by the county of Marrow", "by the national coast guard")
    said = [f"The harbour at Osk was dredged in {1871 + n} {name}" for n, name in enumerate(by)]
    rest = " ".join(["", *islice(cycle("with barges of the town".split()), more)])
    texts = [f"{sentence}{rest}." for sentence in said]
    (answer, *_) = answered(models, "When was the harbour at Osk dredged?", *texts)
    assert [text in answer for text in texts].count(True) == quoted
    assert len(answer.split()) <= 90


def test_three_sentences_are_quoted_at_most_where_one_needs_those_before(
    models: OpenModels,
) -> None:
    said = (
        "The mill at Osk closed in 1902. This surprised the town. It did so because of the flood."
    )
    question = "Why did the mill at Osk close?"
    assert answered(models, question, f"{said} It never came back.") == [said]
    long = said.replace("town", f"town{' and many others' * 26}")
    assert all("This surprised" not in text for text in answered(models, question, long))


@pytest.mark.parametrize(
    ("question", "is_answered"),
    [("Who found the asteroid?", True), ("How many children did Hana Novotná have?", False)],
)
def test_passages_on_the_matter_that_do_not_say_it_give_no_answer(
    models: OpenModels, question: str, is_answered: bool
) -> None:
    samples = Path(__file__).parents[2] / "samples" / "library"
    texts = [Text(str(p), p.read_text("utf-8")) for p in sorted(samples.rglob("*.md"))]
    library = MemoryLibrary(texts, Vectors(models.open_encoder().encode))
    own = skills_on(models, library)
    (found,) = library.search_many([question], k=5)
    assert bool(value_of(own.answer(question, [item.passage for item in found]))) is is_answered


def test_without_passages_the_library_is_asked_and_nothing_cited(skills: Skills) -> None:
    (draft,) = value_of(skills.answer(LIT))
    assert "4 May 1871" in draft.text
    assert "[" not in draft.text


def test_samples_differ(skills: Skills, library: MemoryLibrary) -> None:
    asked = "What is known of Marrow Tower?"
    found = value_of(skills.answer(asked, passages_for(library, asked), writing=Writing(samples=3)))
    assert len({draft.text for draft in found}) == len(found) > 1
    probabilities = [draft.mean_probability or 0 for draft in found]
    assert probabilities == sorted(probabilities, reverse=True)


def test_sufficient_is_by_the_best_sentence(skills: Skills, library: MemoryLibrary) -> None:
    passages = passages_for(library, LIT)
    by_class = value_of(skills.sufficient(LIT, passages))
    assert by_class.sufficient
    by_score = value_of(skills.sufficient(LIT, passages, tau=10.0))
    assert by_score.score == pytest.approx(10 * by_class.score)
    assert not by_score.sufficient
    assert value_of(skills.sufficient(LIT, ())).sufficient is False


def test_a_selection_covers_all_parts_of_a_question(skills: Skills, library: MemoryLibrary) -> None:
    asked = (
        "Which keepers and goats lived at Marrow Tower when the lighthouse was lit for the first "
        "time?"
    )
    passages = passages_for(library, asked)
    assert [p.heading for p in passages] == ["Marrow Tower", "Osk Bridge", "Fennel cheese"]
    assert value_of(skills.select(asked, passages, 2)) == (0, 2), "the bridge adds no word"
    assert value_of(skills.select(asked, passages[::-1], 5)) == (2, 0, 1)
    assert value_of(skills.select(asked, (), 5)) == ()


CLUTTER = Text(
    "notes",
    'See also: Marrow Tower, lit for the first time. "Marrow Tower, lit in 1871" (PDF). '
    "^ Marrow Tower, lit for the first time (1871), pp. 4-9. "
    "Archived (https://example .org) from the original on 4 May 1871.",
    "Marrow Tower lit for the first time",
)


def test_what_only_says_where_to_read_on_answers_nothing(models: OpenModels) -> None:
    library = MemoryLibrary((CLUTTER, *TEXTS), Vectors(models.open_encoder().encode))
    skills = skills_on(models, library)
    passages = passages_for(library, LIT)
    (notes,) = (place for place, p in enumerate(passages) if p.document.path == "notes")
    assert notes < 2, "it has the question's words"
    (draft,) = value_of(skills.answer(LIT, passages, writing=Writing("plain")))
    assert "4 May 1871" in draft.text
    assert "See also" not in draft.text
    assert not re.search(r"PDF|pp\.|Archived", draft.text)
    assert value_of(skills.select(LIT, passages, 3))[-1] == notes


def test_what_is_missing_is_what_no_passage_says(skills: Skills, library: MemoryLibrary) -> None:
    (tower,) = (p for p in passages_for(library, LIT) if p.heading == "Marrow Tower")
    asked = "Which painter restored Marrow Tower?"
    assert (
        value_of(skills.missing(asked, [tower], style="passage")) == "Marrow Tower painter restored"
    )
    again = value_of(skills.missing(asked, [tower], style="question"))
    assert again == f"{asked} painter restored"
    assert value_of(skills.missing(asked, ())) == asked
    assert value_of(skills.missing("Does Marrow Tower ripen?", [tower])) == "Marrow Tower ripen"
    assert value_of(skills.missing("Where is Marrow Tower?", [tower])) == "Marrow Tower"
    two = "When was Marrow Tower lit and what is the boiling point of mercury?"
    assert value_of(skills.missing(two, [tower])) == "what is the boiling point of mercury?"


def test_a_passage_is_made_shorter(skills: Skills, library: MemoryLibrary) -> None:
    (tower,) = (p for p in passages_for(library, LIT) if p.heading == "Marrow Tower")
    summary = value_of(skills.summarise(LIT, tower))
    assert summary is not None
    assert "4 May 1871" in summary
    assert len(summary.split()) <= 50
    extract = value_of(skills.extract(LIT, tower))
    assert extract == "The lighthouse was lit for the first time on 4 May 1871."


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Lit for all.\n\nand was electric from 1930.\n\nIt was tall.", ["It was tall."]),
        ("(Done in 2022, see the list.) Annual report of the board. It was lit.", ["It was lit."]),
        ("Country Brae Height 38 Keepers two Lamp oil Gas no " * 6 + "are here.", []),
        ("``Lit'' was a song.", ["``Lit'' was a song."]),
    ],
)
def test_only_whole_sentences_are_quoted(text: str, quoted: list[str]) -> None:
    library = MemoryLibrary([Text("notes", text)], None)
    ((found,),) = library.search_many(["lamp lit keepers"], k=1, mode="lexical")
    found_quotes = quotes_of([found.passage], library.sentences, structures=False)
    assert [quote.text for quote in found_quotes] == quoted


def test_a_quote_that_opens_with_a_pronoun_follows_what_is_before_it(models: OpenModels) -> None:
    before = "A new lens by Tomasz Wilk was put into the lantern in May, after the storm."
    asked = "How much did the lens cost in crowns?"
    for text in (f"{before} It cost 86,000 crowns.", "It cost 86,000 crowns."):
        assert answered(models, asked, text) == [text] * text.startswith(before)


def test_a_reason_is_told_with_the_sentence_behind_it(models: OpenModels) -> None:
    announced = "There are good reasons for the popularity of Marrow Tower."
    told = "One is the view that it gives over the whole of the sound."
    text = f"{announced} {told} Some keepers leave early."
    for asked, answer in (
        ("Why is Marrow Tower popular?", f"{announced} {told}"),
        ("Is Marrow Tower popular?", announced),
    ):
        (said,) = answered(models, asked, text)
        assert said.startswith(answer)


@pytest.mark.parametrize(
    ("asked", "parts"),
    [
        ("Who built the mill and when did it burn?", 2),
        ("Who built the mill and when did she sell it?", 1),
        ("When did Anna Berg build the mill and when did she sell it?", 2),
    ],
)
def test_what_depends_on_who_is_meant_is_asked_with_it(asked: str, parts: int) -> None:
    assert len(Question(asked).parts) == parts


@pytest.mark.parametrize(
    ("asked", "side"),
    [
        ("Which is older, {} or {}?", "Which is older, {}?"),
        ("Which of {} or {} is older?", "Which of {} is older?"),
        ("Was it colder in {} or in {}?", "Was it colder in {}?"),
        ("Did {} or {} live longer?", "Did {} live longer?"),
        ("Is {} older than {}?", "Is {} older?"),
    ],
)
def test_a_comparison_is_asked_of_each_of_two_things(asked: str, side: str) -> None:
    things = ("the Duke of Osk", "Ole van Östby")
    sides = [one.text for one in Question(asked.format(*things)).sides]
    assert sides == [side.format(thing) for thing in things]


@pytest.mark.parametrize(
    "asked",
    [
        "Was it built in 1871 or in 1872?",
        "Was Peter born in Rome or in Milan?",
        "Was the first ship built in 1901 or 1902?",
        "What is needed for a longer stay, e.g. two weeks or more?",
        "Will the Committee pay more than EUR 500?",
        "Is Osk or Ness or Vik the largest town?",
        "Which is the older part of Osk and Ness?",
    ],
)
def test_what_is_no_comparison_of_two_things_is_asked_as_it_stands(asked: str) -> None:
    assert not Question(asked).sides


def test_what_a_sentence_compares_is_not_asked_of_each_thing(models: OpenModels) -> None:
    told = "Orm Dam is four years older than Hale Mill."
    asked = "Which is older, Hale Mill or Orm Dam?"
    texts = (f"{told} The town paid for both.", "Hale Mill has two wheels.")
    (said,) = answered(models, asked, *texts)
    assert said.startswith(told)
    assert "wheels" not in said


def test_each_part_of_a_question_is_answered_if_the_passages_answer_it(
    skills: Skills, library: MemoryLibrary
) -> None:
    asked = "Who designed Marrow Tower and how many crowns did the construction of Osk Bridge cost?"
    passages = passages_for(library, asked)
    (draft,) = value_of(skills.answer(asked, passages, writing=Writing("plain")))
    assert "Ada Lindqvist" in draft.text
    assert "90,000 crowns" in draft.text
    (draft,) = value_of(skills.answer(asked, passages, writing=Writing("short")))
    assert draft.text == "Ada Lindqvist; 90,000"
    assert value_of(skills.sufficient(asked, passages)).sufficient
    half = "Who designed Marrow Tower and what is the boiling point of mercury?"
    assert not value_of(skills.sufficient(half, passages)).sufficient


def test_the_parts_of_a_question_share_three_sentences(models: OpenModels) -> None:
    cost = (
        "The dam cost 90,000 crowns. The cost of the dam was paid by the town. For the dam the town"
    )
    texts = [
        "The mill was opened by Anna Berg in 1871.",
        f"{cost} paid 90,000 crowns in two parts.",
    ]
    (said,) = answered(models, "Who opened the mill and what did the dam cost?", *texts)
    assert said.startswith(f"{texts[0]} The dam cost 90,000 crowns. ")
    assert said.count(".") == 3


def test_what_is_asked_of_one_thing_is_not_answered_of_another(models: OpenModels) -> None:
    keel = "The keel of the Olympic was laid first, and the Titanic followed."
    launched = "The Titanic was launched on 31 May 1911."
    library = MemoryLibrary([Text("yard.txt", f"{keel} {launched} It had three screws.")], None)
    ((found,),) = library.search_many(["keel"], k=1, mode="lexical")
    skills, plain = skills_on(models, library), Writing("plain")
    for asked, right in (("Titanic", [launched]), ("Olympic", [])):
        question = f"When was the {asked} launched?"
        told, _ = run(skills.answer(question, [found.passage], plain))
        sure = [draft.text for draft in told if (draft.probability or 0) >= 0.5]
        assert sure == right, "another's launch at most in doubt"


BUILT = "When was Hale Mill built?"


@pytest.mark.parametrize(
    ("asked", "earlier", "meant"),
    [
        ("And who built it?", BUILT, "Who built Hale Mill?"),
        ("How tall is its chimney?", BUILT, "How tall is Hale Mill's chimney?"),
        ("What about Tarn Gate?", BUILT, "When was Tarn Gate built?"),
        ("And Tarn Gate?", BUILT, "When was Tarn Gate built?"),
        ("Why?", BUILT, "Why was Hale Mill built?"),
        ("In which year?", "Who built Hale Mill?", "In which year? (Who built Hale Mill?)"),
        ("Who built it?", "When was the mill built?", "Who built it? (When was the mill built?)"),
        ("When was she born?", "Who built Hale Mill?", "When was Ida Moe born?"),
        ("What did they pay?", "Who built Hale Mill?", "What did Ida Moe pay?"),
        ("What did it cost?", "Who built Hale Mill?", "What did Hale Mill cost?"),
        ("Who built it?", "Was Hale Mill built in 1850?", "Who built Hale Mill?"),
        ("Its roof?", BUILT, "Hale Mill's roof?"),
        ("Who married her?", "Who built Hale Mill?", "Who married Ida Moe?"),
        ("Where did she live?", "When was Ida Moe born?", "Where did Ida Moe live?"),
        ("What about its roof?", BUILT, "What about Hale Mill's roof?"),
        ("What about the price?", BUILT, f"What about the price? ({BUILT})"),
        ("Where?", "In which year? (Who built it?)", "Where? (Who built it?)"),
        ("Do members keep their keys when they leave?", BUILT, None),
        ("What must a member do if he resigns?", BUILT, None),
        ("If it rains, what happens?", BUILT, None),
        ("What's photosynthesis?", BUILT, None),
        ("Who could apply?", BUILT, None),
        ("Who owns Tarn Gate, and is it open?", BUILT, None),
        ("How many pumps are there in the yard?", BUILT, None),
        ("pumps", BUILT, None),
        ("?", BUILT, None),
    ],
)
def test_a_question_takes_what_it_leaves_out_from_the_one_before_it(
    asked: str, earlier: str, meant: str | None
) -> None:
    answer = "Hale Mill was built in 1871 by Ida Moe."
    assert follow_up(asked, earlier, answer) == (meant or asked)
