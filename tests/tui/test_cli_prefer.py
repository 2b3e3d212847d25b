"""Documents that disagree: all sides with their days, and which of them decides."""

import os
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from command_line import Commands
from reports import valid

CLAIM = "The lighthouse of Skerry Point was erected in 1878."
ASKED = "When was the lighthouse of Skerry Point built?"
TEXTS = {
    "old.md": ("1999-01-01", "# The coast\n\nThe lighthouse of Skerry Point was built in 1878.\n"),
    "new.md": (
        "2024-05-01",
        "# The lighthouse\n\nThe lighthouse of Skerry Point was built in 1871 by David Marr.\n",
    ),
}
NEWEST = "Decided by --prefer newest: new.md of 2024-05-01 before old.md of 1999-01-01."


def _put(folder: Path, name: str, day: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, "utf-8")
    os.utime(folder / name, (datetime.fromisoformat(f"{day} 12:00").timestamp(),) * 2)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, (day, text) in TEXTS.items():
        _put(tmp_path / "papers", name, day, text)
    return tmp_path / "papers"


def _checked(veracite: Commands, folder: Path, *more: str) -> dict[str, Any]:
    command = ("check", "-", "--json", "-a", folder, *more)
    report = valid(veracite(*command, stdin=CLAIM.encode()).out)
    (claim,) = report["claims"]
    return {**claim, "settings": report["settings"], "notes": report["notes"]}


def test_all_sides_are_shown_with_their_days_and_the_rule_that_decides_is_named(
    veracite: Commands, folder: Path
) -> None:
    both = [("supports", "old.md", "1999-01-01"), ("contradicts", "new.md", "2024-05-01")]
    for rule, label, told in (
        (None, "uncertain", ""),
        ("newest", "contradicted", NEWEST),
        ("old.*", "supported", "Decided by --prefer old.*: old.md before new.md."),
        ("papers/n*", "contradicted", "Decided by --prefer papers/n*: new.md before old.md."),
        ("*.md", "uncertain", ""),
        ("nothing.*", "uncertain", ""),
    ):
        claim = _checked(veracite, folder, *(("--prefer", rule) if rule else ()))
        assert (claim["label"], claim["settings"].get("prefer")) == (label, rule)
        assert claim["explanation"].endswith(told or "contradicts it.")
        assert bool(claim["notes"]) == (rule == "nothing.*")
        quotes = claim["citations"]
        sides = [(one["relation"], Path(one["file"]).name, one["changed"]) for one in quotes]
        assert sides == (both[::-1] if label == "contradicted" else both)


def test_what_is_remembered_follows_rule_and_day(veracite: Commands, folder: Path) -> None:
    newest = ("--prefer", "newest")
    labels = [_checked(veracite, folder, *rule)["label"] for rule in ((), newest, (), newest)]
    assert labels == ["uncertain", "contradicted", "uncertain", "contradicted"]
    _put(folder, "old.md", "2025-02-03", TEXTS["old.md"][1])
    claim = _checked(veracite, folder, *newest)
    assert claim["label"] == "supported"
    assert "old.md of 2025-02-03 before new.md of 2024-05-01" in claim["explanation"]
    _put(folder, "old.md", "2024-05-01", TEXTS["old.md"][1])
    assert _checked(veracite, folder, *newest)["label"] == "uncertain"
    _put(folder, "reprint.md", "2026-01-01", TEXTS["old.md"][1])
    claim = _checked(veracite, folder, *newest)
    assert claim["label"] == "supported"
    assert "reprint.md of 2026-01-01 before new.md of 2024-05-01" in claim["explanation"]


def test_one_side_alone_is_no_matter_of_preference(veracite: Commands, folder: Path) -> None:
    (folder / "new.md").unlink()
    with_rule = _checked(veracite, folder, "--prefer", "new*")
    alone = _checked(veracite, folder)
    assert with_rule["label"] == alone["label"] == "supported"
    assert with_rule["explanation"] == alone["explanation"]
    assert "changed" not in alone["citations"][0]


def test_every_report_names_rule_and_days(veracite: Commands, folder: Path) -> None:
    check = ("check", "-", "-a", folder, "--prefer=newest", "--format")
    for kind in ("text", "md", "html", "sarif"):
        told = veracite(*check, kind, stdin=CLAIM.encode()).out.replace("\\", "").split()
        for words in (NEWEST, "changed on 2024-05-01", "changed on 1999-01-01"):
            assert words in " ".join(told), kind


def test_an_answer_shows_both_sides_and_what_decides(veracite: Commands, folder: Path) -> None:
    def sides(*more: str) -> dict[str, tuple[str, set[str]]]:
        report = valid(veracite("ask", ASKED, "--json", "-a", folder, *more).out)
        return {
            re.findall(r"\d{4}", one["text"])[0]: (
                one["label"],
                {f"{quote['relation']} {quote['changed']}" for quote in one["citations"]},
            )
            for one in report["claims"]
        }

    by = {"1878": {"supports 1999-01-01", "contradicts 2024-05-01"},
          "1871": {"supports 2024-05-01", "contradicts 1999-01-01"}}  # fmt: skip
    assert sides() == {year: ("uncertain", days) for year, days in by.items()}
    told = sides("--prefer", "newest")
    assert told["1878"] == ("contradicted", by["1878"])
    assert told["1871"] == ("supported", by["1871"])
