"""Which source is taken, and what is said when none is available."""

from collections.abc import Callable
from pathlib import Path

import pytest

from serbench.catalog.source import Source
from serbench.provision import Unavailable, downloads, forbid_downloads, missing_packages, prefetch, provide
from serbench.provision.debian import source_lines
from serbench.provision.process import run
from tests.conftest import Outcome
from tests.provision.conftest import ODD, Programs, contender

TARGETS = """\
Debian|http://deb.example.org/debian/ bookworm main
Debian|http://deb.example.org/debian/ bookworm main
Debian|http://deb.example.org/debian/ bookworm contrib
Some Vendor|https://vendor.example.com/apt stable main
|http://empty.example.org/ bookworm main
Debian|$(REPO_URI) $(RELEASE) $(COMPONENT)
Debian|broken
"""


def test_source_lines_follow_the_systems_own_and_leave_out_third_parties() -> None:
    assert source_lines(TARGETS, ["debian"], []) == [
        "deb-src http://deb.example.org/debian/ bookworm main",
        "deb-src http://deb.example.org/debian/ bookworm contrib",
    ]
    assert source_lines(TARGETS, ["ubuntu"], []) == []


def test_source_lines_name_the_keys_that_exist(tmp_path: Path) -> None:
    key = tmp_path / "key.gpg"
    key.touch()
    lines = source_lines(TARGETS, ["debian"], [str(key), str(tmp_path / "no.gpg")])
    assert lines[0] == f"deb-src [signed-by={key}] http://deb.example.org/debian/ bookworm main"


def test_a_contender_without_sources_needs_nothing(tmp_path: Path) -> None:
    provided = provide(contender(), tmp_path)
    assert (provided.root, provided.version, provided.origin) == (None, "", "")
    assert not provided.distribution_build


def test_the_first_installed_package_is_taken(programs: Programs, tmp_path: Path) -> None:
    programs.installed({"libtwo-dev": "2:2.5+dfsg-3", "libthree-dev": "3.0-1"})
    sources = [Source(kind="debian-package", name=f"lib{name}-dev") for name in ("one", "two", "three")]
    provided = provide(contender(*sources), tmp_path)
    assert provided.source is sources[1]
    assert provided.version == "2.5+dfsg"
    assert provided.origin.endswith("package libtwo-dev 2:2.5+dfsg-3")
    assert provided.skipped_sources == (
        "needs the Debian package libone-dev: sudo apt-get install libone-dev",
    )
    assert provided.distribution_build


def test_a_package_that_apt_does_not_know_is_not_advised(programs: Programs, tmp_path: Path) -> None:
    programs.installed({})
    programs.add("apt-cache", "[ $3 = libthere-dev ] && echo '  Candidate: 1' || echo '  Candidate: (none)'")
    for name, advice in (
        ("libthere-dev", "sudo apt-get install libthere-dev"),
        ("libelse-dev", "apt does not know libelse-dev; another release may have it, or sudo apt-get update"),
    ):
        with pytest.raises(Unavailable) as caught:
            provide(contender(Source(kind="debian-package", name=name)), tmp_path)
        assert caught.value.reason == f"needs the Debian package {name}: {advice}"


def test_with_no_install_nothing_is_fetched_and_the_next_source_serves(
    programs: Programs, tmp_path: Path, no_network: list[str]
) -> None:
    programs.installed({"libtwo-dev": "1-1"})
    programs.add("apt-get", "exit 1")
    both = contender(
        Source(kind="debian-source", name="one"), Source(kind="debian-package", name="libtwo-dev")
    )
    forbid_downloads()
    try:
        prefetch([both], tmp_path)
        provided = provide(both, tmp_path)
        with pytest.raises(Unavailable, match=r"one is not here, and --no-install fetches nothing$"):
            provide(contender(Source(kind="debian-source", name="one")), tmp_path)
    finally:
        forbid_downloads(False)
    assert provided.source.name == "libtwo-dev" and no_network == []
    assert provided.skipped_sources == (
        "the source package one is not here, and --no-install fetches nothing",
    )
    with pytest.raises(AssertionError, match="apt was asked for"):
        provide(both, tmp_path)


def test_no_install_holds_for_the_one_call_that_it_was_given_to(
    command: Callable[..., Outcome], tmp_path: Path
) -> None:
    assert command("--version", "--no-install").returncode == 0
    assert command("no-such-command", "--no-install").returncode == 2
    downloads.must_be_allowed("what this test needs is")


def test_a_header_only_package_is_no_distribution_build(programs: Programs, tmp_path: Path) -> None:
    programs.installed({"libheader-dev": "1.0-1"})
    source = Source(kind="debian-package", name="libheader-dev", header_only=True)
    assert not provide(contender(source), tmp_path).distribution_build


def test_all_reasons_are_given_in_one_line(programs: Programs, tmp_path: Path) -> None:
    programs.installed({})
    sources = [
        Source(kind="debian-package", name="libone-dev"),
        Source(kind="installed", name="include/odd.h", help="get it from\nits home page"),
    ]
    with pytest.raises(Unavailable) as caught:
        provide(contender(*sources), tmp_path)
    assert caught.value.reason == (
        "needs the Debian package libone-dev: sudo apt-get install libone-dev; "
        "there is no installed include/odd.h: get it from its home page "
        "(or name its folder: --prefix odd-lib=DIR)"
    )


