"""Rows of the project's own contenders, and of one that misbehaves."""

from pathlib import Path

import pytest

from serbench.catalog.load import load_catalog
from serbench.project import CACHE, ROOT
from serbench.provision import toolchain
from serbench.provision.providers import npm
from serbench.provision.records import Context
from serbench.run.context import BuildContext
from tests.conftest import finder, of_harnesses

HERE = Path(__file__).parent


@pytest.fixture(scope="session", autouse=True)
def node():
    """The Node.js that the rows run on; without one there is nothing to test."""
    found = toolchain.find(ROOT, CACHE, "javascript")
    if found is None:
        pytest.skip(toolchain.remedy(ROOT, "javascript"))
    return found


def need_packages(context):
    """Skip the test where packages of the rows are not installed: no test fetches them."""
    if not npm.Npm().has_locked("javascript", Context(cache=CACHE, catalog=context.catalog)):
        pytest.skip("the packages of the rows in JavaScript are not installed: ./serbench setup javascript")
    return context


@pytest.fixture(scope="session")
def context(context, node):
    """The one of all tests."""
    return need_packages(context)


@pytest.fixture(scope="session")
def every_context(catalog, node):
    """One of all contenders in JavaScript, whichever are in the field."""
    return need_packages(BuildContext(of_harnesses(catalog, ["javascript"]), CACHE))


@pytest.fixture(scope="session")
def ready(built):
    """As for all tests, of the rows below."""
    return finder(built)


@pytest.fixture(scope="session")
def built(context):
    """The rows in JavaScript alone, by their ids, and the walker's, which hashes the harness's own values."""
    rows = [*context.catalog.rows(), *load_catalog(ROOT, [HERE / "walker"]).rows()]
    return context.build([row for row in rows if row.contender.manifest.language == "javascript"])


@pytest.fixture(scope="session")
def noisy(node):
    """The rows of the contender in the folder noisy, by test and variant."""
    catalog = load_catalog(ROOT, [HERE / "noisy"])
    rows = [row for row in catalog.rows() if row.contender.id == "javascript/noisy"]
    return {
        name.removeprefix("javascript/noisy:"): ready
        for name, ready in BuildContext(catalog, CACHE).build(rows).items()
    }
