"""Where Node.js and packages come from."""

import json

import pytest

from serbench.catalog.load import read_contender
from serbench.project import CACHE, ROOT
from serbench.provision import Unavailable, provide, toolchain
from serbench.provision.providers.npm import Npm, lock_folder, locked_version
from serbench.provision.records import Context

HARNESS = ROOT / "harness" / "javascript"

MANIFEST = """
name = "Example"
language = "javascript"
format = "json"
[[source]]
{source}
[tests]
tree = "tree.mjs"
"""


@pytest.fixture
def contender(tmp_path):
    def make(source):
        (tmp_path / "example").mkdir()
        (tmp_path / "example" / "contender.toml").write_text(MANIFEST.format(source=source))
        return read_contender(tmp_path / "example")

    return make


def test_versions_are_those_of_the_lock(contender, catalog):
    wanted = json.loads((HARNESS / "package.json").read_text())["dependencies"]["avsc"]
    assert locked_version(HARNESS, "avsc") == wanted
    found = provide(contender('npm = "avsc"'), CACHE, catalog=catalog)
    assert (found.version, found.origin) == (wanted, f"npm package avsc {wanted}")
    assert json.loads((found.root / "node_modules/avsc/package.json").read_text())["version"] == wanted
    assert Npm().has_locked("javascript", Context(cache=CACHE, catalog=catalog))


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ('npm = "no-such-package"', "no-such-package is not in the lock file"),
        ('node = "no-such-part"', "has no no-such-part built in"),
        ('npm = "avsc"\npart = "no-such-part"', "setup no-such-part"),
    ],
)
def test_what_cannot_be_had_says_why(source, reason, contender, catalog):
    with pytest.raises(Unavailable, match=reason):
        provide(contender(source), CACHE, catalog=catalog)


def test_without_node_one_line_says_how_to_get_it(contender, catalog, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert toolchain.find(ROOT, tmp_path, "javascript") is None
    with pytest.raises(Unavailable, match=r"needs Node.js 20 or newer.*\./serbench setup javascript"):
        provide(contender('node = "v8"'), tmp_path, catalog=catalog)


def test_an_old_node_is_none(monkeypatch, tmp_path):
    for name in ("node", "npm"):
        (tmp_path / name).write_text("#!/bin/sh\necho v18.20.4\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert toolchain.find(ROOT, tmp_path, "javascript") is None


def test_a_contender_may_bring_its_own_lock(contender, catalog, tmp_path):
    """An empty one needs no registry."""
    own = contender('npm = "example-package"')
    assert lock_folder(own, Context(cache=tmp_path, catalog=catalog)) == HARNESS
    about = {
        "name": "example",
        "version": "1.0.0",
        "lockfileVersion": 3,
        "requires": True,
        "packages": {"": {}},
    }
    (own.folder / "package-lock.json").write_text(json.dumps(about))
    (own.folder / "package.json").write_text(json.dumps({"name": "example", "version": "1.0.0"}))
    assert lock_folder(own, Context(cache=tmp_path, catalog=catalog)) == own.folder
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "node").symlink_to(CACHE / "node")  # where the set-up brought Node.js
    with pytest.raises(Unavailable, match="example-package is not in the lock file"):
        provide(own, cache, catalog=catalog)


def test_the_lock_names_no_registry():
    lock = json.loads((HARNESS / "package-lock.json").read_text())
    assert not [path for path, entry in lock["packages"].items() if "resolved" in entry]
    assert "omit-lockfile-registry-resolved=true" in (HARNESS / ".npmrc").read_text().splitlines()
    stated = json.loads((HARNESS / "package.json").read_text())
    for name, version in {**stated["dependencies"], **stated["devDependencies"]}.items():
        assert version.rpartition("@")[2][0].isdigit(), name  # npm:NAME@VERSION has another name here
    used = {
        source.name
        for path in (ROOT / "contenders" / "javascript").glob("*/contender.toml")
        for source in read_contender(path.parent).manifest.source
        if source.kind == "npm"
    }
    assert used <= set(stated["dependencies"])
