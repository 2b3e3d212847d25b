"""``veracite eval calibrate``, and ``veracite check`` with what it wrote."""

import hashlib
import json
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from command_line import Commands
from labelled import STATEMENTS, write_rows

from veracite.engine.evaluation.items import Result

TOWNS = """Arden Belford Corwen Dalby Elstow Farnley Garth Hexley Ilford Jarrow Kelby Larne Marden
Norby Oxley Pelham Quorn Ripley Selby Tarrant Upton Varden Welby Yarrow""".split()


def rows() -> list[Mapping[str, object]]:
    """Two texts for each town, one of whose years is wrong."""
    made: list[Mapping[str, object]] = []
    for place, town in enumerate(TOWNS):
        built = 1801 + 7 * place
        for label, year in (("supported", built), ("not supported", built + 1)):
            made.append(
                {
                    "text": f"The town hall of {town} was built in {year}.",
                    "label": label,
                    "group": town,
                    "evidence": f"The town hall of {town} was built in {built} by local masons.",
                }
            )
    return made


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def veracite(home: Path) -> Commands:
    return Commands(home)


@pytest.fixture(scope="module")
def data(home: Path) -> Path:
    return write_rows(home / "towns.jsonl", rows())


@pytest.fixture(scope="module")
def calibration(home: Path, data: Path) -> Path:
    """What the command writes for these rows."""
    path = home / "towns.json"
    ran = Commands(home)("eval", "calibrate", "-d", data, "-o", path, "-q")
    assert (ran.code, ran.err) == (0, "")
    return path


def check(veracite: Commands, tmp_path: Path, *options: object) -> dict[str, Any]:
    folder = tmp_path / "documents"
    folder.mkdir(exist_ok=True)
    (folder / "mill.txt").write_text("The mill at Sutton was built in 1850 by local masons.\n")
    text = b"The mill at Sutton was built in 1850. The mill at Sutton was built in 1851."
    ran = veracite("check", "-", "-a", folder, "--json", *options, stdin=text)
    assert ran.code in (0, 1), ran.err
    made: dict[str, Any] = json.loads(ran.out)
    return made


def test_rows_that_were_not_fitted_on_are_reported_and_those_left_out(
    veracite: Commands, tmp_path: Path
) -> None:
    data = write_rows(tmp_path / "towns.jsonl", rows())
    with data.open("a") as more:
        more.write("broken\n")
    ran = veracite("eval", "calibrate", data, "-q")
    assert ran.code == 0, ran.err
    assert ran.out.startswith("Fitted on 24 rows, measured on 24 others:\n")
    assert "\nFitted on all 48 rows: supported from " in ran.out
    assert "\nNote: 1 left out, no JSON object (towns.jsonl line 49).\n" in ran.out
    assert ran.out.endswith("Nothing was written; --output FILE.json keeps it.\n")


def test_the_file_says_what_it_is_and_the_same_rows_give_the_same(
    veracite: Commands, data: Path, calibration: Path
) -> None:
    held = json.loads(calibration.read_text())
    assert held["schema"] == "veracite.calibration/1"
    assert (held["rows"], held["held_out"]["rows"]) == (48, 24)
    assert held["supported_from"] == 0.6
    assert [file["name"] for file in held["record"]["data"]] == ["towns.jsonl"]
    assert str(calibration.parent) not in calibration.read_text()
    assert stat.S_IMODE(calibration.stat().st_mode) == 0o600
    printed = json.loads(veracite("eval", "calibrate", "-d", data, "--json", "-q").out)
    for part in ("calibration", "held_out"):
        assert printed[part] == held[part]


def test_a_check_obeys_the_calibration_and_names_it(
    veracite: Commands, tmp_path: Path, calibration: Path
) -> None:
    held = json.loads(calibration.read_text())

    def bent(slope: float, intercept: float, least: float) -> dict[str, Any]:
        curve = {"calibration": {"slope": slope, "intercept": intercept}, "supported_from": least}
        path = tmp_path / "bent.json"
        path.write_text(json.dumps({**held, **curve}))
        return check(veracite, tmp_path, "--calibration", path)

    plain, flat, strict = check(veracite, tmp_path), bent(0.0, 1.0, 0.6), bent(1.0, 0.0, 1.0)
    assert plain["settings"]["calibration"] is None
    assert plain["claims"][0]["label"] == "supported"
    assert plain["claims"][0]["probability"] > 0.8
    for claim in flat["claims"]:
        assert claim["scores"]["supported"] == pytest.approx(0.7311, abs=1e-4)
        assert claim["probability"] == pytest.approx(0.7311, abs=1e-4)
        assert sum(claim["scores"].values()) == pytest.approx(1, abs=2e-4)
    assert len(flat["settings"]["calibration"]) == 12
    assert flat["settings"]["calibration"] in flat["claims"][0]["judge"]
    assert strict["claims"][0]["label"] == "uncertain", "supported only from where the file says"
    assert strict["claims"][0]["scores"] == plain["claims"][0]["scores"]
    assert strict["claims"][1] == {**plain["claims"][1], "judge": strict["claims"][1]["judge"]}
    again = check(veracite, tmp_path)
    assert again["claims"] == plain["claims"], "what is remembered knows its calibration"


