"""A context whose Rust is compiled with checks and not optimised, which takes far less time."""

from typing import Any

import msgspec

from serbench.build import Builder
from serbench.build.contract import Request
from serbench.catalog.records import Catalog
from serbench.project import CACHE
from serbench.run.context import BuildContext


class _Checked(Builder):
    """Builds Rust with what checks a program while it runs; C++ would need more memory than its limit."""

    def _request(self, harness: str, *arguments: Any, **fields: Any) -> Request:
        request = super()._request(harness, *arguments, **fields)
        return msgspec.structs.replace(request, sanitize=harness == "rust")


def checked(catalog: Catalog, jobs: int) -> BuildContext:
    """A context that builds in the usual cache, and Rust as above."""
    made = BuildContext(catalog, CACHE, jobs=jobs)
    for name in made.builders:
        made.builders[name] = _Checked(catalog, CACHE, compiler=name)
    return made
