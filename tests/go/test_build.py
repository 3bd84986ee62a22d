"""How rows in Go are built, and what is said where they cannot be."""

import os
import platform
import subprocess

import pytest
from harness.go.build import answer

from serbench.build import BuildFailed
from serbench.build.processor import Level
from serbench.catalog.load import load_catalog, read_contender
from serbench.catalog.records import Row
from serbench.catalog.source import Source
from serbench.commands.scaffold import new_contender
from serbench.project import CACHE, ROOT
from serbench.provision import forbid_downloads, provide, toolchain
from serbench.provision.process import Finished
from serbench.provision.providers.gomod import GoModule, go_command, required_version
from serbench.provision.records import Context, Pin, Provided, Unavailable
from serbench.run.context import BuildContext
from tests.build.test_levels import V3
from tests.conftest import rows_of
from tests.languages import needs
from tests.zig.test_rows import verdicts

NOTHING = Provided(source=Source())
go = needs("go")


@go
def test_all_tests_and_variants_are_one_program(context, catalog):
    """Which one a worker is stands in its command, and in the digest of its proofs."""
    rows = {row.id: row for row in rows_of(catalog, "go/encoding-json")}
    names = ("go/encoding-json:tree", "go/encoding-json:tree:gc-off", "go/encoding-json:write:unescaped")
    plans = [answer(context.builder._row_request("worker", rows[name], NOTHING, "speed")) for name in names]
    assert len({repr(plan.recipes) for plan in plans}) == 1
    assert [plan.command[1:] for plan in plans] == [["tree"], ["tree", "GC_OFF"], ["write", "UNESCAPED"]]
    assert [plan.digest[1:] for plan in plans] == [plan.command[1:] for plan in plans]
    assert [plan.flags.rpartition("=")[2] for plan in plans] == ["100", "off", "100"]


@go
def test_native_is_the_highest_level_that_this_processor_runs(context, catalog, monkeypatch):
    row = rows_of(catalog, "go/encoding-json")[0]

    def plan(machine, flags, level):
        monkeypatch.setattr(platform, "machine", lambda: machine)
        monkeypatch.setattr("serbench.build.processor._cpuinfo", lambda: f"processor : 0\nflags : {flags}\n")
        made = answer(context.builder._row_request("worker", row, NOTHING, "speed", cpu=level))
        (step,) = made.recipes[0].steps
        stated = [word for word in made.flags.split() if word.startswith("GOAMD64")]
        assert all(word in step for word in stated) and (stated or "GOAMD64=v1" in step)
        return stated

    levels: list[Level] = ["baseline", "v2", "v3", "native"]
    assert [plan("x86_64", V3, level) for level in levels] == [
        [f"GOAMD64={name}"] for name in ("v1", "v2", "v3", "v3")
    ]
    assert plan("x86_64", "lm", "native") == ["GOAMD64=v1"]
    assert plan("aarch64", "", "baseline") == []
    with pytest.raises(BuildFailed, match=r"^Go knows no level native of aarch64$") as caught:
        plan("aarch64", "", "native")
    assert caught.value.unavailable


@go
def test_a_new_contender_passes_as_it_is(catalog, generated, tmp_path):
    folder = new_contender(catalog, "go", "mylib", tmp_path)
    with_it = BuildContext(load_catalog(ROOT, [folder]), CACHE)
    rows = rows_of(with_it.catalog, "go/mylib")
    found = verdicts(with_it, rows, [generated("generated:2")], tmp_path)
    assert {name: record.reason for (_, name), (record, _) in found.items() if record.status != "ok"} == {}
    assert len(found) == 2


@go
def test_the_compiler_s_complaint_is_the_reason(catalog, context, tmp_path):
    folder = new_contender(catalog, "go", "broken", tmp_path)
    (folder / "main.go").write_text((folder / "main.go").read_text() + "var x int = nothing\n")
    row = Row(contender=read_contender(folder), test="tree")
    with pytest.raises(BuildFailed, match="undefined: nothing") as caught:
        context.builder.build(row, NOTHING, "speed")
    assert not caught.value.unavailable and "main.go" in caught.value.output


