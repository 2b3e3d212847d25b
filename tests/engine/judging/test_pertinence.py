"""Whether a document speaks of what a claim is about."""

from dataclasses import replace

import pytest
from readings import NEUTRAL, SUPPORTED, claim, evidence, raw_text_of, reading, sentences_of

from veracite.engine.judging.decision import bundled_decision
from veracite.engine.judging.pertinence import named_elsewhere, pertinent
from veracite.engine.judging.verify import Judge
from veracite.engine.words import Claim, Label, Scores
from veracite.index.documents import Document, Evidence
from veracite.models.verifier import Verifier

BORN = "He was born in San Francisco, California."
HOWE = evidence("howe", ["John Howe was a painter.", BORN])
CHILDS = evidence("childs", ["Ted Childs was a producer.", "He worked for the BBC."])


def judge(verifier: Verifier, *items: Evidence) -> Judge:
    return Judge(verifier, bundled_decision(), 0.6, sentences_of, raw_text_of(*items))


def kept(said: Claim, text: str, path: str = "a.txt") -> bool:
    (item,) = (evidence(path, ["Something else is told here."]),)
    return bool(pertinent(said, [item], lambda document: text))


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Rick Mahler was drafted in 1975.", "Mahler was drafted by the Braves."),
        ("Emily Bronte wrote it.", "The novel of Emily Brontë."),
        ("Charlotte Brontë wrote it.", "The novel of Charlotte Bronte."),
        ("Karl Weiss Jr. was elected.", "Mr Weiss was elected."),
        ("Norway joined in 1949.", "The Norwegian parliament decided it."),
        ("The United Kingdom left in 2020.", "The UK left in 2020."),
        ("NATO was founded in 1949.", "The North Atlantic Treaty Organization was founded."),
        ("Fishbone Diagrams sort causes.", "A fishbone diagram sorts causes."),
        ("Mao Zedong proclaimed it.", "Mao proclaimed it in Beijing."),
        ("Leonardo da Vinci painted it.", "Leonardo painted it in oil."),
        ("Priya Sharma repaired it.", "Priya's work: the roof."),
        ("John Smith was elected.", "Mr SMITH was elected."),
        ("HMRC extended the deadline.", "His Majesty's Revenue and Customs extended it."),
        ("Karl Mueller founded the bakery.", "Müller founded it."),
        ("Jens Ørsted built it.", "Orsted built it."),
        ("The Supplier must deliver within 30 days.", "The vendor must deliver."),
        ("The French won by 4 to 2.", "France won by 4 to 2."),
        ("Entrance Fees are £9.", "Adults pay £9 at the door."),
        ("At Christmas the house is closed.", "It is closed on 25 December."),
        ("Norwegians paid for the pier.", "Norway paid for the pier."),
        ("Spanish players lost.", "Spain lost on penalties."),
        ("Maersk built it.", "Mærsk built it."),
        ("Error E1 means a fault.", "E1: the sensor is faulty."),
        ("Tarn & Whitlock moved.", "All staff of Tarn & Whitlock move."),
        ("Aspirin reduces fever.", "Low doses of aspirin reduce fever."),
        ("The mill burned down in 1904.", "Nothing with a name."),
        ("She moved away.", "Nothing with a name."),
    ],
)
def test_a_document_that_speaks_of_the_subject_is_kept(said: str, text: str) -> None:
    assert kept(claim(said), text)


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Rick Mahler was drafted in 1975.", "Rick Astley sang it. Patrick was drafted in 1975."),
        ("John Howe was born in London.", "John Smith was born in London."),
        ("Ted Childs was a producer.", "Ted Hill worked with children."),
        ("Mao Zedong proclaimed it.", "Mao Dun wrote it."),
        ("The NTSB was founded in 1957.", "The society was founded in 1957."),
        ("The Greenwich Observatory opened in 1968.", "The observatory opened in 1968."),
        ("The Hubble telescope cost £86,000.", "The telescope cost £86,000."),
        ("Mali closed the border.", "It was maliciously closed."),
        ("New York bought it.", "Bought: a new car."),
        ("Oxford University opened in 1811.", "The College of Bergen opened in 1811."),
        ("Error E4 means a fault.", "E1: the sensor is faulty."),
        ("NATO was founded in 1949.", "The Council of Europe was founded in 1949."),
    ],
)
def test_a_document_that_nowhere_names_the_subject_is_not(said: str, text: str) -> None:
    assert not kept(claim(said), text)


def test_a_name_may_stand_in_the_file_name() -> None:
    assert kept(claim("Ted Childs was born in 1934."), "He was born in 1934.", "Childs.txt")


def test_who_she_is_is_told_by_the_context_and_a_heading_tells_of_nobody_else() -> None:
    assert not kept(claim("He was born in London.", "Ted Childs: He was born in London."), BORN)
    assert kept(claim("The mill burned down.", "Annual Review: The mill burned down."), BORN)
    resolved = replace(claim("He was born."), resolved="Ted Childs was born.")
    assert not kept(resolved, BORN)


