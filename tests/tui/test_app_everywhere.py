"""What holds in every view: help, themes, keys of one's own, the next start."""

import re
from pathlib import Path

import pytest
from ask_view import entered
from check_view import checked, screen_of
from contrast import contrast
from screens import enter, messages, press, prompt, settle, sheet
from scripted import FALSE, TEXT, Script
from textual.color import Color
from textual.events import Key

from veracite.engine.errors import SettingsError
from veracite.engine.paths import Paths
from veracite.engine.settings import load
from veracite.engine.types import Label
from veracite.tui.app import VeraciteApp
from veracite.tui.kept import Kept
from veracite.tui.kept import load as load_kept
from veracite.tui.keys import require_known
from veracite.tui.themes import THEMES


@pytest.fixture
def paths(home: Path) -> Paths:
    return Paths.resolve()


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
        assert keys["j"] == "next claim; or click on it"
        assert "n" not in keys
        assert "Cursor up" not in told  # everybody knows those of a text field


async def test_ctrl_c_where_there_is_nothing_to_copy_tells_how_to_leave() -> None:
    app = VeraciteApp(Script(), keymap={"quit": "ctrl+g"})
    async with app.run_test() as pilot:
        app.set_focus(None)
        await pilot.press("ctrl+c")
        assert "^g" in messages(pilot)[0]
        await pilot.press("ctrl+g")
        assert not app.is_running


async def test_edits_are_kept_for_each_text_until_it_is_saved_or_given_up(
    paths: Paths, home: Path
) -> None:
    async def started(path: Path | None, *keys: str) -> tuple[str, str]:
        app = VeraciteApp(Script(), path=path, against=(), paths=paths)
        async with app.run_test() as pilot:
            await settle(pilot)
            screen = screen_of(pilot)
            shown = screen.text.editor.text, screen.state.name
            await press(pilot, *keys)
            if "ctrl+q" not in keys:
                app._cut_off("SIGTERM")
        return shown

    one, other = home / "one.md", home / "other.md"
    for path in (one, other, None):
        if path:
            path.write_text("Whole.")
        await started(path, "X")
    other.write_text("Changed.")
    for _ in range(2):  # what is only shown is kept
        assert await started(one) == ("XWhole.", "one.md")
        assert await started(other) == ("XWhole.", "new text")
        assert await started(None) == ("X", "new text")
    assert await started(one, "ctrl+s", "ctrl+q") == ("XWhole.", "one.md")
    assert await started(other, "ctrl+q", "d") == ("XWhole.", "new text")
    assert await started(one) == ("XWhole.", "one.md")
    assert one.read_text() == "XWhole."
    assert await started(other) == ("Changed.", "other.md")
    assert len(list(paths.unsaved.iterdir())) == 1, "the new text alone"


async def test_f1_works_over_whatever_is_asked_or_read() -> None:
    app = VeraciteApp(Script())
    async with app.run_test() as pilot:
        await checked(pilot)
        for keys, told in (
            (["ctrl+down", "enter"], "open the file"),
            (["ctrl+l"], "tab            complete"),
            (["f"], "esc"),
            (["f8"], None),
        ):
            await press(pilot, *keys)
            over = app.screen
            await press(pilot, "f1")
            if told is None:
                assert app.screen is app.check_screen, "F1 takes a sheet away"
                continue
            assert sheet(pilot).startswith("Here\n")
            assert told in sheet(pilot)
            await press(pilot, "escape")
            assert app.screen is over
            await press(pilot, "escape")


async def test_what_is_typed_right_behind_a_key_that_leads_away_is_not_the_texts() -> None:
    app = VeraciteApp(Script())
    async with app.run_test() as pilot:
        await settle(pilot)
        for key, character in (("ctrl+o", None), ("x", "x"), ("y", "y")):
            app.post_message(Key(key, character))
        await settle(pilot)
        assert prompt(pilot)
        assert app.check_screen.text.editor.text == ""


def test_keys_come_from_the_config_and_a_wrong_name_is_told(paths: Paths) -> None:
    config = paths.config
    config.write_text('[keys]\n"check.next" = "ctrl+g, f7, shift+down, question_mark, G"\n')
    keys = load(paths).keys
    assert keys == {"check.next": "ctrl+g, f7, shift+down, question_mark, G"}
    require_known(keys, config)
    with pytest.raises(SettingsError, match=r"'check.nxt'.*Did you mean check.next\?"):
        require_known({"check.nxt": "ctrl+g"}, config)
    for wrong in ("ctrl+shft+g", "contrl+g", "pagdown"):
        with pytest.raises(SettingsError, match=re.escape(repr(wrong))):
            require_known({"help": f"f7,{wrong}"}, config)
    config.write_text("[keys]\nhelp = 1\n")
    with pytest.raises(SettingsError, match=r"The key help in .* is 1"):
        load(paths)


