"""What the tests of schemas build with."""

import pytest

from serbench.datasets import store
from serbench.run.context import BuildContext
from tests.schemas.checked import LIMITS, checked


@pytest.fixture(scope="session")
def context(context: BuildContext) -> BuildContext:
    """The context of all tests, but for C, C++ and Rust, which are compiled with checks and not optimised."""
    return checked(context.catalog, context.jobs, "c", "rust")


@pytest.fixture(autouse=True)
def _room_for_sanitizers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "most_memory", lambda: LIMITS.memory_bytes)
