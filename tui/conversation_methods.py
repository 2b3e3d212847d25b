"""The methods that there are to choose from, and how one is asked; slow to import what it needs."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from veracite.engine.events import Event
from veracite.engine.paths import Paths
from veracite.engine.settings import load
from veracite.tui.conversation import Choice
from veracite.tui.engine import Against, Engine

__all__ = ["ChangesModel", "Offer", "asking", "best", "offers"]


@runtime_checkable
class ChangesModel(Protocol):
    """An engine that can go on with another language model."""

    @property
    def model(self) -> str | None:
        """The GGUF file in use; None without one."""

    def use_model(self, file: str | None) -> None:
        """Take this one from the next piece of work on."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be chosen."""

    choice: Choice
    about: str


def offers() -> tuple[Offer, ...]:
    """Every method, each followed by its presets."""
    from veracite.engine.methods.catalogue import METHODS

    return tuple(
        offer
        for method in METHODS
        for offer in (
            Offer(Choice(method.name), method.about),
            *(
                Offer(Choice(method.name, preset), _values(method.presets[preset]))
                for preset in method.presets
            ),
        )
    )


def best(paths: Paths, model: str | None) -> Choice:
    """The method that is set, else the best one measured.

    Args:
        model: The language model in use.

    Raises:
        SettingsError: A setting of the environment or the config file is wrong.
    """
    from veracite.engine.methods.configured import default_method

    return Choice(default_method(load(paths, {"model": model})))


def asking(
    engine: Engine, question: str, against: Against, choice: Choice, paths: Paths
) -> Generator[Event, None, None]:
    """What happens while a method answers, with the settings that the config file has for it.

    Raises:
        SettingsError: One of them is wrong.
        EngineError, LibraryError, ModelError: As the engine's.
    """
    from veracite.engine.methods.configured import configured

    presets = (choice.preset,) if choice.preset else ()
    (one,) = configured((choice.method,), load(paths), presets)
    yield from engine.ask(question, against, choice.method, one.settings)


def _values(preset: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in preset.items())
