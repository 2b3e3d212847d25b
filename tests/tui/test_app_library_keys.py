"""Keys of the Library view that can do nothing now: none is silent."""

import threading

from library_room import app_with, visited
from screens import messages, settle
from scripted import Script
from shelves import PAPERS, ScriptedShelf, status

from veracite.tui.app import VeraciteApp


async def test_a_key_that_can_do_nothing_now_says_why() -> None:
    shelf = ScriptedShelf({"default": status(), "law": status(PAPERS)})
    app = VeraciteApp(Script(libraries=shelf), keymap={"library.use": "ctrl+g"})
    async with app.run_test() as pilot:
        await visited(pilot)
        for key, why in (
            ("r", "This library has no sources: a adds a folder or a file."),
            ("ctrl+t", "There are no hits yet: / searches the library."),
            ("w", None),
        ):
            app.clear_notifications()
            await pilot.press(key)
            assert messages(pilot) == ([why] if why else []), key
        await pilot.press("slash", *"mill", "enter")
        await settle(pilot)
        for key in ("ctrl+g", "s", "a", "d", "r"):
            app.clear_notifications()
            await pilot.press(key)
            assert messages(pilot) == [
                "This is for the libraries, not for the hits: Escape goes back to them."
            ], key
        app.clear_notifications()
        await pilot.press("u", "ctrl+t", "escape")
        assert messages(pilot) == []


async def test_before_the_libraries_are_listed_their_keys_say_so() -> None:
    app, shelf = app_with(law=status(PAPERS))
    listed, go_on = shelf.holdings, threading.Event()
    shelf.holdings = lambda: (go_on.wait(), listed())[1]  # type: ignore[method-assign]
    async with app.run_test() as pilot:
        await pilot.press("f4", "u")
        assert messages(pilot) == [
            "The libraries are not listed yet; the line at the bottom says why."
        ]
        go_on.set()
        screen = await visited(pilot)
        app.clear_notifications()
        await pilot.press("u")
        await settle(pilot)
        assert messages(pilot) == ["Check and Ask now go by the library law."]
        assert screen.chosen
