"""Finding one's way in a checked text: filters, search, and what stands around a quote."""

from pathlib import Path

import pytest
from screens import checked, finish, halted, messages, settle, shown
from scripted import FALSE, QUOTE, TEXT, TRUE, UNFOUNDED, Script
from textual.pilot import Pilot
from textual.widgets import Input, Static

from veracite.engine.errors import InputError
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.surroundings import Surroundings
from veracite.engine.types import Label
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens.check import CheckScreen
from veracite.tui.screens.passage import QuoteScreen, parts


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


async def test_a_check_that_another_text_ends_is_told() -> None:
    script = Script(wait_at=2)
    async with VeraciteApp(script).run_test() as pilot:
        await halted(pilot, script)
        await pilot.press("ctrl+n", "ctrl+n")
        script.go_on.set()
        await finish(pilot)
        await settle(pilot)
        stopped = "The check of new text was stopped; what was judged is remembered."
        assert messages(pilot) == [stopped]
        await pilot.press("ctrl+n")
        await settle(pilot)
        assert messages(pilot) == [stopped]


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
    monkeypatch.setattr("veracite.tui.screens.passage.open_document", opened.append)
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
    shown = "".join(part.plain for part in (found.before, found.paragraph, found.after))
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
