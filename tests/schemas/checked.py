"""A context that compiles some languages with checks and not optimised, which takes far less time."""

from typing import Any

import msgspec

from serbench.build import Builder
from serbench.build.contract import Request
from serbench.catalog.records import Catalog
from serbench.project import CACHE
from serbench.run.context import BuildContext
from serbench.worker.process import Limits

LIMITS = Limits(memory_bytes=None, timeout=60.0)
"""Of workers: the sanitizers of C and C++ reserve far more address space than there is memory."""


class _Checked(Builder):
    """Builds some harnesses with what checks a program while it runs."""

    harnesses: tuple[str, ...] = ()

    def _request(self, harness: str, *arguments: Any, **fields: Any) -> Request:
        request = super()._request(harness, *arguments, **fields)
        return msgspec.structs.replace(request, sanitize=harness in self.harnesses)


def checked(catalog: Catalog, jobs: int, *harnesses: str) -> BuildContext:
    """A context that builds in the usual cache, and these harnesses with checks."""
    made = BuildContext(catalog, CACHE, jobs=jobs)
    for name in made.builders:
        builder = made.builders[name] = _Checked(catalog, CACHE, compiler=name)
        builder.harnesses = harnesses
    return made
