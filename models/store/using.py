"""What is done with models that are here, whoever asks for it: they are chosen and verified."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import get_args

from veracite.models.bundled import BUNDLED
from veracite.models.errors import ModelError
from veracite.models.gguf_header import chat_template, read_header
from veracite.models.store import networks
from veracite.models.store.checking import FileChecked, Hashing
from veracite.models.store.choices import Choices
from veracite.models.store.finding import Named, find
from veracite.models.store.manifest import Kind
from veracite.models.store.store import Store

__all__ = ["Verified", "use", "use_no_longer", "use_none", "verify"]


def use(store: Store, named: Named) -> None:
    """Use a model from now on, in the place of the one of its kind that is in use.

    Raises:
        ModelError: It is none that can be used as it is.
    """
    if named.path == BUNDLED:
        _require_encoder(named)
        return use_none(store, named.kind)
    if named.kind == "generator":
        chat_template(read_header(named.path))
    elif named.stored is None:
        raise ModelError(
            f"The model in {named.path} has to be converted first.",
            f"`veracite models import {named.path}` does so.",
            "to be converted",
        )
    else:
        networks.parts(named.path)
    return Choices(store).choose(named.kind, named.stored or named.path)


def use_no_longer(store: Store, name: str) -> Kind:
    """Go back to Veracite's own way in place of one model, which may be gone; returns its kind.

    Args:
        name: Of the model, or of its kind.

    Raises:
        ModelError: It was not chosen, or what was chosen cannot be read or written.
    """
    choices = Choices(store)
    chosen = {kind: choices.name(kind) for kind in get_args(Kind)}
    meant: list[Kind] = [
        kind for kind in chosen if chosen[kind] is not None and name in (kind, chosen[kind])
    ]
    if not meant and name not in chosen:
        path = str(find(store, name).path.absolute())
        meant = [kind for kind in chosen if chosen[kind] == path]
    if not meant:
        raise ModelError(f"{name} was not chosen.", "`veracite models list` shows what is in use.")
    (kind,) = meant
    use_none(store, kind)
    return kind


def use_none(store: Store, *kinds: Kind) -> None:
    """Go back to what is part of Veracite; of all kinds if none is named.

    Raises:
        ModelError: What was chosen cannot be read or written.
    """
    for kind in kinds or get_args(Kind):
        Choices(store).choose(kind, None)


def _require_encoder(bundled: Named) -> None:
    if bundled.kind != "encoder":
        raise ModelError(
            "The verifier that is part of Veracite is always in use.",
            "Name an encoder, a reranker or a language model; `veracite models list` shows all.",
        )


@dataclass(frozen=True, slots=True)
class Verified:
    """All files of a model were compared with what is known of them."""

    name: str
    problems: tuple[FileChecked, ...]
    """The files that are not what they were; one of no name if none could be looked at."""


def verify(store: Store, names: Iterable[str]) -> Iterator[tuple[str, Hashing] | Verified]:
    """Compare models with their manifests, one after the other; damage to one hides no other.

    Yields:
        The name of a model with how far that is, then ``Verified``.
    """
    for name in names:
        problems: list[FileChecked] = []
        try:
            for event in store.verify(name):
                if isinstance(event, Hashing):
                    yield name, event
                elif event.problem:
                    problems.append(event)
        except ModelError as error:
            problems.append(FileChecked("", f"{error.message} {error.advice}", error))
        yield Verified(name, tuple(problems))
