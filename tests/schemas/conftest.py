"""What the tests of schemas build with: Rust is checked, and not optimised, which takes far less time."""

from typing import Any

import msgspec
import pytest

from serbench.build import Builder
from serbench.build.contract import Request
from serbench.project import CACHE
from serbench.run.context import BuildContext


class _Checked(Builder):
    """Builds the programs of one harness with what checks them while they run."""

    def _request(self, harness: str, *arguments: Any, **fields: Any) -> Request:
        request = super()._request(harness, *arguments, **fields)
        return msgspec.structs.replace(request, sanitize=harness == "rust")


@pytest.fixture(scope="session")
def context(context: BuildContext) -> BuildContext:
    """The context of all tests, but for Rust."""
    made = BuildContext(context.catalog, CACHE, jobs=context.jobs)
    for name in made.builders:
        made.builders[name] = _Checked(context.catalog, CACHE, compiler=name)
    return made