@pytest.mark.parametrize(
    ("said", "version"),
    [("go1.27.3", "1.27.3"), ("go1.100rc1", "1.100rc1"), ("go1.26.9", None), ("no version", None)],
)
def test_a_compiler_in_path_counts_if_it_is_new_enough(said, version, tmp_path, monkeypatch):
    for name in ("go", "gofmt"):
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\necho '{said}'\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin{os.pathsep}/usr/bin:/bin")
    found = toolchain.find(ROOT, tmp_path / "cache", "go")
    assert (found and found.version) == version


def test_without_a_compiler_rows_are_unavailable_with_the_remedy(catalog, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    if toolchain.find(ROOT, tmp_path, "go") is not None:
        pytest.skip("this system has a Go of its own")
    made = BuildContext(catalog, tmp_path).build(rows_of(catalog, "go/encoding-json"))
    assert {(ready.status, ready.reason) for ready in made.values()} == {
        ("unavailable", "needs Go 1.27 or newer: install it, or ./serbench setup go")
    }


@go
def test_modules_that_are_not_here_are_not_fetched_without_leave(catalog, tmp_path):
    forbid_downloads()
    try:
        with pytest.raises(Unavailable, match="the modules of fastjson are not here, and --no-install"):
            provide(catalog.contenders["go/fastjson"], tmp_path, catalog=catalog)
    finally:
        forbid_downloads(False)


def test_the_version_is_that_of_the_module_in_go_mod(tmp_path):
    (tmp_path / "go.mod").write_text(
        "module contender\n\nrequire example.org/one v1.2.3\n\nrequire (\n\texample.org/two/v2 v2.0.1\n"
        "\texample.org/two v0.1.0 // indirect\n)\n"
    )
    found = [required_version(tmp_path, f"example.org/{name}") for name in ("one", "two", "two/v2")]
    assert found == ["1.2.3", "0.1.0", "2.0.1"]
    with pytest.raises(Unavailable, match=r"example\.org/t is not in go\.mod of "):
        required_version(tmp_path, "example.org/t")


def test_every_module_has_a_checksum(catalog):
    """And nothing but the harness is replaced."""
    folders = [c.folder for c in catalog.contenders.values() if c.manifest.language == "go"]
    for folder in folders:
        lines = (folder / "go.mod").read_text("utf-8").splitlines()
        assert [line for line in lines if "=>" in line] == [
            "replace serbench => ../../../harness/go/serbench"
        ], folder
        required = {line.removeprefix("require").split("//")[0].strip() for line in lines if " v" in line}
        summed = (folder / "go.sum").read_text("utf-8") if len(required) > 1 else ""
        for module in required - {"serbench v0.0.0"}:
            assert f"{module} h1:" in summed, (folder, module)
    assert len(folders) > 5


@go
def test_the_user_s_settings_change_no_build(monkeypatch):
    for name, value in (("GOARCH", "arm64"), ("GOEXPERIMENT", "nogreenteagc"), ("GOAMD64", "v3")):
        monkeypatch.setenv(name, value)
    words = [*go_command(toolchain.find(ROOT, CACHE, "go"), CACHE, {}), "env"]
    words += ["GOARCH", "GOEXPERIMENT", "GOAMD64"]
    told = subprocess.run(words, capture_output=True, text=True, check=True)
    arch, experiment, level = told.stdout.split("\n")[:3]
    assert arch != "arm64" or platform.machine() == "aarch64"
    assert experiment == "" and level in ("", "v1")


@go
@pytest.mark.parametrize(("said", "status"), [('{"Version": "v1.2.3"}', 0), ("", 1)])
def test_the_newest_version_is_what_the_proxy_says(said, status, monkeypatch, tmp_path):
    def run(command, **_):
        assert command[-1] == "example.org/lib@latest"
        return Finished(status=status, output=said, errors="no such module")

    monkeypatch.setattr("serbench.provision.providers.gomod.run", run)
    pin = Pin(kind="gomod", name="example.org/lib", version="1.0.0")
    (found,) = GoModule().newest([pin], Context(cache=CACHE, catalog=load_catalog(ROOT)))
    if status:
        assert isinstance(found, Unavailable) and "no such module" in str(found)
    else:
        assert found == "1.2.3"
