"""How the app says something: briefly over the screen, and for good in its log."""

from typing import Any

from textual.app import App
from textual.notifications import Notification, Notify, SeverityLevel

from veracite.tui.journal import Journal, repaired

__all__ = ["Toasts"]


class Toasts(App[None]):
    """The part of the app that is about notifications."""

    journal: Journal

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Say something, and keep it for the log, which is enough for what repaired itself."""
        self.journal.note(severity, message)
        if not repaired(message):
            super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)

    def on_notify(self, event: Notify) -> None:
        """What says the same already gives way to this one, which stays as long as any."""
        for shown in tuple(self._notifications):
            if _said(shown) == _said(event.notification):
                self._unnotify(shown, refresh=False)

    def push_screen(self, *args: Any, **kwargs: Any) -> Any:
        """Show a screen over this one, with nothing that was said here on it."""
        self.clear_notifications()
        return super().push_screen(*args, **kwargs)


def _said(notification: Notification) -> tuple[str, str]:
    return notification.severity, notification.message
