"""The Library view: the libraries, what is in them, and searching them."""

import threading
from collections.abc import Callable, Generator
from functools import partial
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widgets import ContentSwitcher, Input, OptionList
from textual.widgets.option_list import Option

from veracite.engine.errors import USER_ERRORS
from veracite.engine.events import Event
from veracite.engine.libraries import DEFAULT_LIBRARY
from veracite.index.progress import FileFailed, FileRead, Synced
from veracite.tui.keys import bindings
from veracite.tui.local_engine import LocalLibraries
from veracite.tui.progress import warnings
from veracite.tui.screens.passage import Excerpt, PassageScreen, open_file
from veracite.tui.screens.prompts import Confirmation, for_library, for_source
from veracite.tui.screens.view import View
from veracite.tui.service import Against, Holding, advice
from veracite.tui.widgets.library import (
    HitList,
    LibraryDetails,
    LibraryHits,
    library_subject,
    library_summary,
    passage_place,
)
from veracite.tui.worker import Runner, apart


class LibraryScreen(View):
    """The libraries at the left, the one that is chosen at the right; hits while one searches.

    Args:
        libraries: Has the libraries.
        turn: Held while the engine works.
        in_use: What Check and Ask go by now.
        use: Has both views go by others.
        chosen: The name of the library to look at first; None is the first one.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("library")

    def __init__(
        self,
        libraries: LocalLibraries,
        turn: threading.Lock,
        in_use: Callable[[], Against],
        use: Callable[[Against], None],
        chosen: str | None = None,
    ) -> None:
        super().__init__("library", libraries.cancel, turn)
        self.holdings: tuple[Holding, ...] = ()
        self._libraries = libraries
        self._in_use = in_use
        self._use = use
        self._chosen = chosen
        self._working = False
        self._last_word = ""
        """What came of the work that is over."""
        self._last_failed = False
        self.input = Input(placeholder="/ searches this library", id="search", compact=True)
        self.list = OptionList(id="libraries")
        self.details = LibraryDetails()
        self.hits = LibraryHits(libraries.search)

    def body(self) -> ComposeResult:
        """The search above; below it what is there, or what is found."""
        yield self.input
        with ContentSwitcher(initial="overview", id="body"):
            with Horizontal(id="overview"):
                yield self.list
                yield self.details
            yield self.hits
        yield self.status

    @property
    def chosen(self) -> Holding | None:
        """The library that is looked at."""
        return next((held for held in self.holdings if held.name == self._chosen), None)

    # What is read beside the screen

    @work(group="holdings", exclusive=True)
    async def _look_again(self) -> None:
        try:
            self.holdings = await apart(self._libraries.holdings)
        except USER_ERRORS as error:
            self.status.say(f"{error.message} {advice(error)}", error=True)
            return
        names = [held.name for held in self.holdings]
        if self._chosen not in names:
            self._chosen = names[0] if names else None
        if not self._working:
            self.status.say(self._last_word, error=self._last_failed)
        self._show_list()
        self._show_chosen()

    # What is shown

    def _show_list(self) -> None:
        names = [held.name for held in self.holdings]
        used = self._in_use() or DEFAULT_LIBRARY
        self.list.clear_options()
        self.list.add_options(
            Option(library_summary(held, held.name == used), id=held.name) for held in self.holdings
        )
        self.list.highlighted = names.index(self._chosen) if self._chosen else None
        self.list.display = bool(names)

    def _show_chosen(self) -> None:
        self.top.about(library_subject(self._chosen))
        self.input.disabled = self.chosen is None
        self.refresh_bindings()
        self.details.show(self.chosen)

    def _required(self) -> Holding | None:
        """The library that is looked at; told if there is none."""
        if self.chosen is None:
            self.notify("There is no library to be seen: a adds a folder or a file.")
        return self.chosen

    def on_mount(self) -> None:
        """See what is there."""
        self.list.focus()
        self.status.say("Looking for the libraries …")
        self.call_after_refresh(self._look_again)

    def on_screen_resume(self) -> None:
        """Another view, or another process, may have changed something."""
        if self.holdings and not self._working:
            self._look_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys for the libraries while one sees them, keys for the hits while one sees those; none
        for what needs a library before there is one."""
        searching = bool(self.input.value)
        if action in ("sync", "use", "delete"):
            return not searching and self.chosen is not None
        if action == "sources":
            return not searching and self.details.sources.display
        if action in ("add", "new"):
            return not searching
        if action == "search":
            return self.chosen is not None
        return searching if action == "ranking" else True

    # What the user asks for

    def action_back(self) -> None:
        """From the hits to the search, from there to the libraries; else stop."""
        if isinstance(self.focused, HitList):
            self.input.focus()
        elif self.input.has_focus or self.input.value:
            self.input.clear()
            self.list.focus()
        elif self._working:
            self.runner.stop()
            self.status.say("Stopping …")

    def action_use(self) -> None:
        """Have Check and Ask go by this library."""
        if chosen := self._required():
            self._use(None if chosen.name == DEFAULT_LIBRARY else chosen.name)
            self._show_list()
            self.notify(f"Check and Ask now go by the library {chosen.name}.")

    def action_sources(self) -> None:
        """Go to what the library follows."""
        self.details.sources.focus()

    @on(OptionList.OptionHighlighted, "#libraries")
    def _choose(self, event: OptionList.OptionHighlighted) -> None:
        if event.option.id != self._chosen:
            self._chosen = event.option.id
            self._show_chosen()

    @on(OptionList.OptionSelected, "#libraries")
    def _enter(self) -> None:
        if self.details.sources.display:
            self.action_sources()
        else:
            self.details.focus()

    # Changing a library

    def action_add(self) -> None:
        """Ask for a folder or a file to follow."""
        if self._free():
            self._ask_for_path(self._chosen or DEFAULT_LIBRARY)

    def action_new(self) -> None:
        """Ask for a name, and for the first folder or file."""
        if self._free():
            self.app.push_screen(
                for_library(self._libraries.require_new),
                lambda name: self._ask_for_path(name) if name else None,
            )

    def action_sync(self) -> None:
        """Read what is new or changed."""
        if self._free() and (chosen := self._required()):
            self._begin(partial(self._libraries.sync, chosen.name))

    def action_delete(self) -> None:
        """Delete the library, once that was confirmed."""
        if not (self._free() and (chosen := self._required())):
            return
        question = (
            f"The index of {chosen.name} is deleted and has to be made anew. "
            "The documents themselves stay where they are."
        )
        delete = partial(self._begin, partial(self._libraries.delete, chosen.name))
        self._confirm("Delete library", question, "Delete", delete)

    def action_remove_source(self) -> None:
        """Have the library follow the highlighted source no longer, once that was confirmed."""
        path = self.details.sources.current
        if path is None or not (self._free() and (chosen := self._required())):
            return
        question = (
            f"The library {chosen.name} forgets what it read from {path}. "
            "The documents themselves stay where they are."
        )
        remove = partial(self._begin, partial(self._libraries.remove, chosen.name, path))
        self._confirm("Remove source", question, "Remove", remove)

    def _free(self) -> bool:
        """Whether nothing is being worked on here; told if something is."""
        if self._working:
            self.notify("A library is being worked on. Escape stops it.")
        return not self._working

    def _ask_for_path(self, name: str) -> None:
        def added(name: str | None) -> None:
            if name:
                self._chosen = name
                self._begin(partial(self._libraries.sync, name))
                self._look_again()

        self.app.push_screen(for_source(name, self._libraries.add), added)

    def _confirm(self, title: str, question: str, yes: str, then: Callable[[], None]) -> None:
        prompt = Confirmation(title, question, yes)
        self.app.push_screen(prompt, lambda agreed: then() if agreed else None)

    def _begin(self, work: Callable[[], Generator[Event, None, None]]) -> None:
        waits = self.turn.locked()
        self._working, self._last_word, self._last_failed = True, "", False
        self.status.say("Waiting until the other view is done …" if waits else "Beginning …")
        self.runner.start(work)

    # What happens

    @on(Runner.Happened)
    def _happened(self, message: Runner.Happened) -> None:
        event = message.event
        self.status.follow(event)
        if isinstance(event, FileRead | FileFailed) and event.done == event.total:
            self._look_again()  # encoding may take long
        if isinstance(event, Synced):
            self._last_word = str(self.status.content)
        for warning in warnings(event):
            self.notify(warning, severity="warning")

    @on(Runner.Failed)
    def _failed(self, message: Runner.Failed) -> None:
        self._last_word = f"{message.message} {message.advice}"
        self._last_failed = True
        if not self.is_current:  # else it is in the line below, to its end
            self.notify(self._last_word, severity="error")

    @on(Runner.Ended)
    def _ended(self, message: Runner.Ended) -> None:
        self._working = False
        if message.stopped and not self._last_word:
            self._last_word = "Stopped. What was read is kept; s goes on."
        self.hits.look_again()
        self._look_again()

    # Searching

    def action_search(self) -> None:
        """Go to the search."""
        if self._required():
            self.input.focus()

    def action_ranking(self) -> None:
        """Look at the hits of the next way of ranking."""
        self.hits.turn()

    @on(Input.Changed, "#search")
    def _typed(self, event: Input.Changed) -> None:
        self.hits.look_for(self._chosen or "", event.value.strip())
        self.query_one(ContentSwitcher).current = "hits" if event.value else "overview"
        self.refresh_bindings()

    @on(Input.Submitted, "#search")
    def _into_hits(self) -> None:
        self.hits.current.focus()

    def action_open_hit(self) -> None:
        """Open the file of the highlighted hit."""
        hits = self.hits.current
        if hits.highlighted is not None:
            path = hits.passages[hits.highlighted].document.path
            self.run_worker(open_file(self.notify, path))

    @on(OptionList.OptionSelected, "HitList")
    def _read_on(self, event: OptionList.OptionSelected) -> None:
        around, name = self._libraries.around, self._chosen or DEFAULT_LIBRARY
        excerpts = [
            Excerpt(passage_place(each), each.document.path, each.text, partial(around, name, each))
            for each in self.hits.current.passages
        ]
        self.app.push_screen(PassageScreen(excerpts, event.option_index))
