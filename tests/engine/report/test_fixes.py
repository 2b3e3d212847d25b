"""A mended text: what became of each claim, a diff that `patch` applies, and the reports."""

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reports import citation, report

from veracite.engine.report.fixes import changes, diff
from veracite.engine.texts import removal
from veracite.engine.types import Change, Claim, Fix, Label, Relation, Report, Verdict

MILL = "The mill burned in 1911."
STAMPS = "The mayor collects stamps."
BEES = "Bees sleep at noon."
SOURCE = f"# Mill\n\n{MILL} {STAMPS}\n\n- {BEES}\n- Hives hum.\n"
MENDED = "The mill burned in 1904."


def verdict(text: str, start: int, label: Label) -> Verdict:
    relation: Relation = "supports" if label is Label.SUPPORTED else "nearest"
    claim = Claim(text, start, start + len(text), text, text)
    quote = citation(f"Quote on {text}", relation)
    return Verdict(claim, label, 0.9, None, "script", f"It is {label.value}.", (quote,))


def mended() -> Report:
    """One claim changed, one taken out, one left; and one that nobody was to mend."""
    changes = (
        Change(verdict(MILL, SOURCE.index(MILL), Label.CONTRADICTED), MENDED, True, "Not 1911."),
        Change(verdict(STAMPS, SOURCE.index(STAMPS), Label.NOT_FOUND), "", True, "Gone."),
        Change(verdict(BEES, SOURCE.index(BEES), Label.UNCERTAIN), "Bees nap.", False, "Why not."),
    )
    text = SOURCE.replace(MILL, MENDED).replace(f" {STAMPS}", "")
    verdicts = (
        verdict(MENDED, text.index(MENDED), Label.SUPPORTED),
        verdict(BEES, text.index(BEES), Label.UNCERTAIN),
        verdict("Hives hum.", text.index("Hives hum."), Label.NOT_FOUND),
    )
    return report(*verdicts, source=text, fix=Fix(SOURCE, text, changes), method="fix")


def test_each_change_has_the_verdict_on_what_stands_there_now() -> None:
    changed, removed, left = changes(mended())
    assert [v.claim.text for v in changed.after] == [MENDED]
    assert [c.quote for c in changed.citations] == [f"Quote on {MENDED}"]
    assert removed.after == ()
    assert [c.quote for c in removed.citations] == [f"Quote on {STAMPS}"]
    assert [v.claim.text for v in left.after] == [BEES]
    told = [one.outcome for one in (changed, removed, left)]
    assert told == ["changed", "taken out", "left as it is"]
    assert [one.label for one in (changed, left)] == [Label.SUPPORTED, Label.UNCERTAIN]


@pytest.mark.parametrize(("other", "told"), [("nearest", []), ("contradicts", ["contradicts"])])
def test_under_a_supported_change_stands_what_supports_it_or_a_disagreement(
    other: Relation, told: list[Relation]
) -> None:
    first, *rest = mended().verdicts
    first = replace(first, citations=(citation("Quote"), citation("Quote", other)))
    change, *_ = changes(replace(mended(), verdicts=(first, *rest)))
    assert [one.relation for one in change.citations] == ["supports", *told]
    assert (change.split is not None) is bool(told)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["left", "", "Short.", "Something longer is here."]), min_size=5))
def test_places_follow_the_changes(wanted: list[str]) -> None:
    """Whatever is left, taken out or replaced: what stands there now is found."""
    source = "One is here. Two is here.\n\n- Three is here.\n- Four is here. Five is here.\n"
    text, shift, made, expected = source, 0, [], []
    for said, new in zip(re.findall(r"\w+ is here\.", source), wanted, strict=False):
        before = verdict(said, source.index(said), Label.NOT_FOUND)
        start, end = before.claim.start + shift, before.claim.end + shift
        if new == "":
            cut = removal(text, start, end)
            start, end = cut.start, cut.end
        if new != "left":
            text = text[:start] + new + text[end:]
            shift += len(new) - (end - start)
        made.append(Change(before, new, new != "left", ""))
        expected.append(said if new == "left" else new)
    letters = [verdict(letter, place, Label.SUPPORTED) for place, letter in enumerate(text)]
    told = changes(report(*letters, source=text, fix=Fix(source, text, tuple(made))))
    assert ["".join(v.claim.text for v in one.after) for one in told] == expected


patched = pytest.mark.skipif(not shutil.which("patch"), reason="needs patch")


@patched
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"one\ntwo\nthree\n", b"one\n2\nthree\n"),
        (b"one\ntwo", b"one\n2"),
        (b"one\ntwo\n", b"one\n"),
        (b"caf\xe9 \x0b one\x85\n\x0c\rtwo\n", b"caf\xe9 \x0b 1\x85\n\x0c\rtwo\n"),
        (b"\n" * 9 + b"--- one\n+++ two\n", b"\n" * 9 + b"+++ two\n"),
    ],
)
@pytest.mark.parametrize("name", ["draft.md", "my draft.md", 'a\tb\n"c" \\é.md'])
def test_patch_applies_the_diff(before: bytes, after: bytes, name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(before)
    made = diff(before, after, name)
    ran = subprocess.run(["patch", "-p0"], input=made, cwd=tmp_path, capture_output=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert (tmp_path / name).read_bytes() == after
