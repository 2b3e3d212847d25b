"""The bundled models, opened once for all evaluation's tests that ask them."""

from collections.abc import Iterator

import pytest

from veracite.engine.evaluation.models import Models


@pytest.fixture(scope="session")
def models() -> Iterator[Models]:
    opened = Models()
    yield opened
    opened.close()