def test_what_is_said_of_another_person_supports_nothing(verifier: Verifier) -> None:
    said = replace(claim(BORN), resolved="Ted Childs was born in San Francisco, California.")
    for items in ((HOWE,), (HOWE, CHILDS)):
        ((_, verdict, _),) = judge(verifier, *items).judge([said], [items])
        assert verdict.label is not Label.SUPPORTED
        assert verdict.scores is not None
        assert verdict.scores.supported < 0.3
    ((_, alone, _),) = judge(verifier, HOWE).judge([said], [(HOWE,)])
    assert alone.explanation == "No document that was found speaks of Ted Childs."
    of_howe = replace(said, resolved="John Howe was born in San Francisco, California.")
    ((_, verdict, _),) = judge(verifier, HOWE).judge([of_howe], [(HOWE,)])
    assert verdict.label is Label.SUPPORTED


def test_the_others_are_not_read_where_one_speaks_of_the_subject(verifier: Verifier) -> None:
    said = replace(claim(BORN), resolved="Ted Childs was born in San Francisco, California.")
    hume = evidence("hume", ["Jane Hume was a potter."])
    found, more = (HOWE, CHILDS), (HOWE, CHILDS, hume)
    for items, told in (
        (found, " 1 more passage is from a document that does not speak of Ted Childs."),
        (more, " 2 more passages are from documents that do not speak of Ted Childs."),
    ):
        ((_, verdict, reading),) = judge(verifier, *items).judge([said], [items])
        assert reading is not None
        assert [item.passage.id for item in reading.premises.evidence] == ["id-childs"]
        assert verdict.off_subject == len(items) - 1
        assert verdict.explanation.endswith(told)
    ((_, verdict, _),) = judge(verifier, CHILDS).judge([said], [(CHILDS,)])
    assert verdict.off_subject == 0
    assert "speak" not in verdict.explanation


@pytest.mark.parametrize(
    ("letter", "expected"),
    [
        ("The society lost its boat.", ["/minutes", "/letter"]),
        ("A society lost its boat.", ["/minutes"]),
        ("The society met the Royal Society.", ["/minutes"]),
    ],
)
def test_the_society_of_a_letter_is_the_one_that_the_others_name(
    letter: str, expected: list[str]
) -> None:
    items = [
        evidence("minutes", ["The Harrow Rowing Society met in 1904."]),
        evidence("letter", [letter]),
    ]
    said = claim("The Harrow Rowing Society lost its boat.")
    found = pertinent(said, items, raw_text_of(*items))
    assert [item.passage.document.path for item in found] == expected


def test_a_text_is_only_fetched_where_the_passages_do_not_tell() -> None:
    fetched: list[Document] = []

    def fetch(document: Document) -> str:
        fetched.append(document)
        return ""

    pertinent(claim("Ted Childs was a producer."), [HOWE, CHILDS], fetch)
    assert fetched == [HOWE.passage.document]


INSPECTOR = evidence("ferry.txt", ["Inspector: Sand. The ferry ran aground near Holm."])
OTHER = evidence("barge.txt", ["Inspector: Berg. The barge sank off Skerry."])


@pytest.mark.parametrize(
    ("said", "quoted", "elsewhere"),
    [
        ("The inspector of the Skerry barge was Sand.", "ferry.txt", True),
        ("The inspector of the Skerry barge was Berg.", "barge.txt", False),
        ("The inspector of the Lune barge was Sand.", "ferry.txt", False),
        ("The inspector was Sand.", "ferry.txt", False),
    ],
)
def test_a_form_about_something_else_says_nothing_of_what_others_name(
    said: str, quoted: str, elsewhere: bool
) -> None:
    items = (INSPECTOR, OTHER)
    name = named_elsewhere(claim(said), items, {f"/{quoted}"}, raw_text_of(*items))
    assert (name is not None) is elsewhere


LETTER = evidence("letter.txt", ["The bank has refused me a loan.", "The council met."])
CLUB = evidence("club.txt", ["The Westgate Bank lent the club £400."])


@pytest.mark.parametrize(
    ("said", "quoted", "elsewhere"),
    [
        ("The Westgate Bank refused a loan.", ("letter.txt",), True),
        ("The Westgate Bank refused a loan.", ("club.txt", "letter.txt"), True),
        ("The Westgate Bank lent money.", ("club.txt",), False),
        ("The bank refused a loan.", ("letter.txt",), False),
    ],
)
def test_each_document_names_whom_the_claim_names(
    said: str, quoted: tuple[str, ...], elsewhere: bool
) -> None:
    items, paths = (LETTER, CLUB), [f"/{name}" for name in quoted]
    name = named_elsewhere(claim(said), items, paths, raw_text_of(*items))
    assert (name.text if name else None) == ("Westgate Bank" if elsewhere else None)


def test_it_is_told_which_name_the_quoted_document_lacks(verifier: Verifier) -> None:
    told = {"The bank has refused me a loan.": SUPPORTED}
    said = claim("The Westgate Bank has refused a loan.")
    read = reading(said, [LETTER, CLUB], [SUPPORTED, NEUTRAL], told, joint=SUPPORTED)
    judging = judge(verifier, LETTER, CLUB)
    verdict = judging.settle(read, Scores(0.9, 0.08, 0.02), judging.id)
    assert (verdict.label, verdict.explanation) == (
        Label.UNCERTAIN,
        "A document that seems to say so does not name Westgate Bank; another one does.",
    )
