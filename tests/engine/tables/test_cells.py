"""A claim beside the cell of a table that it names, in the tables of ``tables.json``."""

import json
from pathlib import Path

import pytest
from readings import claim

from veracite.engine.comparing.premises import Candidate
from veracite.engine.events import Finished
from veracite.engine.facts.measures import measures
from veracite.engine.judging.explanations import explain_cell
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.tables.cell_figures import agrees, figure_of, without_unit
from veracite.engine.tables.cells import Cell, names_row, read_cell
from veracite.engine.tables.rendered import table_around
from veracite.engine.words import Verdict
from veracite.engine.workbench import Workbench
from veracite.index.documents import Document, Passage
from veracite.index.passages import cut
from veracite.index.raw_sentences import sentences
from veracite.index.readers import reader_of

FILES: dict[str, str] = json.loads(
    Path(__file__).with_name("tables.json").read_text(encoding="utf-8")
)
AGREE = [
    ("birds.md", "The grey heron weighs 1.4 kg."),
    ("birds.md", "A grey heron weighs 1,400 g."),
    ("birds.md", "The wingspan of the common crane is 2.2 metres."),
    ("birds.md", "The observatory ringed more than 1,000 white storks."),
    ("birds.md", "Black kites are migratory."),
    ("birds.md", "Grey herons are not migratory."),
    ("birds.md", "The Eurasian bittern was first seen in May 2021."),
    ("accounts.html", "The revenue of Lumen Optics was €448 million in 2022."),
    ("accounts.html", "Lumen Optics had about 2,300 employees in 2021."),
    ("accounts.html", "The gross margin was 37 per cent in 2023."),
    ("hours.html", "On Thursdays, Westhill Library closes at 8 pm."),
    ("hours.html", "On Saturday the café is open."),
    ("officers.md", "Samuel Oyelaran is the treasurer of the Rowan Valley Choir."),
    ("officers.md", "Ingrid Maddox comes from Penrith."),
    ("trial.html", "In week 12 there were 187 patients in the placebo group."),
    ("facts.html", "Brennan Foundry was founded in 1887."),
    ("towns.md", "In 1990, 6,410 people lived in Velm."),
    ("towns.md", "The Arve is 412 km long."),
    ("towns.md", "Anton Brix has been mayor since 2014."),
    ("phones.html", "The Nadir Plus is waterproof."),
    ("prices.html", "School groups pay £60."),
    ("prices.html", "A school group of up to 25 pays £60."),
    ("prices.html", "Members get in free."),
    ("birds.md", "The Eurasian bittern weighs 1,300 grams."),
    ("facts.html", "Brennan Foundry has its seat in Wexford."),
    ("peaks.md", "The Kleiner Turm is 2,640 m high."),
    ("peaks.md", "The Gruenhorn has a glacier."),
    ("water.html", "The nitrate value was 31 mg/L."),
    ("water.html", "The limit for sodium is 200 mg/L."),
    ("race.md", "The boat in second place was Petrel."),
]
DIFFER = [
    ("water.html", "The nitrate value was 13 mg/L.", "13", "31"),
    ("race.md", "The boat in second place was Alcyone.", None, "Petrel"),
    ("birds.md", "The grey heron weighs 3.4 kg.", "3.4 kg", "1.4"),
    ("birds.md", "The white stork weighs 195 kg.", "195 kg", "3.4"),
    ("birds.md", "The observatory ringed fewer than 1,000 white storks.", "1,000", "1,204"),
    ("birds.md", "The grey heron is migratory.", "migratory", "no"),
    ("birds.md", "The white stork was first seen on 11 April 2018.", None, "27 March 2020"),
    ("accounts.html", "Revenue was €448 million in 2023.", "€448 million", "391.2"),
    ("accounts.html", "Lumen Optics employed 2,405 people in 2023.", "2,405", "2,190"),
    ("hours.html", "Westhill Library opens at 9 am on Mondays.", "9 am", "10:00"),
    ("hours.html", "The café is open on Mondays.", "open", "closed"),
    ("officers.md", "The treasurer is Owen Farrar.", "Owen Farrar", "Samuel Oyelaran"),
    ("officers.md", "Beatrix Lund comes from Kendal.", "Kendal", "Keswick"),
    ("trial.html", "In week 12 there were 209 patients in the placebo group.", "209", "187"),
    ("facts.html", "Brennan Foundry was founded in 1922.", "1922", "1887"),
    ("towns.md", "Harnau had 22,870 inhabitants in 2010.", "22,870", "21,030"),
    ("towns.md", "The mayor of Velm is Mira Sand.", "Mira Sand", "Anton Brix"),
    ("phones.html", "The Nadir One has a battery life of 24 hours.", "24 hours", "18 hours"),
    ("phones.html", "The Nadir Max costs €549.", "€549", "€799"),
    ("prices.html", "A child under 16 pays £7.", "£7", "£3"),
    ("peaks.md", "The Wenger Hut has 46 beds.", "46", "22"),
]
LEFT_ALONE = [
    ("birds.md", "The golden eagle weighs 5.6 kg."),  # no row
    ("birds.md", "The white stork lays 4 eggs."),  # no column
    ("birds.md", "The common crane is the heaviest of the species."),
    ("birds.md", "Three of the species are migratory."),
    ("birds.md", "The common crane weighs more than the grey heron."),  # two rows
    ("birds.md", "In 2015 the grey heron weighed 1.4 kg."),  # another time
    ("birds.md", "The observatory had ringed the white stork before 27 March 2020."),
    ("accounts.html", "Lumen Optics had 2,310 employees in 2020."),
    ("accounts.html", "Bright Optics had 2,310 employees in 2021."),
    ("accounts.html", "The revenue of Lumen Optics fell by €391.2 million in 2023."),
    ("accounts.html", "Revenue was $448 million in 2022."),  # another currency
    ("hours.html", "Westhill Library closes at 17:30 on Wednesdays."),
    ("officers.md", "Beatrix Lund succeeded Samuel Oyelaran."),
    ("officers.md", "Beatrix Lund moved from Kendal."),
    ("trial.html", "Placebo had 187 patients."),  # in which week?
    ("facts.html", "Thomas Brennan was born in 1887."),
    ("towns.md", "Anton Brix was born in 2014."),
    ("towns.md", "Velm grew by 5,310 people in 2020."),
    ("phones.html", "The Nadir Max is cheaper than the Nadir Plus."),
    ("towns.md", "In 1990, 6,410 cows grazed in Velm."),  # of cows the table tells nothing
    ("peaks.md", "The first ascent of the Rosskopf was in 1902."),  # an empty cell
]


