"""The bundled models, opened once for all evaluation's tests that ask them."""

from collections.abc import Iterator

import pytest

from veracite.engine.models import OpenModels
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings


@pytest.fixture(scope="session")
def models() -> Iterator[OpenModels]:
    opened = OpenModels(CheckSettings(), Paths.resolve())
    yield opened
    opened.close()
