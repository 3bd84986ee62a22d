"""Source packages out of a small repository, through the real apt-get and dpkg-source."""

import hashlib
from pathlib import Path
from textwrap import dedent

import pytest

from serbench.catalog.source import Source
from serbench.provision import Unavailable, prefetch, provide
from serbench.provision.apt_source import parse_uris
from serbench.provision.providers import debian_source
from serbench.provision.providers.debian_source import check_archives, fetch
from tests.provision.conftest import ODD, Repository, contender


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / ODD / "cache"


def test_a_whole_package_is_unpacked_with_its_patches(repository: Repository, cache: Path) -> None:
    repository.add("libodd++")
    repository.publish()
    provided = provide(contender(Source(kind="debian-source", name="libodd++", files=["lib.c"])), cache)
    assert provided.root is not None
    assert (provided.root / "lib.c").read_text() == "int answer = 2;\n"
    assert provided.version == "1.5"
    assert provided.origin.endswith("source libodd++ 1.5-2")
    assert not provided.distribution_build


def test_a_library_inside_of_another_project_has_not_its_version(repository: Repository, cache: Path) -> None:
    repository.add("odd", member="third/lib.c")
    repository.publish()
    provided = provide(
        contender(Source(kind="debian-source", name="odd", subdir="third", files=["lib.c"])), cache
    )
    assert provided.version == "" and "source odd 1.5-2" in provided.origin


def test_the_second_time_needs_no_apt(repository: Repository, cache: Path, request) -> None:
    repository.add("odd")
    repository.publish()
    first = fetch("odd", cache)
    request.getfixturevalue("no_network")
    assert fetch("odd", cache) == first
    prefetch([contender(Source(kind="debian-source", name="odd"))], cache)


@pytest.mark.parametrize("lost", [["odd_1.5-2.debian.tar.xz"], ["odd_1.5-2.debian.tar.xz", "odd_1.5-2.dsc"]])
def test_the_upstream_archive_alone_suffices_and_is_said_to_be_alone(
    repository: Repository, cache: Path, lost: list[str]
) -> None:
    repository.add("odd")
    repository.publish()
    for lacking in lost:
        (repository.folder / lacking).unlink()
    provided = provide(contender(Source(kind="debian-source", name="odd")), cache)
    assert provided.root is not None
    assert (provided.root / "lib.c").read_text() == "int answer = 1;\n"
    assert provided.version == "1.5"
    assert "1.5-2, the upstream archive without the distribution's patches" in provided.origin


def test_a_tampered_archive_is_refused(repository: Repository, cache: Path) -> None:
    repository.add("odd")
    repository.publish()
    archive = repository.folder / "odd_1.5.orig.tar.gz"
    archive.write_bytes(archive.read_bytes()[:-1] + b"!")
    with pytest.raises(Unavailable) as caught:
        fetch("odd", cache)
    assert "odd" in caught.value.reason
    assert not list(cache.rglob("lib.c"))
    assert not list(cache.rglob("*.missing"))