def read(tmp_path: Path, name: str, said: str) -> Cell | None:
    candidates, raw = candidates_of(tmp_path / name, FILES[name])
    return read_cell(claim(said), candidates, lambda _: raw)


def candidates_of(path: Path, content: str) -> tuple[list[Candidate], str]:
    """The sentences of a file, and its text."""
    path.write_text(content, encoding="utf-8")
    extraction = reader_of(path)(path)
    document = Document(str(path), "sha", extraction.extractor)
    return [
        Candidate(Passage(document, one.start, one.end, None, one.heading, one.text, "id"), 0, own)
        for one in cut(extraction)
        for own in sentences(extraction.text, one.start, one.end, (), extraction.extractor)
    ], extraction.text


@pytest.mark.parametrize(("name", "said"), AGREE)
def test_a_claim_agrees_with_the_cell_that_it_names(tmp_path: Path, name: str, said: str) -> None:
    cell = read(tmp_path, name, said)
    assert cell is not None
    assert cell.agrees


@pytest.mark.parametrize(("name", "said", "claimed", "stated"), DIFFER)
def test_a_claim_says_another_value_than_its_cell(
    tmp_path: Path, name: str, said: str, claimed: str | None, stated: str
) -> None:
    cell = read(tmp_path, name, said)
    assert cell is not None
    assert not cell.agrees
    assert cell.text == stated
    assert claimed is None or cell.said == claimed
    assert stated in cell.row.sentence.text


@pytest.mark.parametrize(("name", "said"), LEFT_ALONE)
def test_what_says_more_than_a_cell_is_left_alone(tmp_path: Path, name: str, said: str) -> None:
    assert read(tmp_path, name, said) is None


def test_a_cell_is_told_by_row_and_column(tmp_path: Path) -> None:
    cell = read(tmp_path, "birds.md", "The grey heron weighs 3.4 kg.")
    assert cell is not None
    assert explain_cell(cell) == (
        "The claim says 3.4 kg, the table says 1.4 in the row “Grey heron” under “Weight (kg)”."
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Weight (kg)", ("Weight", "kg")),
        ("Revenue, €m", ("Revenue", "€m")),
        ("Turnover ($ million)", ("Turnover", "$ million")),
        ("Visitors (thousands)", ("Visitors", "thousands")),
        ("Share %", ("Share", "%")),
        ("Hours (summer)", ("Hours (summer)", None)),
        ("First seen", ("First seen", None)),
    ],
)
def test_the_unit_in_a_columns_name(name: str, expected: tuple[str, str | None]) -> None:
    assert without_unit(name) == expected


