"""The emulated platforms: each is tested where its tools are there, all but the first with ./check --all."""

import os
from collections.abc import Callable

import pytest

from serbench.platforms.firmware.documents import Document, load_documents
from serbench.platforms.load import find_target, why_absent
from serbench.platforms.microcontroller import FirmwareSession
from serbench.platforms.records import Microcontroller
from serbench.project import CACHE, ROOT
from serbench.run.context import BuildContext

ALWAYS = ("avr",)


@pytest.fixture(scope="session")
def documents(context: BuildContext) -> dict[str, Document]:
    """The project's own documents by name."""
    return {document.name: document for document in load_documents(ROOT, context.store)}


@pytest.fixture
def target() -> Callable[[str], Microcontroller]:
    """A target by its name; the test is skipped with the reason where it is not to be had."""

    def find(name: str) -> Microcontroller:
        if name not in ALWAYS and os.environ.get("SERBENCH_CHECK_ALL") != "1":
            pytest.skip(f"{name}: only with ./check --all")
        found = find_target(ROOT, name)
        absent = why_absent(found)
        if absent:
            pytest.skip(f"{name}: {absent}")
        return found

    return find


@pytest.fixture
def session(target: Callable[[str], Microcontroller]) -> Callable[[str], FirmwareSession]:
    """A session on a target."""
    return lambda name: FirmwareSession(ROOT, CACHE, target(name), {})
