"""The verifier that judging is tested with: the one that ships."""

from collections.abc import Iterator

import pytest

from veracite.models.bundled import bundled_verifier
from veracite.models.verifier import Verifier


@pytest.fixture(scope="module")
def verifier() -> Iterator[Verifier]:
    opened = bundled_verifier()
    yield opened
    opened.close()