def test_packages_that_building_needs_are_looked_for(programs: Programs, tmp_path: Path) -> None:
    programs.installed({"libone-dev": "1-1", "tool-a": "1"})
    source = Source(kind="debian-package", name="libone-dev", packages=["tool-a", "tool-b", "tool-c"])
    with pytest.raises(Unavailable, match=r"packages tool-b tool-c: sudo apt-get install tool-b tool-c$"):
        provide(contender(source), tmp_path)
    assert missing_packages(["tool-a", "tool-c"]) == ["tool-c"]


def test_a_package_of_another_major_version_is_the_next_source(programs: Programs, tmp_path: Path) -> None:
    programs.installed({"libone-dev": "2.5-1"})
    programs.add("pkg-config", '[ "$2" = one2 ] && echo 2.5')
    first, second = (Source(kind="debian-package", name="libone-dev", pkg_config=m) for m in ("one", "one2"))
    provided = provide(contender(first, second), tmp_path)
    assert provided.source == second and provided.version == "2.5"
    with pytest.raises(Unavailable, match=r"does not know one, though libone-dev 2\.5-1 is installed$"):
        provide(contender(first), tmp_path)


def test_elsewhere_pkg_config_decides(programs: Programs, tmp_path: Path) -> None:
    programs.add("pkg-config", '[ "$2" = one ] && echo 4.2')
    programs.alone()
    provided = provide(
        contender(Source(kind="debian-package", name="libone-dev", pkg_config="one")), tmp_path
    )
    assert provided.version == "4.2"
    assert provided.origin == "the system's own one 4.2"
    with pytest.raises(Unavailable, match="pkg-config does not know two"):
        provide(contender(Source(kind="debian-package", name="libtwo-dev", pkg_config="two")), tmp_path)
    with pytest.raises(Unavailable, match="no apt-get"):
        provide(contender(Source(kind="debian-source", name="two")), tmp_path)
    assert missing_packages(["anything"]) == []


def test_a_removed_package_with_its_settings_left_is_not_installed(
    programs: Programs, tmp_path: Path
) -> None:
    programs.add("dpkg-query", r"printf 'rc \t1.0\n'")
    programs.first()
    assert missing_packages(["libone-dev"]) == ["libone-dev"]


def _install(prefix: Path) -> None:
    (prefix / "include").mkdir(parents=True)
    (prefix / "include/odd.h").touch()


def test_a_named_prefix_is_the_only_one_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good, wrong = tmp_path / ODD, tmp_path / "wrong"
    _install(good)
    monkeypatch.setenv("CMAKE_PREFIX_PATH", str(good))
    one = contender(Source(kind="installed", name="include/odd.h", help="install it"))
    assert provide(one, tmp_path).root == good
    for name in ("odd-lib", "ODD", "c/odd-lib"):
        assert provide(one, tmp_path, {name: good}).root == good
        with pytest.raises(Unavailable) as caught:
            provide(one, tmp_path, {name: wrong})
        assert caught.value.reason == (
            f"--prefix {name}={wrong}: there is no include/odd.h below this folder"
        )


def test_a_prefix_is_found_through_cpath(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _install(tmp_path / "there")
    monkeypatch.delenv("CMAKE_PREFIX_PATH", raising=False)
    monkeypatch.setenv("CPATH", f"{tmp_path}/nothing:{tmp_path}/there/include")
    provided = provide(contender(Source(kind="installed", name="include/odd.h")), tmp_path)
    assert provided.root == tmp_path / "there"
    assert provided.found == tmp_path / "there/include/odd.h"


def test_a_wheel_of_the_set_up_has_a_librarys_sources(tmp_path: Path) -> None:
    packed = contender(Source(kind="wheel", name="tool", subdir="tool", files=["src/tool.c"]))
    with pytest.raises(Unavailable, match=r"^needs a part of the set-up: \./serbench setup tool$"):
        provide(packed, tmp_path)
    (tmp_path / "tool/tool-1.0.dist-info").mkdir(parents=True)
    provided = provide(packed, tmp_path)
    assert (provided.root, provided.version) == (tmp_path / "tool/tool", "1.0")
    assert provided.origin == "Python package tool 1.0" and not provided.distribution_build


def test_a_named_prefix_goes_before_other_sources(programs: Programs, tmp_path: Path) -> None:
    programs.installed({"libone-dev": "1-1"})
    _install(tmp_path / "mine")
    both = contender(
        Source(kind="debian-package", name="libone-dev"), Source(kind="installed", name="include/odd.h")
    )
    assert provide(both, tmp_path).source.name == "libone-dev"
    assert provide(both, tmp_path, {"odd": tmp_path / "mine"}).root == tmp_path / "mine"


def test_a_program_that_hangs_is_stopped_with_its_children(tmp_path: Path) -> None:
    done = run(["sh", "-c", "echo before; sleep 1000 & wait"], timeout=0.5)
    assert done.status == 124
    assert done.output == "before\n"
    assert "stopped after 0.5 s" in done.errors


@pytest.mark.parametrize("name", ["no-such-program", "nul\0inside"])
def test_a_program_that_cannot_start_is_a_status_not_an_exception(name: str) -> None:
    assert run([name]).status == 127
