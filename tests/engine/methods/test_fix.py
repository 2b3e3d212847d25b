"""Fix: claim by claim, only what no document supports, only for something supported."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from asking import Says, ScriptedSkills, run, stands_in, tools
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from veracite.engine.errors import SettingsError
from veracite.engine.events import Began, Drafted, Judged, Proposed, Segmented
from veracite.engine.methods.base import StepsEvent
from veracite.engine.methods.fix import FixSettings, Mended, fix
from veracite.engine.types import Label
from veracite.models.errors import Cancelled, ModelError

MILL = "The mill burned down in 1904."
WRONG = "The mill burned down in 1911."
BEES = "Bees live in the mill."
HENS = "Hens fly over Harrow."
RUN = "Hens run over Harrow."
DEFAULT = FixSettings()


def says(statement: str, texts: Sequence[str]) -> Label:
    return Label.CONTRADICTED if "1911" in statement else stands_in(statement, texts)


def played(
    folder: Path,
    text: str,
    revised: Sequence[Any],
    settings: FixSettings = DEFAULT,
    *,
    texts: Sequence[str] = (MILL, BEES),
    rule: Says = says,
) -> tuple[Mended, list[StepsEvent], ScriptedSkills]:
    skills = ScriptedSkills({"revise": list(revised)})
    with tools(skills, texts, folder, says=rule) as (given, _):
        mended, events = run(fix(text, given, settings))
    assert mended is not None
    return mended, events, skills


def test_only_the_wrong_claim_goes_to_the_skill_alone_with_its_passages(tmp_path: Path) -> None:
    mended, events, skills = played(tmp_path, f"{BEES} {WRONG}\n", [MILL])
    (asked,) = skills.of("revise")
    assert (asked["text"], asked["wrong"], asked["question"]) == (WRONG, [WRONG], None)
    assert asked["passages"][0] == MILL
    assert mended.fix.text == f"{BEES} {MILL}\n"
    (change,) = mended.fix.changes
    assert (change.kept, change.text, change.before.claim.start) == (True, MILL, len(BEES) + 1)
    assert change.reason == "The documents say “1904”, not “1911”."
    assert [v.label for v in mended.verdicts] == [Label.SUPPORTED, Label.SUPPORTED]
    assert isinstance(events[0], Began)
    assert events[-1] == Proposed(change)
    announced = [[claim.text for claim in e.claims] for e in events if isinstance(e, Segmented)]
    assert announced == [[BEES, WRONG], [MILL]]
    assert sum(isinstance(e, Judged) for e in events) == 3, "what reads differently alone"


def test_a_replacement_that_is_not_supported_is_the_next_attempts_text(tmp_path: Path) -> None:
    worse = "The mill burned down in the year 1911."
    mended, events, skills = played(tmp_path, WRONG, [worse, MILL])
    assert [call["text"] for call in skills.of("revise")] == [WRONG, worse]
    assert skills.of("revise")[1]["wrong"] == [worse]
    assert mended.fix.text == MILL
    assert [(e.text, e.round) for e in events if isinstance(e, Drafted)] == [(worse, 1), (MILL, 2)]


REMOVE = FixSettings(remove=True)
BERG = "Anna Berg was a miller."
TOO_LONG = ModelError("The prompt is too long.", "Open the model with a larger --context.")


def only(*supported: str) -> Says:
    """A rule by which these statements are supported and no others."""
    return lambda said, _: Label.SUPPORTED if said in supported else Label.NOT_FOUND


@pytest.mark.parametrize(
    ("text", "replies", "settings", "rule", "tried", "reason"),
    [
        (WRONG, [HENS, "Hens swim."], DEFAULT, says, "Hens swim.", "do not clearly.*contradicted"),
        (WRONG, [MILL, MILL], FixSettings(sure=0.95), says, MILL, "with 0.*it takes 0.95"),
        # What the documents say is no replacement unless it is on the same matter.
        (WRONG, ["Ida Berg grew roses."], DEFAULT, says, "Ida Berg grew roses.", "something else"),
        (WRONG, [f"{MILL} Ida Berg grew roses."], DEFAULT, says,
         f"{MILL} Ida Berg grew roses.", "something else"),
        (f"- {BEES}\n- {HENS}\n", [""], DEFAULT, says, "", "remove"),
        (f"{BEES} {WRONG} It was large.", [""], REMOVE,
         only(BEES, "The mill was large."), "", "depends"),
        # Another sentence would lose its support.
        ("Ida Berg was a miller. She grew roses.", [BERG], DEFAULT,
         only(BERG, "Ida Berg grew roses."), BERG, "another sentence"),
        ("It burned down in 1911.", [], DEFAULT, says, "It burned down in 1911.", "is not clear"),
        (HENS, [TOO_LONG], REMOVE, says, HENS, str(TOO_LONG)),
        # A replacement changes nothing but its claim.
        ("It was Ida who burned it in 1911.", [f"# {MILL}"], DEFAULT, says, f"# {MILL}", ""),
        (f"{WRONG} {BEES}", [MILL[:-1]], DEFAULT, says, MILL[:-1], ""),
        (WRONG, [f"{MILL} Is it so?"] * 2, DEFAULT, says, f"{MILL} Is it so?", ""),
    ],
)  # fmt: skip
def test_a_claim_that_cannot_be_mended_stays_and_why_is_told(
    tmp_path: Path,
    text: str,
    replies: list[Any],
    settings: FixSettings,
    rule: Says,
    tried: str,
    reason: str,
) -> None:
    texts = (MILL, BEES, BERG, "Ida Berg grew roses.")
    mended, events, skills = played(tmp_path, text, replies, settings, texts=texts, rule=rule)
    assert not skills.replies["revise"]
    assert (mended.fix.text, mended.complete) == (text, True)
    change, *_ = mended.fix.changes
    assert (change.kept, change.text) == (False, tried)
    assert re.search(reason, change.reason)
    assert change in [event.change for event in events if isinstance(event, Proposed)]


def test_removal_is_done_where_it_is_asked_for(tmp_path: Path) -> None:
    for text, left in ((f"- {BEES}\n- {HENS}\n", f"- {BEES}\n"), (f"{HENS} {BEES}", BEES)):
        mended, _, _ = played(tmp_path, text, [""], REMOVE)
        assert mended.fix.text == left
        (change,) = mended.fix.changes
        assert (change.kept, change.text, change.reason) == (True, "", "No document says this.")


def test_what_the_documents_probably_say_stays_as_it_is(tmp_path: Path) -> None:
    rule = lambda said, _: Label.UNCERTAIN if said == MILL else Label.SUPPORTED  # noqa: E731
    text = f"{MILL} {BEES}"
    mended, _, _ = played(tmp_path, text, ["The mill burned up in 1904."], rule=rule)
    (change,) = mended.fix.changes
    assert (change.kept, change.text, mended.fix.text) == (False, MILL, text)


def test_which_labels_are_mended_is_a_setting(tmp_path: Path) -> None:
    settings = FixSettings(mend="not_found")
    mended, _, skills = played(tmp_path, f"{WRONG} {HENS}", [RUN], settings, texts=(MILL, RUN))
    assert skills.of("revise")[0]["text"] == HENS
    assert mended.fix.text == f"{WRONG} {RUN}"
    with pytest.raises(SettingsError, match="need no mending"):
        FixSettings(mend="supported")


def test_it_may_be_stopped_between_any_two_events(tmp_path: Path) -> None:
    text = f"{WRONG} {HENS}"
    _, events, _ = played(tmp_path, text, [MILL, BEES])
    for stop in range(len(events)):
        skills = ScriptedSkills({"revise": [MILL, BEES]})
        asked = iter(range(stop))
        with tools(skills, (MILL, BEES), tmp_path, says=says) as (given, _):
            steps = fix(text, given, DEFAULT, stopped=partial(_is_over, asked))
            mended, seen = run(steps)
        assert list(map(type, seen)) == list(map(type, events[:stop]))
        if mended is None:
            assert not any(isinstance(event, Proposed) for event in seen)
            continue
        assert not mended.complete
        assert " ".join(v.claim.text for v in mended.verdicts) == mended.fix.text
        assert mended.fix.changes == tuple(e.change for e in seen if isinstance(e, Proposed))


def _is_over(events: Iterator[int]) -> bool:
    return next(events, None) is None


def test_a_language_model_that_is_cancelled_leaves_what_is_done(tmp_path: Path) -> None:
    mended, _, _ = played(tmp_path, f"{WRONG} {HENS}", [MILL, Cancelled("stop", "again")])
    assert (mended.fix.text, mended.complete) == (f"{MILL} {HENS}", False)


def test_the_rest_goes_on_after_a_claim_that_the_model_cannot_take(tmp_path: Path) -> None:
    mended, _, _ = played(tmp_path, f"{HENS} {WRONG}", [TOO_LONG, f"{MILL}\n\n{BEES}"])
    assert (mended.fix.text, mended.complete) == (f"{HENS} {MILL} {BEES}", True)
    assert [change.kept for change in mended.fix.changes] == [False, True]


MARKED = [
    "{}", "*The mill* {2}", "{0} `in 1911.`", "**{} Bees live in the mill.**", "[{}](http://a.b)",
    "The [mill](http://a.b) {2}", "_{}_", "Bees live in the mill. **{}**",
]  # fmt: skip
REPLIES = [
    MILL, f"*{MILL}", f"{MILL}*", f"**{MILL}**", "The `mill burned down in 1904.", f"[{MILL}",
    "The [mill](http://c.d) burned down in 1904.", f"*{MILL}**", f"__{MILL}", f"{MILL[:-1]}**.",
    "The mill](http://c.d) burned down in 1904.",
]  # fmt: skip


@given(st.sampled_from(MARKED), st.sampled_from(REPLIES), st.booleans())
@settings(max_examples=30, deadline=None)
def test_markup_stays_paired_in_what_replaces_a_claim(
    tmp_path_factory: pytest.TempPathFactory, marked: str, reply: str, in_list: bool
) -> None:
    text = marked.replace("{2}", "burned down in 1911.").replace("{0}", "The mill burned down")
    text = ("- " if in_list else "") + text.replace("{}", WRONG)
    folder = tmp_path_factory.mktemp("verdicts")
    mended, _, _ = played(folder, text, [reply] * 4, FixSettings(T=1))
    shown = [
        part.content
        for token in MarkdownIt("commonmark").parse(mended.fix.text)
        for part in token.children or ()
        if part.type == "text"
    ]
    assert not set("*_`[]") & set("".join(shown)), mended.fix.text


BLOCKS = ["{}", "- {}\n- More bees, more honey.", "> {}", "## Heading\n\n{}", "1. {}", "**{}**"]
CLAIMS = [MILL, WRONG, BEES, HENS, "Who knows?", "The mill\nburned down in 1911."]


@given(
    st.lists(st.tuples(st.sampled_from(BLOCKS), st.sampled_from(CLAIMS)), min_size=1, max_size=4),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([MILL, BEES, "", "Hens.", f"# {MILL}", f"{MILL}\n{BEES}"]),
    st.booleans(),
)
@settings(max_examples=25, deadline=None)
def test_outside_of_the_changes_every_byte_stays(
    tmp_path_factory: pytest.TempPathFactory,
    parts: list[tuple[str, str]],
    newline: str,
    reply: str,
    remove: bool,
) -> None:
    text = "\n\n".join(block.format(claim) for block, claim in parts).replace("\n", newline)
    options = FixSettings(remove=remove, T=1)
    folder = tmp_path_factory.mktemp("verdicts")
    mended, _, _ = played(folder, text, [reply] * 9, options)
    made, place = mended.fix, 0
    for change in made.changes:
        if change.kept and change.text:
            place = made.text.index(change.text, place) + len(change.text)
    if not any(change.kept and not change.text for change in made.changes):
        pieces, end = "", 0
        for change in made.changes:
            claim = change.before.claim
            pieces += text[end : claim.start] + (change.text if change.kept else claim.text)
            end = claim.end
        assert pieces + text[end:] == made.text
    supported = {v.claim.statement for v in mended.verdicts if v.label is Label.SUPPORTED}
    assert {MILL, BEES} & supported or not any(c.kept and c.text for c in made.changes)
