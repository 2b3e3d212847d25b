"""The key to all others, at its place in the footer of a room; what it does is the app's."""

from textual.binding import Binding

__all__ = ["HELP"]

HELP = Binding("f1", "app.help", "Help", tooltip="these keys")
