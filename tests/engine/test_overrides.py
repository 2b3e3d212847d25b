"""What a person said about a verdict holds for the claim, the documents, and the next run."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from reports import citation, report, validator, verdict

from veracite.engine.errors import InputError
from veracite.engine.overrides import Overrides
from veracite.engine.report import html, markdown, phrases, sarif
from veracite.engine.report import json as as_json
from veracite.engine.types import Label

JUDGED = verdict("Stamps, she said.", Label.NOT_FOUND, citation("He kept bees.", "nearest"))
PAPERS = (Path("/papers"),)
NOTE = "I asked her <b>myself</b> \x1b[31m"


def test_it_holds_for_the_same_claim_and_documents_also_in_the_next_run(tmp_path: Path) -> None:
    path = tmp_path / "new" / "overrides.json"
    Overrides(path).say(JUDGED, PAPERS, Label.SUPPORTED, NOTE)
    assert path.stat().st_mode & 0o777 == 0o600
    found = Overrides(path).applied(JUDGED, PAPERS)
    assert (found.label, found.judged) == (Label.SUPPORTED, Label.NOT_FOUND)
    assert found.override
    assert found.override.note == NOTE
    moved = replace(JUDGED, claim=replace(JUDGED.claim, start=900, end=917))
    assert Overrides(path).applied(moved, PAPERS).override  # elsewhere in the text
    assert Overrides(path).applied(JUDGED, (Path("/others"),)).override is None
    assert Overrides(path).applied(JUDGED, None).override is None
    other = replace(JUDGED, claim=replace(JUDGED.claim, resolved="Stamps, Ada said."))
    assert Overrides(path).applied(other, PAPERS).override is None


def test_it_stands_beside_what_another_judge_says_of_the_claim() -> None:
    overrides = Overrides()
    overrides.say(JUDGED, PAPERS, Label.SUPPORTED, NOTE)
    anew = replace(JUDGED, label=Label.CONTRADICTED, judge="another judge")
    found = overrides.applied(anew, PAPERS)
    assert (found.label, found.judged, found.judge) == (
        Label.SUPPORTED, Label.CONTRADICTED, "another judge",
    )  # fmt: skip


@pytest.mark.parametrize("content", ["", "[]", '{"overrides": [{"label": "true"}]}', "\xff"])
def test_a_damaged_file_is_told_and_not_written_over(tmp_path: Path, content: str) -> None:
    path = tmp_path / "overrides.json"
    path.write_text(content, encoding="latin-1")
    with pytest.raises(InputError, match=r"overrides.json, cannot be read"):
        Overrides(path)
    assert path.read_text(encoding="latin-1") == content


def test_what_cannot_be_kept_is_told_and_holds_until_the_end(tmp_path: Path) -> None:
    overrides = Overrides(tmp_path / "folder")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="cannot be saved"):
        overrides.say(JUDGED, None, Label.SUPPORTED, NOTE)
    assert overrides.applied(JUDGED, None).override


def test_every_report_says_whose_verdict_it_is() -> None:
    overrides = Overrides()
    overrides.say(JUDGED, None, Label.SUPPORTED, NOTE)
    told = overrides.told(report(JUDGED), None)
    assert told.counts[Label.SUPPORTED] == 1
    for text in (markdown.render(told), html.render(told)):
        assert "1 claim: 1 supported (1 overridden by hand)." in text
        assert "Overridden by hand:" in text
        assert "The check said: not found, 93 %." in text
        assert "<b>myself" not in text
        assert "\x1b" not in text
    assert "Overridden by hand:" in sarif.render(told)
    assert phrases.aside(told.verdicts[0]) == "overridden by hand"
    made = json.loads(as_json.render(told))
    (claim,) = made["claims"]
    assert claim["label"] == "supported"
    assert claim["override"] == {"instead_of": "not_found", "note": NOTE}
    validator().validate(made)
    claim["citations"] = []  # a person may know it from elsewhere
    validator().validate(made)
    assert "override" not in json.loads(as_json.render(report()))["claims"][0]