def test_a_wrong_checksum_is_forgotten_once_the_file_is_right(
    repository: Repository, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.add("odd")
    repository.publish()
    stated = debian_source.PrivateApt.checksums

    def wrong(self: debian_source.PrivateApt, names: list[str]) -> dict[str, dict[str, str]]:
        return {name: dict.fromkeys(sums, "0" * 64) for name, sums in stated(self, names).items()}

    monkeypatch.setattr(debian_source.PrivateApt, "checksums", wrong)
    prefetch([contender(Source(kind="debian-source", name="odd"))], cache)
    with pytest.raises(Unavailable, match="has the wrong checksum"):
        fetch("odd", cache)
    monkeypatch.undo()
    monkeypatch.setattr(debian_source, "_private", {})
    monkeypatch.setattr(
        "serbench.provision.debian.source_lines",
        lambda *_: [f"deb-src [trusted=yes] copy:{repository.folder} ./"],
    )
    assert fetch("odd", cache).version == "1.5-2"


@pytest.mark.parametrize("name", ["/elsewhere/written", "../x", "-o", "--print-uris", "A", "a b", ".."])
def test_a_name_that_no_package_can_have_is_never_asked_for(
    name: str, tmp_path: Path, no_network: list[str]
) -> None:
    source = Source(kind="debian-source", name=name)
    prefetch([contender(source)], tmp_path)
    with pytest.raises(Unavailable, match="is not the name of a Debian source package"):
        provide(contender(source), tmp_path)
    assert no_network == [] and not list(tmp_path.iterdir())


def test_our_own_check_finds_a_tampered_file_and_names_missing_ones(tmp_path: Path) -> None:
    (tmp_path / "one").write_bytes(b"1")
    sums = {name: hashlib.sha256(b"1").hexdigest() for name in ("one", "two")}
    assert check_archives(tmp_path, sums) == ["two"]
    (tmp_path / "two").write_bytes(b"2")
    with pytest.raises(Unavailable, match="two has the wrong checksum"):
        check_archives(tmp_path, sums)


def test_checksums_are_read_by_package_and_never_lead_elsewhere() -> None:
    said = """\
        Reading package lists...
        'http://m.example.org/pool/o/odd/odd_1%2b2-3.dsc' odd_1+2-3.dsc 1954 SHA256:aa
        'http://m.example.org/pool/o/odd/odd_1%2b2.orig.tar.gz' odd_1+2.orig.tar.gz 83997 SHA256:bb
        'copy:/a folder/even_1.dsc' even_1.dsc 7 SHA256:cc
        'http://m.example.org/x' ../evil_1.dsc 7 SHA256:dd
        'http://m.example.org/x' weak_1.dsc 7 MD5Sum:ee
        """
    assert parse_uris(dedent(said)) == {
        "odd": {"odd_1+2-3.dsc": "aa", "odd_1+2.orig.tar.gz": "bb"},
        "even": {"even_1.dsc": "cc"},
    }


def test_an_archive_that_would_write_outside_is_refused(repository: Repository, cache: Path) -> None:
    repository.add("odd", member="../../../escape.c")
    repository.publish()
    with pytest.raises(Unavailable, match="which leads outside"):
        fetch("odd", cache)
    assert not list(cache.rglob("escape.c"))
    assert not list(cache.parent.parent.glob("escape.c"))


def test_an_unknown_package_is_asked_for_once(repository: Repository, cache: Path, request) -> None:
    repository.add("odd")
    repository.publish()
    with pytest.raises(Unavailable, match="no source package nobody"):
        fetch("nobody", cache)
    request.getfixturevalue("no_network")
    with pytest.raises(Unavailable, match="no source package nobody"):
        fetch("nobody", cache)


def test_an_unknown_name_does_not_spoil_the_others(repository: Repository, cache: Path, request) -> None:
    repository.add("odd")
    repository.add("even")
    repository.publish()
    prefetch(
        [contender(Source(kind="debian-source", name=name)) for name in ("even", "nobody", "odd")], cache
    )
    request.getfixturevalue("no_network")
    assert fetch("odd", cache).version == fetch("even", cache).version == "1.5-2"


def test_the_next_source_is_taken_when_the_package_lacks_a_file(
    repository: Repository, cache: Path, programs
) -> None:
    repository.add("odd")
    repository.publish()
    programs.installed({"libodd-dev": "3.0-1"})
    sources = [
        Source(kind="debian-source", name="odd", files=["gone.c"]),
        Source(kind="debian-package", name="libodd-dev"),
    ]
    provided = provide(contender(*sources), cache)
    assert provided.source is sources[1]
    assert provided.distribution_build
    with pytest.raises(Unavailable, match=r"the source package odd 1\.5-2 has no gone\.c"):
        provide(contender(sources[0]), cache)


def test_without_package_lists_the_reason_says_what_to_do(
    repository: Repository, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("serbench.provision.debian.source_lines", lambda *_: [])
    with pytest.raises(Unavailable, match="sudo apt-get update"):
        fetch("odd", cache)


def test_a_mirror_that_does_not_answer_is_not_taken_for_one_without_the_package(
    repository: Repository, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = repository.folder.parent / "gone"
    monkeypatch.setattr(
        "serbench.provision.debian.source_lines", lambda *_: [f"deb-src [trusted=yes] copy:{gone} ./"]
    )
    with pytest.raises(Unavailable, match="check the network"):
        fetch("odd", cache)
    assert not list(cache.rglob("*.missing"))