async def test_the_next_start_looks_as_the_last_one_was_left(paths: Paths, home: Path) -> None:
    draft, papers, more = home / "draft.md", home / "papers", home / "more"
    for folder in (papers, more):
        folder.mkdir()
    draft.write_text(TEXT)
    app = VeraciteApp(Script(), path=draft, against=(papers,), paths=paths)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        app.theme = "veracite-light"
        screen = await entered(pilot)
        await pilot.press("ctrl+l")
        await enter(pilot, more)
        screen._choose("vtg", "ceg")
        await pilot.press("ctrl+q")
    assert paths.app.stat().st_mode & 0o777 == 0o600
    away = [(path, home / f"away-{path.name}") for path in (draft, papers, more)]
    for path, there in away:
        path.rename(there)
    without = VeraciteApp(Script(), paths=paths)  # what is on a drive is told and not forgotten
    async with without.run_test() as pilot:
        await settle(pilot)
        told = "\n".join(messages(pilot))
        for path, _ in away:
            assert told.count(f"~/{path.name} cannot be found. It is ") == 1
        assert without.check_screen.text.editor.text == ""
        await pilot.press("ctrl+q")
    for path, there in away:
        there.rename(path)
    again = VeraciteApp(Script(), paths=paths)
    async with again.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert messages(pilot) == []
        assert again.theme == "veracite-light"
        ask = await entered(pilot)
        assert ask.against == (more,)
        assert ask.choices == ("vtg", "ceg")
        await press(pilot, "f2")
        assert again.check_screen.text.editor.text == TEXT
        assert again.check_screen.state.against == (papers,)
        await pilot.press("ctrl+q")
    async with VeraciteApp(Script(), paths=paths).run_test() as pilot:  # Ask is not visited
        await pilot.press("ctrl+q")
    async with VeraciteApp(Script(), paths=paths).run_test() as pilot:
        assert (await entered(pilot)).against == (more,)
    async with VeraciteApp(Script(), paths=paths, against=(home,)).run_test() as pilot:
        assert (await entered(pilot)).against == (home,)


@pytest.mark.parametrize("content", ["", "[]", '{"theme": 1}', '{"text": 1}', "\udcff"])
def test_what_was_kept_and_cannot_be_read_is_as_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / "app.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    assert load_kept(tmp_path / "app.json") == Kept()


@pytest.mark.parametrize("theme", [theme.name for theme in THEMES])
async def test_every_text_of_the_screen_can_be_read_in_our_themes(theme: str) -> None:
    """Contrast after WCAG 2: at least 4.5 to 1, with high contrast 7 to 1."""
    async with VeraciteApp(Script()).run_test() as pilot:
        pilot.app.theme = theme
        await pilot.pause()
        variables = pilot.app.get_css_variables()
        least = 7 if theme == "veracite-contrast" else 4.5
        for name in ("text-success", "text-error", "text-warning", "text-accent", "muted"):
            for ground in ("background", "surface"):
                colours = Color.parse(variables[name]), Color.parse(variables[ground])
                assert contrast(*colours) >= least, (name, ground)


async def test_what_was_said_in_a_view_does_not_stay_over_the_next() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        await pilot.press("f8")
        assert len(messages(pilot)) == 1
        await pilot.press("f2")
        assert len(messages(pilot)) == 1, "one is still there"
        await pilot.press("f4")
        assert messages(pilot) == []


async def test_the_palette_does_what_a_view_offers_and_nothing_of_it_over_a_question() -> None:
    app = VeraciteApp(Script())
    async with app.run_test() as pilot:
        await checked(pilot)
        await press(pilot, "ctrl+p")
        await press(pilot, *"only uncertain")
        await press(pilot, "enter")
        assert app.check_screen.state.only is Label.UNCERTAIN
        await pilot.press("ctrl+l")
        titles = {command.title for command in app.get_system_commands(app.screen)}
        assert not titles & {"Only uncertain", "Screenshot"}
