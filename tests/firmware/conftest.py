"""The microcontrollers: each is tested where its tools are; all but the first with ./check --all."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import pytest

from serbench.catalog.load import load_catalog
from serbench.catalog.records import Contender
from serbench.platforms.firmware.documents import Document, load_documents
from serbench.platforms.load import why_absent
from serbench.platforms.records import Microcontroller
from serbench.project import CACHE, ROOT
from serbench.results.schema import RowRecord
from serbench.run.context import BuildContext
from tests.platforms import find_target
from tests.tiers import ALL

ALWAYS = ("avr",)


@pytest.fixture(scope="session")
def documents(context: BuildContext) -> dict[str, Document]:
    """The project's own documents by name."""
    return {document.name: document for document in load_documents(ROOT, context)}


@pytest.fixture(scope="session")
def contenders() -> dict[str, Contender]:
    """The firmware contenders by the names of their folders."""
    found = load_catalog(ROOT, place="microcontroller").contenders.values()
    return {contender.folder.name: contender for contender in found if not contender.hidden}


@pytest.fixture
def target() -> Callable[[str], Microcontroller]:
    """A microcontroller by its name; the test is skipped with the reason where its tools are missing."""

    def find(name: str) -> Microcontroller:
        if name not in ALWAYS and not ALL:
            pytest.skip(f"{name}: only with ./check --all")
        found = find_target(ROOT, name)
        absent = why_absent(found)
        if absent:
            pytest.skip(f"{name}: {absent}")
        return found

    return find


class Measure(Protocol):
    """Measures contenders, by the names of their folders, on documents and a microcontroller.

    `prefixes` are folders of installed libraries, as --prefix names them.
    """

    def __call__(
        self,
        name: str,
        contenders: Sequence[str],
        documents: Sequence[Document],
        *folders: Path,
        prefixes: Mapping[str, Path] | None = None,
    ) -> list[RowRecord]: ...


@pytest.fixture
def measure(target: Callable[[str], Microcontroller]) -> Measure:
    """What measures the contenders of the project, and those in `folders`, if the kind of run is there."""
    step = pytest.importorskip("serbench.kinds.microcontroller.step")

    def run(
        name: str,
        contenders: Sequence[str],
        documents: Sequence[Document],
        *folders: Path,
        prefixes: Mapping[str, Path] | None = None,
    ) -> list[RowRecord]:
        catalog = load_catalog(ROOT, list(folders), place="microcontroller")
        rows = [
            row for row in catalog.rows(generated=True) if row.contender.folder.name in ("empty", *contenders)
        ]
        found: list[RowRecord] = []
        context = BuildContext(catalog, CACHE, prefixes=prefixes)
        work = step.MicrocontrollerRun(context, target(name), rows, documents)
        work.measure((), found.append)
        assert len(found) == work.count
        return found

    return run
