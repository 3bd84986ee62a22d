"""The rows in Zig through the builder and the gate, and what is said where they cannot be built."""

import os
import subprocess
from pathlib import Path

import msgspec
import pytest
from harness.zig.build import answer

from serbench.build import Builder, BuildFailed
from serbench.build.configuration import Configuration
from serbench.catalog.load import load_catalog, read_contender
from serbench.catalog.records import Row
from serbench.catalog.source import Source
from serbench.commands.scaffold import new_contender
from serbench.measure.codesize import text_and_data
from serbench.project import CACHE, ROOT
from serbench.provision import toolchain
from serbench.provision.records import Provided
from serbench.run.context import BuildContext, BuildResult
from serbench.run.counting import Counter
from serbench.run.proving import prove
from serbench.verify.proof_cache import ProofCache
from tests.conftest import LIMITS

JSON = ["zig/std-json:write", "zig/std-json:tree", "zig/std-json:incremental"]
BASELINES = ["zig/baseline:write", "zig/baseline:tree", "zig/baseline:incremental"]


@pytest.fixture
def zig() -> Path:
    found = toolchain.find(ROOT, CACHE, "zig")
    if found is None:
        pytest.skip("needs the Zig compiler: ./serbench setup zig")
    return Path(found.programs["zig"][0])


def verdicts(context, rows, datasets, folder):
    proven = prove(context, rows, datasets, folder, LIMITS)
    return {
        (item.dataset.name, record.row): (record, item.record)
        for item in proven
        for record, _, _ in item.rows
    }


def test_the_gate(context, catalog, row, generated, tmp_path):
    chosen = [row(name).row for name in JSON + BASELINES] + [
        r for r in catalog.rows() if r.id == "c/yajl:tree"
    ]
    found = verdicts(context, chosen, [generated("generated:2"), generated("generated:4")], tmp_path)
    written = {"generated:2": (3183, "03ef5ccf"), "generated:4": (308908, "5bece143")}
    for (dataset, name), (record, data) in found.items():
        assert record.status == "ok", f"{name}: {record.reason}"
        if name == "zig/std-json:write":
            assert (record.bytes, record.hash) == written[dataset]
        elif name in JSON:
            assert (record.content_hash, record.exact_hash) == (data.content_hash, data.exact_hash)
            assert record.doubles is None or record.doubles.changed == 0


def test_zigpak_where_it_is_installed(context, row, generated, tmp_path):
    """Its reader takes -1 for -31, and must not pass; the hashes are those of its mistake."""
    rows = [row("zig/zigpak:write").row, row("zig/zigpak:incremental").row]
    found = verdicts(context, rows, [generated("generated:2"), generated("generated:4")], tmp_path)
    for dataset, size, wrong in (("generated:2", 2986, "46557a5b"), ("generated:4", 305082, "16c46f66")):
        writer, _ = found[dataset, "zig/zigpak:write"]
        reader, _ = found[dataset, "zig/zigpak:incremental"]
        assert (writer.status, writer.bytes) == ("ok", size)
        assert reader.status == "failed" and f"wrong content_hash: {wrong}" in reader.reason


def test_the_size_profile(context, catalog, zig):
    row = next(r for r in catalog.rows() if r.id == "zig/std-json:tree")
    sizes = []
    for profile, mode in (("speed", "ReleaseFast"), ("size", "ReleaseSmall")):
        built = context.builder.build(row, Provided(source=Source()), profile)
        said = subprocess.run(built.command, input=b'{"do":"describe"}\n', capture_output=True, check=True)
        assert mode in said.stdout.decode() and built.flags == f"-O {mode}"
        sizes.append(Path(built.command[0]).stat().st_size)
    assert sizes[1] < sizes[0]


@pytest.mark.parametrize(("level", "name"), [("v2", "x86_64_v2"), ("v4", "x86_64_v4"), ("native", "native")])
def test_all_modules_are_built_for_the_level(context, catalog, zig, level, name):
    row = next(r for r in catalog.rows() if r.id == "zig/std-json:tree")

    def planned(cpu):
        return answer(
            context.builder._row_request("worker", row, Provided(source=Source()), "speed", cpu=cpu)
        )

    said, plain = planned(level), planned("baseline")
    ((step,),) = (recipe.steps for recipe in said.recipes)
    modules = sum(word.startswith("-M") for word in step)
    assert modules >= 4 and step.count(f"-mcpu={name}") == modules and "-mcpu=baseline" not in step
    assert said.flags == f"-O ReleaseFast -mcpu={name}" and plain.flags == "-O ReleaseFast"
    ((before,),) = (recipe.steps for recipe in plain.recipes)
    assert [word.replace(f"-mcpu={name}", "-mcpu=baseline") for word in step] == before


