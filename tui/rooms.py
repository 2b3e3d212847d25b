"""The rooms of the app: what can be done in it, and the key to each."""

from dataclasses import dataclass

from textual.app import App
from textual.screen import Screen

__all__ = ["ROOMS", "Room", "made"]


@dataclass(frozen=True, slots=True)
class Room:
    """One of the app's modes."""

    name: str
    title: str
    key: str
    about: str
    """For the command palette."""


ROOMS = (
    Room("check", "Check", "f2", "Check a text claim by claim"),
    Room("ask", "Ask", "f3", "Ask questions and get answers with citations"),
    Room("library", "Library", "f4", "Collections of documents: add, read, search"),
    Room("models", "Models", "f6", "Models: what is here, what fits, what is in use"),
)


def made(app: App[None], name: str) -> Screen[object] | None:
    """The screen of a room; None before the first visit."""
    try:
        return app.get_screen_stack(name)[0]
    except (KeyError, IndexError):
        return None
