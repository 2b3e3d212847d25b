"""The Library view: each key, stopping, errors, what is shown; at the end on real libraries."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from check_view import screen_of
from screens import done, enter, messages, press, settle, told, visited
from scripted import Script
from scripted_libraries import PAPERS, ScriptedLibraries, evidence, status
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Input, Static
from textual.widgets._footer import FooterKey

from veracite.engine.errors import InputError
from veracite.index.documents import Document, Evidence, FailedDocument, Passage
from veracite.index.library import LibraryStatus, SearchKind
from veracite.index.progress import Encoded, Synced
from veracite.models.encoder import Encoder
from veracite.models.onnx import TokenIds
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens.ask import AskScreen
from veracite.tui.screens.library import LibraryScreen
from veracite.tui.screens.passage import PassageScreen
from veracite.tui.screens.prompts import Confirmation
from veracite.tui.service import Holding
from veracite.tui.widgets.evidence import failures_text
from veracite.tui.widgets.library import details_text, hit_text, source_text

GONE = Path("/gone")


@asynccontextmanager
async def visiting(
    size: tuple[int, int] = (80, 24), **held: LibraryStatus | None
) -> AsyncIterator[tuple[Pilot[None], LibraryScreen, ScriptedLibraries]]:
    """The view on these libraries."""
    libraries = ScriptedLibraries(held=held)
    async with VeraciteApp(Script(libraries=libraries)).run_test(size=size) as pilot:
        yield pilot, await visited(pilot), libraries


def footer(screen: LibraryScreen) -> set[str]:
    """What the keys at the bottom do."""
    return {key.description for key in screen.query(FooterKey)}


def words(screen: LibraryScreen) -> str:
    """Everything that is said of the libraries and of the one that is chosen."""
    options = [*screen.list.options, *screen.details.sources.options]
    shown = [str(option.prompt) for option in options]
    shown += [str(static.content) for static in screen.details.query(Static) if static.display]
    return "\n".join(shown)


def said(screen: LibraryScreen) -> str:
    return str(screen.status.content)


async def test_each_library_is_shown_with_its_coverage_failures_and_stale_sources() -> None:
    async with visiting(default=status(PAPERS, GONE, embedded=1), law=status(), odd=None) as (
        pilot,
        screen,
        _,
    ):
        assert "default  in use\n1 document, 1 failed, 25 % encoded" in words(screen)
        assert "law\n1 document, 1 failed" in words(screen)
        assert "odd\ncannot be opened" in words(screen)
        assert "1 of 4 passages" in words(screen)
        assert "/gone  cannot be reached: s reads it once it is back, r takes it" in words(screen)
        assert "/papers/locked.pdf: It is encrypted." in words(screen)
        await press(pilot, "end")
        assert "It is damaged. Delete it." in words(screen)


async def test_with_no_library_a_adds_a_folder_to_the_default_one(tmp_path: Path) -> None:
    async with visiting() as (pilot, screen, libraries):
        assert "No library yet" in words(screen)
        assert footer(screen) == {"Help", "Add", "New"}, "only what can be done"
        await pilot.press("s", "u", "d", "r", "slash", "ctrl+f")
        assert pilot.app.screen is screen
        await pilot.press("a")
        await enter(pilot, tmp_path / "nowhere")
        assert "There is no file or folder" in told(pilot)
        pilot.app.screen.query_one(Input).value = str(tmp_path)
        libraries.wait_at = 2
        await pilot.press("enter")
        await asyncio.to_thread(libraries.reached.wait)
        await settle(pilot)
        assert "default  in use" in words(screen)
        assert {"Search", "Sync", "Use", "Delete"} <= footer(screen)
        libraries.go_on.set()
        await done(pilot, screen)
        assert libraries.closed == ["finished"]
        assert str(tmp_path) in words(screen)
        assert said(screen) == "Up to date: 1 document, 1 failed, 4 passages."
        assert messages(pilot)[-1] == "The keyword index was missing and was built again."


async def test_what_is_typed_while_the_libraries_are_read_is_searched_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    libraries = ScriptedLibraries(held={"default": status(PAPERS)})
    held = libraries.holdings()

    def waiting() -> tuple[Holding, ...]:
        libraries.go_on.wait()
        return held

    monkeypatch.setattr(libraries, "holdings", waiting)
    app = VeraciteApp(Script(libraries=libraries))
    async with app.run_test() as pilot:
        await pilot.press("f4", "slash", *"nad")
        assert app.library_screen.input.value == "nad"
        assert app.screen is app.library_screen
        libraries.go_on.set()
        await settle(pilot)
        assert libraries.queries == [("default", "nad")]


async def test_n_makes_a_library_under_a_name_that_is_free(tmp_path: Path) -> None:
    async with visiting(law=status(PAPERS)) as (pilot, screen, libraries):
        await pilot.press("n", *"law", "enter")
        assert "already" in told(pilot)
        await press(pilot, *"s2", "enter")
        await enter(pilot, tmp_path)
        await done(pilot, screen)
        assert list(libraries.held) == ["law", "laws2"]
        assert screen.chosen
        assert screen.chosen.name == "laws2"


async def test_a_sync_shows_its_progress_and_escape_stops_it() -> None:
    async with visiting(default=status(PAPERS)) as (pilot, screen, libraries):
        libraries.wait_at = 2
        await pilot.press("s")
        await asyncio.to_thread(libraries.reached.wait)
        await pilot.pause()
        assert "Reading" in said(screen)
        assert "1/2" in said(screen)
        await pilot.press("s", "d")
        assert messages(pilot) == ["A library is being worked on. Escape stops it."]
        await pilot.press("escape")
        assert said(screen) == "Stopping …"
        assert libraries.cancelled == 1
        libraries.go_on.set()
        await done(pilot, screen)
        assert libraries.closed == ["stopped"]
        assert said(screen) == "Stopped. What was read is kept; s goes on."


async def test_a_sync_waits_for_its_turn_and_an_error_says_what_to_do() -> None:
    async with visiting(default=status(PAPERS)) as (pilot, screen, libraries):
        libraries.error = InputError("The disk is full.", "Free some space.")
        with screen.turn:
            await pilot.press("s")
            assert said(screen) == "Waiting until the other view is done …"
            assert libraries.closed == []
        await done(pilot, screen)
        assert said(screen) == "The disk is full. Free some space."
        assert messages(pilot) == []  # what the line says is not said twice
        with screen.turn:
            await pilot.press("s", "f2")
        await done(pilot, screen)
        assert messages(pilot) == ["The disk is full. Free some space."]


def test_what_documents_say_is_shown_harmlessly() -> None:
    hostile = "\x1b[31m\u202eevil\u200b[red]"
    document = Document(f"/papers/{hostile}.txt", "0" * 64, "text/1")
    passage = Passage(document, 0, 9, None, hostile, hostile, "id")
    held = replace(
        status(Path(f"/papers/{hostile}")), failed=(FailedDocument(f"/{hostile}", hostile),)
    )
    for content in (
        hit_text(Evidence(passage, 1, 0.1, None, None), "evil"),
        failures_text(held.failed, (f"/x.{hostile}",)),
        source_text(held.sources[0], Holding("odd", held)),
        details_text(Holding("odd", None, hostile)),
    ):
        assert "\\x1b[31m\\u202eevil[red]" in content.plain
        assert not {"\x1b", "\u202e", "\u200b"} & set(content.plain)


@pytest.mark.parametrize("search", get_args(SearchKind))
def test_how_passages_are_found_is_told(search: SearchKind) -> None:
    told = details_text(Holding("odd", replace(status(PAPERS), search=search))).plain
    assert "Search    words" in told


@pytest.mark.parametrize("answer", ["y", "escape"])
async def test_deleting_a_library_and_removing_a_source_ask_first(answer: str) -> None:
    yes = answer == "y"
    both = status(PAPERS, GONE)
    async with visiting(default=both, law=status()) as (pilot, screen, libraries):
        await pilot.press("r")  # first to what cannot be reached
        assert footer(screen) >= {"Remove source"}
        await pilot.press("r")
        assert isinstance(pilot.app.screen, Confirmation)
        await pilot.press(answer)
        await done(pilot, screen)
        held = libraries.held["default"]
        assert held
        assert held.sources == ((PAPERS,) if yes else (PAPERS, GONE))
        screen.list.focus()
        await pilot.press("d", answer)
        await done(pilot, screen)
        assert list(libraries.held) == (["law"] if yes else ["default", "law"])


async def test_u_has_check_and_ask_go_by_the_library_whether_ask_was_visited_or_not() -> None:
    async with visiting(default=status(), law=status()) as (pilot, screen, _):
        await press(pilot, "down", "u")
        assert screen_of(pilot).state.against == "law"
        assert "law  in use" in words(screen)
        await press(pilot, "f3")
        assert isinstance(pilot.app.screen, AskScreen)
        assert pilot.app.screen.against == "law"
        ask = pilot.app.screen
        await press(pilot, "f4", "home", "u")
        assert screen_of(pilot).state.against is None
        assert ask.against is None


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
    async with visiting(size=(120, 40), default=status(PAPERS)) as (pilot, screen, libraries):
        await pilot.press("slash")
        screen.input.value = "slow"
        await asyncio.to_thread(libraries.reached.wait)
        for query in ("bee", "bees"):
            screen.input.value = query
            await pilot.pause()
        libraries.go_on.set()
        await settle(pilot)
        assert libraries.queries == [("default", "slow"), ("default", "bees")]
        first = str(screen.hits.options[0].prompt)
        scores = "meaning 0.81 of 1 · words 12.5"
        assert first.startswith(f"1 mill.pdf, page 3\n{scores}  Harrow > The mill\n")
        assert "Of [red]bees[/] and the mill." in first


async def test_a_hit_is_read_on_in_its_surroundings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr("veracite.tui.desktop.open_document", opened.append)
    async with visiting(size=(80, 24), default=status(PAPERS)) as (pilot, screen, _):
        await press(pilot, "slash", *"mill", "enter")
        await press(pilot, "down", "enter")
        reader = pilot.app.screen
        assert isinstance(reader, PassageScreen)
        assert reader.excerpt.known == "Only the meaning."
        shown = [str(static.content) for static in reader.query(Static)]
        assert shown[0].startswith("What stood before.")
        assert shown[1].startswith("Only the meaning.")
        await press(pilot, "n", "o")
        assert reader.excerpt.known == "Of [red]mill[/] and the mill."
        assert opened == [Path("/papers/mill.pdf")]
        await press(pilot, "escape", "escape")
        assert screen.input.has_focus
        await pilot.press("escape")
        assert screen.list.has_focus
        assert screen.details.display
        assert screen.input.value == ""


# On real libraries: the bundled encoder, real readers and indexes


async def look_for(pilot: Pilot[None], query: str) -> None:
    await pilot.press("slash")
    pilot.app.screen.query_one("#search", Input).value = query
    await settle(pilot)


async def test_a_folder_is_added_searched_changed_and_removed(
    engine: LocalEngine, documents: Path
) -> None:
    (documents / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    app = VeraciteApp(engine)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await visited(pilot)
        await pilot.press("a")
        await enter(pilot, documents)
        await done(pilot, screen)
        assert screen.chosen
        held = screen.chosen.status
        assert held
        assert held.documents
        assert held.embedded == held.passages > 0
        assert "~/documents/broken.pdf" in str(screen.details.failures.content)

        await look_for(pilot, "when did the mill burn")
        await pilot.press("enter")
        assert "meaning 0." in str(screen.hits.options[0].prompt)
        assert "· words " in str(screen.hits.options[0].prompt)
        assert "alone" not in str(screen.hits.border_title)
        await press(pilot, "enter")
        reader = app.screen
        assert isinstance(reader, PassageScreen)
        before, quote, _ = (str(static.content) for static in reader.query(Static))
        assert before.startswith("# The Harrow mill")
        assert quote.startswith("The Harrow mill burned down in 1904.")
        await pilot.press("escape", "escape", "escape")

        (documents / "new.txt").write_text("The miller kept seventeen bees in a chimney.\n")
        (documents / "broken.pdf").unlink()
        await pilot.press("s")
        await done(pilot, screen)
        assert not str(screen.details.failures.content)
        await look_for(pilot, "seventeen bees in a chimney")
        assert "new.txt" in str(screen.hits.options[0].prompt)

        await press(pilot, "escape", "enter", "r")
        await pilot.press("y")
        await done(pilot, screen)
        assert screen.chosen.status
        assert screen.chosen.status.documents == 0
        await press(pilot, "d")
        await pilot.press("y")
        await done(pilot, screen)
        assert screen.holdings == ()
        assert documents.is_dir()


def test_encoding_is_cut_short_and_goes_on_with_the_next_sync(
    engine: LocalEngine, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries = engine.libraries
    libraries.add("law", documents)
    with monkeypatch.context() as patch:
        sequence = Encoder._sequence

        def interrupted(encoder: Encoder, text: str) -> TokenIds:
            libraries.cancel()
            return sequence(encoder, text)

        patch.setattr(Encoder, "_sequence", interrupted)
        assert not any(isinstance(event, Encoded | Synced) for event in libraries.sync("law"))
    (held,) = (holding.status for holding in libraries.holdings())
    assert held
    assert (held.documents, held.embedded) == (2, 0)
    found = libraries.search("law", "mill")
    assert found
    assert all(hit.cosine is None for hit in found), "by meaning only once all is encoded"
    *_, last = libraries.sync("law")
    assert isinstance(last, Synced)
    (held,) = (holding.status for holding in libraries.holdings())
    assert held
    assert held.embedded == held.passages
    assert libraries.search("law", "mill")[0].cosine
