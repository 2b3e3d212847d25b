"""Another encoder is chosen in the app: it takes over while one goes on working."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import checkpoints
import numpy as np
import pytest
from indexing import write_corpus
from mill import TRUE, write_documents
from numpy.typing import NDArray
from screens import checked, finish, settle
from textual.pilot import Pilot

from veracite.engine.libraries import Libraries
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.models.encoder import Encoder
from veracite.models.store import Choices, Store
from veracite.models.store.bringing import bring
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine, Reencoder
from veracite.tui.screens.library import LibraryScreen
from veracite.tui.screens.models import ModelsScreen
from veracite.tui.worker import Runner


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
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalEngine:
    paths = Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("VERACITE_DATA_DIR", str(paths.data))
    for name, family in (("old", "bert"), ("new", "mpnet")):
        checkpoints.write_folder(tmp_path / name, family)
        list(bring(Store(paths.models), tmp_path / name))
    Choices(Store(paths.models)).choose("encoder", "old")
    engine = LocalEngine(CheckSettings(), paths)
    documents = write_documents(tmp_path / "documents")
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


async def library(pilot: Pilot[None]) -> LibraryScreen:
    await pilot.press("f4")
    await settle(pilot)
    room = pilot.app.screen
    assert isinstance(room, LibraryScreen)
    return room


def held(engine: LocalEngine) -> tuple[int, int]:
    """How many passages there are, and how many the encoder that is chosen has encoded."""
    (holding,) = engine.libraries.holdings()
    assert holding.status
    return holding.status.passages, holding.status.embedded


async def test_checks_go_on_until_the_new_encoder_takes_over(
    engine: LocalEngine, gate: Gate
) -> None:
    app = VeraciteApp(engine)
    async with app.run_test(size=(120, 40)) as pilot:
        before = (await checked(pilot, TRUE)).state.report
        assert before
        room = await library(pilot)
        assert not room.anew.display
        await take(pilot, "new")
        await asyncio.to_thread(gate.reached.wait)
        await library(pilot)
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
        await asyncio.to_thread(engine.libraries.reencoder.join)
        room = await library(pilot)
        room.show_encoding()
        assert not room.anew.display
        assert "Encoded library default with new." in str(app.journal.content())
        await pilot.press("f2", "f5")
        after = (await finish(pilot)).state.report
        assert after
        assert any(model.startswith("new@") for model in after.models)
        assert after.notes == ()
    engine.close()


def test_what_goes_wrong_is_told_once(tmp_path: Path) -> None:
    paths = Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")
    folder = Libraries(paths).create("law")
    (folder / "catalog.db").write_bytes(b"not a database at all, " * 100)
    reencoder = Reencoder(CheckSettings(), paths)
    reencoder.begin("law")
    reencoder.join()
    (told,) = reencoder.told()
    assert isinstance(told, Runner.Failed)
    assert "is damaged" in told.message
    assert reencoder.state is None
    assert reencoder.told() == []
