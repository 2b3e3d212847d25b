"""The help: every key that does something where one is."""

from collections.abc import Iterator

from textual.app import App
from textual.binding import Binding
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen

__all__ = ["keys"]

_MORE = """\
The mouse works too, and Ctrl+P finds every action by its name.
Other keys: a table [keys] in the config file, such as "check.next" = "ctrl+g"."""

_Rows = dict[str, tuple[list[str], str]]
"""By action: its keys, and what it does."""


def keys(screen: Screen[object]) -> Content:
    """What the keys do, first those of what has the focus, as they are mapped now."""
    sections: dict[DOMNode, _Rows] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        told = binding.tooltip or binding.description
        if active.enabled and told and not _is_usual(active.node, binding):
            rows = sections.setdefault(active.node, {})
            shown, _ = rows.setdefault(binding.action, ([], told))
            shown.append(screen.app.get_key_display(binding.with_key(binding.key)))
    order = sorted(sections, key=lambda node: (node is screen.app, node is not screen.focused))
    return Content("\n").join(_lines(screen, [(node, sections[node]) for node in order]))


def _lines(screen: Screen[object], sections: list[tuple[DOMNode, _Rows]]) -> Iterator[Content]:
    for node, rows in sections:
        title = "Everywhere" if node is screen.app else "In this room"
        if node is screen.focused:
            title = "Here"
        yield Content.styled(title, "bold $primary")
        for shown, told in rows.values():
            yield Content.assemble((f"{', '.join(shown):<14} ", "bold"), told)
        yield Content("")
    yield Content.styled(_MORE, "$muted")


def _is_usual(node: DOMNode, binding: Binding) -> bool:
    """Whether it belongs to Textual's own widgets, such as the arrow keys of a text field."""
    return not isinstance(node, App) and any(
        binding.action == each.action
        for kind in type(node).__mro__
        if kind.__module__.startswith("textual.")
        for each in Binding.make_bindings(kind.__dict__.get("BINDINGS", ()))
    )
