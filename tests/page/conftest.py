"""What the page is tested with: Node.js, the packages of the lock beside this file, a Chromium."""

import os
import shutil
from pathlib import Path

import pytest

from serbench.project import CACHE
from serbench.provision import Unavailable, npm

HERE = Path(__file__).parent
ALL = os.environ.get("SERBENCH_CHECK_ALL") == "1"


@pytest.fixture(scope="session")
def node() -> Path:
    """A Node.js; the test is skipped where there is none."""
    found = npm.find_node(CACHE)
    if found is None:
        pytest.skip(npm.HOW_TO_GET_NODE)
    return found.path


@pytest.fixture(scope="session")
def packages(node: Path) -> Path:
    """The folder with node_modules of the lock: `./check --all` installs them, else they must be there."""
    there = npm.installed_folder(HERE, CACHE, development=True)
    if not (there / "node_modules").is_dir() and not ALL:
        pytest.skip("the packages that drive the browser are not installed: ./check --all")
    try:
        return npm.install(HERE, CACHE, development=True)
    except Unavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def chromium() -> str:
    """The distribution's Chromium."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    return found
