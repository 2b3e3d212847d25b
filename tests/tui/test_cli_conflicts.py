"""``veracite conflicts``: what documents say against each other, and what only seems so."""

import json
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


def test_planted_pairs_are_found_and_other_years_are_not(
    veracite: Commands, tmp_path: Path
) -> None:
    folder = _folder(tmp_path, guide=GUIDE, history=HISTORY, ferry=FERRY, later=LATER)
    ran = veracite("conflicts", "--against", folder, "--json")
    assert ran.code == 1
    found = json.loads(ran.out)
    assert found["schema"] == "veracite.conflicts/1"
    pairs = {frozenset(_words(one[side]) for side in ("first", "second"))
             for one in found["conflicts"]}  # fmt: skip
    assert pairs == {
        frozenset({"has six rooms", "has four rooms"}),
        frozenset({"built in 1878", "built in 1871"}),
        frozenset({"sails three times", "sails five times"}),
    }
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
        reports[place.lower()] = (
            f"Accident at {place}.\n\nThe pilot landed near {place} at noon. The pilot was {denied}"
            f"injured. The airplane came to rest {number + 2} metres from the runway. The board "
            f"determines that the cause of the accident was the {cause}.\n"
        )
    told = veracite("conflicts", "--against", _folder(tmp_path, **reports))
    assert (told.code, told.out) == (0, "No two sentences were found that contradict each other.\n")


DAYS = {
    "regatta": "The regatta of Skerry Point was rowed on 18 June 1976 by nine boats.\n",
    "again": "The regatta of Skerry Point was rowed on 28 June 1976.\n",
    "dance": "The spring dance at Ledmoor hall was held on 3 May 1981.\n",
    "later": "The spring dance at Ledmoor hall was held on 4 May 1982.\n",
}
SUBJECTS = {
    "belen": "# Belen, Merrow\n\nThe population density was 1,819 people per square mile.\n",
    "arteaga": "# Arteaga, Merrow\n\nThe population density was 702 people per square mile.\n",
    "letter": "The population density of Arteaga was 811 people per square mile.\n",
}


@pytest.mark.parametrize(
    ("texts", "pair"), [(DAYS, {"regatta", "again"}), (SUBJECTS, {"arteaga", "letter"})]
)
def test_neither_days_of_other_years_nor_other_subjects_contradict(
    veracite: Commands, tmp_path: Path, texts: dict[str, str], pair: set[str]
) -> None:
    told = json.loads(veracite("conflicts", "-a", _folder(tmp_path, **texts), "--json").out)
    (found,) = ({Path(one[s]["file"]).stem for s in ("first", "second")}
                for one in told["conflicts"])  # fmt: skip
    assert found == pair


@pytest.mark.parametrize("kind", [Encoded, Compared])
def test_it_can_be_interrupted(
    veracite: Commands, tmp_path: Path, interrupt: Interrupt, kind: type[object]
) -> None:
    seen: list[type[object]] = []

    def first(event: object) -> bool:
        seen.append(type(event))
        return isinstance(event, kind) and seen.count(kind) == 1

    interrupt(first)
    folder = _folder(tmp_path, guide=GUIDE, history=HISTORY, ferry=FERRY, later=LATER)
    ran = veracite("conflicts", "--against", folder)
    assert (ran.code, ran.out) == (130, "")
    assert ran.err.startswith("Interrupted.")
    assert seen.count(kind) == 1


def _folder(tmp_path: Path, **texts: str) -> Path:
    planted = {f"{name}.md": text for name, text in texts.items()}
    return write_documents(tmp_path / "planted", planted)


def _words(side: dict[str, str]) -> str:
    parts = ("has six rooms", "has four rooms", "built in 1878", "built in 1871",
             "sails three times", "sails five times")  # fmt: skip
    return next((part for part in parts if part in side["quote"]), side["quote"])


def test_what_cannot_be_read_is_counted(veracite: Commands, tmp_path: Path) -> None:
    folder = _folder(tmp_path, guide=GUIDE)
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    assert "1 document could not be read" in veracite("conflicts", "--against", folder).out
    assert json.loads(veracite("conflicts", "-a", folder, "--json").out)["failed"] == 1
