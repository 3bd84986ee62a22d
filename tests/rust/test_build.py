"""How rows in Rust are built, and what is said where they cannot be."""

import os
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
    return planned.recipes[0].steps[0]


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


@rust
def test_crates_are_compiled_once_for_all_data(context, catalog):
    """Of a contender with a schema; the same plan, twice, has the same last recipe too."""
    row = next(r for r in catalog.rows(generated=True) if r.id == "rust/flatbuffers:write")

    def recipes(document):
        schema = kept(context, infer([document]))
        request = context.builder._row_request("worker", replace(row, schema=schema), NOTHING, "speed")
        return answer(request).recipes

    one, other, again = recipes({"a": 1}), recipes({"b": "x"}), recipes({"a": 1})
    (crates,) = (recipe for recipe in one if "target/CACHEDIR.TAG" in recipe.products)
    assert crates in other and one[-1] not in other and one == again
