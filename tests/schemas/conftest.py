"""What the tests of schemas build with."""

import pytest

from serbench.run.context import BuildContext
from tests.schemas.checked import checked


@pytest.fixture(scope="session")
def context(context: BuildContext) -> BuildContext:
    """The context of all tests, but for Rust, which is not optimised."""
    return checked(context.catalog, context.jobs, "rust")
