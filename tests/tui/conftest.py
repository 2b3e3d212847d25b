"""What the tests of the command line work with."""

from pathlib import Path

import pytest
from command_line import Commands
from mill import write_documents


@pytest.fixture
def veracite(tmp_path: Path) -> Commands:
    return Commands(tmp_path)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "documents")
