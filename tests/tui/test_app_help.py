"""F1: what the keys do, in every view and over every question."""

from screens import checked, settle, sheet
from scripted import FALSE, TEXT, Script

from veracite.tui.app import VeraciteApp


def told_keys(section: str) -> dict[str, str]:
    """What the keys of a section do, by the key; what goes on in the next line is left out."""
    rows = [row for row in section.split("\n\n")[0].splitlines() if row[:14].strip()]
    return {key: row[15:] for row in rows for key in row[:14].strip().split(", ")}


async def test_help_tells_the_keys_of_the_view_as_they_are_mapped() -> None:
    app = VeraciteApp(Script(), keymap={"check.next": "ctrl+g"})
    async with app.run_test() as pilot:
        screen = await checked(pilot)
        await pilot.press("n")
        assert screen.text.place == -1
        await pilot.press("ctrl+g")
        assert TEXT[screen.text.place :].startswith(FALSE)
        await pilot.press("f1")
        told = sheet(pilot)
        assert told.startswith("In this view\n")
        keys = told_keys(told)
        assert keys["/"] == keys["^f"] == "find words in the text"
        assert keys["^g"] == "go to the next finding"
        assert keys["j"] == "next claim; or point with the mouse"
        assert "n" not in keys
        assert "Cursor up" not in told  # everybody knows those of a text field


async def test_f1_works_over_whatever_is_asked_or_read() -> None:
    app = VeraciteApp(Script())
    async with app.run_test() as pilot:
        await checked(pilot)
        for keys, told in (
            (["ctrl+down", "enter"], "copy claim and citations"),
            (["ctrl+l"], "tab            complete"),
            (["f"], "esc"),
            (["f9"], None),
        ):
            await pilot.press(*keys)
            await settle(pilot)
            over = app.screen
            await pilot.press("f1")
            await settle(pilot)
            if told is None:
                assert app.screen is app.check_screen, "F1 takes a sheet away"
                continue
            assert sheet(pilot).startswith("Here\n")
            assert told in sheet(pilot)
            await pilot.press("escape")
            await settle(pilot)
            assert app.screen is over
            await pilot.press("escape")
            await settle(pilot)
