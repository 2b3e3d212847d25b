"""A store to begin with: empty."""

from pathlib import Path

import pytest

from veracite.models.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "models")
