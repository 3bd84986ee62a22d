"""Packages that are unpacked and not installed: a real package, and an apt-get that copies it."""

import shutil
import subprocess
from pathlib import Path

import pytest

from serbench.catalog.source import Source
from serbench.errors import UserError
from serbench.provision import Unavailable, debian, forbid_downloads, provide, toolchain
from serbench.provision.installable import Installable, of_part
from tests.provision.conftest import Programs, contender

SOURCE = Source(kind="debian-unpacked", name="libodd-dev", include=["usr/include"], header_only=True)


@pytest.fixture
def mirror(tmp_path: Path, programs: Programs) -> Programs:
    """A mirror that has one package; `asked` in its folder has a line for each call."""
    if shutil.which("dpkg-deb") is None:
        pytest.skip("needs dpkg-deb")
    tree = tmp_path / "tree"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "usr/include").mkdir(parents=True)
    (tree / "usr/include/odd.h").write_text("#define ODD 1\n")
    (tree / "DEBIAN/control").write_text(
        "Package: libodd-dev\nVersion: 1:2.5-3\nArchitecture: all\nMaintainer: A <a@example.org>\n"
        "Description: headers\n"
    )
    package = tmp_path / "libodd-dev_2.5-3_all.deb"
    subprocess.run(["dpkg-deb", "--build", tree, package], check=True, capture_output=True)
    asked = programs.folder / "asked"
    programs.add(
        "apt-get",
        f"echo x >> '{asked}'\nfor name; do :; done\n"
        f"[ $name = libodd-dev ] && cp '{package}' . && exit\n"
        "echo 'E: Unable to locate package' >&2\nexit 100",
    )
    programs.first()
    return programs


def test_it_is_unpacked_once_and_not_installed(mirror: Programs, cache: Path) -> None:
    provided = provide(contender(SOURCE), cache)
    assert provided.root is not None
    assert (provided.root / "usr/include/odd.h").read_text() == "#define ODD 1\n"
    assert provided.version == "2.5"
    assert provided.origin.endswith("package libodd-dev 1:2.5-3, unpacked")
    assert not provided.distribution_build
    assert debian.installed_version("libodd-dev") is None
    assert provide(contender(SOURCE), cache) == provided
    assert (mirror.folder / "asked").read_text() == "x\n"


def test_what_is_not_there_is_a_reason_that_is_remembered(mirror: Programs, cache: Path) -> None:
    other = Source(kind="debian-unpacked", name="libother-dev")
    for _ in range(2):
        with pytest.raises(
            Unavailable, match=r"libother-dev could not be fetched \(Unable to locate package\)$"
        ):
            provide(contender(other), cache)
    assert (mirror.folder / "asked").read_text() == "x\n"
    lacking = Source(kind="debian-unpacked", name="libodd-dev", include=["usr/share"])
    with pytest.raises(Unavailable, match=r"the package libodd-dev 1:2\.5-3 has no usr/share$"):
        provide(contender(lacking), cache)
    with pytest.raises(Unavailable, match="'--force' is not the name of a Debian package"):
        provide(contender(Source(kind="debian-unpacked", name="--force")), cache)


def test_with_no_install_nothing_is_fetched(mirror: Programs, cache: Path) -> None:
    forbid_downloads()
    try:
        with pytest.raises(Unavailable, match=r"libodd-dev is not here, and --no-install fetches nothing$"):
            provide(contender(SOURCE), cache)
    finally:
        forbid_downloads(False)
    assert not (mirror.folder / "asked").exists()


@pytest.fixture
def part(mirror: Programs, tmp_path: Path, cache: Path) -> Installable:
    """A part of two packages: the program `tool`, and the library that it needs."""
    packages = {
        "tool": {"usr/bin/tool": '#!/bin/sh\necho tool 1.5 "$LD_LIBRARY_PATH"\n'},
        "libtool1": {
            "lib/x86_64-linux-gnu/libold.so.1": "an old library\n",
            "usr/lib/x86_64-linux-gnu/libtool.so.1": "a library\n",
        },
    }
    folder = tmp_path / "packages"
    for name, files in packages.items():
        tree = folder / name
        (tree / "DEBIAN").mkdir(parents=True)
        (tree / "DEBIAN/control").write_text(
            f"Package: {name}\nVersion: 1.5-1\nArchitecture: all\nMaintainer: A <a@example.org>\n"
            "Description: a part\n"
        )
        for path, text in files.items():
            (tree / path).parent.mkdir(parents=True)
            (tree / path).write_text(text)
            (tree / path).chmod(0o755)
        subprocess.run(["dpkg-deb", "--build", tree, folder / f"{name}.deb"], check=True, capture_output=True)
    mirror.add(
        "apt-get",
        "case $* in\n"
        "*--simulate*tool) echo 'Inst libtool1 (1.5-1 Debian:12 [all])'; echo 'Inst tool (1.5-1)' ;;\n"
        f"*download*) shift 5; shift; for name; do cp '{folder}'/$name.deb . || exit; done ;;\n"
        "*) echo 'E: Unable to locate package' >&2; exit 100 ;;\nesac",
    )
    (tmp_path / "setup").mkdir()
    (tmp_path / "setup/tool.toml").write_text(
        'title = "a tool"\nregistry = "debian-unpacked"\nlock = "tool.lock"\nfolder = "tool"\n'
        'file = "usr/bin/tool"\ndownload-mb = 1\ndisk-mb = 2\ntool = "the tool"\n'
        'version = ["tool", "--version"]\nleast = "1.5"\n\n[programs]\ntool = ["bin/tool"]\n'
    )
    (tmp_path / "setup/tool.lock").write_text("tool\n")
    return of_part(tmp_path, cache, "tool")


def test_a_part_is_unpacked_with_what_it_needs(part: Installable, tmp_path: Path, cache: Path) -> None:
    assert not part.is_present()
    part.install()
    assert part.is_present() and debian.installed_version("tool") is None
    found = toolchain.find(tmp_path, cache, "tool")
    assert found is not None and found.version == "1.5"
    said = subprocess.run(found.programs["tool"], capture_output=True, text=True, check=True).stdout
    libraries = [library for folder in said.split()[2].split(":") for library in Path(folder).iterdir()]
    assert sorted(library.name for library in libraries) == ["libold.so.1", "libtool.so.1"]
    assert not list((cache / "tool").glob("*.deb"))


def test_the_first_line_of_a_lock_counts_that_apt_knows(
    part: Installable, tmp_path: Path, cache: Path
) -> None:
    (tmp_path / "setup/tool.lock").write_text("tool-for-browsers\ntool\n")
    part.install()
    assert toolchain.find(tmp_path, cache, "tool") is not None


def test_a_part_that_apt_does_not_know_is_a_reason(part: Installable, tmp_path: Path, cache: Path) -> None:
    (tmp_path / "setup/tool.lock").write_text("other\n")
    with pytest.raises(UserError, match=r"apt cannot install other \(Unable to locate package\)$"):
        part.install()
    assert not (cache / "tool").exists()


@pytest.mark.usefixtures("part")
def test_a_part_that_apt_has_too_old_is_not_fetched(tmp_path: Path, cache: Path) -> None:
    stated = tmp_path / "setup/tool.toml"
    stated.write_text(stated.read_text().replace('least = "1.5"', 'least = "1.10"'))
    with pytest.raises(
        UserError, match=r"apt has tool 1\.5-1 here, and the tool is needed: install it, or add"
    ):
        of_part(tmp_path, cache, "tool").install()
    assert not (cache / "tool").exists()
