"""The Library view on real libraries: bundled and other encoders, real readers and indexes."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import checkpoints
import numpy as np
import pytest
from indexing import write_corpus
from library_room import visited
from mill import TRUE, write_documents
from numpy.typing import NDArray
from screens import checked, finish, settle
from text_files import enter
from textual.pilot import Pilot
from textual.widgets import Input, Static

from veracite.engine.libraries import Libraries
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.index.errors import SourceError
from veracite.index.library import Library
from veracite.index.progress import Encoded, Synced
from veracite.models.encoder import Encoder
from veracite.models.onnx import TokenIds
from veracite.models.store import Choices, Store
from veracite.models.store.bringing import bring
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine, LocalLibraries
from veracite.tui.screens.library import LibraryScreen
from veracite.tui.screens.models import ModelsScreen
from veracite.tui.screens.passage import PassageScreen
from veracite.tui.widgets.library import HitList
from veracite.tui.worker import Runner


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


async def over(pilot: Pilot[None], screen: LibraryScreen) -> None:
    await asyncio.to_thread(screen.runner.join)
    await settle(pilot)


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
        await over(pilot, screen)
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
        await pilot.press("enter")
        await settle(pilot)
        reader = app.screen
        assert isinstance(reader, PassageScreen)
        before, quote, _ = (str(static.content) for static in reader.query(Static))
        assert before.startswith("# The Harrow mill")
        assert quote.startswith("The Harrow mill burned down in 1904.")
        await pilot.press("escape", "escape", "escape")

        (documents / "new.txt").write_text("The miller kept seventeen bees in a chimney.\n")
        (documents / "broken.pdf").unlink()
        await pilot.press("s")
        await over(pilot, screen)
        assert not str(screen.details.failures.content)
        await look_for(pilot, "seventeen bees in a chimney")
        assert "new.txt" in str(found["hybrid"].options[0].prompt)

        await pilot.press("escape", "enter", "r")
        await settle(pilot)
        await pilot.press("y")
        await settle(pilot)
        await over(pilot, screen)
        assert screen.chosen.status
        assert screen.chosen.status.documents == 0
        await pilot.press("d")
        await settle(pilot)
        await pilot.press("y")
        await settle(pilot)
        await over(pilot, screen)
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


def test_a_library_that_is_deleted_while_it_is_encoded_anew_stays_deleted(
    shelf: LocalLibraries, monkeypatch: pytest.MonkeyPatch
) -> None:
    deletion = threading.Thread(target=lambda: list(shelf.delete("law")))
    opened = Library.__init__

    def interrupted(library: Library, folder: Path, **how: Any) -> None:
        if threading.current_thread().name == "encode":
            deletion.start()
            deletion.join(1.0)  # longer than the app waits for a batch when it closes
        opened(library, folder, **how)

    with monkeypatch.context() as patch:
        patch.setattr(Library, "__init__", interrupted)
        shelf.reencoder.begin("law")
        shelf.reencoder.join()
    deletion.join()
    assert shelf.holdings() == ()


class Gate:
    """Holds the new encoder up before its second batch of passages."""

    def __init__(self) -> None:
        self.reached, self.open = threading.Event(), threading.Event()
        self.batches = 0

    def pass_through(self, encoder: Encoder) -> None:
        at_work = threading.current_thread().name == "encode"
        if at_work and encoder.id.startswith("new@") and not self.open.is_set():
            self.batches += 1
            if self.batches == 2:
                self.reached.set()
                self.open.wait()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    made, encode = Gate(), Encoder.encode

    def held(encoder: Encoder, texts: Sequence[str]) -> NDArray[np.float32]:
        made.pass_through(encoder)
        return encode(encoder, texts)

    monkeypatch.setattr(Encoder, "encode", held)
    yield made
    made.open.set()


@pytest.fixture
def changing(engine: LocalEngine, home: Path) -> LocalEngine:
    """With a library of many passages, encoded by one of two encoders that are here."""
    store = Store(home / "data" / "models")
    for name, family in (("old", "bert"), ("new", "mpnet")):
        checkpoints.write_folder(home / name, family)
        list(bring(store, home / name))
    Choices(store).choose("encoder", "old")
    documents = write_documents(home / "documents")
    write_corpus(documents)
    engine.libraries.add("default", documents)
    return engine


async def take(pilot: Pilot[None], name: str) -> None:
    """Use another encoder from now on."""
    await pilot.press("f6")
    await settle(pilot)
    room = pilot.app.screen
    assert isinstance(room, ModelsScreen)
    prompts = [str(option.prompt) for option in room.list.options]
    (room.list.highlighted,) = (i for i, line in enumerate(prompts) if f"  {name} " in line)
    await pilot.press("u")
    await settle(pilot)


async def test_checks_go_on_until_the_new_encoder_takes_over(
    changing: LocalEngine, gate: Gate
) -> None:
    app = VeraciteApp(changing)
    async with app.run_test(size=(120, 40)) as pilot:
        before = (await checked(pilot, TRUE)).state.report
        assert before
        room = await visited(pilot)
        assert not room.anew.display
        await take(pilot, "new")
        await asyncio.to_thread(gate.reached.wait)
        await visited(pilot)
        room.show_encoding()
        assert room.anew.display
        line = str(room.anew.content)
        assert line.startswith("Encoding with new ")
        assert line.endswith("64/146  library default  Esc stops")

        await pilot.press("f2", "f5")
        meanwhile = (await finish(pilot)).state.report
        assert meanwhile
        assert meanwhile.models == before.models
        assert "goes by the encoder before" in meanwhile.notes[0]
        assert meanwhile.verdicts == before.verdicts

        gate.open.set()
        await asyncio.to_thread(changing.libraries.reencoder.join)
        room = await visited(pilot)
        room.show_encoding()
        assert not room.anew.display
        assert "Encoded library default with new." in str(app.journal.content())
        await pilot.press("f2", "f5")
        after = (await finish(pilot)).state.report
        assert after
        assert any(model.startswith("new@") for model in after.models)
        assert after.notes == ()


def test_what_goes_wrong_is_told_once(engine: LocalEngine) -> None:
    folder = Libraries(Paths.resolve()).create("law")
    (folder / "catalog.db").write_bytes(b"not a database at all, " * 100)
    reencoder = engine.libraries.reencoder
    reencoder.begin("law")
    reencoder.join()
    (told,) = reencoder.told()
    assert isinstance(told, Runner.Failed)
    assert "is damaged" in told.message
    assert reencoder.state is None
    assert reencoder.told() == []
