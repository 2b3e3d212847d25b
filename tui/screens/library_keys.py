"""The keys of the Library room; each can be given another one by its id (the config's [keys])."""

from textual.binding import Binding

from veracite.tui.screens.help_key import HELP

__all__ = ["LIBRARY_KEYS"]

LIBRARY_KEYS = [
    HELP,
    Binding(
        "escape",
        "back",
        "Back",
        show=False,
        tooltip="from the hits to the search and to the libraries; there it stops a sync",
        id="library.back",
    ),
    Binding(
        "slash",
        "search",
        "Search",
        key_display="/",
        tooltip="search the library while you type",
        id="library.search",
    ),
    Binding("ctrl+f", "search", "Search", show=False),
    Binding(
        "ctrl+t",
        "ranking",
        "Ranking",
        tooltip="look at the hits of hybrid, BM25 or dense search",
        id="library.ranking",
    ),
    Binding("a", "add", "Add", tooltip="add a folder or a file to the library", id="library.add"),
    Binding("n", "new", "New", tooltip="make a library with a name of its own", id="library.new"),
    Binding(
        "s",
        "sync",
        "Sync",
        tooltip="read what is new or changed in the library's sources",
        id="library.sync",
    ),
    Binding("f5", "sync", "Sync", show=False),
    Binding(
        "r",
        "sources",
        "Sources",
        tooltip="go to the sources, where r takes one out of the library",
        id="library.sources",
    ),
    Binding("u", "use", "Use", tooltip="use the library in Check and Ask", id="library.use"),
    Binding(
        "d",
        "delete",
        "Delete",
        tooltip="delete the library's index, not its documents",
        id="library.delete",
    ),
]