@pytest.mark.parametrize("profile", ["speed", "size"])
def test_code_size_is_the_same_when_built_anew(profile, zig, catalog, tmp_path):
    """In a cache of its own nothing is taken over but the compiler, and the clone may be anywhere."""
    (tmp_path / "zig").symlink_to(CACHE / "zig")
    rows = {row.id: row for row in catalog.rows()}

    def size(name: str, cache: Path) -> int:
        built = Builder(catalog, cache).build(rows[name], Provided(source=Source()), profile, "static")
        return text_and_data(Path(built.command[0]))

    whole, baseline = size("zig/std-json:tree", CACHE), size("zig/baseline:tree", CACHE)
    assert size("zig/std-json:tree", tmp_path) == whole > baseline == size("zig/baseline:tree", tmp_path)


def test_code_size_is_less_its_own_compiler_s_baseline(context, row, generated, tmp_path):
    """zigpak needs an older Zig, whose standard library must not count as the library's code."""
    rows = [row("zig/std-json:write").row, row("zig/baseline:write").row]
    old = toolchain.find(ROOT, CACHE, "zig-0.14")
    if old is not None:
        contender = rows[1].contender
        manifest = msgspec.structs.replace(contender.manifest, standard="0.14", role="contender")
        older = msgspec.structs.replace(contender, id="zig/older", manifest=manifest)
        rows.append(msgspec.structs.replace(rows[1], contender=older))
    (item,) = prove(context, rows[:2], [generated("generated:2")], tmp_path, LIMITS)
    records = {record.row: record for record, _, _ in item.rows}
    counter = Counter(context, [item], LIMITS, ProofCache())
    counter.code_sizes(lambda _what, _number: lambda: None)
    assert records["zig/std-json:write"].code_size > 0 and not records["zig/std-json:write"].code_size_reason
    if old is not None:
        ready = BuildResult(
            row=rows[2], configuration=Configuration(), status="ok", provided=Provided(source=Source())
        )
        assert counter.code_size(ready, Configuration()) == 0


def test_a_new_contender_passes_as_it_is(zig, catalog, context, generated, tmp_path):
    folder = new_contender(catalog, "zig", "mylib", tmp_path)
    with_it = BuildContext(load_catalog(ROOT, [folder]), CACHE)
    rows = [row for row in with_it.catalog.rows() if row.contender.id == "zig/mylib"]
    found = verdicts(with_it, rows, [generated("generated:2")], tmp_path)
    assert {name: record.reason for (_, name), (record, _) in found.items() if record.status != "ok"} == {}
    assert len(found) == 2


def test_sources_are_formatted(zig):
    folders = [ROOT / "harness" / "zig", ROOT / "contenders" / "zig"]
    done = subprocess.run([zig, "fmt", "--check", *folders], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_compiler_s_complaint_is_the_reason(zig, catalog, context, tmp_path):
    folder = new_contender(catalog, "zig", "broken", tmp_path)
    (folder / "tree.zig").write_text(
        (folder / "tree.zig").read_text() + "const x: u8 = nothing;\ncomptime { _ = x; }\n"
    )
    row = Row(contender=read_contender(folder), test="tree")
    with pytest.raises(BuildFailed, match="error: use of undeclared identifier 'nothing'") as caught:
        context.builder.build(row, Provided(source=Source()), "speed")
    assert not caught.value.unavailable and "tree.zig" in caught.value.output


def make_zig(folder: Path, version: str) -> Path:
    folder.mkdir(parents=True)
    program = folder / "zig"
    program.write_text(f"#!/bin/sh\necho {version}\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(
    ("version", "suits"), [("0.17.0", True), ("0.17", True), ("0.1", False), ("0.170.0", False)]
)
def test_a_compiler_in_path_counts_if_its_version_suits(version, suits, tmp_path, monkeypatch):
    program = make_zig(tmp_path / "bin", version)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}/usr/bin:/bin")

    def found(part: str) -> Path | None:
        zig = toolchain.find(ROOT, tmp_path / "cache", part)
        return Path(zig.programs["zig"][0]) if zig else None

    assert found("zig") == (program if suits else None)
    own = make_zig(tmp_path / "cache" / "zig" / "ziglang", "0.17.1")
    assert found("zig") == own
    assert found("zig-0.14") is None


def test_without_a_compiler_rows_are_unavailable_with_the_remedy(catalog, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    if toolchain.find(ROOT, tmp_path, "zig") is not None:
        pytest.skip("this system has a Zig of its own")
    without = BuildContext(catalog, tmp_path)
    made = without.build([row for row in catalog.rows() if row.id in JSON])
    assert {(ready.status, ready.reason) for ready in made.values()} == {
        ("unavailable", "needs the Zig compiler: ./serbench setup zig")
    }
