"""The Models view, on a real store: tiny models, hostile names."""

import asyncio
from pathlib import Path

import checkpoints
import exams
import pytest
import tiny_gguf
from check_view import checked, finish
from damage import flip
from hub import PlayedHub
from mill import TRUE, write_documents
from screens import done, enter, messages, press, settle, told
from scripted import Script
from textual.pilot import Pilot
from textual.widgets import Static

from veracite.engine import exam
from veracite.engine.paths import Paths
from veracite.models.store import Store
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine
from veracite.tui.model_service import ModelService, Told
from veracite.tui.screens.models import ModelsScreen
from veracite.tui.screens.prompts import Confirmation

pytestmark = pytest.mark.usefixtures("home")


async def visit(pilot: Pilot[None]) -> ModelsScreen:
    await press(pilot, "f6")
    assert isinstance(pilot.app.screen, ModelsScreen)
    return pilot.app.screen


def go_to(view: ModelsScreen, name: str) -> None:
    """Move the highlight, as the arrow keys do."""
    (view.list.highlighted,) = (
        place for place, row in enumerate(view.list.rows) if row and row.name == name
    )


def listed(view: ModelsScreen) -> str:
    return "\n".join(str(option.prompt) for option in view.list.options)


def about(view: ModelsScreen) -> str:
    return str(view.about.content)


async def imported(pilot: Pilot[None], view: ModelsScreen, file: Path) -> None:
    """A model, brought by the keys."""
    await press(pilot, "i")
    await enter(pilot, file)
    await done(pilot, view)
    assert view.list.model
    assert (view.list.model.name, view.list.model.state) == (file.stem, "stored")


