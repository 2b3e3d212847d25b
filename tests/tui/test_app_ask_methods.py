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


def at(picker: MethodPicker) -> str | None:
    """What one is at."""
    offer = picker.query_one(Offers).current
    return offer.choice.title if offer else None


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


async def test_typing_finds_methods_by_what_they_do_and_presets_by_their_names() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = await picker(pilot)
        await pilot.press(*"memory")
        await settle(pilot)
        assert {line.split()[0] for line in listed(screen)} == {"vtg"}
        await pilot.press("ctrl+u", *"eli5 6")
        await settle(pilot)
        found = [line.split()[0] for line in listed(screen)]
        assert found == ["llatrieval", "vtg"]
        assert at(screen) == "llatrieval (eli5-table6)"
        await pilot.press(*"zz", "enter")
        await settle(pilot)
        assert listed(screen) == []
        assert "has these words" in screen.said
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, AskScreen)


@pytest.mark.parametrize("model", [None, "tiny.gguf"])
async def test_what_needs_a_language_model_is_chosen_only_where_one_is_in_use(
    model: str | None,
) -> None:
    async with VeraciteApp(Script(model=model)).run_test() as pilot:
        screen = await picker(pilot)
        for words in ("closed-book", "closed-book refeed-table2"):
            screen.query_one("_Filter").value = words  # type: ignore[attr-defined]
            await settle(pilot)
            text = " ".join(str(option.prompt) for option in screen.query_one(Offers).options)
            assert ("needs a language model" in " ".join(text.split())) is (model is None)
            await pilot.press("enter", "enter")
            await settle(pilot)
            if model is None:
                assert pilot.app.screen is screen
                assert "cannot be chosen: it needs a language model; F7" in screen.said
            else:
                assert isinstance(pilot.app.screen, AskScreen)
                screen = await picker(pilot)
