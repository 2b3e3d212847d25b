"""What is said over the screen, each thing once and nothing over a question."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from conversing import asked, entered
from screens import checked, finish, messages, settle, sheet
from scripted import Script
from textual.pilot import Pilot
from textual.widgets._toast import Toast

from veracite.engine.events import Event, Warned
from veracite.tui.app import VeraciteApp


def toasts(pilot: Pilot[None]) -> list[str]:
    """What stands over the screen that is looked at."""
    return [str(toast.render()) for toast in pilot.app.screen.query(Toast)]


async def test_a_question_is_not_covered_by_what_was_said_before_it() -> None:
    async with VeraciteApp(Script()).run_test(notifications=True) as pilot:
        for key in ("ctrl+o", "f1", "ctrl+p"):
            await pilot.press("f8")
            await settle(pilot)
            assert toasts(pilot)
            await pilot.press(key)
            await settle(pilot)
            assert len(pilot.app.screen_stack) == 2
            assert toasts(pilot) == messages(pilot) == []
            pilot.app.notify("Of the question.")
            await settle(pilot)
            assert toasts(pilot) == ["Of the question."]
            await pilot.press("escape")


class Troubled(Script):
    """With documents of which something is the matter."""

    def ask(self, *given: Any) -> Generator[Event, None, None]:
        yield Warned("/gone cannot be reached.")
        yield from super().ask(*given)


async def test_what_is_the_matter_with_the_documents_is_said_once_and_again_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERACITE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("VERACITE_CONFIG", str(tmp_path / "config.toml"))
    (tmp_path / "config.toml").touch()
    async with VeraciteApp(Troubled()).run_test() as pilot:
        room = await entered(pilot)
        for documents, told in ((None, True), (None, False), ("law", True)):
            if documents:
                room.against = documents
            await asked(pilot)
            assert messages(pilot) == (["/gone cannot be reached."] if told else [])
            pilot.app.clear_notifications()


async def test_what_is_the_matter_is_not_said_after_every_check_nor_over_the_evidence() -> None:
    app = VeraciteApp(Script(notes=("/gone cannot be reached.",)))
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        screen = await checked(pilot)
        await settle(pilot)
        (toast,) = pilot.app.screen.query(Toast)
        assert not toast.region.overlaps(screen.evidence.region)
        pilot.app.clear_notifications()
        await pilot.press("f5")
        await finish(pilot)
        assert messages(pilot) == []
        await pilot.press("f8")
        assert "/gone cannot be reached." in sheet(pilot)
        await pilot.press("escape")
        screen.go_by("law")
        await pilot.press("f5")
        await finish(pilot)
        assert messages(pilot) == ["/gone cannot be reached."]
