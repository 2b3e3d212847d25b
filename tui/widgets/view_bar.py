"""The first line of every screen: the views, and what this one is about."""

from textual.content import Content
from textual.widgets import Static

from veracite.tui.keys import VIEWS

_GAP = "  "
_ROOMY = 60
"""Below this width only the view that one is in is named."""


class ViewBar(Static):
    """Names the views; a click opens one.

    Args:
        view: The one whose screen this is on.
        id: Of the widget.
    """

    def __init__(self, view: str, id: str | None = None) -> None:  # noqa: A002 (Textual's own name)
        super().__init__(id=id)
        self.auto_links = False  # what can be clicked keeps its own colours
        self._view = view
        self._about = Content("")

    def about(self, content: Content) -> None:
        """What stands behind the views' names."""
        self._about = content
        self._show()

    def on_resize(self) -> None:
        """A narrow screen has no room for all."""
        self._show()

    def on_mount(self) -> None:
        """The names alone, until there is more to say."""
        self._show()

    def _show(self) -> None:
        self.update(Content.assemble(self._names(), _GAP, self._about))

    def _names(self) -> Content:
        shown = [r for r in VIEWS if self.app.size.width >= _ROOMY or r.name == self._view]
        return Content("").join(
            Content.styled(
                f" {view.title} ",
                "bold reverse $primary" if view.name == self._view else "$muted",
            ).stylize(f"@click=app.view('{view.name}')")
            for view in shown
        )
