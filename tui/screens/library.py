"""The Library view: the libraries, what is in them, and searching them."""

import threading
from collections.abc import Callable
from functools import partial

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import ContentSwitcher, Input, OptionList
from textual.widgets.option_list import Option

from veracite.engine.libraries import DEFAULT_LIBRARY, Against
from veracite.index.progress import FileFailed, FileRead, Synced
from veracite.tui.keys import bindings
from veracite.tui.local_engine import LocalLibraries
from veracite.tui.progress import warnings
from veracite.tui.screens import prompts
from veracite.tui.screens.passage import Excerpt, PassageScreen
from veracite.tui.screens.view import View
from veracite.tui.service import Holding
from veracite.tui.widgets.library import HitList, LibraryDetails, library_summary, passage_place
from veracite.tui.worker import Runner, Work, apart


class LibraryScreen(View):
    """The libraries at the left, the one that is chosen at the right; hits while one searches.

    Args:
        libraries: Has the libraries.
        turn: Held while the engine works.
        in_use: What Check and Ask go by now.
        use: Has both views go by others.
    """

    BINDINGS = bindings("library")
    AUTO_FOCUS = "#libraries"

    def __init__(
        self,
        libraries: LocalLibraries,
        turn: threading.Lock,
        in_use: Callable[[], Against],
        use: Callable[[Against], None],
    ) -> None:
        super().__init__("library", libraries.cancel, turn)
        self.holdings: tuple[Holding, ...] | None = None
        """None until they are known."""
        self._libraries = libraries
        self._in_use = in_use
        self._use = use
        self._chosen: str | None = None
        self._outcome = ("", False)
        """What came of the work, and whether it failed."""
        self.input = Input(placeholder="/ searches this library", id="search", compact=True)
        self.list = OptionList(id="libraries")
        self.details = LibraryDetails()
        self.hits = HitList(libraries.search)

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
        return next((held for held in self.holdings or () if held.name == self._chosen), None)

    @work(group="holdings", exclusive=True)
    async def _look_again(self) -> None:
        """Read what there is beside the screen."""
        with self.telling():
            first, self.holdings = self.holdings is None, await apart(self._libraries.holdings)
            names = [held.name for held in self.holdings]
            if self._chosen not in names:
                self._chosen = names[0] if names else None
            if first and not self.at_work:
                self.status.say("")
            self._show_list()
            self._show_chosen()

    # What is shown

    def _show_list(self) -> None:
        held = self.holdings or ()
        used = self._in_use() or DEFAULT_LIBRARY
        self.list.set_options(
            Option(library_summary(each, each.name == used), id=each.name) for each in held
        )
        self.list.highlighted = self.list.get_option_index(self._chosen) if self._chosen else None
        self.list.display = bool(held)

    def _show_chosen(self) -> None:
        self.top.about(Content.styled(self._chosen or "", "bold"))
        if self.chosen is None:
            self.input.clear()
        self.input.disabled = self.chosen is None
        self.refresh_bindings()
        self.details.show(self.chosen)
        self._look_for_hits()

    def on_mount(self) -> None:
        """See what is there."""
        self.status.say("Looking for the libraries …")
        self.call_after_refresh(self._look_again)

    def on_screen_resume(self) -> None:
        """Another view, or another process, may have changed something."""
        if self.holdings and not self.at_work:
            self._look_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys for the libraries while one sees them, keys for the hits while one sees those; none
        for what needs a library before there is one. One may search before it is known that there
        is none, so that what is typed behind the key is no command."""
        searching = bool(self.input.value)
        if action in ("sync", "use", "delete"):
            return not searching and self.chosen is not None
        if action == "sources":
            return not searching and self.details.sources.display
        if action in ("add", "new"):
            return not searching
        return action != "search" or self.holdings is None or self.chosen is not None

    # What the user asks for

    def action_back(self) -> None:
        """From the hits to the search, from there to the libraries; else stop."""
        if self.hits.has_focus:
            self.input.focus()
        elif self.input.has_focus or self.input.value:
            self.input.clear()
            self.list.focus()
        elif self.at_work:
            self.runner.stop()
            self.status.say("Stopping …")

    def action_use(self) -> None:
        """Have Check and Ask go by this library."""
        name = self._chosen or DEFAULT_LIBRARY
        self._use(None if name == DEFAULT_LIBRARY else name)
        self._show_list()
        self.notify(f"Check and Ask now go by the library {name}.")

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
        sources = self.details.sources
        (sources if sources.display else self.details).focus()

    # Changing a library

    def action_add(self) -> None:
        """Ask for a folder or a file to follow."""
        if self.is_free():
            self._ask_for_path(self._chosen or DEFAULT_LIBRARY)

    def action_new(self) -> None:
        """Ask for a name, and for the first folder or file."""
        if self.is_free():
            self.ask(prompts.for_library(self._libraries.require_new), self._ask_for_path)

    def action_sync(self) -> None:
        """Read what is new or changed."""
        if self.is_free() and self._chosen:
            self._begin(partial(self._libraries.sync, self._chosen))

    def action_delete(self) -> None:
        """Delete the library, once that was confirmed."""
        if self.is_free() and self._chosen:
            question = (
                f"The index of {self._chosen} is deleted and has to be made anew. "
                "The documents themselves stay where they are."
            )
            delete = partial(self._begin, partial(self._libraries.delete, self._chosen))
            self.confirm("Delete library", question, "Delete", delete)

    def action_remove_source(self) -> None:
        """Have the library follow the highlighted source no longer, once that was confirmed."""
        path = self.details.sources.current
        if path and self._chosen and self.is_free():
            question = (
                f"The library {self._chosen} forgets what it read from {path}. "
                "The documents themselves stay where they are."
            )
            remove = partial(self._begin, partial(self._libraries.remove, self._chosen, path))
            self.confirm("Remove source", question, "Remove", remove)

    def _ask_for_path(self, name: str) -> None:
        def added(name: str) -> None:
            self._chosen = name
            self._begin(partial(self._libraries.sync, name))
            self._look_again()

        self.ask(prompts.for_source(name, self._libraries.add), added)

    def _begin(self, work: Work) -> None:
        self._outcome = ("", False)
        self.begin("A library is being worked on.", work)

    # What happens

    @on(Runner.Happened)
    def _happened(self, message: Runner.Happened) -> None:
        event = message.event
        self.status.follow(event)
        if isinstance(event, FileRead | FileFailed) and event.done == event.total:
            self._look_again()  # encoding may take long
        if isinstance(event, Synced):
            self._outcome = (str(self.status.content), False)
        for warning in warnings(event):
            self.notify(warning, severity="warning")

    @on(Runner.Failed)
    def _failed(self, message: Runner.Failed) -> None:
        self._outcome = (message.said, True)
        self.tell(message.said, error=True)

    @on(Runner.Ended)
    def _ended(self, message: Runner.Ended) -> None:
        self.at_work = ""
        if message.stopped and not self._outcome[0]:
            self._outcome = ("Stopped. What was read is kept; s goes on.", False)
        words, failed = self._outcome
        self.status.say(words, error=failed)
        self.hits.look_again()
        self._look_again()

    # Searching

    def action_search(self) -> None:
        """Go to the search."""
        self.input.focus()

    @on(Input.Changed, "#search")
    def _typed(self, event: Input.Changed) -> None:
        self._look_for_hits()
        self.query_one(ContentSwitcher).current = "hits" if event.value else "overview"
        self.refresh_bindings()

    def _look_for_hits(self) -> None:
        if self.chosen:
            self.hits.look_for(self.chosen.name, self.input.value.strip())

    @on(Input.Submitted, "#search")
    def _into_hits(self) -> None:
        self.hits.focus()

    @on(OptionList.OptionSelected, "#hits")
    def _read_on(self, event: OptionList.OptionSelected) -> None:
        around, name = self._libraries.around, self._chosen or DEFAULT_LIBRARY
        excerpts = [
            Excerpt(passage_place(each), each.document.path, each.text, partial(around, name, each))
            for each in self.hits.passages
        ]
        self.app.push_screen(PassageScreen(excerpts, event.option_index))
