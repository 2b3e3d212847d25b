"""What the app's views have in common: the line above, the line below, and work beside them."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer, Static

from veracite.engine.errors import USER_ERRORS
from veracite.tui.keys import VIEWS
from veracite.tui.screens.prompts import Confirmation
from veracite.tui.service import short_path
from veracite.tui.widgets.status_line import StatusLine
from veracite.tui.worker import Result, Runner, Work

_ROOMY = 60
"""Below this width only the view that one is in is named."""
_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
"""The class that a screen has from so many columns on; two panes stand side by side if wide."""


class ViewBar(Static):
    """Names the views; a click opens one.

    Args:
        view: The one whose screen this is on.
    """

    def __init__(self, view: str) -> None:
        super().__init__(id="top")
        self.auto_links = False  # what can be clicked keeps its own colours
        self._view = view
        self._about = Content("")

    def about(self, content: Content) -> None:
        """What stands behind the views' names."""
        self._about = content
        self.on_resize()

    def on_resize(self) -> None:
        """A narrow screen has no room for all names."""
        names = [
            Content.styled(
                f" {view.title} ", "bold reverse $primary" if view.name == self._view else "$muted"
            ).stylize(f"@click=app.view('{view.name}')")
            for view in VIEWS
            if self.app.size.width >= _ROOMY or view.name == self._view
        ]
        self.update(Content.assemble(*names, "  ", self._about))


class View(Screen[None]):
    """One of the app's views, which works at one thing at a time.

    Args:
        view: Its name.
        cancel: Cuts short what is worked on.
        turn: Held while it works.
    """

    # Textual declares it in a way that mypy takes for an instance's.
    HORIZONTAL_BREAKPOINTS = _BREAKPOINTS

    def __init__(self, view: str, cancel: Callable[[], None], turn: threading.Lock) -> None:
        super().__init__()
        self.runner = Runner(cancel, self.take, turn)
        self.turn = turn
        self.at_work = ""
        """What is being done, as a sentence; one thing at a time."""
        self.top = ViewBar(view)
        self.status = StatusLine(id="status")
        self.warned: set[str] = set()
        """What was said of the documents in use; it is not said again."""

    def compose(self) -> ComposeResult:
        """What the view shows, between its name and its keys."""
        yield self.top
        yield from self.body()
        yield Footer(compact=True, show_command_palette=False)

    def body(self) -> ComposeResult:
        """What the view shows."""
        yield self.status

    def take(self, message: Message) -> None:
        """Take a message from the runner's thread."""
        self.post_message(message)

    def on_unmount(self) -> None:
        """Stop what is running; nobody waits for it."""
        self.runner.stop()

    def is_free(self) -> bool:
        """Whether nothing is being done here; told if something is."""
        if self.at_work:
            self.notify(f"{self.at_work} Escape stops it.")
        return not self.at_work

    def begin(self, what: str, work: Work, first: str = "Starting …") -> None:
        """Begin something; ``what`` says so, and ``first`` what comes before all that is told."""
        self.at_work = what
        waits = self.turn.locked()
        self.status.say("Waiting until the other view is done …" if waits else first)
        self.runner.start(work)

    def confirm(self, title: str, question: str, yes: str, then: Callable[[], object]) -> None:
        """Do something once the user has said yes to it."""
        self.ask(Confirmation(title, question, yes), lambda _: then())

    def ask(self, question: ModalScreen[Result | None], then: Callable[[Result], object]) -> None:
        """Go on with the answer, unless the user thinks better of it."""

        def answered(answer: Result | None) -> None:
            if answer:
                then(answer)

        self.app.push_screen(question, answered)

    def tell(self, words: str, *, error: bool = False) -> None:
        """Say what came of something; an error in the line below, to its end, if that is seen."""
        self.status.say(words, error=error)
        if not (error and self.is_current):
            self.notify(words, severity="error" if error else "information")

    @contextmanager
    def telling(self) -> Iterator[None]:
        """An error for the user ends what is done here, and is told."""
        try:
            yield
        except USER_ERRORS as error:
            self.tell(Runner.Failed.of(error).said, error=True)

    def warn(self, warnings: Iterable[str]) -> None:
        """Say what is the matter with the documents, each thing once."""
        for warning in warnings:
            if warning not in self.warned:
                self.warned.add(warning)
                self.notify(warning, severity="warning")

    def tell_written(self, path: Path) -> None:
        """A file was written."""
        self.notify(f"Wrote {short_path(path.absolute())}.")
