"""Choosing who answers: methods, their presets below them, and what cannot be chosen."""

from pathlib import Path

import pytest
from screens import settle
from scripted import Script
from textual.pilot import Pilot

from veracite.tui.app import VeraciteApp
from veracite.tui.conversation import Choice
from veracite.tui.screens.ask import AskScreen
from veracite.tui.screens.method_picker import MethodPicker, Offers


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is set; nothing, at first."""
    path = tmp_path / "config.toml"
    path.touch()
    monkeypatch.setenv("VERACITE_CONFIG", str(path))
    monkeypatch.setenv("VERACITE_DATA_DIR", str(tmp_path / "data"))
    return path


async def picker(pilot: Pilot[None], key: str = "ctrl+t") -> MethodPicker:
    """Go to the room and open the list."""
    if not isinstance(pilot.app.screen, AskScreen):
        await pilot.press("f3")
        await settle(pilot)
    await pilot.press(key)
    await settle(pilot)
    assert isinstance(pilot.app.screen, MethodPicker)
    return pilot.app.screen


def listed(picker: MethodPicker) -> list[str]:
    """The first line of each entry."""
    return [str(option.prompt).splitlines()[0] for option in picker.query_one(Offers).options]


def at(picker: MethodPicker) -> str:
    """What one is at."""
    return picker.query_one(Offers).current.title


async def test_methods_are_listed_the_default_first_and_no_description_is_cut() -> None:
    async with VeraciteApp(Script()).run_test(size=(80, 24)) as pilot:
        screen = await picker(pilot)
        names = [line.split()[0] for line in listed(screen) if not line.startswith(" ")]
        assert names[:3] == ["retrieve-read", "ceg", "refeed"]
        assert len(names) == 6
        assert at(screen) == "retrieve-read"
        offers = screen.query_one(Offers)
        (ceg,) = (str(o.prompt) for o in offers.options if str(o.prompt).startswith("ceg "))
        ceg = " ".join(ceg.split())
        assert ceg.endswith("regenerates what no document supports")
        width = offers.scrollable_content_region.width
        assert all(len(line) <= width for o in offers.options for line in str(o.prompt).split("\n"))
        hint = screen.query_one(".hint").region
        assert screen.query_one(".box").region.contains_region(hint)
        assert hint.height


async def test_a_preset_is_chosen_below_its_method() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = await picker(pilot)
        await pilot.press(*["down"] * 8)
        assert "ceg (wikibio-table1)  k 6, no regenerate" in listed(screen)[8]
        await pilot.press("enter")
        await settle(pilot)
        room = pilot.app.screen
        assert isinstance(room, AskScreen)
        assert room.choices == (Choice("ceg", "wikibio-table1"),)
        screen = await picker(pilot)
        assert at(screen) == "ceg (wikibio-table1)"


@pytest.mark.parametrize("model", [None, "tiny.gguf"])
async def test_what_needs_a_language_model_is_chosen_only_where_one_is_in_use(
    model: str | None,
) -> None:
    async with VeraciteApp(Script(model=model)).run_test() as pilot:
        screen = await picker(pilot)
        offers = screen.query_one(Offers)
        rows = {row.choice.title: number for number, row in enumerate(offers._rows)}
        prompt = " ".join(str(offers.options[rows["closed-book"]].prompt).split())
        assert ("(needs a language model; F7 chooses one)" in prompt) is (model is None)
        for title in ("closed-book", "closed-book (refeed-table2)"):
            offers.highlighted = rows[title]
            await pilot.press("enter")
            await settle(pilot)
            if model is None:
                assert pilot.app.screen is screen
            else:
                assert isinstance(pilot.app.screen, AskScreen)
                offers = (await picker(pilot)).query_one(Offers)
