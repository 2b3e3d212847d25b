"""The app: its views, the keys that work everywhere, its look, and how it starts and ends."""

import asyncio
import gc
import os
import re
import signal
import sys
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from textual.app import App, SystemCommand
from textual.binding import Binding
from textual.notifications import Notify
from textual.screen import Screen

from veracite.engine.display import neutralise
from veracite.engine.errors import SettingsError
from veracite.engine.libraries import Against, Documents
from veracite.engine.overrides import Overrides
from veracite.engine.paths import Paths
from veracite.engine.settings import load
from veracite.tui import desktop, kept
from veracite.tui.console import ExitCode
from veracite.tui.kept import Kept
from veracite.tui.keys import VIEWS, bindings, commands, require_known
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens.info import InfoScreen, help_keys, help_text
from veracite.tui.screens.prompts import UnsavedPrompt
from veracite.tui.themes import DARK, THEMES, mixed
from veracite.tui.worker import apart

if TYPE_CHECKING:
    from veracite.models.store.catalogue import Listed
    from veracite.tui.screens.ask import AskScreen
    from veracite.tui.screens.check import CheckScreen
    from veracite.tui.screens.library import LibraryScreen
    from veracite.tui.screens.models import ModelsScreen

_PATIENCE = 0.1
"""Seconds that work gets to stop by itself, and to end the processes that it began."""

_FUNCTION_KEY = re.compile(r"f\d+")


