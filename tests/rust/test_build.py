"""How rows in Rust are built, and what is said where they cannot be."""

import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
from harness.rust.build import answer
from msgspec.structs import replace

from serbench.build import Builder, BuildFailed
from serbench.catalog.load import load_catalog, read_contender
from serbench.catalog.records import Row
from serbench.catalog.source import Source
from serbench.commands.scaffold import new_contender
from serbench.measure.codesize import text_and_data
from serbench.project import CACHE, ROOT
from serbench.provision import forbid_downloads, provide, toolchain
from serbench.provision.records import Provided, Unavailable
from serbench.run.context import BuildContext
from serbench.run.typed import kept
from serbench.schemas.infer import infer
from tests.conftest import rows_of
from tests.languages import needs
from tests.zig.test_rows import verdicts

NOTHING = Provided(source=Source())
rust = needs("rust")


@pytest.fixture
def plan(context, catalog):
    """The plan for the baseline's reader."""
    row = next(r for r in catalog.rows() if r.id == "rust/baseline:tree")

    def of(want="worker", profile="speed", cpu="baseline"):
        return answer(context.builder._row_request(want, row, NOTHING, profile, cpu=cpu))

    return of


def words(planned) -> list[str]:
    """Return the words of the step that compiles the contender."""
    return planned.recipes[0].steps[1]


def flags(planned) -> list[str]:
    (found,) = (word for word in words(planned) if word.startswith("CARGO_ENCODED_RUSTFLAGS="))
    return found.partition("=")[2].split("\x1f")


@rust
@pytest.mark.parametrize(("level", "name"), [("v2", "x86-64-v2"), ("v4", "x86-64-v4"), ("native", "native")])
def test_all_is_built_for_the_level(plan, level, name):
    said, plain = plan(cpu=level), plan()
    assert flags(said)[0] == f"-Ctarget-cpu={name}" and said.flags == f"{plain.flags} -Ctarget-cpu={name}"
    assert flags(said)[1:] == flags(plain)
    assert not [word for word in flags(plain) if "cpu" in word]


@rust
def test_all_tests_are_one_program_but_its_size_is_that_of_one(plan):
    worker, static = plan(), plan("static")
    assert not [word for word in words(worker) if word.startswith("SB_TEST=")]
    assert "SB_TEST=tree" in words(static)
    assert worker.command[1:] == ["tree"] and worker.digest[1] == "tree"


@rust
@pytest.mark.parametrize("profile", ["speed", "size"])
def test_code_size_is_the_same_when_built_anew(profile, catalog, tmp_path):
    """In a cache of its own, wherever that is."""
    (tmp_path / "rust").symlink_to(CACHE / "rust")
    rows = {row.id: row for row in rows_of(catalog, "rust/baseline")}

    def size(test: str, cache: Path) -> int:
        built = Builder(catalog, cache).build(rows[f"rust/baseline:{test}"], NOTHING, profile, "static")
        return text_and_data(built.size_of)

    whole = size("tree", CACHE)
    assert size("tree", tmp_path) == whole != size("lookup", CACHE)


@rust
def test_a_new_contender_passes_as_it_is(catalog, generated, tmp_path):
    folder = new_contender(catalog, "rust", "mylib", tmp_path)
    with_it = BuildContext(load_catalog(ROOT, [folder]), CACHE)
    rows = rows_of(with_it.catalog, "rust/mylib")
    found = verdicts(with_it, rows, [generated("generated:2")], tmp_path)
    assert {name: record.reason for (_, name), (record, _) in found.items() if record.status != "ok"} == {}
    assert len(found) == 2