@pytest.mark.parametrize(
    ("claimed", "cell", "unit", "expected"),
    [
        ("€448 million", "448.0", "€m", True),
        ("12,000", "12", "thousands", True),
        ("3400 g", "3.4", "kg", True),
        ("195 kg", "195", "cm", None),
        ("2019", "3 March 2019", None, True),
        ("3 March 2019", "2019", None, None),
        ("4 March 2019", "3 March 2019", None, False),
        ("412", "412000", None, None),  # perhaps in thousands
    ],
)
def test_a_figure_beside_a_cells(
    claimed: str, cell: str, unit: str | None, expected: bool | None
) -> None:
    stated = figure_of(cell, unit)
    assert stated is not None
    assert agrees(measures(claimed)[0], stated) is expected


@pytest.mark.parametrize("cell", ["Child under 16", "10–17", "c. 1890", "free", "340 (2022)"])
def test_a_cell_that_is_more_or_less_than_one_figure(cell: str) -> None:
    assert figure_of(cell, None) is None


def test_a_table_without_a_corner_and_rows_of_another_width() -> None:
    raw = "Text.\n\n2021 | 2022\n\nSales | 1 | 2\n\nStaff | 3 | 4\n\nin all | 9\n\nMore."
    table = table_around(raw, raw.index("Sales"), "html/1")
    assert table is not None
    assert table.names == ("", "2021", "2022")
    assert [row.cells for row in table.rows] == [("Sales", "1", "2"), ("Staff", "3", "4")]
    assert table_around(raw, 0, "html/1") is None


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> list[Verdict]:
    home = tmp_path_factory.mktemp("tables")
    for name, text in FILES.items():
        (home / "library" / name).parent.mkdir(exist_ok=True)
        (home / "library" / name).write_text(text, encoding="utf-8")
    said = [
        "The white stork weighs 3.4 kg.",
        "The white stork weighs 195 kg.",
        "Westhill Library closes at 17:30 on Wednesdays.",
        "9 patients on Norvex reported dizziness.",
    ]
    paths = Paths(home / "data", home / "cache", home / "config.toml")
    with Workbench(CheckSettings(), paths) as bench:
        last = list(bench.check("\n\n".join(said), against=(home / "library",)))[-1]
    assert isinstance(last, Finished)
    return list(last.report.verdicts)


def test_verdicts_rest_on_cells(verdicts: list[Verdict]) -> None:
    true, false, *_ = verdicts
    assert (true.label, false.label) == ("supported", "contradicted")
    for verdict in (true, false):
        assert [c.quote for c in verdict.citations] == [
            "White stork | 3.4 | 195 | 1,204 | yes | 27 March 2020"
        ]


def test_a_figure_of_another_column_agrees_with_nothing(verdicts: list[Verdict]) -> None:
    false = verdicts[1]
    numbers = [part for part in false.words if part.kind == "number"]
    assert "195" in false.citations[0].quote
    assert not numbers


def test_no_verdict_rests_on_a_row_or_column_that_the_claim_does_not_name(
    verdicts: list[Verdict],
) -> None:
    assert [verdict.label for verdict in verdicts[2:]] == ["uncertain", "uncertain"]


TRIPS = "# Boat trips\n\n| Passenger | Price |\n|---|---|\n| Adult | £7 |\n| Child | £3 |\n"
SERVERS = "# Server models\n\n| Model | Weight |\n|---|---|\n| Atlas | 18 kg |\n| Bora | 22 kg |\n"


@pytest.mark.parametrize(
    ("content", "said", "named"),
    [
        (TRIPS, "Adult membership costs £7.", False),
        (TRIPS, "Membership for adults costs £7.", False),
        (TRIPS, "Adult trips cost £7.", True),
        (TRIPS, "Adult passengers pay £7.", True),
        (TRIPS, "The adult fare is £7.", True),  # a fare is a price
        (TRIPS, "Adult visitors pay £7.", True),
        (TRIPS, "Trips for adults cost £7.", True),
        (SERVERS, "The Atlas phone weighs 18 kg.", False),
        (SERVERS, "The Atlas server weighs 18 kg.", True),
        (SERVERS, "The weight of the Atlas is 18 kg.", True),
        (SERVERS, "The luggage of the Atlas weighs 18 kg.", False),
    ],
)
def test_what_is_put_beside_a_rows_name_has_to_be_told_around_it(
    tmp_path: Path, content: str, said: str, named: bool
) -> None:
    candidates, raw = candidates_of(tmp_path / "table.md", content)
    rows = [c for c in candidates if c.sentence.text.startswith(("| Adult", "Adult", "Atlas"))]
    assert [names_row(claim(said), row, lambda _: raw, agreeing=True) for row in rows] == [named]