class VeraciteApp(App[None]):
    """A view for each thing to do; each keeps its state while one is in another.

    Args:
        engine: Does the work.
        path: A text to open.
        against: The documents to begin with; None takes those of the last time, if no text is
            named, and else the default library.
        paths: Where everything is kept; None takes those of the environment for the views, and
            keeps neither how the app was left nor what the user overrode.
        keymap: Keys that take the place of others, by the ids of these.
    """

    TITLE = "Veracite"
    DEFAULT_MODE = "check"
    CSS_PATH = "app.tcss"
    BINDINGS = bindings("everywhere")

    def __init__(
        self,
        engine: LocalEngine,
        *,
        path: Path | None = None,
        against: Against = None,
        paths: Paths | None = None,
        keymap: Mapping[str, str] | None = None,
    ) -> None:
        self._place = paths.app if paths else None
        self.kept = kept.load(paths.app) if paths else Kept()
        """How the app was left; what was not visited since stays so."""
        super().__init__()
        self.paths = paths or Paths.resolve()
        self.turn = threading.Lock()
        for each in THEMES:
            self.register_theme(each)
        self.theme = self.kept.theme if self.kept.theme in self.available_themes else DARK.name
        self.set_keymap(dict(keymap or {}))
        if against is not None:
            self.kept = replace(self.kept, asked=None)
        self._lost: Path | None = None
        """The text of the last time, where it cannot be found."""
        documents = [self.kept.asked] if self.kept.asked else []
        if path is None and against is None:
            against = self.kept.checked.against
            documents.append(self.kept.checked)
            path = Path(self.kept.text) if self.kept.text else None
            if path and not path.is_file():
                self._lost, path = path, None
        self._problems = kept.out_of_reach(self._lost, *documents)
        """To be told at the beginning."""
        overrides = Overrides.kept(paths.overrides, self._problems.append) if paths else None
        self._engine = engine
        unsaved = kept.Unsaved(paths.unsaved if paths else None)
        self._first = path, against, overrides, unsaved
        """How the Check view begins."""
        self.add_mode("check", lambda: self.check_screen)
        self.add_mode("ask", lambda: self.ask_screen)
        self.add_mode("library", lambda: self.library_screen)
        self.add_mode("models", lambda: self.models_screen)

    # The views, each made when it is first needed: by a visit or by another view

    @cached_property
    def check_screen(self) -> "CheckScreen":
        """A text and its verdicts."""
        from veracite.tui.screens.check import CheckScreen

        return CheckScreen(self._engine, self.turn, *self._first)

    @cached_property
    def ask_screen(self) -> "AskScreen":
        """A conversation, asked of the documents of the last time or of those of the check."""
        from veracite.tui.screens.ask import AskScreen

        asked = self.kept.asked
        against = asked.against if asked else self.check_screen.state.against
        return AskScreen(self._engine, self.turn, against, self.paths, self.kept.methods)

    @cached_property
    def library_screen(self) -> "LibraryScreen":
        """The libraries; one that is put to use there is used in Check and Ask."""
        from veracite.tui.screens.library import LibraryScreen

        def in_use() -> Against:
            return self.check_screen.state.against

        libraries = self._engine.libraries
        return LibraryScreen(libraries, self.turn, in_use, self._use_library)

    @cached_property
    def models_screen(self) -> "ModelsScreen":
        """The models; the engine works with what is chosen there."""
        from veracite.tui.screens.models import ModelsScreen

        return ModelsScreen(self.paths, self._hand_over)

    def _use_library(self, against: Against) -> None:
        """Have Check and Ask go by these documents from now on."""
        self.check_screen.go_by(against)
        self.kept = replace(self.kept, asked=Documents.of(against))
        if "ask_screen" in vars(self):
            self.ask_screen.go_by(against)

    async def _hand_over(self, listed: Iterable["Listed"], now: Iterable["Listed"]) -> None:
        """Let the engine work with the models that are used now, once it has finished what it is
        doing."""
        before, after = _used(listed), _used(now)
        if before == after:
            return
        generator = after.get("generator")
        if before.get("generator") != generator:
            self._engine.use_model(str(generator) if generator else None)

        def let_go() -> None:
            with self.turn:
                self._engine.close()

        await apart(let_go)

    def _left(self) -> Kept:
        """How the app stands."""
        check, left = self.check_screen, self.kept
        if "ask_screen" in vars(self):
            ask = self.ask_screen
            left = replace(left, asked=Documents.of(ask.against), methods=ask.chosen)
        if check.path or not self._lost:
            left = replace(left, text=str(check.path.absolute()) if check.path else None)
        return replace(left, theme=self.theme, checked=Documents.of(check.state.against))

    def on_mount(self) -> None:
        """Tell what went wrong so far, and mind the end of the terminal."""
        self.call_after_refresh(gc.enable)
        if not self.is_headless:
            for name in ("SIGHUP", "SIGTERM", "SIGINT"):
                with suppress(AttributeError, NotImplementedError):  # not on Windows
                    number = getattr(signal, name)
                    asyncio.get_running_loop().add_signal_handler(number, self._cut_off, name)
        for message in self._problems:
            self.notify(message, severity="error")

    def action_view(self, name: str) -> None:
        """Go to another view, without what was said in this one; a question that is on the screen
        is answered first."""
        if len(self.screen_stack) == 1 and name != self.current_mode:
            self.clear_notifications()
            self.switch_mode(name)

    async def action_quit(self) -> None:
        """Leave; with unsaved edits not before the user has said what becomes of them."""
        if not isinstance(self.screen, UnsavedPrompt):
            self.check_screen.leave(self._leave)

    def _leave(self) -> None:
        """Remember how the app was left, and leave."""
        self.check_screen.unsaved.settle()
        self._remember()
        self.exit()

    def _cut_off(self, signal_name: str) -> None:
        """Leave when nobody can be asked any more; edits are there when the text is opened."""
        self.check_screen.keep_edits()
        self._remember()
        if signal_name == "SIGHUP":
            os._exit(ExitCode.INTERRUPTED)  # there is no terminal to give back
        self.exit(return_code=ExitCode.INTERRUPTED)

    def _remember(self) -> None:
        if self._place:
            with suppress(OSError):  # the next start looks like the first: nothing worse
                kept.save(self._place, self._left())

    def action_help(self) -> None:
        """Show the keys, also over a question; over such a text, take that away again."""
        if isinstance(self.screen, InfoScreen):
            self.screen.dismiss()
        else:
            found = help_keys(self.screen)
            self.push_screen(InfoScreen("Keys", partial(help_text, found)))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Textual's own commands, but for the one that writes pictures, and ours."""
        own = super().get_system_commands(screen)
        yield from (command for command in own if command.title != "Screenshot")
        for view in VIEWS:
            yield SystemCommand(view.title, view.about, partial(self.action_view, view.name))
        if screen is self.screen_stack[0]:  # below the palette, and no question on it
            yield from commands(screen, self.current_mode)

    # How it looks

    def get_css_variables(self) -> dict[str, str]:
        """The theme's colours and those mixed from them."""
        variables = super().get_css_variables()
        return variables | mixed(self.current_theme.name, variables)

    def get_key_display(self, binding: Binding) -> str:
        """A key as a person writes it."""
        shown = super().get_key_display(binding)
        return shown.upper() if _FUNCTION_KEY.fullmatch(shown) else shown

    # What it says

    def action_help_quit(self) -> None:
        """Tell who presses Ctrl+C how to leave: Textual would say it in markup."""
        quits = (b.binding for b in self.active_bindings.values() if b.binding.action == "quit")
        self.notify(f"{self.get_key_display(next(quits))} quits.")

    def notify(self, message: str, **how: Any) -> None:
        """Say something, harmless and without markup."""
        super().notify(neutralise(message, lines=True), **how | {"markup": False})

    def on_notify(self, event: Notify) -> None:
        """What says the same already gives way to this one, which stays as long as any."""
        new = event.notification
        for shown in tuple(self._notifications):
            if (shown.severity, shown.message) == (new.severity, new.message):
                self._unnotify(shown, refresh=False)

    def push_screen(self, *args: Any, **kwargs: Any) -> Any:
        """Show a screen over this one, with nothing that was said here on it."""
        self.clear_notifications()
        return super().push_screen(*args, **kwargs)

    def copy_to_clipboard(self, text: str) -> None:
        """Copy what is selected, in whatever widget."""
        self.run_worker(desktop.copy(self, text, "the selection"))


