"""``veracite report``: whether quotes still stand, and what differs between two reports."""

import json
from pathlib import Path

import pytest
from command_line import Commands

FACTS = "The mill was built in 1840.\n\nIts wheel was replaced in 1902.\n"
DRAFT = "The mill was built in 1840. The wheel of the mill was replaced in 1902.\n"


@pytest.fixture
def report(veracite: Commands, tmp_path: Path) -> Path:
    """Of a check whose quotes all stand."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "mill.txt").write_text(FACTS)
    (tmp_path / "draft.txt").write_text(DRAFT)
    return _checked(veracite, tmp_path, "before.json")


def _checked(veracite: Commands, folder: Path, name: str) -> Path:
    texts = (folder / "draft.txt", "--against", folder / "docs", "--json", "-o", folder / name)
    assert veracite("check", *texts).code in (0, 1)
    return folder / name


def test_every_quote_stands_while_nothing_changes(veracite: Commands, report: Path) -> None:
    found = veracite.facts("report", "verify", report)
    quotes = [
        quote for claim in json.loads(report.read_text())["claims"] for quote in claim["citations"]
    ]
    assert found["counts"] == {"stands": len(quotes), "moved": 0, "gone": 0, "unread": 0}
    assert (found["holds"], found["changed"]) == (True, [])
    assert (
        f"{len(quotes)} quotes: {len(quotes)} standing." in veracite("report", "verify", report).out
    )


def test_a_quote_that_moved_stands_and_its_document_is_named(
    veracite: Commands, report: Path
) -> None:
    mill = report.parent / "docs" / "mill.txt"
    mill.write_text(f"A heading\n\n{FACTS}")
    ran = veracite("report", "verify", report, "--json")
    found = json.loads(ran.out)
    assert ran.code == 1
    assert (found["counts"]["stands"], found["counts"]["gone"]) == (0, 0)
    assert found["counts"]["moved"] > 0
    assert found["changed"] == [str(mill)]


def test_what_is_gone_is_quoted_with_the_claim_that_rests_on_it(
    veracite: Commands, report: Path
) -> None:
    mill = report.parent / "docs" / "mill.txt"
    mill.write_text(FACTS.replace("1840", "1841"))
    ran = veracite("report", "verify", report)
    assert ran.code == 1
    assert "for claim 1: It does not say this any more." in ran.out
    assert "The mill was built in 1840." in ran.out
    mill.unlink()
    ran = veracite("report", "verify", report)
    assert ran.code == 1
    assert "not to be looked for" in ran.out
    assert "The document is gone." in ran.out


def test_another_text_than_the_one_that_was_checked_is_told(
    veracite: Commands, report: Path
) -> None:
    draft = report.parent / "draft.txt"
    draft.write_text(DRAFT + "More.\n")
    found = json.loads(veracite("report", "verify", report, "--json").out)
    assert (found["holds"], found["changed"]) == (False, [str(draft)])


def test_two_reports_differ_in_the_verdict_whose_document_changed(
    veracite: Commands, report: Path
) -> None:
    same = veracite("report", "diff", report, report)
    assert same.code == 0
    assert "with the same verdict, 0 with another" in same.out
    (report.parent / "docs" / "mill.txt").write_text(FACTS.replace("1840", "1841"))
    after = _checked(veracite, report.parent, "after.json")
    ran = veracite("report", "diff", report, after, "--json")
    assert ran.code == 1
    (change,) = json.loads(ran.out)["changes"]
    assert (change["before"]["label"], change["after"]["label"]) == ("supported", "contradicted")
    assert "mill.txt has changed." in change["why"]
    shown = veracite("report", "diff", report, after).out
    assert "supported (" in shown
    assert "now contradicted (" in shown


def test_claims_that_only_one_report_has(veracite: Commands, report: Path) -> None:
    (report.parent / "draft.txt").write_text("The mill was built in 1840.\n")
    after = _checked(veracite, report.parent, "after.json")
    found = json.loads(veracite("report", "diff", report, after, "--json").out)
    (change,) = found["changes"]
    assert (change["before"]["statement"], change["after"]) == (
        "The wheel of the mill was replaced in 1902.",
        None,
    )
    assert "The texts differ." in found["around"]
    (change,) = json.loads(veracite("report", "diff", after, report, "--json").out)["changes"]
    assert change["before"] is None


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[]", b'{"schema": "veracite.report/1"}'])
def test_what_is_no_report_is_refused(veracite: Commands, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.json").write_bytes(content)
    refused = veracite("report", "verify", tmp_path / "a.json")
    assert (refused.code, refused.out) == (3, "")
    assert "is no report of Veracite" in refused.err
