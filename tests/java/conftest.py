"""The rows in Java, each built when a test asks for it; skipped where the toolchain is not set up."""

from pathlib import Path

import pytest

from tests.workers import canonical, row, talk

__all__ = ["canonical", "row", "talk", "walker"]


@pytest.fixture(scope="session")
def walker() -> Path:
    """Not a library: it hashes the harness's own values."""
    return Path(__file__).parent / "walker"
