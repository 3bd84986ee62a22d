"""Which languages are tested: those without an optional toolchain always, all with ./check --all.

Run as a program (`python -m tests.languages yes|no`), it prints the languages that ./check builds first; with
`yes` packages may be installed for that.
"""

import os
import sys

from serbench.catalog.load import load_catalog
from serbench.catalog.records import Catalog
from serbench.project import CACHE, ROOT
from serbench.provision import toolchain
from serbench.provision.providers import npm

ALL = os.environ.get("SERBENCH_CHECK_ALL") == "1"
"""Whether the optional parts are tested too: ./check --all."""


def core_harnesses(catalog: Catalog) -> list[str]:
    """The harnesses that need no optional part of the set-up."""
    return [name for name, harness in catalog.harnesses.items() if not harness.toolchain.parts]


def _quick(catalog: Catalog, install: bool) -> list[str]:
    """The harnesses whose packages are there, or may be installed now: their quick tests run always."""
    found = []
    for name, harness in catalog.harnesses.items():
        parts = [toolchain.find(ROOT, CACHE, part) for part in harness.toolchain.parts]
        there = npm.Npm().has_locked(ROOT / "harness" / name, CACHE)
        if harness.toolchain.lock and (there or (install and all(parts))):
            found.append(name)
    return found


if __name__ == "__main__":
    known = load_catalog(ROOT)
    names = [*core_harnesses(known), *_quick(known, "yes" in sys.argv)]
    chosen = known.harnesses if ALL else dict.fromkeys(names)
    print(",".join(language for name in chosen for language in known.harnesses[name].languages))
