"""Downloads in the Models view: stopped and gone on with, asked about, and told of."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
import tiny_gguf
from hub import PlayedHub, playing
from models_room import done, enter, go_to, listed, press, visit
from screens import messages, settle, sheet
from scripted import Script
from textual.widgets import Static

from veracite.models.store import Store
from veracite.tui.app import VeraciteApp
from veracite.tui.screens.prompts import Confirmation

ADDRESS = "someone/tiny-GGUF/tiny.gguf"
pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def hub(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PlayedHub]:
    with playing() as played:
        played.put("someone/tiny-GGUF", tiny__gguf=tiny_gguf.make(home / "made").read_bytes())
        monkeypatch.setenv("HF_ENDPOINT", played.endpoint)
        yield played


async def test_a_download_is_stopped_and_goes_on_where_it_stopped(
    hub: PlayedHub, home: Path, store: Store
) -> None:
    hub.stall_after = 300_000
    async with VeraciteApp(Script()).run_test() as pilot:
        room = await visit(pilot)
        await press(pilot, "a")
        await enter(pilot, ADDRESS)
        await asyncio.to_thread(hub.stalled.wait)
        await press(pilot, "i")
        await enter(pilot, str(home / "made"))
        assert messages(pilot)[-1] == f"{ADDRESS} is being downloaded. Escape stops it."
        await pilot.press("escape")
        assert str(room.status.content) == "Stopping …"
        hub.go_on.set()
        await done(pilot, room)
        assert "p goes on" in str(room.status.content)
        kept = store.partial()["tiny"]
        assert 0 < kept < len(hub.repositories["someone/tiny-GGUF"]["tiny.gguf"])
        assert "Half downloaded" in listed(room)
        go_to(room, "tiny")
        await press(pilot, "p")
        await done(pilot, room)
        assert hub.downloads[-1] == f"tiny.gguf bytes={kept}-"
        assert store.names() == ("tiny",)
        assert room.list.model is not None
        assert (room.list.model.name, room.list.model.state) == ("tiny", "stored")


async def test_more_than_a_gigabyte_is_asked_about(hub: PlayedHub) -> None:
    hub.sizes = {"tiny.gguf": 2_000_000_000}
    async with VeraciteApp(Script()).run_test() as pilot:
        room = await visit(pilot)
        for answer, downloads in (("escape", []), ("y", ["tiny.gguf"])):
            await press(pilot, "a")
            await enter(pilot, ADDRESS)
            await done(pilot, room)
            assert isinstance(pilot.app.screen, Confirmation)
            asked = str(pilot.app.screen.query(Static).first().content)
            assert "tiny is 2.0 GB of someone/tiny-GGUF" in asked
            assert "licence: apache-2.0" in asked
            await press(pilot, answer)
            await done(pilot, room)
            assert hub.downloads[:1] == downloads
        assert "sent only" in str(room.status.content)


async def test_without_a_network_a_download_says_what_to_do() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        room = await visit(pilot)
        go_to(room, "qwen3-4b")
        await press(pilot, "p")
        await done(pilot, room)
        assert "cannot be reached" in str(room.status.content)
        assert "p goes on later. i imports a bundle" in str(room.status.content)
        assert messages(pilot) == []  # what the line says is not said twice
        await pilot.press("f9")
        await settle(pilot)
        assert "cannot be reached" in sheet(pilot)


async def test_an_error_is_there_to_read_to_its_end() -> None:
    async with VeraciteApp(Script()).run_test(size=(100, 30)) as pilot:
        room = await visit(pilot)
        assert room.status.size.height == 1
        go_to(room, "qwen3-1.7b")
        await press(pilot, "p")
        await done(pilot, room)
        said = str(room.status.content)
        assert "cannot be reached" in said
        assert len(said) > room.status.size.width
        assert room.status.size.width * room.status.size.height >= len(said)
        room.status.say("Starting …")
        await settle(pilot)
        assert room.status.size.height == 1
