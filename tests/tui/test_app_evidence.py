"""The pane beside the text, driven as a person drives it, and what is copied from it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import reports
from screens import checked, messages, settle, sheet, shown, status, symbols
from scripted import CONTEXT, FALSE, QUOTE, TEXT, TRUE, UNFOUNDED, Script
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Input, Static

from veracite.engine.errors import InputError
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.surroundings import Surroundings
from veracite.engine.types import Citation, Label
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens.check import CheckScreen
from veracite.tui.screens.passage import QuoteScreen, parts
from veracite.tui.widgets.evidence import Quote, SideBySide

BURNED = "The mill of Harrow burned in 1904 in the dead of night."
SIZES = [(80, 24), (120, 40), (40, 12)]


def judging(label: Label, *citations: Citation, statement: str = BURNED) -> Script:
    """A check that finds this, whatever the claim."""
    found = reports.verdict(statement, label, *citations, source=statement)
    return Script(judge=lambda claim: replace(found, claim=replace(claim, statement=statement)))


async def pointed(pilot: Pilot[None]) -> CheckScreen:
    """Check a text of one claim and go there."""
    screen = await checked(pilot, BURNED)
    await pilot.press("right")
    await pilot.pause()
    return screen


def halves(screen: CheckScreen) -> list[tuple[Static, Static]]:
    """What stands side by side, from the top down."""
    rows = (row.query("Horizontal Static") for row in screen.evidence.query(SideBySide))
    return [(row.first(Static), row.last(Static)) for row in rows]


def styled(static: Static) -> list[tuple[str, str]]:
    """The stretches of a text that have a style, each with its style."""
    content = static.content
    assert isinstance(content, Content)
    return [(content.plain[s.start : s.end], str(s.style)) for s in content.spans]


async def test_the_next_finding_shows_its_quote_in_the_passage_with_its_place() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = await checked(pilot)
        await pilot.press("n")
        await pilot.pause()
        assert "Contradicted" in shown(screen)
        assert "Because it is contradicted." in shown(screen)
        assert "mill.pdf, page 3" in shown(screen)
        assert "Harrow > The mill" in shown(screen)
        passage = screen.evidence.query_one(Quote).passage
        assert passage.plain == CONTEXT
        loud = [passage.plain[s.start : s.end] for s in passage.spans if "bold" in str(s.style)]
        assert loud == ["The mill burned down in 1904 and was never rebuilt."]


@pytest.mark.parametrize(
    ("label", "quote", "lines"),
    [
        (
            Label.UNCERTAIN,
            reports.citation("The Harrow mill burned in 1905.", "nearest"),
            ["= agrees: Harrow", "≠ differs: 1904 → 1905", "∅ not in the quote: dead of night"],
        ),
        (
            Label.SUPPORTED,
            reports.citation("In 1904 the Harrow mill did burn, while all were asleep."),
            ["= agrees: Harrow, 1904", "≈ in other words: dead of night"],
        ),
    ],
)
async def test_each_fate_of_the_words_has_its_symbol_word_and_colour(
    label: Label, quote: Citation, lines: list[str]
) -> None:
    async with VeraciteApp(judging(label, quote)).run_test() as pilot:
        screen = await pointed(pilot)
        head = screen.evidence.query_one("#evidence-head", Static)
        assert str(head.content).splitlines()[2:] == lines
        colours = {style for text, style in styled(head) if text and f"{text} " in "".join(lines)}
        assert len(colours) == len(lines)


@pytest.mark.parametrize("size", SIZES)
async def test_what_conflicts_stands_side_by_side(size: tuple[int, int]) -> None:
    quote = reports.citation("It burned in 1905, at noon.", "contradicts")
    async with VeraciteApp(judging(Label.CONTRADICTED, quote)).run_test(size=size) as pilot:
        screen = await pointed(pilot)
        assert [(str(left.content), str(right.content)) for left, right in halves(screen)] == [
            ("The claim says", "The document says"),
            ("… Harrow burned in 1904 in the dead …", "It burned in 1905, at noon."),
        ]
        for left, right in halves(screen):
            assert left.region.y == right.region.y
            assert left.region.right <= right.region.x < right.region.right
            assert right.region.right <= screen.evidence.region.right
            assert abs(left.region.width - right.region.width) <= 1
        assert "differs" not in shown(screen)  # told once


DISAGREED = (
    reports.citation("The Harrow mill burned in 1904."),
    reports.citation("The fire was in 1905.", "contradicts", file="/papers/leaflet.pdf", page=1),
)


async def test_both_sides_of_a_disagreement_are_seen_at_once() -> None:
    async with VeraciteApp(judging(Label.SUPPORTED, *DISAGREED)).run_test(size=(80, 24)) as pilot:
        screen = await checked(pilot, BURNED)
        assert "The library disagrees with itself on 1 claim." in shown(screen)  # the overview
        await pilot.press("n")  # supported, but worth a look
        await pilot.pause()
        assert "\nThe library disagrees with itself\n" in shown(screen)
        (sides,) = halves(screen)
        assert [str(side.content) for side in sides] == [
            "✓ Supports it  mill.pdf, page 3\n“The Harrow mill burned in 1904.”",
            "✗ Contradicts it  leaflet.pdf, page 1\n“The fire was in 1905.”",
        ]
        assert all(screen.evidence.region.contains_region(side.region) for side in sides)
        assert len(screen.evidence.query(Quote)) == 2
        await pilot.press("f8")
        assert "The library disagrees with itself on 1 claim." in sheet(pilot)


@pytest.mark.parametrize("there", [True, False])
async def test_what_is_copied_is_told_as_far_as_it_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.setenv("PATH", str(tmp_path))
    if there:
        tool = tmp_path / "wl-copy"
        tool.write_text(f"#!/bin/sh\n/bin/cat > {tmp_path}/copied\n")
        tool.chmod(0o700)
    async with VeraciteApp(Script()).run_test() as pilot:
        await checked(pilot)
        await pilot.press("n", "y")
        await settle(pilot)
        told = messages(pilot)[-1]
        assert "rebuilt in **1911**" in pilot.app.clipboard
        assert told.startswith("Copied the claim" if there else "Sent the claim")
        if there:
            assert (tmp_path / "copied").read_text("utf-8") == pilot.app.clipboard


async def test_what_the_mouse_selects_is_copied_and_that_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    async with VeraciteApp(Script()).run_test(size=(120, 36)) as pilot:
        screen = await checked(pilot)
        await pilot.press("n")
        await settle(pilot)
        head = screen.evidence.query_one("#evidence-head")
        await pilot.mouse_down(head, offset=(0, 1))
        await pilot.hover(head, offset=(10, 1))
        await pilot.mouse_up(head, offset=(25, 1))
        await pilot.press("ctrl+c")
        await settle(pilot)
        assert pilot.app.clipboard == "Because it is contradicted"[: len(pilot.app.clipboard)]
        assert len(pilot.app.clipboard) > 20
        told = "Sent the selection to the terminal. If it allows that, it is on the clipboard now."
        assert messages(pilot) == [told]


def paths(folder: Path) -> Paths:
    return Paths(folder / "data", folder / "cache", folder / "config.toml")


async def override(pilot: Pilot[None], *keys: str, note: str) -> None:
    """Say something about the claim that is shown."""
    await pilot.press("v", *keys, "enter")
    pilot.app.screen.query_one(Input).value = note
    await pilot.press("enter")
    await pilot.pause()


async def test_an_override_shows_counts_and_can_be_taken_back() -> None:
    async with VeraciteApp(Script()).run_test(size=(120, 40)) as pilot:
        screen = await checked(pilot)
        await pilot.press("n", "n")
        await override(pilot, "up", "up", note="I [b]know[/b] him.")
        assert symbols(screen.text.reader)[UNFOUNDED] == "✓*"
        assert "✓ Supported  overridden by hand" in shown(screen)
        assert "Overridden by you: I [b]know[/b] him. (The check said: not found, 80 %.)" in shown(
            screen
        )
        assert screen.state.counts[Label.SUPPORTED] == 2
        assert "   1 by hand, 1 document, 1 failed (F8)" in status(screen)
        await pilot.press("f8")
        await settle(pilot)
        assert "1 of them overridden by hand." in sheet(pilot)
        await pilot.press("escape", "escape")
        assert "1 of them overridden by hand." in shown(screen)
        await pilot.press("right", "right", "right", "right")
        await pilot.press("y")
        assert "Overridden by hand" in pilot.app.clipboard
        await pilot.press("f5")  # the next check remembers
        await settle(pilot)
        assert symbols(screen.text.reader)[UNFOUNDED] == "✓*"
        await pilot.press("v", "ctrl+t")
        await pilot.pause()
        assert symbols(screen.text.reader)[UNFOUNDED] == "? "
        assert "by hand" not in status(screen)


async def test_an_override_needs_a_note_and_escape_says_nothing() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = await checked(pilot)
        await pilot.press("n", "v", "enter", "enter")
        assert "Say why" in str(pilot.app.screen.query_one("#said").content)  # type: ignore[attr-defined]
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, CheckScreen)
        assert "overridden" not in shown(screen)


async def test_the_next_run_of_the_app_knows_it(tmp_path: Path) -> None:
    for run in range(2):
        async with VeraciteApp(Script(), paths=paths(tmp_path)).run_test() as pilot:
            screen = await checked(pilot, UNFOUNDED)
            await pilot.press("right")
            if run == 0:
                await override(pilot, "up", "up", note="I know.")
            assert symbols(screen.text.reader) == {UNFOUNDED: "✓*"}


@pytest.mark.parametrize(("name", "holds"), [("a.json", '"note": "Yes."'), ("b.html", "Yes.")])
async def test_the_report_is_written_with_what_was_said(
    tmp_path: Path, name: str, holds: str
) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        await checked(pilot)
        await pilot.press("n")
        await override(pilot, "up", note="Yes.")
        await pilot.press("x")
        pilot.app.screen.query_one(Input).value = str(tmp_path / name)
        await pilot.press("enter")
        await settle(pilot)
        assert messages(pilot)[-1] == f"Wrote {tmp_path / name}."
    assert holds in (tmp_path / name).read_text()
    if name == "a.json":
        assert len(json.loads((tmp_path / name).read_text())["claims"]) == 5


def place(screen: CheckScreen) -> str:
    """The claim at the cursor."""
    assert screen.state.findings
    mark = screen.state.findings.at(screen.text.place)
    assert mark
    return TEXT[mark.start : mark.end]


def passage(pilot: Pilot[None]) -> str:
    assert isinstance(pilot.app.screen, QuoteScreen)
    return "\n".join(str(static.content) for static in pilot.app.screen.query(Static))


async def test_one_label_is_looked_at_by_key_and_by_click_and_the_others_stand_back() -> None:
    async with VeraciteApp(Script()).run_test(size=(120, 40)) as pilot:
        screen = await checked(pilot)
        await pilot.press("3")
        assert screen.state.only is Label.NOT_FOUND
        assert place(screen) == UNFOUNDED
        assert "only ? not found" in str(screen.top.content)
        reader = screen.text.reader
        muted = {
            mark.label: reader.get_line(0).get_style_at_offset(pilot.app.console, 5).color
            for mark in reader.marks[:1]
        }
        await pilot.press("n")
        assert place(screen) == UNFOUNDED  # the only one
        await pilot.press("0", "right")
        assert screen.state.only is None
        colour = reader.get_line(0).get_style_at_offset(pilot.app.console, 5).color
        assert colour != muted[Label.SUPPORTED]
        await pilot.click("#status", offset=(3, 0))
        assert screen.state.only is Label.SUPPORTED
        assert place(screen) == TRUE


async def test_words_are_found_while_one_types_and_their_claim_is_shown() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = await checked(pilot)
        await pilot.press("slash", *"IT")
        screen.find_bar.query_one(Input).value = "IT  was"
        await pilot.pause()
        assert str(screen.find_bar.said.content) == "1 of 1"
        assert screen.text.reader.selected_text == "It was"
        assert "Contradicted" in shown(screen)
        screen.find_bar.query_one(Input).value = "the m"
        await pilot.pause()
        assert str(screen.find_bar.said.content) == "2 of 2"
        assert place(screen) == UNFOUNDED
        await pilot.press("enter")
        assert place(screen) == TRUE
        await pilot.press("up", "escape")
        assert screen.text.reader.has_focus
        assert place(screen) == UNFOUNDED
        await pilot.press("e", "ctrl+f", *"zebra")
        assert str(screen.find_bar.said.content) == "not found"


async def test_enter_opens_the_quote_among_its_pages_and_o_its_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr("veracite.tui.desktop.open_document", opened.append)
    async with VeraciteApp(Script()).run_test() as pilot:
        await checked(pilot)
        await pilot.press("n", "enter")
        await settle(pilot)
        assert "What stood before.\n── page 3 ──\nNobody knew." in passage(pilot)
        assert "The end." in passage(pilot)
        quote = pilot.app.screen.query_one("#quote", Static).content
        loud = [str(quote)[s.start : s.end] for s in quote.spans if "bold" in str(s.style)]  # type: ignore[union-attr]
        assert loud == [QUOTE]
        await pilot.press("y", "o")
        await settle(pilot)
        assert "contradicted" in pilot.app.clipboard
        await pilot.press("escape", "o")
        await settle(pilot)
        assert isinstance(pilot.app.screen, CheckScreen)
        assert opened == [Path("/papers/mill.pdf")] * 2


async def test_a_document_that_is_gone_is_told_with_what_is_left_of_it() -> None:
    gone = InputError("It has changed.", "Check again.")
    async with VeraciteApp(Script(gone=gone)).run_test() as pilot:
        await checked(pilot, FALSE)
        await pilot.press("enter")
        await settle(pilot)
        assert "It has changed. Check again." in passage(pilot)
        assert "Harrow had a mill." in passage(pilot)


def test_what_stands_around_a_quote_is_harmless() -> None:
    text = "One [red]\x1b[2J\u202e.\r\n\r\nThe [b]quote[/b]\x07."
    start = text.index("The")
    found = parts(Surroundings(text, start, len(text)))
    shown = "".join(part.plain for part in found[:3])
    assert "[red]" in shown
    assert "[b]quote[/b]" in shown
    assert not set("\x1b\u202e\x07\r") & set(shown)


def test_the_engine_reads_the_page_before_and_the_page_after(tmp_path: Path) -> None:
    """Of a real document, without pages; and says when it has changed."""
    papers = tmp_path / "papers"
    papers.mkdir()
    text = "# Mill\n\nIt stood in Harrow.\n\nThe mill burned down in 1904.\n\nBees live there.\n"
    (papers / "mill.md").write_text(text)
    paths = Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")
    engine = LocalEngine(CheckSettings(retrieval="lexical"), paths)
    events = list(engine.check(TRUE, (papers,)))
    citation = events[-1].report.verdicts[0].citations[0]  # type: ignore[union-attr]
    found = engine.around(citation, (papers,))
    assert found.text[found.start : found.end] == citation.quote == TRUE
    assert "It stood in Harrow." in found.text
    assert "Bees live there." in found.text
    (papers / "mill.md").write_text("Another.")
    list(engine.check(TRUE, (papers,)))
    with pytest.raises(InputError, match="has changed or is gone"):
        engine.around(citation, (papers,))
    engine.close()
