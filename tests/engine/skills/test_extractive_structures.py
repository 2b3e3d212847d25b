"""Without a language model, rows of tables and lists answer as sentences do."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from stepping import value_of

from veracite.engine.methods.answers import read
from veracite.engine.models import OpenModels
from veracite.engine.skills.extractive import ExtractiveSkills
from veracite.engine.skills.extractive.quotes import quotes_of
from veracite.index.documents import Document, Extraction, Passage, Sentence
from veracite.index.passages import cut, sentences
from veracite.index.readers import module_of


@dataclass(frozen=True)
class Shelf:
    """One file, read and cut."""

    extraction: Extraction
    passages: tuple[Passage, ...]

    def sentences(self, passage: Passage) -> list[Sentence]:
        return sentences(self.extraction, passage.start, passage.end)

    def quoted(self, *, lines: bool = False) -> list[str]:
        found = quotes_of(self.passages, self.sentences, structures=True, lines=lines)
        return [quote.text for quote in found]


def shelf(folder: Path, name: str, content: str) -> Shelf:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    extraction = module_of(path).read(path)
    document = Document(name, "0" * 64, extraction.extractor, extraction.title)
    cuts = cut(extraction)
    passages = [
        Passage(document, c.start, c.end, c.page, c.heading, c.text, f"{place:064}")
        for place, c in enumerate(cuts)
    ]
    return Shelf(extraction, tuple(passages))


def answered(models: OpenModels, on: Shelf, question: str) -> str:
    judge = replace(models.judge(), sentences=on.sentences)
    skills = ExtractiveSkills(models.open_encoder(), judge, lambda query: ())
    drafts = value_of(skills.answer(question, on.passages))
    return drafts[0].text if drafts else ""


KEEPERS = """# Marrow Tower

| Years        | Keeper      | Paid by |
|--------------|-------------|---------|
| 1871 to 1902 | Ada Moe     |         |
| 1902 to 1949 | **Ib Lund** | harbour |
| since 1949   | nobody      | harbour |
"""
CORNER = """The tower's lamp burned several oils:

|       | Price | Litres |
|-------|-------|--------|
| Whale | 40    | 1200   |
"""
WHALE = "Whale; Price: 40; Litres: 1200"
LUND = "Years: 1902 to 1949; Keeper: Ib Lund; Paid by: harbour"
NOBODY = "Years: since 1949; Keeper: nobody; Paid by: harbour"
BAR = "| A | B |\n|---|---|\n| one | a \\| b |\n| 1 | 2 |\n"
GALLERY = "Room: Gallery; Floor: 9; Use: visitors"
TITLE = "| Marrow Tower | |\n|---|---|\n| Height | 38 m |\n"
LENDS = "It lends:\n\n- red torches\n- *maps*;\n\nIt is free.\n"
LENT = "It lends: red torches; maps"
SUBTOTAL = "SUBTOTAL $863.91"
BILL = f"Bill 12\nBill to: Ada Moe, Marrow Tower, Isle of Brae, North Sound\n{SUBTOTAL}\n"
BILLED = "Bill 12; Bill to: Ada Moe, Marrow Tower, Isle of Brae, North Sound"
WRAPPED = "• Its lamp (1871): Ada Moe lit it in May, behind\na lens of Lund.\n"
LIT = "Its lamp (1871): Ada Moe lit it in May, behind a lens of Lund."
TERMS = "<dl><dt>Tea</dt><dd>A hot drink</dd></dl>"
INFOBOX = (
    "<h1>Marrow Tower</h1><table><tr><th>Island:</th><td>Brae</td></tr>"
    "<tr><th>Height</th><td>38 m</td></tr><tr><td>alone</td></tr></table>"
)
NAMED = (
    "<table><tr><th>Room</th><th>Floor</th><th>Use</th></tr>"
    "<tr><td>Gallery</td><td>9</td><td>visitors</td></tr>"
    "<tr><td>Store</td><td>1</td></tr></table>"
)


@pytest.mark.parametrize(
    ("lines", "name", "content", "quoted"),
    [
        (False, "keepers.md", KEEPERS, ["Years: 1871 to 1902; Keeper: Ada Moe", LUND, NOBODY]),
        (False, "bar.md", BAR, ["A: one; B: a; b", "A: 1; B: 2"]),
        (False, "corner.md", CORNER, ["The tower's lamp burned several oils:", WHALE]),
        (False, "title.md", TITLE, ["Height: 38 m"]),
        (False, "box.html", INFOBOX, ["Island: Brae", "Height: 38 m"]),
        (False, "named.html", NAMED, [GALLERY, "Room: Store; Floor: 1"]),
        (False, "a.md", LENDS, [LENT, "It is free."]),
        (False, "a.html", "<p>It lends:</p><ul><li>red torches</li><li>maps</li></ul>", [LENT]),
        (False, "a.txt", "It lends:\n- red torches\n- maps\n", [LENT]),
        (False, "form.txt", "Name:\n\nAda Moe\n", []),
        (True, "bill.txt", BILL, [BILLED, SUBTOTAL]),
        (True, "terms.html", TERMS, ["Tea; A hot drink"]),
        (True, "wrapped.txt", WRAPPED, [LIT]),
        (True, "value.txt", "Keeper:\n\nAda Moe\n", ["Keeper: Ada Moe"]),
        (True, "caption.txt", "A red torch\n\nIt lends torches.\n", ["It lends torches."]),
        (True, "marks.txt", "It lends:\n＊ red torches\n＊ maps\n", [LENT, "red torches; maps"]),
    ],
)
def test_rows_lists_and_where_lines_are_wanted_fields_are_quoted_with_what_names_them(
    tmp_path: Path, lines: bool, name: str, content: str, quoted: list[str]
) -> None:
    assert shelf(tmp_path, name, content).quoted(lines=lines) == quoted


def test_a_form_answers_by_its_fields(models: OpenModels, tmp_path: Path) -> None:
    bill = shelf(tmp_path, "bill.txt", f"This is the bill of Marrow Tower.\n{BILL}")
    assert SUBTOTAL in answered(models, bill, "How much is the subtotal of the bill?")
    assert not answered(models, bill, "How many lamps burned in the tower?")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was keeper from 1902 to 1949?", f"{LUND} [1]."),
        ("Who has been keeper of Marrow Tower since 1949?", f"{NOBODY} [1]."),
    ],
)
def test_the_row_asked_for_answers(
    models: OpenModels, tmp_path: Path, question: str, answer: str
) -> None:
    keepers = shelf(tmp_path, "keepers.md", KEEPERS)
    said = answered(models, keepers, question)
    assert said.startswith(answer)
    (claim,) = read(question, said, keepers.passages).claims
    assert claim.not_checkable is None


def test_a_row_with_a_web_address_answers(models: OpenModels, tmp_path: Path) -> None:
    people = "Name,Company,Website\nRoy Berry,Moe-Lund,http://lund.test/\nAda Moe,Brae,http://brae.test/\n"
    said = answered(models, shelf(tmp_path, "people.csv", people), "Which company is Roy Berry of?")
    assert said.startswith("Name: Roy Berry; Company: Moe-Lund")


def test_rows_that_a_question_means_alike_answer_together(
    models: OpenModels, tmp_path: Path
) -> None:
    eaten = (
        "The keepers of Marrow Tower burned:\n\n| Oil | Litres |\n|---|---|\n| Whale | 1200 |\n"
        "| Rape | 300 |\n"
    )
    said = answered(models, shelf(tmp_path, "oil.md", eaten), "What did the keepers burn?")
    assert "Oil: Whale; Litres: 1200" in said
    assert "Oil: Rape; Litres: 300" in said


def test_what_the_question_calls_its_subject_needs_no_name(
    models: OpenModels, tmp_path: Path
) -> None:
    text = "People argue about it a lot. The museum opened on 4 May 1871."
    museum = shelf(tmp_path, "museum.txt", text)
    assert "4 May 1871" in answered(models, museum, "When did the museum open?")
    assert "4 May 1871" not in answered(models, museum, "When did Brae Museum open?")
