"""All models, by where they are, and what there is to say of each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from veracite.engine.display import neutralise, shorten, width_of
from veracite.models.files import size_in_words
from veracite.tui.service import HEADINGS, model_facts
from veracite.tui.widgets.fitted import hung

if TYPE_CHECKING:
    from veracite.models.store.catalogue import Fit, Listed

USED = "•"

_FIT_COLOURS: dict["Fit | None", str] = {
    "fits": "$text-success",
    "tight": "$text-warning",
    "does not fit": "$text-error",
}
_DOES = {
    "writing and judging": "writes",
    "encoding": "encodes",
    "verifying": "verifies",
    "reranking": "reranks",
}
_KINDS = {
    "writing and judging": "A language model. It writes answers and mends texts, and judges the "
    "claims of which the verifier is unsure.",
    "encoding": "An encoder. It finds passages by their meaning; with another one, each library is "
    "encoded anew.",
    "verifying": "The verifier. It judges every claim.",
    "reranking": "A reranker, a cross-encoder. It reads the best passages of each search together "
    "with what was looked for, and puts them in a better order.",
}
"""By what a model is used for; see ``Listed.task``."""
_FIT = 19
"""Cells."""
_VALUE = 11
"""The cell in which what is known of a model begins."""
_NAME = 24
"""Cells of a name."""


def memory_text(free: int) -> Content:
    """How much there is."""
    return Content.from_markup("[b]$size[/][$muted] of memory free[/]", size=size_in_words(free))


def model_row(model: "Listed", free: int) -> Content:
    """A model in a line: its name, what it needs in memory, what it does, and its size."""
    fit = model.fit(free)
    needs = f"{size_in_words(model.memory)} {fit}" if model.memory is not None and fit else ""
    name = shorten(neutralise(model.name), _NAME, "…")
    size = size_in_words(model.size) if model.size is not None else ""
    return Content.assemble(
        (f"{USED} " if model.in_use else "  ", "$primary"),
        (name, "bold" if model.in_use else ""),
        " " * (_NAME - width_of(name) + 2),
        ("cannot be used     ", "$text-error")
        if model.problem
        else (f"{needs:<{_FIT}}", _FIT_COLOURS.get(fit, "")),
        (f"  {_DOES[model.task]:<8}", "$muted"),
        f"  {size:>7}",
    )


def model_text(model: "Listed", free: int, exam: str | None, width: int) -> Content:
    """Everything about one model but its files, in so many cells; ``exam`` as ``model_facts``."""
    title = Content.assemble(
        (neutralise(model.name), "bold"),
        (f"  {USED} in use for {model.task}" if model.in_use else "", "bold $primary"),
    )
    parts = [Content.assemble(title, "\n", _KINDS[model.task])]
    if model.problem:
        parts.append(
            Content.styled(f"It cannot be used: {neutralise(model.problem)}", "$text-error")
        )
    facts = [
        hung(Content.styled(name, "$muted"), Content(neutralise(value)), _VALUE, width)
        for name, value in model_facts(model, free, exam)
        if value
    ]
    if facts:
        parts.append(Content("\n").join(facts))
    return Content("\n\n").join(parts)


class ModelsList(OptionList):
    """A line for each model, below a heading for each place where models can be."""

    def __init__(self) -> None:
        super().__init__(id="models-list")
        self.rows: list[Listed | None] = []
        """A model, or None for a heading."""

    @property
    def model(self) -> "Listed | None":
        """The one that is highlighted."""
        return self.rows[self.highlighted] if self.highlighted is not None else None

    def on_resize(self) -> None:
        """The highlighted one stays in sight."""
        self.call_after_refresh(self.scroll_to_highlight)

    def show(self, models: Sequence["Listed"], free: int, name: str | None = None) -> None:
        """Show these, with one highlighted.

        Args:
            name: Of that one; None is the one that was highlighted, wherever it is now.
        """
        name = name or (self.model.name if self.model else None)
        place = self.highlighted or 0
        self.rows = []
        options = []
        for state, heading in HEADINGS.items():
            if some := [model for model in models if model.state == state]:
                self.rows += [None, *some]
                options.append(Option(Content.styled(heading, "bold $primary"), disabled=True))
                options += [Option(model_row(model, free)) for model in some]
        self.set_options(options)
        places = {i: row.name for i, row in enumerate(self.rows) if row}
        same = [i for i, called in places.items() if called == name]
        near = [i for i in places if i >= place]
        self.highlighted = next(iter([*same, *near, *reversed(places)]), None)
