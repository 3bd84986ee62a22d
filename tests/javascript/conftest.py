"""Rows of the project's own contenders, and of one that misbehaves."""

from pathlib import Path

import pytest

from serbench.catalog.load import load_catalog
from serbench.project import CACHE, ROOT
from serbench.provision.npm import find_node
from serbench.workshop import Workshop

HERE = Path(__file__).parent


@pytest.fixture(scope="session", autouse=True)
def node():
    """The Node.js that the rows run on; without one there is nothing to test."""
    found = find_node(CACHE)
    if found is None:
        pytest.skip("there is no Node.js 20 or newer")
    return found


@pytest.fixture(scope="session")
def built(workshop):
    """The rows in JavaScript alone, by their ids."""
    rows = workshop.catalog.rows()
    return workshop.build([row for row in rows if row.contender.manifest.language == "javascript"])


@pytest.fixture(scope="session")
def noisy(node):
    """The rows of the contender in the folder noisy, by test and variant."""
    catalog = load_catalog(ROOT, [HERE / "noisy"])
    rows = [row for row in catalog.rows() if row.contender.id == "javascript/noisy"]
    return {
        name.removeprefix("javascript/noisy:"): ready
        for name, ready in Workshop(catalog, CACHE).build(rows).items()
    }
