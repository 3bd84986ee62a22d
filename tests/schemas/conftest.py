"""What the tests of schemas build with."""

import pytest

from serbench.build.configuration import Configuration
from serbench.project import CACHE
from serbench.run.context import BuildContext


@pytest.fixture(scope="session")
def context(context: BuildContext) -> BuildContext:
    """The context of all tests, but with programs for proofs, which take far less time to compile."""
    return BuildContext(context.catalog, CACHE, [Configuration(profile="check")], jobs=context.jobs)
