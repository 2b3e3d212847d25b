"""The bundled models, opened once for all that ask them."""

from collections.abc import Iterator

import pytest

from veracite.engine.models import OpenModels
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings


@pytest.fixture(scope="session")
def models() -> Iterator[OpenModels]:
    """The bundled models, opened once."""
    opened = OpenModels(CheckSettings(threads=1), Paths.resolve())
    yield opened
    opened.close()
