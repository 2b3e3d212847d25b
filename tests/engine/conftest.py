"""The bundled models, opened once for all that ask them."""

from collections.abc import Iterator

import pytest

from veracite.engine.evaluation.models import Models


@pytest.fixture(scope="session")
def models() -> Iterator[Models]:
    opened = Models(threads=1)
    yield opened
    opened.close()