async def test_with_no_model_of_ones_own_it_is_said_what_can_be_done_at_any_width() -> None:
    async with VeraciteApp(Script()).run_test(size=(120, 40)) as pilot:
        view = await visit(pilot)
        await press(pilot, "u", "p", "v", "d")
        bundled = "all-minilm-l6-v2-int8"
        assert messages(pilot) == [
            f"{bundled} is in use already.",
            f"{bundled} is here already.",
            f"{bundled} is not in the store: only what is there can be verified or removed.",
        ]
        go_to(view, "llama-3.2-1b")
        await pilot.pause()
        assert "Llama 3.2 Community License" in about(view)
        assert "131,072 tokens" in about(view)
        for size in ((80, 24), (120, 36), (44, 20)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            rows = listed(view).splitlines()
            assert (rows[0], rows[3]) == ("Part of Veracite", "Not here yet")
            (line,) = [row for row in rows if "qwen3-8b" in row]
            assert any(f"6.4 GB {fit}" in line for fit in ("fits", "tight", "does not fit"))
            assert view.list.model
            assert view.list.model.name == "llama-3.2-1b"
            # what does not fit a line goes on below itself, and nothing else is cut
            facts = about(view).split("\n\n")[1].splitlines()
            assert all(len(line) <= view.about.size.width for line in facts)
        assert await pilot.click(view.list, offset=(5, 1))
        await settle(pilot)
        assert pilot.app.screen is view
        assert "qwen2.5-1.5b" in about(view)
        await press(pilot, "u")
        assert str(view.status.content).endswith("Download it with p in the Models view (F6).")


async def test_a_model_is_imported_used_verified_and_removed(home: Path, store: Store) -> None:
    script = Script()
    async with VeraciteApp(script).run_test(size=(120, 40)) as pilot:
        view = await visit(pilot)
        await imported(pilot, view, tiny_gguf.make(home / "tiny.gguf"))
        assert messages(pilot)[-1].startswith("tiny is in the store, its hashes recorded")
        assert "none that holds now" in " ".join(about(view).split())
        await press(pilot, "u")
        assert messages(pilot)[-1].endswith("t gives it the exam without which it has no say.")
        path = store.place("tiny")
        assert store.chosen_path("generator") == path
        assert script.model == str(path)
        assert "• tiny" in listed(view)
        await press(pilot, "u")
        assert store.chosen("generator") is None
        await press(pilot, "u", "0")
        assert store.chosen("generator") is None
        await press(pilot, "u")
        await press(pilot, "v")
        await done(pilot, view)
        assert messages(pilot)[-1] == "tiny verified: every file is what it was."
        await press(pilot, "d", "escape")
        assert store.names() == ("tiny",)
        await press(pilot, "d", "y")
        assert store.names() == ()
        assert script.model is None


async def test_a_model_takes_its_exam(
    home: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    exams.shortened(monkeypatch, 2)
    monkeypatch.setenv("VERACITE_THREADS", "1")
    async with VeraciteApp(Script()).run_test(size=(120, 40)) as pilot:
        view = await visit(pilot)
        await press(pilot, "t")
        assert "is no language model that is here" in messages(pilot)[-1]
        await imported(pilot, view, tiny_gguf.make(home / "tiny.gguf", context=2048))
        assert view.list.model
        service, events = ModelService(Paths.resolve()), []
        for event in service.test(view.list.model):
            events.append(event)
            service.cancel()
        assert not any(isinstance(event, Told) for event in events)
        await press(pilot, "t")
        await done(pilot, view)
        outcome = exam.tested(store.place("tiny"), Paths.resolve())
        assert messages(pilot)[-1] == f"tiny took its exam: {outcome}."
        assert str(outcome) in " ".join(about(view).split())


async def test_damage_is_told_and_hides_nothing(home: Path, store: Store) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        view = await visit(pilot)
        await imported(pilot, view, tiny_gguf.make(home / "a.gguf"))
        await imported(pilot, view, tiny_gguf.make(home / "b.gguf"))
        flip(store.place("b"))
        await press(pilot, "v")
        await done(pilot, view)
        wrong = "b: b.gguf: its SHA-256 is another one. Remove it with d in the Models view (F6),"
        assert str(view.status.content).startswith(wrong)
        (store.path("b") / "manifest.json").write_text("no")
        await press(pilot, "f5")
        (line,) = [row for row in listed(view).splitlines() if row.startswith("  b ")]
        assert "cannot be used" in line
        assert "It cannot be used: The model b has no usable manifest.json" in about(view)
        for key in ("u", "v"):
            await press(pilot, "f5", key)
            await done(pilot, view)
            said = str(view.status.content)
            assert said.startswith("The model b has no usable manifest.json")
            assert "Remove it with d" in said
        await press(pilot, "i")
        await enter(pilot, home / "nowhere")
        assert "There is no file or folder" in told(pilot)
        (store.folder / ".in-use.json").write_text("no")
        await press(pilot, "escape", "f5")
        assert "0 uses none and begins anew" in str(view.status.content)
        assert "  a " in listed(view)


async def test_models_of_other_applications_are_used_in_place(home: Path, store: Store) -> None:
    theirs = home / ".lmstudio" / "models"
    theirs.mkdir(parents=True)
    file = tiny_gguf.make(theirs / "[red]x\x1b[31m\u202e.gguf")
    async with VeraciteApp(Script()).run_test(size=(120, 40)) as pilot:
        view = await visit(pilot)
        (line,) = [row for row in listed(view).splitlines() if "[red]x" in row]
        name = "lm-studio/[red]x\\x1b[31m\\u202e"
        go_to(view, "lm-studio/[red]x\x1b[31m\u202e")
        await pilot.pause()
        assert name in about(view)
        await press(pilot, "u")
        assert messages(pilot)[-1].startswith(f"{name} is used from now on. t gives it the exam")
        assert store.chosen_path("generator") == file
        screen = "".join(strip.text for strip in view._compositor.render_strips())
        assert not {"\x1b", "\u202e"} & set(screen + line)


ADDRESS = "someone/tiny-GGUF/tiny.gguf"


async def test_a_stopped_download_goes_on_later(hub: PlayedHub, home: Path, store: Store) -> None:
    hub.stall_after = 300_000
    async with VeraciteApp(Script()).run_test() as pilot:
        view = await visit(pilot)
        await press(pilot, "a")
        await enter(pilot, ADDRESS)
        await asyncio.to_thread(hub.stalled.wait)
        await press(pilot, "i")
        await enter(pilot, home / "made")
        assert messages(pilot)[-1] == f"{ADDRESS} is being downloaded. Escape stops it."
        await pilot.press("escape")
        assert str(view.status.content) == "Stopping …"
        hub.go_on.set()
        await done(pilot, view)
        assert "the same download goes on" in str(view.status.content)
        (part,) = store.folder.glob(".staging/tiny/*/tiny.gguf")
        kept = part.stat().st_size
        await press(pilot, "a")
        await enter(pilot, ADDRESS)
        await done(pilot, view)
        assert hub.downloads[-1] == f"tiny.gguf bytes={kept}-"
        assert view.list.model is not None
        assert (view.list.model.name, view.list.model.state) == ("tiny", "stored")


async def test_more_than_a_gigabyte_is_asked_about(hub: PlayedHub) -> None:
    hub.sizes = {"tiny.gguf": 2_000_000_000}
    async with VeraciteApp(Script()).run_test() as pilot:
        view = await visit(pilot)
        for answer, downloads in (("escape", []), ("y", ["tiny.gguf"])):
            await press(pilot, "a")
            await enter(pilot, ADDRESS)
            await done(pilot, view)
            assert isinstance(pilot.app.screen, Confirmation)
            asked = str(pilot.app.screen.query(Static).first().content)
            assert "tiny is 2.0 GB of someone/tiny-GGUF" in asked
            assert "licence: apache-2.0" in asked
            await press(pilot, answer)
            await done(pilot, view)
            assert hub.downloads[:1] == downloads


async def test_without_a_network_a_download_says_what_to_do() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        view = await visit(pilot)
        go_to(view, "qwen3-4b")
        await press(pilot, "p")
        assert isinstance(pilot.app.screen, Confirmation)  # nothing leaves the machine before
        await press(pilot, "y")
        await done(pilot, view)
        assert "cannot be reached" in str(view.status.content)
        assert "p goes on later. i imports a bundle" in str(view.status.content)
        assert messages(pilot) == []  # what the line says is not said twice


async def test_an_encoder_is_converted_and_used_by_the_next_check(
    engine: LocalEngine, tmp_path: Path
) -> None:
    checkpoints.write_folder(tmp_path / "small")
    app = VeraciteApp(engine, against=(write_documents(tmp_path / "documents"),))
    async with app.run_test(size=(120, 40)) as pilot:
        before = (await checked(pilot, TRUE)).state.report
        view = await visit(pilot)
        await imported(pilot, view, tmp_path / "small")
        await press(pilot, "u")
        assert "• small" in listed(view)
        await pilot.press("f2", "f5")
        after = (await finish(pilot)).state.report
    assert before
    assert after
    assert not any("small" in model for model in before.models)
    assert any("small" in model for model in after.models)
