"""What the tests of skills share."""

from collections.abc import Iterator

import pytest

from veracite.engine.evaluation.models import Models


@pytest.fixture(scope="session")
def models() -> Iterator[Models]:
    """The bundled models, opened once."""
    opened = Models(threads=1)
    yield opened
    opened.close()