def run(paths: Paths, path: Path | None = None, against: Against = None) -> NoReturn:
    """Open the app until the user leaves it, which ends the process.

    Args:
        paths: Where everything is kept.
        path: A text to open.
        against: The documents to begin with, see ``VeraciteApp``.

    Raises:
        SettingsError: A setting in the environment or the config file is wrong, or the terminal
            does not write Unicode.
    """
    encoding = getattr(sys.__stderr__, "encoding", None) or "ascii"  # Textual draws there
    if not encoding.lower().startswith("utf"):
        raise SettingsError(
            f"The app draws with characters that {encoding}, the encoding of this terminal, lacks.",
            "Set LANG to one of UTF-8, such as C.UTF-8, or use the commands.",
        )
    gc.disable()  # until the first frame: none of what is made until then is garbage
    config = load(paths)
    require_known(config.keys, paths.config)
    engine = LocalEngine(config.check, paths)
    app = VeraciteApp(engine, path=path, against=against, paths=paths, keymap=config.keys)
    try:
        app.run()
        code = app.return_code or 0
        if code and "check_screen" in vars(app):
            app.check_screen.keep_edits()
    except KeyboardInterrupt:  # in the terminal that was just given back
        code = ExitCode.INTERRUPTED
    _end_process(app.turn, code)


def _used(models: Iterable["Listed"]) -> dict[str, Path | None]:
    """The path of each kind's model in use."""
    return {model.kind: model.path for model in models if model.in_use}


def _end_process(turn: threading.Lock, code: int) -> NoReturn:
    """End the process with this exit code.

    Closing models and taking the interpreter down takes up to seconds with native threads busy.
    Everything on the disk is made to survive this: databases commit as they go, and files are
    written beside their place and renamed.

    Args:
        turn: Held by work that still goes on.
        code: The exit code.
    """
    turn.acquire(timeout=_PATIENCE)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
