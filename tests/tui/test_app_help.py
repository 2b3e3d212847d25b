"""F1: what the keys do, in every view and over every question."""

from screens import checked, screen_of, settle, sheet
from scripted import FALSE, TEXT, Script

from veracite.tui.app import VeraciteApp


def told_keys(section: str) -> dict[str, str]:
    """What the keys of a section do, by the key; what goes on in the next line is left out."""
    rows = [row for row in section.split("\n\n")[0].splitlines() if row[:14].strip()]
    return {key: row[15:] for row in rows for key in row[:14].strip().split(", ")}


async def test_a_key_that_writes_in_a_text_field_is_told_to_do_so_elsewhere() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        await pilot.press("a", "enter", "slash")
        assert screen_of(pilot).text.editor.text == "a\n/"
        await pilot.press("f1")
        here, elsewhere = map(told_keys, sheet(pilot).split("Elsewhere in this view\n"))
        assert "^f" in here
        assert not here.keys() & {"⏎", "/", "n"}
        assert elsewhere["⏎"] == "read the pages around the quote"
        assert elsewhere["/"] == "find words in the text"
        await pilot.press("f1")
        await checked(pilot)
        await pilot.press("f1")
        assert {"⏎", "/", "n"} <= told_keys(sheet(pilot).split("In this view\n")[1]).keys()


async def test_help_begins_with_the_keys_of_where_one_is_as_they_are_mapped() -> None:
    app = VeraciteApp(Script(), keymap={"check.next": "ctrl+g"})
    async with app.run_test() as pilot:
        screen = await checked(pilot)
        await pilot.press("n")
        assert screen.text.place == -1
        await pilot.press("ctrl+g")
        assert TEXT[screen.text.place :].startswith(FALSE)
        await pilot.press("f1")
        told = sheet(pilot)
        assert told.startswith("Here\n")
        assert "next claim; or point with the mouse" in told
        assert "^g" in told
        assert "Cursor up" not in told  # everybody knows those of a text field
        await pilot.press("escape", "e", "f1")
        here, elsewhere = sheet(pilot).split("Elsewhere in this view\n")
        assert "next claim" not in here
        assert "next claim" in elsewhere


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
