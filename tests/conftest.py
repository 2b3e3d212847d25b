"""What holds for all tests."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
import tiny_gguf
from mill import write_documents

from veracite.engine.paths import Paths
from veracite.models.bundled import bundled_encoder, bundled_verifier
from veracite.models.encoder import Encoder
from veracite.models.verifier import Verifier


def pytest_configure(config: pytest.Config) -> None:
    """Interrupts work: a shell's background jobs, and all that they start, would ignore them.

    Nothing fails because the machine is busy; where long tests are run, chance gets more tries.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    examples = 100 if config.getoption("markexpr") == "not long" else 1000
    hypothesis.settings.register_profile("ours", deadline=None, max_examples=examples)
    hypothesis.settings.load_profile("ours")


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    """Data, cache and config of this test alone."""
    return Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """Two documents about a mill and bees."""
    return write_documents(tmp_path / "documents")


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny language model, which takes prompts of 2048 tokens."""
    return tiny_gguf.make(tmp_path_factory.mktemp("models") / "tiny.gguf", context=2048)


@pytest.fixture
def real_model() -> Path:
    """The GGUF file that ``VERACITE_TEST_MODEL`` names; without one the test is skipped."""
    file = Path(os.environ.get("VERACITE_TEST_MODEL", ""))
    if not file.is_file():
        pytest.skip("VERACITE_TEST_MODEL names no GGUF file")
    return file


@pytest.fixture(scope="session")
def encoder() -> Iterator[Encoder]:
    """The one that ships."""
    opened = bundled_encoder()
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def verifier() -> Iterator[Verifier]:
    """The one that ships."""
    opened = bundled_verifier()
    yield opened
    opened.close()
