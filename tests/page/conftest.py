"""What the page is tested with: Node.js, the packages of the lock beside this file, a Chromium."""

import os
import shutil
from pathlib import Path

import pytest

from serbench.project import CACHE, ROOT
from serbench.provision import Unavailable, toolchain
from serbench.provision.providers import npm
from serbench.provision.toolchain import Toolchain

HERE = Path(__file__).parent
ALL = os.environ.get("SERBENCH_CHECK_ALL") == "1"


@pytest.fixture(scope="session")
def toolchain_of_node() -> Toolchain:
    """A Node.js; the test is skipped where there is none."""
    found = toolchain.find(ROOT, CACHE, "javascript")
    if found is None:
        pytest.skip(toolchain.remedy(ROOT, "javascript"))
    return found


@pytest.fixture(scope="session")
def node(toolchain_of_node: Toolchain) -> Path:
    """The Node.js itself."""
    return Path(toolchain_of_node.programs["node"][0])


@pytest.fixture(scope="session")
def packages(toolchain_of_node: Toolchain) -> Path:
    """The folder with node_modules of the lock: `./check --all` installs them, else they must be there."""
    there = npm.installed_folder(HERE, CACHE, development=True)
    if not (there / "node_modules").is_dir() and not ALL:
        pytest.skip("the packages that drive the browser are not installed: ./check --all")
    try:
        return npm.install(HERE, CACHE, toolchain_of_node, development=True)
    except Unavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def chromium() -> str:
    """The distribution's Chromium."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    return found
