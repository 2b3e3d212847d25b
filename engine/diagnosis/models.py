"""Whether the models that are in use work, each found out by asking it something."""

import importlib.util
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.engine import settings
from veracite.engine.diagnosis.finding import Finding, tried
from veracite.engine.errors import EngineError
from veracite.engine.paths import Paths
from veracite.models.errors import ModelError

if TYPE_CHECKING:
    from veracite.models.store import Choices


def diagnose_models(paths: Paths) -> Iterator[Finding]:
    """Tries the encoder, the reranker and the language model that are in use, and the verifier."""
    yield tried("encoder", partial(_encoder, paths))
    yield from _reranker(paths)
    yield tried("verifier", _verifier)
    yield language_runtime()
    yield from _language_model(paths)


def _encoder(paths: Paths) -> str:
    from veracite.models.bundled import bundled_encoder, stored_encoder
    from veracite.models.store import Choices, Store

    chosen = Choices(Store(paths.models)).path("encoder")
    encoder = bundled_encoder() if chosen is None else stored_encoder(chosen)
    try:
        one, other = encoder.encode(["The cat sleeps all day.", "A cat is asleep."])
        return f"{encoder.id}, verified; two sentences compared at {float(one @ other):.2f}"
    finally:
        encoder.close()


def _reranker(paths: Paths) -> Iterator[Finding]:
    """The reranker, if one was chosen and it can be read which."""
    from veracite.models.store import Choices, Store

    choices = Choices(Store(paths.models))
    try:
        chosen = choices.name("cross-encoder")
    except ModelError:  # told under "encoder"
        return
    if chosen is not None:
        yield tried("reranker", partial(_scored, choices))


def _scored(choices: "Choices") -> str:
    from veracite.models.reranker import stored_reranker

    folder = choices.path("cross-encoder")
    assert folder is not None
    reranker = stored_reranker(folder)
    try:
        score = float(reranker.score([("Does the cat sleep?", "The cat sleeps all day.")])[0])
        return f"{reranker.id}, verified; a passage scored {score:.2f}"
    finally:
        reranker.close()


def _verifier() -> str:
    from veracite.models.bundled import bundled_verifier

    verifier = bundled_verifier()
    try:
        supported = float(verifier.score([("The cat sleeps all day.", "The cat sleeps.")])[0, 0])
        return f"{verifier.id}, verified; a supported sentence scored {supported:.2f}"
    finally:
        verifier.close()


def language_runtime() -> Finding:
    """Whether GGUF models can be run, and what on."""
    if importlib.util.find_spec("llama_cpp") is None:
        return Finding(
            "llama-cpp-python",
            "optional",
            "not installed: no GGUF models",
            "To add it (it compiles for some minutes): pip install '.[llm]' in Veracite's clone.",
        )
    from veracite.models.llama import build

    try:
        built = build()
    except ModelError as error:
        return Finding("llama-cpp-python", "optional", error.message, error.advice)
    gpu = f"GPUs: {', '.join(built.gpus) or 'none found'}" if built.gpu else "no GPU"
    instructions = ", ".join(built.instructions) or "no special instruction sets"
    return Finding("llama-cpp-python", "ok", f"{built.version}, built for {instructions}; {gpu}")


def _language_model(paths: Paths) -> Iterator[Finding]:
    """The GGUF model that is set, if one is and the settings can be read."""
    try:
        check = settings.load(paths).check
    except ModelError as error:
        yield Finding("language model", "broken", error.message, error.advice)
        return
    except EngineError:  # told under "settings"
        return
    if check.model is not None:
        yield tried("language model", partial(_asked, check, Path(check.model), paths))


def _asked(check: settings.CheckSettings, path: Path, paths: Paths) -> str:
    from veracite.models.chat import Message
    from veracite.models.generator import Generator

    question = Message("user", ("The cat sleeps all day. Does the cat sleep?",))
    with Generator.open(
        path,
        context=check.context,
        gpu_layers=check.gpu_layers,
        threads=check.threads,
        verified=paths.verified,
    ) as generator:
        answer = generator.choose([question], ("yes", "no"))
        return (
            f"{generator.id}, {generator.context:,} tokens of context; "
            f"a question was answered, yes at {answer.probabilities[0]:.2f}"
        )
