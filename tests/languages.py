"""Which languages are tested: those whose toolchains are here."""

import pytest

from serbench.catalog.load import load_catalog
from serbench.catalog.records import Catalog
from serbench.project import CACHE, ROOT
from serbench.provision import toolchain


def harnesses_here(catalog: Catalog) -> list[str]:
    """The harnesses whose toolchains this machine has."""
    return [
        name
        for name, harness in catalog.harnesses.items()
        if all(toolchain.find(ROOT, CACHE, part) for part in harness.toolchain.parts)
    ]


def needs(harness: str) -> pytest.MarkDecorator:
    """Skips a test where the toolchain of `harness` is not here."""
    here = harness in harnesses_here(load_catalog(ROOT))
    return pytest.mark.skipif(not here, reason=f"needs ./serbench setup {harness}")
