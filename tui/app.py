"""The app: its theme, the keys that hold everywhere, and what it is started with."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.screen import Screen
from textual.theme import Theme

from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings, load
from veracite.tui.engine_check import EngineCheck
from veracite.tui.screens.check import CheckScreen
from veracite.tui.screens.sheet import SheetScreen
from veracite.tui.screens.unsaved_prompt import UnsavedPrompt
from veracite.tui.sheets import keys
from veracite.tui.worker import Against, Check

__all__ = ["VeraciteApp", "run"]

_PATIENCE = 0.1
"""Seconds that a check gets to stop by itself once the user has left."""

DARK = Theme(
    name="veracite-dark",
    primary="#7aa2c8",
    secondary="#8fb8a8",
    accent="#b79ad6",
    foreground="#d6d8dc",
    background="#16181d",
    surface="#1b1e24",
    panel="#22262e",
    success="#8fbf8f",
    warning="#dfb76c",
    error="#e07a7a",
    dark=True,
    variables={
        "text-success": "#9ccc9c",
        "text-error": "#ea8080",
        "text-warning": "#e3bd72",
        "text-accent": "#c3a6e6",
    },
)
LIGHT = Theme(
    name="veracite-light",
    primary="#2f6496",
    secondary="#3f7f6c",
    accent="#7a4fa8",
    foreground="#24272c",
    background="#fbfaf8",
    surface="#f4f2ee",
    panel="#e9e6e0",
    success="#2f7d3a",
    warning="#a86a00",
    error="#b93333",
    dark=False,
    variables={
        "text-success": "#236b2e",
        "text-error": "#b02a2a",
        "text-warning": "#8a5600",
        "text-accent": "#6b3fa0",
    },
)


class VeraciteApp(App[None]):
    """One screen so far.

    Args:
        check: What carries a check out; see ``veracite.tui.worker.Check``.
        path: A text to open.
        against: The documents to begin with; None is the default library.
    """

    TITLE = "Veracite"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help", show=False),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
    ]

    def __init__(self, check: Check, *, path: Path | None = None, against: Against = None) -> None:
        super().__init__()
        self.check_screen = CheckScreen(check, path, against)

    def on_mount(self) -> None:
        """Set the theme."""
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = DARK.name

    def get_css_variables(self) -> dict[str, str]:
        """The theme's colours and two mixed from them, for any theme.

        ``muted`` is for what matters less, ``current`` lies behind the claim that is shown. They
        are opaque, unlike Textual's own: a text area knows no transparency.
        """
        variables = super().get_css_variables()
        if self.current_theme.name.startswith("ansi"):
            named = {"muted": "ansi_bright_black", "text-accent": "ansi_magenta"}
            return variables | named | {"current": "ansi_default"}  # app.tcss reverses it instead
        foreground, background, primary = (
            Color.parse(variables[name]) for name in ("foreground", "background", "primary")
        )
        return variables | {
            "muted": background.blend(foreground, 0.6).hex,
            "current": background.blend(primary, 0.28).hex,
        }

    def get_default_screen(self) -> Screen[None]:
        """The screen to begin with."""
        return self.check_screen

    async def action_quit(self) -> None:
        """Leave; with unsaved edits not before the user has said what becomes of them."""
        if isinstance(self.screen, UnsavedPrompt):
            asked = self.screen
            asked.dismiss("discard" if asked.key == "ctrl+q" else None)
            if asked.key == "ctrl+q":
                return
        self.check_screen.leave("ctrl+q", "Ctrl+Q", self.exit)

    def action_help(self) -> None:
        """Show the keys."""
        self.push_screen(SheetScreen("Keys", keys()))

    def action_light(self) -> None:
        """Change between the dark and the light theme."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Textual's own commands and ours."""
        yield from super().get_system_commands(screen)
        yield SystemCommand("Light or dark", "Change the theme", self.action_light)
        if isinstance(screen, CheckScreen):
            yield from screen.commands()


def run(
    settings: CheckSettings | None = None,
    paths: Paths | None = None,
    *,
    path: Path | None = None,
    against: Against = None,
) -> int:
    """Open the app and wait until the user leaves it.

    Args:
        settings: None takes those of the environment and the config file.
        paths: None takes those of the environment.
        path: A text to open.
        against: The documents to begin with; None is the default library.

    Raises:
        SettingsError: A setting in the environment or the config file is wrong.

    Returns:
        The exit code of the process.
    """
    paths = paths or Paths.resolve()
    check = EngineCheck(settings or load(paths).check, paths)
    app = VeraciteApp(check, path=path, against=against)
    app.run()
    code = app.return_code or 0
    if app.check_screen.checker.join(seconds=_PATIENCE):
        check.close()
        return code
    # A step is still being worked on, and models in use cannot be closed. Everything on the disk
    # is made to survive this; the interpreter's own way out takes seconds with native threads busy.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