@rust
def test_the_compiler_s_complaint_is_the_reason(catalog, context, tmp_path):
    folder = new_contender(catalog, "rust", "broken", tmp_path)
    (folder / "main.rs").write_text((folder / "main.rs").read_text() + "const X: u8 = NOTHING;\n")
    row = Row(contender=read_contender(folder), test="tree")
    with pytest.raises(BuildFailed, match="cannot find value `NOTHING`") as caught:
        context.builder.build(row, NOTHING, "speed")
    assert not caught.value.unavailable and "main.rs" in caught.value.output


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("rustc 1.90.0 (1159e78c4 2025-09-14)", "1.90.0"),
        ("rustc 1.100.0-nightly (1159e78c4 2025-09-14)", "1.100.0-nightly"),
        ("rustc 1.89.0 (29483883e 2025-08-04)", None),
        ("no version", None),
    ],
)
def test_a_compiler_in_path_counts_if_it_is_new_enough(said, version, tmp_path, monkeypatch):
    for name in ("rustc", "cargo"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\necho '{said}'\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin{os.pathsep}/usr/bin:/bin")
    found = toolchain.find(ROOT, tmp_path / "cache", "rust")
    assert (found and found.version) == version


def test_without_a_compiler_rows_are_unavailable_with_the_remedy(catalog, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    if toolchain.find(ROOT, tmp_path, "rust") is not None:
        pytest.skip("this system has a Rust of its own")
    made = BuildContext(catalog, tmp_path).build(rows_of(catalog, "rust/serde_json"))
    assert {(ready.status, ready.reason) for ready in made.values()} == {
        ("unavailable", "needs Rust 1.90 or newer with Cargo: install it, or ./serbench setup rust")
    }


@rust
def test_crates_that_are_not_here_are_not_fetched_without_leave(catalog, tmp_path):
    forbid_downloads()
    try:
        with pytest.raises(Unavailable, match="the crates of serde_json are not here, and --no-install"):
            provide(catalog.contenders["rust/serde_json"], tmp_path, catalog=catalog)
    finally:
        forbid_downloads(False)


def test_a_lock_file_has_a_checksum_of_every_crate(catalog):
    locks = [c.folder / "Cargo.lock" for c in catalog.contenders.values() if c.manifest.language == "rust"]
    for path in locks:
        packages = tomllib.loads(path.read_text("utf-8"))["package"]
        own = {package["name"] for package in packages if "source" not in package}
        assert len(own) == 2 and "serbench" in own, path
        assert all(len(p["checksum"]) == 64 for p in packages if "source" in p), path
    assert len(locks) > 15


def test_no_two_contenders_share_a_workspace(catalog):
    """The features of a crate unify across a workspace, and would change other rows."""
    for contender in catalog.contenders.values():
        if contender.manifest.language == "rust":
            stated = tomllib.loads((contender.folder / "Cargo.toml").read_text("utf-8"))
            assert stated["workspace"] == {} and stated["bin"][0] == {"name": "worker", "path": "main.rs"}


def programs(catalog, cache: Path, *rows: str) -> dict[str, bytes]:
    """The programs of these rows, built one after another in a cache of its own, with checks."""
    cache.mkdir(exist_ok=True)
    for name in ("rust", "cargo"):
        if not (cache / name).is_symlink():
            (cache / name).symlink_to(CACHE / name)
    builder, found = Builder(catalog, cache), {}
    for row in (row for name in rows for row in catalog.rows() if row.id == name):
        library = provide(row.contender, CACHE, catalog=catalog)
        found[row.id] = Path(builder.build(row, library, "check").command[0]).read_bytes()
    return found


def crates(cache: Path) -> list[str]:
    """The compiled crates for the target, which have names with digests; built with one set of flags."""
    return sorted(path.name for path in cache.glob("rust-crates/*/target/*/release/deps/*.rlib"))


@rust
def test_crates_are_compiled_once_and_programs_are_the_same_in_any_order(catalog, tmp_path):
    """Wherever the cache is, and after a build that was killed while it compiled crates."""
    one, other = "rust/rmp:write", "rust/rmpv:tree"
    made = programs(catalog, tmp_path / "a", one)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "a").rglob("libnum_traits*.rlib")}
    assert len(before) == 1
    made |= programs(catalog, tmp_path / "a", other)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "a").rglob("libnum_traits*.rlib")} == before
    # Neither the contenders nor the harness leave anything but a library without code.
    assert not [*(tmp_path / "a").glob("rust-crates/**/worker*")]

    killed = (
        "import sys; from tests.rust.test_build import *; "
        "programs(load_catalog(ROOT), Path(sys.argv[1]), sys.argv[2])"
    )
    with subprocess.Popen([sys.executable, "-c", killed, tmp_path / "b", other], cwd=ROOT) as process:
        while process.poll() is None and not crates(tmp_path / "b"):
            time.sleep(0.005)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert programs(catalog, tmp_path / "b", other, one) == made
    assert crates(tmp_path / "b") == crates(tmp_path / "a")


@rust
def test_the_crates_are_compiled_with_the_flags_of_the_program(plan):
    for planned in (plan(cpu="v3"), plan("static"), plan("probe"), plan(profile="size")):
        shared, program, _ = planned.recipes[0].steps
        of_cargo = ("CARGO_ENCODED_RUSTFLAGS=", "RUSTC", "profile.", "-")
        assert {w for w in program if w.startswith(of_cargo)} - {*shared} == {"--bin", "--target-dir"}
        assert {w for w in shared if w.startswith(of_cargo)} - {*program} == {"--lib"}
        assert not [word for word in shared if word.startswith(("SB_TEST", "SB_FLAGS"))]
    folders = [of.recipes[0].steps[0][1] for of in (plan(), plan("probe"), plan("static"), plan(cpu="v3"))]
    assert folders[0] == folders[1] and len({*folders}) == 3


@rust
@pytest.mark.parametrize(
    ("removed", "reason"),
    [
        ('path = "../../../harness/rust/serbench"', "does not name the harness: serbench = "),
        ("[workspace]", r"has no \[workspace\]"),
    ],
)
def test_what_a_manifest_lacks_is_said(removed, reason, context, catalog, tmp_path):
    folder = new_contender(catalog, "rust", "odd", tmp_path)
    manifest = folder / "Cargo.toml"
    assert removed in manifest.read_text()
    manifest.write_text(manifest.read_text().replace(removed, ""))
    with pytest.raises(BuildFailed, match=reason):
        context.builder.build(Row(contender=read_contender(folder), test="tree"), NOTHING, "speed")


@rust
def test_crates_are_the_same_for_all_data(context, catalog):
    """For a contender with a schema; the same plan, twice, has the same recipe too."""
    row = next(r for r in catalog.rows(generated=True) if r.id == "rust/flatbuffers:write")

    def recipe(document):
        schema = kept(context, infer([document]))
        request = context.builder._row_request("worker", replace(row, schema=schema), NOTHING, "speed")
        return answer(request).recipes[-1]

    one, other, again = recipe({"a": 1}), recipe({"b": "x"}), recipe({"a": 1})
    assert one.steps[0] == other.steps[0] and one != other and one == again
