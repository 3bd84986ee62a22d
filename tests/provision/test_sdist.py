"""Python source packages, made here in place of those of the package index, and fetched by the real pip."""

import hashlib
import io
import tarfile
from pathlib import Path
from textwrap import dedent

import pytest
from msgspec.structs import replace

from serbench.catalog.source import Source
from serbench.provision import Unavailable, forbid_downloads, provide
from serbench.provision.providers import sdist
from tests.provision.conftest import contender

BUILD = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
BACKEND = dedent(
    """\
    import pathlib

    def prepare_metadata_for_build_wheel(folder, settings=None):
        made = pathlib.Path(folder) / "odd-1.5.dist-info"
        made.mkdir()
        (made / "METADATA").write_text("Metadata-Version: 2.1\\nName: odd\\nVersion: 1.5\\n")
        return made.name
    """
)
FILES = {"pyproject.toml": BUILD, "backend.py": BACKEND, "odd/lib.c": "int answer = 42;\n", "PKG-INFO": ""}


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Source:
    """The package `odd` 1.5 in an index that is a folder."""
    (tmp_path / "index").mkdir()
    archive = tmp_path / "index" / "odd-1.5.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        for name, text in FILES.items():
            member = tarfile.TarInfo(f"odd-1.5/{name}")
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    return Source(kind="sdist", name="odd", version="1.5", sha256=digest, subdir="odd", files=["lib.c"])


def test_the_sources_are_there_and_need_pip_once(
    source: Source, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    provided = provide(contender(source), cache)
    assert provided.root is not None
    assert (provided.root / "lib.c").read_text() == FILES["odd/lib.c"]
    assert provided.origin == "Python source package odd 1.5"
    assert provided.version == "" and not provided.distribution_build
    monkeypatch.setattr(sdist, "run", None)
    assert provide(contender(source), cache) == provided


def test_a_library_that_is_the_package_has_its_version(source: Source, cache: Path) -> None:
    assert provide(contender(replace(source, subdir="", files=["odd/lib.c"])), cache).version == "1.5"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (
            {"sha256": "0" * 64},
            "pip could not fetch Python source package odd 1.5: THESE PACKAGES DO NOT MATCH",
        ),
        ({"version": "1.6"}, "pip could not fetch Python source package odd 1.6: Could not find a version"),
        ({"sha256": "0" * 63}, "Python source package odd 1.5: a SHA-256 has 64 digits"),
        ({"name": "--upgrade"}, "'--upgrade' 1.5 is no Python package with a version"),
    ],
)
def test_what_is_not_the_package_is_a_reason(
    fields: dict[str, str], reason: str, source: Source, cache: Path
) -> None:
    with pytest.raises(Unavailable, match=f"^{reason}"):
        provide(contender(replace(source, **fields)), cache)
    assert not list(cache.rglob("lib.c"))


def test_a_failure_is_remembered_and_a_missing_file_is_named(source: Source, cache: Path) -> None:
    with pytest.raises(Unavailable, match=r"odd 1\.5 has no other\.c$"):
        provide(contender(replace(source, files=["other.c"])), cache)
    absent = replace(source, version="1.6", sha256="1" * 64)
    reasons = set()
    for _ in range(2):
        with pytest.raises(Unavailable) as caught:
            provide(contender(absent), cache)
        reasons.add(caught.value.reason)
    assert len(reasons) == 1 and list(cache.glob("sources/*/*.missing"))


def test_with_no_install_nothing_is_fetched(source: Source, cache: Path) -> None:
    forbid_downloads()
    try:
        with pytest.raises(Unavailable, match=r"odd 1\.5 is not here, and --no-install fetches nothing$"):
            provide(contender(source), cache)
    finally:
        forbid_downloads(False)
