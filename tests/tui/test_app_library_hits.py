"""What a search in the Library view finds, and how it is read."""

import asyncio
from pathlib import Path

import pytest
from library_room import app_with, visited
from screens import settle
from shelves import PAPERS, evidence, status
from textual.content import Content
from textual.widgets import Static

from veracite.tui.screens.passage import PassageScreen
from veracite.tui.widgets.library import hit_text


def marked(content: Content) -> list[str]:
    """The words of a hit that stand out."""
    return [content.plain[s.start : s.end] for s in content.spans if "underline" in str(s.style)]


def test_a_hit_shows_the_place_that_has_the_words() -> None:
    long = evidence(
        f"{'Nothing of note. ' * 30}The Mill burned. {'More of it. ' * 30}", 1, 0.5, 2.0
    )
    shown = hit_text(long, "a mill?")
    assert "…" in shown.plain
    assert "The Mill burned." in shown.plain
    assert marked(shown) == ["Mill"]
    assert marked(hit_text(long, "Where did the mills burn?")) == ["Mill", "burned"]
    assert set(marked(hit_text(long, "of it"))) == {"of"}, "where there is nothing else"
    assert "…Nothing" not in hit_text(long, "bees").plain


async def test_hits_follow_what_is_typed_and_the_latest_words_win() -> None:
    app, shelf = app_with(default=status(PAPERS))
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await visited(pilot)
        await pilot.press("slash")
        screen.input.value = "slow"
        await asyncio.to_thread(shelf.reached.wait)
        for query in ("bee", "bees"):
            screen.input.value = query
            await pilot.pause()
        shelf.go_on.set()
        await settle(pilot)
        assert shelf.queries == [("default", "slow"), ("default", "bees")]
        first = [str(hits.options[0].prompt) for hits in screen.hits.children]  # type: ignore[attr-defined]
        assert first == [str(screen.hits.current.options[0].prompt)] * 3
        scores = "meaning 0.81 of 1 · words 12.5"
        assert first[0].startswith(f"1 mill.pdf, page 3\n{scores}  Harrow > The mill\n")
        assert "Of [red]bees[/] and the mill." in first[0]
        assert all(hits.display for hits in screen.hits.children)


async def test_a_ranking_without_anything_to_go_by_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    app, shelf = app_with(default=status(PAPERS, embedded=0))
    found = {**shelf.search("default", "mill")}
    del found["dense"]
    monkeypatch.setattr(shelf, "search", lambda name, query: found)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await visited(pilot)
        await pilot.press("slash", *"mill", "enter")
        await settle(pilot)
        titles = [str(hits.border_title) for hits in screen.hits.children]
        assert titles == ["Hybrid 2", "BM25 2", "Dense: not encoded yet"]


async def test_a_hit_is_read_on_in_its_surroundings_and_the_ranking_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr("veracite.tui.screens.passage.open_document", opened.append)
    app, _ = app_with(default=status(PAPERS))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await visited(pilot)
        await pilot.press("slash", *"mill", "enter")
        await settle(pilot)
        assert [h.region.width > 0 for h in screen.hits.children] == [True, False, False]
        await pilot.press("ctrl+t", "ctrl+t")
        await settle(pilot)
        assert [h.region.width > 0 for h in screen.hits.children] == [False, False, True]
        await pilot.press("down", "enter")
        await settle(pilot)
        reader = app.screen
        assert isinstance(reader, PassageScreen)
        assert reader.excerpt.known == "Only the meaning."
        shown = [str(static.content) for static in reader.query(Static)]
        assert shown[0].startswith("What stood before.")
        assert shown[1].startswith("Only the meaning.")
        await pilot.press("n", "o")
        await settle(pilot)
        assert reader.excerpt.known == "Of [red]mill[/] and the mill."
        await pilot.press("escape", "o", "escape")
        await settle(pilot)
        assert opened == [Path("/papers/mill.pdf")] * 2
        assert screen.input.has_focus
        await pilot.press("escape")
        assert screen.list.has_focus
        assert screen.details.display
        assert screen.input.value == ""
