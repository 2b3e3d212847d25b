"""``veracite conflicts``: what documents say against each other, and what only seems so."""

import json
from itertools import chain
from pathlib import Path

import pytest
from command_line import Commands, Interrupt
from mill import write_documents

from veracite.engine.events import Compared
from veracite.index.progress import Encoded

GUIDE = """\
A guide to the coast.

The keeper's house at Skerry Point has six rooms. The lighthouse of Skerry Point was built in 1878.
The ferry to Holm sails three times a day in summer. The light is seen for 19 nautical miles.
"""
HISTORY = """\
# The lighthouse of Skerry Point

The lighthouse of Skerry Point was built in 1871 by the engineer David Marr. Its tower is 34 metres
high. The keeper's house at Skerry Point has four rooms. The light is seen for 19 nautical miles.
"""
FERRY = """\
# The Holm ferry

In summer the ferry to Holm sails five times a day. In 2018 the Holm ferry carried 41,000 people.
"""
LATER = """\
# The Holm ferry

In 2019 the Holm ferry carried 47,000 people. The Holm ferry carries cars.

© 2024 The lighthouse of Skerry Point.
"""


PAIRS = [
    ["built in 1871", "built in 1878"],
    ["has four rooms", "has six rooms"],
    ["sails five times", "sails three times"],
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With these pairs of sentences that contradict each other, and others that only seem to."""
    texts = {"guide.md": GUIDE, "history.md": HISTORY, "ferry.md": FERRY, "later.md": LATER}
    return write_documents(tmp_path / "planted", texts)


def test_planted_pairs_are_found_and_other_years_are_not(veracite: Commands, folder: Path) -> None:
    ran = veracite("conflicts", "--against", folder, "--json")
    assert ran.code == 1
    found = json.loads(ran.out)
    assert found["schema"] == "veracite.conflicts/1"
    told = [f"{one['first']['quote']} {one['second']['quote']}" for one in found["conflicts"]]
    pairs = [[words for words in chain(*PAIRS) if words in both] for both in told]
    assert sorted(pairs) == PAIRS
    for one in found["conflicts"]:
        for side in (one["first"], one["second"]):
            text = Path(side["file"]).read_text("utf-8")
            assert text[side["start"] : side["end"]] == side["quote"]
    first = veracite("conflicts", "--against", folder, "-n", "1")
    assert first.code == 1
    assert "1 of 3" in first.out
    assert "characters " in first.out


def test_like_reports_of_different_things_contradict_nothing(
    veracite: Commands, tmp_path: Path
) -> None:
    places = ["Belen", "Wausau", "Latrobe", "Arteaga", "Boquete", "Tampa", "Houston", "Venice"]
    reports = {}
    for number, place in enumerate(places):
        denied, cause = ("not ", "wind") if number % 2 else ("", "pilot")
        reports[f"{place}.md"] = (
            f"Accident at {place}.\n\nThe pilot landed near {place} at noon. The pilot was {denied}"
            f"injured. The airplane came to rest {number + 2} metres from the runway. The board "
            f"determines that the cause of the accident was the {cause}.\n"
        )
    told = veracite("conflicts", "--against", write_documents(tmp_path / "planted", reports))
    assert (told.code, told.out) == (0, "No two sentences were found that contradict each other.\n")


DAYS = {
    "regatta.md": "The regatta of Skerry Point was rowed on 18 June 1976 by nine boats.\n",
    "again.md": "The regatta of Skerry Point was rowed on 28 June 1976.\n",
    "dance.md": "The spring dance at Ledmoor hall was held on 3 May 1981.\n",
    "later.md": "The spring dance at Ledmoor hall was held on 4 May 1982.\n",
}
SUBJECTS = {
    "belen.md": "# Belen, Merrow\n\nThe population density was 1,819 people per square mile.\n",
    "arteaga.md": "# Arteaga, Merrow\n\nThe population density was 702 people per square mile.\n",
    "letter.md": "The population density of Arteaga was 811 people per square mile.\n",
}


@pytest.mark.parametrize(
    ("texts", "pair"), [(DAYS, {"regatta.md", "again.md"}), (SUBJECTS, {"arteaga.md", "letter.md"})]
)
def test_neither_days_of_other_years_nor_other_subjects_contradict(
    veracite: Commands, tmp_path: Path, texts: dict[str, str], pair: set[str]
) -> None:
    planted = write_documents(tmp_path / "planted", texts)
    told = json.loads(veracite("conflicts", "-a", planted, "--json").out)
    (found,) = ({Path(one[s]["file"]).name for s in ("first", "second")}
                for one in told["conflicts"])  # fmt: skip
    assert found == pair


@pytest.mark.parametrize("kind", [Encoded, Compared])
def test_it_can_be_interrupted(
    veracite: Commands, folder: Path, interrupt: Interrupt, kind: type[object]
) -> None:
    seen: list[type[object]] = []

    def first(event: object) -> bool:
        seen.append(type(event))
        return isinstance(event, kind) and seen.count(kind) == 1

    interrupt(first)
    ran = veracite("conflicts", "--against", folder)
    assert (ran.code, ran.out) == (130, "")
    assert ran.err.startswith("Interrupted.")
    assert seen.count(kind) == 1


def test_what_cannot_be_read_is_counted(veracite: Commands, folder: Path) -> None:
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    assert "1 document could not be read" in veracite("conflicts", "--against", folder).out
    assert json.loads(veracite("conflicts", "-a", folder, "--json").out)["failed"] == 1