def test_a_share_of_wrong_ones_that_no_threshold_keeps_is_said(
    veracite: Commands, tmp_path: Path
) -> None:
    hopeless = [{**row, "evidence": row["text"], "group": str(n)} for n, row in enumerate(rows())]
    data = write_rows(tmp_path / "hopeless.jsonl", hopeless)
    output = tmp_path / "hopeless.json"
    command = ("eval", "calibrate", "-d", data, "--most-wrong", "0.01", "--limit", "46")
    ran = veracite(*command, "-o", output)
    assert ran.code == 1, ran.err
    assert "Better not use it: It tells true from false no better than chance does" in ran.out
    assert ran.out.endswith("Label more rows; --anyway writes it all the same.\n")
    assert not output.exists()
    forced = veracite(*command, "-o", output, "--anyway", "-q")
    assert forced.code == 0
    assert "Better not use it" in forced.out
    assert json.loads(output.read_text())["supported_from"] == 1.0
    assert "No threshold keeps so few wrong: nothing would be called supported." in ran.out


def test_a_calibration_of_other_models_is_refused(
    veracite: Commands, tmp_path: Path, calibration: Path
) -> None:
    path = tmp_path / "other.json"
    path.write_text(json.dumps({**json.loads(calibration.read_text()), "models": ["another"]}))
    (tmp_path / "a.txt").write_text("The mill was built in 1850.")
    command = ("check", "-", "-a", tmp_path / "a.txt", "--calibration", path)
    ran = veracite(*command, stdin=b"The mill was built.")
    assert (ran.code, ran.out) == (3, "")
    assert "was fitted for other models than these." in ran.err


def test_too_few_rows_are_refused(veracite: Commands, tmp_path: Path) -> None:
    data = write_rows(tmp_path / "few.jsonl", STATEMENTS)
    ran = veracite("eval", "calibrate", "-d", data, "-q")
    assert (ran.code, ran.out) == (3, "")
    assert "A calibration needs 10 true and 10 false rows" in ran.err
    one_text = [{**row, "group": "same"} for row in STATEMENTS]
    ran = veracite("eval", "calibrate", "-d", write_rows(tmp_path / "one.jsonl", one_text), "-q")
    assert ran.code == 3
    assert "All rows belong to one text" in ran.err


def test_an_impossible_output_is_refused_before_the_work(
    veracite: Commands, data: Path, tmp_path: Path
) -> None:
    ran = veracite("eval", "calibrate", "-d", data, "-o", tmp_path / "no" / "c.json")
    assert ran.code == 2
    assert "does not exist. Create it first." in " ".join(ran.err.split())
    assert veracite("eval", "calibrate").code == 2


def measured(veracite: Commands, *options: object) -> Result:
    ran = veracite("eval", "detect", *options, "--json")
    assert ran.code == 0, ran.err
    return msgspec.convert(json.loads(ran.out), Result)


def figure(result: Result, method: str, name: str) -> float:
    (row,) = (row for row in result.methods if row.method == method)
    found = row.figure(name)
    assert found is not None
    assert found.value is not None
    return found.value


def test_what_a_calibration_does_is_measured(
    veracite: Commands, data: Path, calibration: Path, tmp_path: Path
) -> None:
    fitted = json.loads(calibration.read_text())
    levelling = {"slope": 0.0, "intercept": 0.0}
    other = tmp_path / "level.json"
    other.write_text(json.dumps({**fitted, "calibration": levelling}))
    plain = measured(veracite, "-d", data)
    level = measured(veracite, "-d", data, "--calibration", other)
    assert figure(plain, "veracite", "AUC-ROC") > 0.5
    assert figure(level, "veracite", "AUC-ROC") == 0.5
    assert figure(level, "veracite as shipped", "uncertain") == 1
    assert figure(level, "verifier", "AUC-ROC") == figure(plain, "verifier", "AUC-ROC")
    digest = hashlib.sha256(other.read_bytes()).hexdigest()[:12]
    told = f"“As shipped” obeys the calibration {digest}."
    assert told in level.notes
    assert told not in plain.notes
    settings = (plain.record["settings"], level.record["settings"])
    assert [s["calibration"] for s in settings] == [None, digest]
