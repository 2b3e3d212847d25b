"""The methods that there are to choose from, and how one is asked; slow to import what it needs."""

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from veracite.engine.events import Event
from veracite.engine.paths import Paths
from veracite.engine.settings import load
from veracite.tui.conversation import Choice
from veracite.tui.engine import Against, Engine

if TYPE_CHECKING:
    from veracite.engine.methods.base import Method

__all__ = ["ChangesModel", "Offer", "asking", "best", "offers", "without"]


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
    hindrance: str = ""
    """Why not, where it cannot."""
    presets: "tuple[Offer, ...]" = ()
    is_usual: bool = False
    """Whether it answers where nothing else is chosen."""


def offers(paths: Paths, model: str | None) -> tuple[Offer, ...]:
    """Every method with its presets, the one first that answers where nothing else is chosen.

    Args:
        model: The language model in use.

    Raises:
        SettingsError: A setting of the environment or the config file is wrong.
    """
    from veracite.engine.methods.catalogue import METHODS
    from veracite.engine.methods.configured import default_method

    config = load(paths, {"model": model})
    usual = default_method(config)
    written = (config.ask.skills or ("prompted" if model else "extractive")) == "prompted"
    offered = [_offer(method, written, method.name == usual) for method in METHODS]
    return tuple(sorted(offered, key=lambda offer: not offer.is_usual))


def without(offered: Iterable[Offer], choice: Choice, hindrance: str) -> tuple[Offer, ...]:
    """The same where one of them cannot be chosen."""
    return tuple(
        replace(
            offer,
            hindrance=hindrance if offer.choice == choice else offer.hindrance,
            presets=without(offer.presets, choice, hindrance),
        )
        for offer in offered
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


def _offer(method: "Method", written: bool, is_usual: bool) -> Offer:
    return Offer(
        Choice(method.name),
        method.about,
        _hindrance(method.name, {}, written),
        tuple(
            Offer(
                Choice(method.name, name), _values(values), _hindrance(method.name, values, written)
            )
            for name, values in method.presets.items()
        ),
        is_usual,
    )


def _hindrance(method: str, settings: Mapping[str, object], written: bool) -> str:
    """What a method lacks where no language model writes: two answer from what a model knows."""
    knows = method == "closed-book" or settings.get("retrieve") is False
    return "" if written or not knows else "needs a language model; F7 chooses one"


def _values(preset: Mapping[str, object]) -> str:
    return ", ".join(_value(name, value) for name, value in preset.items())


def _value(name: str, value: object) -> str:
    if isinstance(value, bool):
        return name if value else f"no {name}"
    return f"{name} {value}"
