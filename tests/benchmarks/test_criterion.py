"""criterion's programs are made of what the workers are made of."""

import re
import tomllib
from pathlib import Path

import pytest
from benchmarks import criterion

from serbench.project import ROOT

HERE = Path(criterion.__path__[0])
MANIFEST = tomllib.loads((HERE / "Cargo.toml").read_text("utf-8"))
FOLDERS = [(HERE / made["path"]).resolve().parent for made in MANIFEST["bin"]]


def versions(folder):
    """The versions of each crate in the lock file of `folder`, its own packages left out."""
    found = {}
    for package in tomllib.loads((folder / "Cargo.lock").read_text("utf-8"))["package"]:
        if "source" in package:
            assert len(package["checksum"]) == 64
            found.setdefault(package["name"], set()).add(package["version"])
    return found


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_program_has_the_source_and_the_crates_of_its_worker(folder):
    assert folder.parent == ROOT / "contenders" / "rust" and (folder / "main.rs").is_file()
    ours = versions(HERE)
    for name, found in versions(folder).items():
        assert found <= ours.get(name, set()), name
    wanted = tomllib.loads((folder / "Cargo.toml").read_text("utf-8"))
    assert set(wanted.get("features", {})) <= set(MANIFEST["features"])
    own = {name: of for name, of in wanted["dependencies"].items() if name != "serbench"}
    assert own.items() <= MANIFEST["dependencies"].items()


def test_every_row_that_is_compared_has_a_program():
    rows = re.findall(r'\("rust/([\w-]+)", ', (HERE / "__main__.py").read_text("utf-8"))
    assert sorted(rows) == sorted(made["name"] for made in MANIFEST["bin"]) and len(rows) == 3
