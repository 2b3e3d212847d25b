"""The Library view on real libraries: bundled and other encoders, real readers and indexes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from mill import write_documents
from screens import done, enter, press, settle, visited
from textual.pilot import Pilot
from textual.widgets import Input, Static

from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.index.errors import SourceError
from veracite.index.progress import Encoded, Synced
from veracite.models.encoder import Encoder
from veracite.models.onnx import TokenIds
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine, LocalLibraries
from veracite.tui.screens.passage import PassageScreen
from veracite.tui.widgets.library import HitList


@pytest.fixture
def engine(home: Path) -> Iterator[LocalEngine]:
    engine = LocalEngine(CheckSettings(), Paths.resolve())
    yield engine
    engine.close()


@pytest.fixture
def shelf(engine: LocalEngine, tmp_path: Path) -> LocalLibraries:
    """With a library of two documents, not read yet."""
    engine.libraries.add("law", write_documents(tmp_path / "documents"))
    return engine.libraries


async def look_for(pilot: Pilot[None], query: str) -> None:
    await pilot.press("slash")
    pilot.app.screen.query_one("#search", Input).value = query
    await settle(pilot)


async def test_a_folder_is_added_searched_changed_and_removed(
    engine: LocalEngine, tmp_path: Path
) -> None:
    documents = write_documents(tmp_path / "documents")
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
        found = {hits.mode: hits for hits in screen.hits.query(HitList)}
        assert all(hits.option_count for hits in found.values())
        assert "meaning 0." in str(found["dense"].options[0].prompt)
        assert "words" not in str(found["dense"].options[0].prompt)
        assert "words " in str(found["lexical"].options[0].prompt)
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
        assert "new.txt" in str(found["hybrid"].options[0].prompt)

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
    shelf: LocalLibraries, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        sequence = Encoder._sequence

        def interrupted(encoder: Encoder, text: str) -> TokenIds:
            shelf.cancel()
            return sequence(encoder, text)

        patch.setattr(Encoder, "_sequence", interrupted)
        assert not any(isinstance(event, Encoded | Synced) for event in shelf.sync("law"))
    (held,) = (holding.status for holding in shelf.holdings())
    assert held
    assert (held.documents, held.embedded) == (2, 0)
    found = shelf.search("law", "mill")
    assert list(found) == ["hybrid", "lexical"]  # by meaning only once all is encoded
    assert all(found.values())
    *_, last = shelf.sync("law")
    assert isinstance(last, Synced)
    (held,) = (holding.status for holding in shelf.holdings())
    assert held
    assert held.embedded == held.passages
    assert shelf.search("law", "mill")["dense"]


def test_a_library_that_cannot_be_made_leaves_nothing_behind(engine: LocalEngine) -> None:
    with pytest.raises(SourceError, match="nowhere"):
        engine.libraries.add("law", Path("/nowhere"))
    assert engine.libraries.holdings() == ()
