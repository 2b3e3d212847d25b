"""The settings of methods that answer from passages, for skills that quote."""

from typing import Protocol

from veracite.engine.methods.options import option
from veracite.engine.skills.base import DEFAULT_WRITING, Writing


class _Quoting(Protocol):
    @property
    def sentences(self) -> int: ...
    @property
    def enough(self) -> float: ...
    @property
    def bar(self) -> float: ...


def sentences() -> int:
    """The setting of how many are quoted."""
    return option(
        DEFAULT_WRITING.sentences,
        "Sentences that are quoted, at most, without a language model.",
        within=(1, 20),
        quoted=True,
    )


def enough() -> float:
    """The setting of when an answer ends."""
    return option(
        DEFAULT_WRITING.enough,
        "Without a language model, no more is quoted where the right quote is this likely to be "
        "there already.",
        within=(0.0, 1.0),
        quoted=True,
    )


def bar() -> float:
    """The setting of when an answer is given."""
    return option(
        DEFAULT_WRITING.bar,
        "Without a language model, quotes that answer less probably than this are no answer.",
        within=(0.01, 1.0),
        quoted=True,
    )


def writing(settings: _Quoting) -> Writing:
    """What skills are told of these settings."""
    return Writing(sentences=settings.sentences, enough=settings.enough, bar=settings.bar)
