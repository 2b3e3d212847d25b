"""The Models view, on a real store: tiny models, hostile names."""

from pathlib import Path

import pytest
import tiny_gguf
from models_room import about, done, enter, go_to, imported, listed, press, visit
from screens import messages, settle, sheet
from scripted import Script

from veracite.models.store import Choices, Store
from veracite.tui.app import VeraciteApp
from veracite.tui.screens.prompts import Prompt

pytestmark = pytest.mark.usefixtures("home")


async def test_with_no_model_of_ones_own_everything_is_said_at_any_width() -> None:
    async with VeraciteApp(Script()).run_test(size=(120, 40)) as pilot:
        room = await visit(pilot)
        used = str(room.in_use.content)
        assert "Writing and judging  none: the bundled models do both" in used
        assert "all-minilm-l6-v2-int8" in used
        assert "Reranking            none" in used
        go_to(room, "llama-3.2-1b")
        await pilot.pause()
        assert "Llama 3.2 Community License" in about(room)
        assert "131,072 tokens" in about(room)
        assert "p downloads it" in about(room)
        for size in ((120, 40), (80, 24), (120, 36), (100, 32), (80, 24), (44, 20)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            rows = listed(room).splitlines()
            assert (rows[0], rows[3]) == ("Part of Veracite", "Not here yet")
            (line,) = [row for row in rows if "qwen3-8b" in row]
            assert any(f"6.4 GB {fit}" in line for fit in ("fits", "tight", "does not fit"))
            width = room.list.scrollable_content_region.width
            assert {len(row) for row in rows if row[0] in " •"} == {width}
            assert room.list.model
            assert room.list.model.name == "llama-3.2-1b"
            # what does not fit a line goes on below itself, and nothing else is cut
            facts = about(room).split("\n\n")[1].splitlines()
            assert all(len(line) <= room.about.size.width for line in facts)
            assert size[0] < 100 or [line for line in facts if line.startswith(" " * 11)]
            assert size[0] < 80 or not [row for row in rows if "…" in row[:36]]
            in_use = str(room.in_use.content).splitlines()
            room_for = room.in_use.content_size.width if size[0] >= 80 else 60
            assert all(len(line) <= room_for for line in in_use)
        assert await pilot.click(room.list, offset=(5, 1))
        await settle(pilot)
        assert pilot.app.screen is room
        assert "qwen3-8b" in about(room)


async def test_what_cannot_be_done_is_answered_with_what_can() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        room = await visit(pilot)
        await press(pilot, "u", "p", "v", "e", "d")
        go_to(room, "qwen3-4b")
        await press(pilot, "u")
        room.action_verify_all()
        room.action_export_all()
        await settle(pilot)
        nothing = "There is no model in the store: p downloads one, i imports one."
        bundled, only = "all-minilm-l6-v2-int8", "only what is in the store can be"
        assert messages(pilot) == [
            f"{bundled} is in use already.",
            f"{bundled} is here already.",
            f"{bundled} is part of Veracite and always here: {only} verified.",
            f"{bundled} is part of Veracite and always here: {only} exported.",
            f"{bundled} is part of Veracite and always here: {only} removed.",
            nothing,
        ]
        assert str(room.status.content) == (
            "qwen3-4b is not on this machine yet. Press p to download it."
        )


async def test_a_model_is_imported_used_verified_exported_and_removed(
    home: Path, store: Store
) -> None:
    script = Script()
    async with VeraciteApp(script).run_test(size=(120, 40)) as pilot:
        room = await visit(pilot)
        await imported(pilot, room, home, "tiny")
        assert messages(pilot)[-1].startswith("tiny is in the store, its hashes recorded")
        assert "u uses it, v verifies it" in about(room)
        await press(pilot, "u")
        path = store.weights("tiny")
        assert Choices(store).path("generator") == path
        assert script.model == str(path)
        assert "• tiny" in listed(room)
        assert "Writing and judging  tiny" in str(room.in_use.content)
        await press(pilot, "u")
        assert Choices(store).name("generator") is None
        await press(pilot, "u")
        room.action_use_none()
        await settle(pilot)
        assert Choices(store).name("generator") is None
        await press(pilot, "u")
        await press(pilot, "enter")
        assert store.get("tiny").files[0].sha256 in sheet(pilot)
        await press(pilot, "escape", "e")
        await enter(pilot, str(home / "stick"))
        await done(pilot, room)
        assert (home / "stick").is_file()
        await press(pilot, "v")
        await done(pilot, room)
        assert messages(pilot)[-1] == "tiny verified: every file is what it was."
        await press(pilot, "d", "escape")
        assert store.names() == ("tiny",)
        await press(pilot, "d", "y")
        assert store.names() == ()
        assert script.model is None
        assert "the bundled models do both" in str(room.in_use.content)
        await press(pilot, "i")
        await enter(pilot, str(home / "stick"))
        await done(pilot, room)
        assert store.names() == ("tiny",)


async def test_damage_is_told_and_hides_nothing(home: Path, store: Store) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        room = await visit(pilot)
        await imported(pilot, room, home, "a")
        await imported(pilot, room, home, "b")
        with store.weights("b").open("r+b") as file:
            file.seek(-1, 2)
            file.write(b"!")
        room.action_verify_all()
        await done(pilot, room)
        assert str(room.status.content) == "b: b.gguf: its SHA-256 is another one."
        (store.path("b") / "manifest.json").write_text("no")
        await press(pilot, "f5")
        (line,) = [row for row in listed(room).splitlines() if row.startswith("  b ")]
        assert "cannot be used" in line
        assert "It cannot be used: The model b has no usable manifest.json" in about(room)
        await press(pilot, "u")
        assert str(room.status.content).startswith("b cannot be used.")
        await press(pilot, "i")
        await enter(pilot, str(home / "nowhere"))
        prompt = pilot.app.screen
        assert isinstance(prompt, Prompt)
        assert "There is no file or folder" in prompt.said
        (store.folder / ".in-use.json").write_text("no")
        await press(pilot, "escape", "f5")
        assert "Use none, in the command palette (Ctrl+P)" in str(room.status.content)
        assert "  a " in listed(room)


async def test_models_of_other_applications_are_used_in_place_and_their_names_are_harmless(
    home: Path, store: Store
) -> None:
    theirs = home / ".lmstudio" / "models"
    theirs.mkdir(parents=True)
    file = tiny_gguf.make(theirs / "[red]x\x1b[31m\u202e.gguf")
    async with VeraciteApp(Script()).run_test(size=(120, 40)) as pilot:
        room = await visit(pilot)
        (line,) = [row for row in listed(room).splitlines() if "[red]x" in row]
        name = "lm-studio/[red]x\\x1b[31m\\u202e"
        go_to(room, "lm-studio/[red]x\x1b[31m\u202e")
        await pilot.pause()
        assert name in about(room)
        await press(pilot, "u")
        assert messages(pilot)[-1] == f"{name} is used from now on."
        assert Choices(store).path("generator") == file
        screen = "".join(strip.text for strip in room._compositor.render_strips())
        assert not {"\x1b", "\u202e"} & set(screen + line)
