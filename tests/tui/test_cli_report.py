"""``veracite report``: whether quotes still stand, and what differs between two reports."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Commands
from mill import write_documents
from reports import valid

from veracite.engine.report.seal import check, read_key

FACTS = "The mill was built in 1840.\n\nIts wheel was replaced in 1902.\n"
DRAFT = "The mill was built in 1840. The wheel of the mill was replaced in 1902.\n"


@pytest.fixture
def report(veracite: Commands, tmp_path: Path) -> Path:
    """Of a check whose quotes all stand."""
    write_documents(tmp_path, {"docs/mill.txt": FACTS, "draft.txt": DRAFT})
    return _checked(veracite, tmp_path, "before.json")


def _checked(veracite: Commands, folder: Path, name: str) -> Path:
    texts = (folder / "draft.txt", "--against", folder / "docs", "--json", "-o", folder / name)
    assert veracite("check", *texts).code in (0, 1)
    return folder / name


def test_a_quote_stands_has_moved_or_is_gone(veracite: Commands, report: Path) -> None:
    def verified() -> dict[str, Any]:
        ran = veracite("report", "verify", report, "--json")
        found: dict[str, Any] = json.loads(ran.out)
        assert (ran.code == 0) is found["holds"]
        return found

    def told() -> str:
        return " ".join(veracite("report", "verify", report).out.split())  # whatever the lines

    mill, draft = report.parent / "docs" / "mill.txt", report.parent / "draft.txt"
    claims = json.loads(report.read_text())["claims"]
    number = sum(len(claim["citations"]) for claim in claims)
    assert verified()["counts"] == {"stands": number, "moved": 0, "gone": 0, "unread": 0}
    assert (verified()["holds"], verified()["changed"]) == (True, [])
    assert f"{number} quotes: {number} standing." in told()
    mill.write_text(f"A heading\n\n{FACTS}")
    assert verified()["counts"] == {"stands": 0, "moved": number, "gone": 0, "unread": 0}
    assert verified()["changed"] == [str(mill)]
    mill.write_text(FACTS.replace("1840", "1841"))
    assert "for claim 1: It does not say this any more." in told()
    assert "The mill was built in 1840." in told()
    mill.unlink()
    assert "not to be looked for" in told()
    assert "The document is gone." in told()
    mill.write_text(FACTS)
    draft.write_text(DRAFT + "More.\n")
    assert (verified()["holds"], verified()["changed"]) == (False, [str(draft)])


def test_two_reports_differ_in_the_verdict_whose_document_changed(
    veracite: Commands, report: Path
) -> None:
    same = veracite("report", "diff", report, report)
    assert same.code == 0
    assert "with the same verdict, 0 with another" in same.out
    (report.parent / "docs" / "mill.txt").write_text(FACTS.replace("1840", "1911"))
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
    (report.parent / "draft.txt").write_text(DRAFT.replace("1902", "1903"))
    changed = _checked(veracite, report.parent, "changed.json")
    found = json.loads(veracite("report", "diff", report, changed, "--json").out)
    ((before, after),) = ((one["before"]["text"], one["after"]["text"]) for one in found["changes"])
    assert ("1902" in before, "1903" in after, found["same"]) == (True, True, 1)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[]", b'{"schema": "veracite.report/1"}'])
def test_what_is_no_report_is_refused(veracite: Commands, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.json").write_bytes(content)
    veracite("report", "verify", tmp_path / "a.json").fails(3, "is no report of Veracite")


def test_a_report_is_shown_as_the_check_would_have_written_it(
    veracite: Commands, report: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(report.parent)
    check = ("check", report.parent / "draft.txt", "-a", "docs", "--format")
    checked = {k: veracite(*check, k).out for k in "text json md html sarif junit".split()}
    (report.parent / "docs" / "mill.txt").unlink()
    for kind, out in checked.items():
        shown = veracite("report", "show", report, "--format", kind)
        assert (shown.code, shown.out) == (0, out)
        assert "1902" in shown.out


def test_an_answer_is_shown_but_not_as_a_report_on_a_text(veracite: Commands, report: Path) -> None:
    made, docs = report.parent / "answer.json", report.parent / "docs"
    asked = veracite("ask", "When was the mill built?", "-a", docs, "-o", made)
    assert asked.code in (0, 1), asked.err
    again = veracite("report", "show", made, "--json")
    assert (again.code, again.out) == (0, made.read_text())
    assert "1840" in veracite("report", "show", made, "-o", made.with_suffix(".md")).err + (
        made.with_suffix(".md").read_text()
    )
    veracite("report", "show", made, "--format", "sarif").fails(2, "not told as sarif")


def test_a_report_that_lacks_its_text_is_not_shown(veracite: Commands, report: Path) -> None:
    told = json.loads(report.read_text())
    del told["text"]["source"]
    report.write_text(json.dumps(told))
    veracite("report", "show", report).fails(3, "does not hold all that is shown")
    assert veracite("report", "verify", report).code == 0


@pytest.fixture
def keys(veracite: Commands, tmp_path: Path) -> list[Path]:
    """Two keys."""
    made = [tmp_path / name for name in ("ours.key", "theirs.key")]
    for key in made:
        assert veracite("report", "key", key).code == 0
    return made


def test_a_seal_says_whether_a_single_byte_has_changed(
    veracite: Commands, report: Path, keys: list[Path]
) -> None:
    ours, theirs = keys
    sealed = report.parent / "sealed.json"
    texts = (report.parent / "draft.txt", "--against", report.parent / "docs")
    veracite("check", *texts, "-o", sealed, "--seal", ours)
    right = sealed.read_bytes()
    told = valid(right.decode())
    assert {name: told[name] for name in told if name != "seal"} == json.loads(report.read_text())

    def state(content: bytes, key: Path = ours) -> tuple[int, str]:
        sealed.write_bytes(content)
        ran = veracite("report", "verify", sealed, "--key", key, "--json")
        return ran.code, json.loads(ran.out)["seal"]

    assert state(right) == (0, "intact")
    said = veracite("report", "verify", sealed, "--key", ours).out
    assert "is as it was when it was sealed." in said
    assert state(right, theirs) == (1, "another key")
    assert state(report.read_bytes()) == (1, "missing")
    for place in (*range(0, len(right), 17), len(right) - 1):
        wrong = right[:place] + bytes([right[place] ^ 1]) + right[place + 1 :]
        assert check(wrong, read_key(ours)) != "intact", place
    assert state(right + b"\n") == (1, "changed")
    # Said twice: most programs take the last, and the seal is of that.
    twice = right.replace(b'"schema"', b'"schema": "x", "schema"', 1)
    assert state(twice) == (1, "changed")
    said = veracite("report", "verify", sealed, "--key", ours).out
    assert "is not as it was when it was sealed" in " ".join(said.split())


def test_a_key_is_for_its_owner_alone(veracite: Commands, report: Path, keys: list[Path]) -> None:
    ours, theirs = keys
    assert {key.stat().st_mode & 0o777 for key in keys} == {0o600}
    assert ours.read_text() != theirs.read_text()
    veracite("report", "key", ours).fails(2, "There is a file")
    command = ("check", report.parent / "draft.txt", "-a", report.parent / "docs")
    veracite(*command, "--seal", ours).fails(2, "Only reports in JSON have a seal.")
    veracite(*command, "--json", "--seal", report.parent / "none").fails(2, "There is no key")
    veracite(*command, "--json", "--seal", report.parent / "draft.txt").fails(3, "Others can read")
    ours.chmod(0o640)
    veracite(*command, "--json", "--seal", ours).fails(3, "Others can read")
    ours.chmod(0o600)
    ours.write_text("hello")
    veracite(*command, "--json", "--seal", ours).fails(3, "holds no key")
