"""Libraries that the user installs: missing, elsewhere, below a wrong prefix, or of another version."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from serbench.build import Builder, BuildFailed
from serbench.catalog.load import load_catalog
from serbench.catalog.records import Contender, Row
from serbench.catalog.source import Source
from serbench.errors import UserError
from serbench.project import ROOT
from serbench.provision import Unavailable, provide
from serbench.provision.providers.installed import parse_prefixes
from tests.provision.conftest import ODD, Programs, contender

USUAL = (Path("/usr"), Path("/usr/local"))
BY_HAND = ("c/cwpack", "c/binn", "c/ubj", "c/ubj-optimized", "c/tinycbor", "c/yyjson", "zig/zigpak")


@pytest.fixture
def no_prefixes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CMAKE_PREFIX_PATH", "CPATH", "PKG_CONFIG_PATH"):
        monkeypatch.delenv(name, raising=False)


def of_the_project(name: str) -> Contender:
    """A contender with its installed sources alone, whatever this distribution has of it."""
    found = load_catalog(ROOT).contenders[name]
    installed = [source for source in found.manifest.source if source.kind == "installed"]
    return msgspec.structs.replace(found, manifest=msgspec.structs.replace(found.manifest, source=installed))


@pytest.mark.parametrize("name", BY_HAND)
def test_without_the_library_one_line_says_what_to_install_and_where_from(
    name: str, no_prefixes: None, tmp_path: Path
) -> None:
    one = of_the_project(name)
    if any((prefix / s.name).is_file() for s in one.manifest.source for prefix in USUAL):
        pytest.skip("it is installed here")
    with pytest.raises(Unavailable) as caught:
        provide(one, tmp_path)
    reason = caught.value.reason
    assert "\n" not in reason and len(reason) < 220
    assert one.manifest.homepage in reason
    assert f"--prefix {one.folder.name}=DIR" in reason


@pytest.mark.parametrize("name", BY_HAND)
def test_below_a_wrong_prefix_it_is_said_what_is_not_there(name: str, tmp_path: Path) -> None:
    one = of_the_project(name)
    with pytest.raises(Unavailable) as caught:
        provide(one, tmp_path, {one.folder.name: tmp_path})
    wanted = " or ".join(source.name for source in one.manifest.source)
    assert caught.value.reason == (
        f"--prefix {one.folder.name}={tmp_path}: there is no {wanted} below this folder"
    )


def test_the_first_kind_of_copy_that_is_there_is_taken(tmp_path: Path, no_prefixes: None) -> None:
    one = contender(
        Source(kind="installed", name="src/odd.h"), Source(kind="installed", name="include/odd.h")
    )
    for folder in ("include", "src"):
        place = tmp_path / ODD / folder
        place.mkdir(parents=True)
        (place / "odd.h").touch()
        found = provide(one, tmp_path, {"odd-lib": tmp_path / ODD})
        assert found.source.name == f"{folder}/odd.h"
        assert found.root == tmp_path / ODD


def test_pkg_config_knows_where_it_is(programs: Programs, tmp_path: Path, no_prefixes: None) -> None:
    (tmp_path / "far/include").mkdir(parents=True)
    (tmp_path / "far/include/odd.h").touch()
    programs.add(
        "pkg-config",
        f'[ "$2" = odd ] || exit 1\ncase $1 in\n--variable=prefix) echo "{tmp_path}/far" ;;\n'
        "--modversion) echo 3.1 ;;\nesac",
    )
    programs.first()
    found = provide(contender(Source(kind="installed", name="include/odd.h", pkg_config="odd")), tmp_path)
    assert (found.root, found.version) == (tmp_path / "far", "3.1")


def test_a_copy_without_its_pkg_config_file_is_used_all_the_same(
    programs: Programs, tmp_path: Path, no_prefixes: None
) -> None:
    programs.add("pkg-config", "exit 1")
    programs.first()
    (tmp_path / "include").mkdir()
    (tmp_path / "include/odd.h").touch()
    source = Source(kind="installed", name="include/odd.h", pkg_config="odd", libraries=["odd"])
    found = provide(contender(source), tmp_path, {"odd-lib": tmp_path})
    assert (found.source.pkg_config, found.source.libraries, found.version) == (None, ["odd"], "")


def install(prefix: Path, name: str, header: str, body: str) -> Path:
    """A library `name` below `prefix`, as a static one."""
    (prefix / "include").mkdir(parents=True)
    (prefix / "lib").mkdir()
    (prefix / f"include/{name}.h").write_text(header)
    (prefix / f"{name}.c").write_text(body)
    compiled = ["gcc", "-c", f"{name}.c", "-o", f"{name}.o"]
    subprocess.run(compiled, cwd=prefix, check=True)
    subprocess.run(["ar", "rcs", f"lib/lib{name}.a", f"{name}.o"], cwd=prefix, check=True)
    return prefix


@pytest.fixture
def build(tmp_path: Path, no_prefixes: None):
    """Builds the writer of a contender outside of the project that calls `twice` of the library `odd`."""
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    folder = tmp_path / "odd-lib"
    folder.mkdir()
    (folder / "contender.toml").write_text(
        'name = "Odd"\nlanguage = "c"\nformat = "json"\n[[source]]\ninstalled = "include/odd.h"\n'
        'include = ["include"]\nlibraries = ["odd"]\n[tests]\nwrite = "write.c"\n'
    )
    (folder / "write.c").write_text(
        "#include <odd.h>\n#include <serbench/writer.h>\n"
        "bool sb_write(const sb_value *root, sb_output *out) {\n"
        "    char digit = (char)twice((int)root->length);\n"
        "    sb_output_block(out, &digit, 1);\n    return true;\n}\n"
        'const char *sb_library_version(void) { return ""; }\n'
    )
    catalog = load_catalog(ROOT, [folder])
    one = catalog.contenders["c/odd-lib"]

    def run(prefix: Path) -> str:
        found = provide(one, tmp_path, parse_prefixes([f"odd-lib={prefix}"], [one]))
        row = Row(contender=one, test="write")
        built = Builder(catalog, tmp_path / "cache").build(row, found, "speed")
        asked = subprocess.run(
            built.command, input='{"do":"describe"}\n{"do":"quit"}\n', capture_output=True, text=True
        )
        return asked.stdout

    return run


def test_the_library_below_the_named_prefix_is_linked(build, tmp_path: Path) -> None:
    right = install(tmp_path / ODD, "odd", "int twice(int);\n", "int twice(int x) { return 2 * x; }\n")
    assert '"test":"write"' in build(right).replace(" ", "")


def test_a_header_of_another_version_is_not_built_and_what_is_missing_is_named(build, tmp_path: Path) -> None:
    old = install(tmp_path / "old", "odd", "int once(int);\n", "int once(int x) { return x; }\n")
    with pytest.raises(BuildFailed) as caught:
        build(old)
    assert caught.value.reason.startswith("it does not build: ")
    assert "twice" in caught.value.reason


def test_a_library_without_a_function_of_its_header_is_not_built(build, tmp_path: Path) -> None:
    hollow = install(tmp_path / "hollow", "odd", "int twice(int);\n", "int once(int x) { return x; }\n")
    with pytest.raises(BuildFailed, match=r"undefined reference to .twice"):
        build(hollow)


def test_an_upgraded_library_is_linked_anew(build, tmp_path: Path) -> None:
    prefix = install(tmp_path / "one", "odd", "int twice(int);\n", "int twice(int x) { return 2 * x; }\n")
    build(prefix)
    (prefix / "lib/libodd.a").unlink()
    with pytest.raises(BuildFailed, match="cannot find -lodd"):
        build(prefix)


def test_a_missing_library_file_is_named(build, tmp_path: Path) -> None:
    (tmp_path / "bare/include").mkdir(parents=True)
    (tmp_path / "bare/include/odd.h").write_text("int twice(int);\n")
    with pytest.raises(BuildFailed, match="cannot find -lodd"):
        build(tmp_path / "bare")


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (["binn"], "--prefix takes NAME=DIR, not 'binn'"),
        (["=/usr"], "--prefix takes NAME=DIR, not '=/usr'"),
        (["binn="], "--prefix takes NAME=DIR, not 'binn='"),
        (["bin=/usr"], "binn"),
        (["binn=/no/such/folder"], "there is no folder '/no/such/folder'"),
        (["binn=/usr", "binn=/usr/local"], "names binn twice"),
        (["jansson=/usr"], "is not a library that one installs by hand"),
    ],
)
def test_a_bad_value_is_one_sentence(values: list[str], reason: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_prefixes(values, load_catalog(ROOT).contenders.values())
    assert reason in str(caught.value)


def test_a_name_may_be_the_folders_the_id_or_the_librarys_own(tmp_path: Path) -> None:
    for name in ("cwpack", "CWPack", "c/cwpack"):
        known = load_catalog(ROOT).contenders.values()
        assert parse_prefixes([f"{name}={tmp_path}"], known) == {name: tmp_path}


def test_a_name_that_contenders_share_is_that_of_the_one_to_install(tmp_path: Path) -> None:
    known = load_catalog(ROOT).contenders.values()
    assert sum(one.folder.name == "avro" for one in known) > 1
    assert parse_prefixes([f"avro={tmp_path}"], known) == {"avro": tmp_path}


@pytest.mark.parametrize("command", ["run", "list", "verify"])
def test_the_commands_refuse_a_bad_prefix_before_they_do_anything(command: str) -> None:
    asked = subprocess.run(
        [sys.executable, "-m", "serbench", command, "--prefix", "binn"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "SERBENCH_IGNORE_LOCK": "1"},
    )
    assert asked.returncode == 2
    assert asked.stderr == "serbench: --prefix takes NAME=DIR, not 'binn'\n"
