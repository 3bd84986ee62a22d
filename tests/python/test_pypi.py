"""Packages of the Python package index, with wheels made here in place of those of an index."""

import hashlib
import zipfile

import msgspec
import pytest

from serbench.catalog.load import load_catalog, read_contender
from serbench.project import ROOT
from serbench.provision import provide
from serbench.provision.downloads import forbid
from serbench.provision.providers.pypi import LOCK, Pypi
from serbench.provision.records import Context, Unavailable

MANIFEST = """\
name = "example"
language = "python"
format = "json"
[[source]]
pypi = "{name}"
[tests]
tree = "tree.py"
"""


def wheel(folder, name: str, text: str) -> str:
    """A wheel of version 1.0 with one module; returns its line in a lock."""
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("shared.py", text)
        archive.writestr(
            f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
        )
        archive.writestr(f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{name}-1.0.dist-info/RECORD", "")
    return f"{name}==1.0 --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@pytest.fixture
def contender(tmp_path, monkeypatch):
    """Makes a contender of one package, whose wheel the only index has."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))

    def make(name: str, lock: str | None = None):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "contender.toml").write_text(MANIFEST.format(name=name))
        line = wheel(wheels, name, f"NAME = {name!r}\n")
        (folder / LOCK).write_text(line if lock is None else lock)
        return read_contender(folder)

    return make


def test_two_packages_with_the_same_module_have_folders_of_their_own(contender, tmp_path):
    found = [provide(contender(name), tmp_path / "cache") for name in ("one", "two")]
    assert [(each.root / "shared.py").read_text() for each in found] == ["NAME = 'one'\n", "NAME = 'two'\n"]
    assert (found[0].version, found[0].origin) == ("1.0", "Python package one 1.0")


def test_what_is_installed_needs_no_index(contender, tmp_path, monkeypatch):
    one = contender("one")
    first = provide(one, tmp_path / "cache")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "nowhere"))
    forbid()
    try:
        assert provide(one, tmp_path / "cache") == first
        with pytest.raises(Unavailable, match="packages of two are not here, and --no-install"):
            provide(contender("two"), tmp_path / "cache")
    finally:
        forbid(False)


def test_a_wrong_checksum_installs_nothing_and_is_remembered(contender, tmp_path):
    bad = contender("bad", f"bad==1.0 --hash=sha256:{'0' * 64}\n")
    for _ in range(2):
        with pytest.raises(Unavailable, match="pip could not install the packages of bad"):
            provide(bad, tmp_path / "cache")
        (bad.folder.parent / "wheels" / "bad-1.0-py3-none-any.whl").unlink(missing_ok=True)
    assert not list((tmp_path / "cache").rglob("shared.py"))


def test_a_package_without_a_wheel_for_this_python_says_so_and_costs_no_other(contender, tmp_path):
    old, new = contender("old", f"old==2.0 --hash=sha256:{'0' * 64}\n"), contender("new")
    with pytest.raises(
        Unavailable, match=r"^old 2\.0 has no wheel for Python 3\.\d+: name another by SERBENCH"
    ):
        provide(old, tmp_path / "cache")
    rows = {"old": old, "new": new}
    catalog = msgspec.structs.replace(load_catalog(ROOT), contenders=rows)
    context = Context(cache=tmp_path / "cache", catalog=catalog)
    assert not Pypi().has_locked("python", context)
    Pypi().install_locked("python", context)
    assert Pypi().has_locked("python", context)
    assert provide(new, tmp_path / "cache").version == "1.0"


@pytest.mark.parametrize(("lock", "reason"), [("", "bad is not in the lock file"), (None, "cannot be read")])
def test_a_lock_without_the_package_is_one_sentence(lock, reason, contender, tmp_path):
    bad = contender("bad", lock or "")
    if lock is None:
        (bad.folder / LOCK).unlink()
    with pytest.raises(Unavailable, match=reason):
        provide(bad, tmp_path / "cache")


def test_the_locks_of_the_project_name_versions_and_hashes_and_no_address():
    catalog = load_catalog(ROOT)
    locks = {
        contender.folder / LOCK: source.name
        for contender in catalog.contenders.values()
        for source in contender.manifest.source
        if source.kind == Pypi.kind
    }
    assert len(locks) > 10 and set(locks) == set((ROOT / "contenders/python").glob(f"*/{LOCK}"))
    for path, name in locks.items():
        text = path.read_text()
        assert "://" not in text and "--hash=sha256:" in text
        assert (
            Pypi().pin(catalog.contenders[f"python/{path.parent.name}"], *_source(catalog, path)).name == name
        )


def _source(catalog, path):
    (source,) = catalog.contenders[f"python/{path.parent.name}"].manifest.source
    return source, Context(cache=path.parent, catalog=catalog)
