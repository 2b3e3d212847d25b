"""The app: its theme, the keys that hold everywhere, and what it is started with."""

import gc
import sys
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NoReturn

from textual import on
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import Screen

from veracite.engine.documents import Documents
from veracite.engine.errors import InputError
from veracite.engine.overrides import Overrides
from veracite.engine.paths import Paths
from veracite.engine.settings import load
from veracite.tui import help_sheet, kept
from veracite.tui.clipboard import Copying
from veracite.tui.console import ExitCode
from veracite.tui.conversation_room import ask_room, asking
from veracite.tui.engine import Against, Engine
from veracite.tui.journal import Journal
from veracite.tui.kept import Kept
from veracite.tui.keymap import require_usable
from veracite.tui.leaving import end_process, hasten
from veracite.tui.library_room import library_room, looked_at
from veracite.tui.local_engine import LocalEngine
from veracite.tui.looks import Looks
from veracite.tui.models_room import models_room
from veracite.tui.rooms import ROOMS
from veracite.tui.screens.sheet import SheetScreen
from veracite.tui.screens.unsaved_prompt import UnsavedPrompt
from veracite.tui.themes import TITLES
from veracite.tui.toasts import Toasts
from veracite.tui.worker import Runner

if TYPE_CHECKING:
    from veracite.tui.screens.check import CheckScreen

__all__ = ["VeraciteApp", "run"]


