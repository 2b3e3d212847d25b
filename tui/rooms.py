"""The rooms of the app: what can be done in it, and the key to each."""

from dataclasses import dataclass

__all__ = ["ROOMS", "Room"]


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
