"""What the page is tested with: Node.js, the packages of the lock in page/, a Chromium."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from page.build import bundle

from serbench.project import CACHE, ROOT
from serbench.provision import Unavailable, toolchain
from serbench.provision.providers import npm
from serbench.provision.toolchain import Toolchain

HERE = Path(__file__).parent
PAGE = ROOT / "page"
Script = Callable[..., list[Any]]


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
    """The folder with node_modules of the lock, which are fetched once."""
    try:
        return npm.install(PAGE, CACHE, toolchain_of_node, development=True)
    except Unavailable as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def in_node(toolchain_of_node: Toolchain, packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Script:
    """Runs a script beside this file, which uses the page's modules, and returns the JSON of its lines."""
    folder = tmp_path_factory.mktemp("scripts")

    def run(script: str, *arguments: object) -> list[Any]:
        target = folder / script
        if not target.exists():
            made = bundle(HERE / script, packages, toolchain_of_node, "--platform=node", "--format=esm")
            target.write_bytes(made)
        command = [*toolchain_of_node.programs["node"], target, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run


@pytest.fixture(scope="session")
def chromium() -> str:
    """The distribution's Chromium."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("there is no chromium: apt-get install chromium")
    return found