class VeraciteApp(Looks, Copying, Toasts):
    """A room for each thing to do; each keeps its state while one is in another.

    Args:
        engine: Does the work.
        path: A text to open.
        against: The documents to begin with; None takes those of the last time, if no text is
            named, and else the default library.
        paths: Where everything is kept; None takes those of the environment for the rooms, and
            keeps neither how the app was left nor what the user overrode.
        keymap: Keys that take the place of others, by the ids of these.
        encoding: Of the terminal.
    """

    TITLE = "Veracite"
    DEFAULT_MODE = "check"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", priority=True, tooltip="these keys", id="help"),
        *(
            Binding(
                r.key,
                f"room('{r.name}')",
                r.title,
                show=False,
                priority=True,  # F6 and F7 mean something in Textual's text fields
                tooltip=r.about,
                id=f"room.{r.name}",
            )
            for r in ROOMS
        ),
        Binding("f9", "log", "Log", show=False, tooltip="what was said, and what broke", id="log"),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True, tooltip="quit", id="quit"),
    ]

    def __init__(
        self,
        engine: Engine,
        *,
        path: Path | None = None,
        against: Against = None,
        paths: Paths | None = None,
        keymap: Mapping[str, str] | None = None,
        encoding: str = "utf-8",
    ) -> None:
        self._place = paths.app if paths else None
        self._kept = kept.load(self._place) if self._place else Kept()
        if self._kept.room in {room.name for room in ROOMS}:
            # Textual reads it once, in what follows: no other room need be made first.
            self.DEFAULT_MODE = self._kept.room  # type: ignore[misc]
        super().__init__()
        self.paths = paths or Paths.resolve()
        self._problems: list[str] = []
        """To be told at the beginning."""
        self.turn = threading.Lock()
        self.journal = Journal(paths.crashes if paths else None)
        self.dress(self._kept.theme, encoding)
        self.set_keymap(dict(keymap or {}))
        self.shelf = self._kept.shelf
        """The library that its room begins with."""
        self.asking = self._kept.asking
        """How the Ask room begins."""
        if against is not None:
            self.asking = replace(self.asking, documents=None)
        reading = self._kept.reading
        self._lost: Path | None = None
        """The text of the last time, where it cannot be found."""
        documents = [self.asking.documents] if self.asking.documents else []
        if path is None and against is None:
            against = self._kept.checked.against
            documents.append(self._kept.checked)
            path = Path(reading.text) if reading.text else None
            if path and not path.is_file():
                self._lost, path = path, None
        self._problems += kept.out_of_reach(self._lost, *documents)
        overrides = self._overrides(paths.overrides) if paths else None
        resumed = path is not None and str(path.absolute()) == reading.text
        self._begin_check = partial(self._check_room, engine, path, against, overrides, resumed)
        self.add_mode("check", lambda: self.styled(self.check_screen))
        self.add_mode("ask", lambda: self.styled(ask_room(self, engine)))
        self.add_mode("library", lambda: self.styled(library_room(self, engine)))
        self.add_mode("models", lambda: self.styled(models_room(self, engine)))

    @cached_property
    def check_screen(self) -> "CheckScreen":
        """The Check room, made when it is first needed: by a visit or by another room."""
        return self._begin_check()

    def _check_room(
        self,
        engine: Engine,
        path: Path | None,
        against: Against,
        overrides: Overrides | None,
        resumed: bool,
    ) -> "CheckScreen":
        from veracite.tui.screens.check import CheckScreen

        room = CheckScreen(engine, self.turn, path, against, overrides)
        room.panes.shares = (self._kept.beside, self._kept.below)
        if resumed:
            room.resume = self._kept.reading
        return room

    def on_mount(self) -> None:
        """Tell what went wrong so far."""
        self.call_after_refresh(gc.enable)
        for message in self._problems:
            self.notify(message, severity="error", markup=False)

    def action_room(self, name: str) -> None:
        """Go to another room, without what was said in this one; a question that is on the screen
        is answered first."""
        if len(self.screen_stack) == 1 and name != self.current_mode:
            self.clear_notifications()
            self.switch_mode(name)

    async def action_quit(self) -> None:
        """Leave; with unsaved edits not before the user has said what becomes of them."""
        if isinstance(self.screen, UnsavedPrompt):
            asked = self.screen
            asked.dismiss("discard" if asked.key == "ctrl+q" else None)
            if asked.key == "ctrl+q":
                return
        self.check_screen.leave("ctrl+q", "Ctrl+Q", self._leave)

    def _leave(self) -> None:
        """Remember how the app was left, and leave."""
        if self._place:
            room = self.check_screen
            keeps = self._lost is not None and room.path is None
            left = Kept(
                self.theme,
                self.current_mode,
                self._kept.reading if keeps else room.reading,
                Documents.of(room.state.against),
                asking(self),
                looked_at(self),
                *room.panes.shares,
            )
            with suppress(OSError):  # the next start looks like the first: nothing worse
                kept.save(self._place, left)
        hasten(self._driver)
        self.exit()

    def _overrides(self, path: Path) -> Overrides:
        """Those that are kept; where they cannot be read, none, which is told."""
        try:
            return Overrides(path)
        except InputError as error:
            self._problems.append(f"{error.message} {error.advice}")
            return Overrides()

    def action_help(self) -> None:
        """Show the keys, also over a question; on a sheet, take that away again."""
        if isinstance(self.screen, SheetScreen):
            self.screen.dismiss()
        else:
            found = help_sheet.keys(self.screen)
            self.push_screen(SheetScreen("Keys", partial(help_sheet.laid_out, found)))

    def action_log(self) -> None:
        """Show what was said, and the details of what broke."""
        self.push_screen(SheetScreen("Log", self.journal.sheet()))

    @on(Runner.Failed)
    def _keep_details(self, message: Runner.Failed) -> None:
        """What a screen told in a sentence stands in the log too, with its details."""
        self.journal.note("error", message.details or f"{message.message} {message.advice}")

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Textual's own commands and ours."""
        yield from super().get_system_commands(screen)
        for room in ROOMS:
            yield SystemCommand(room.title, room.about, partial(self.action_room, room.name))
        for name, title in TITLES.items():
            yield SystemCommand(title, "Change the colours", partial(setattr, self, "theme", name))
        yield SystemCommand("Log", "What was said, and what broke", self.action_log)
        commands = getattr(screen, "commands", None)  # every room's own
        if commands is not None:
            yield from commands()


def run(
    paths: Paths | None = None,
    *,
    path: Path | None = None,
    against: Against = None,
) -> NoReturn:
    """Open the app until the user leaves it, which ends the process.

    Args:
        paths: None takes those of the environment.
        path: A text to open.
        against: The documents to begin with; None is the default library.

    Raises:
        SettingsError: A setting in the environment or the config file is wrong.
    """
    gc.disable()  # until the first frame: none of what is made until then is garbage
    paths = paths or Paths.resolve()
    config = load(paths)
    require_usable(config.keys, paths.config)
    engine = LocalEngine(config.check, paths)
    app = VeraciteApp(
        engine,
        path=path,
        against=against,
        paths=paths,
        keymap=config.keys,
        encoding=getattr(sys.__stderr__, "encoding", None) or "ascii",  # Textual draws there
    )
    try:
        app.run()
        code = app.return_code or 0
    except KeyboardInterrupt:  # in the terminal that was just given back
        code = ExitCode.INTERRUPTED
    end_process(app.turn, code)
