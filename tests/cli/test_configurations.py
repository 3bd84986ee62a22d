"""Compilers, --no-fragment, --count and --published on the command line, as the run file tells of them."""

import shutil

import pytest

from serbench.catalog.load import load_catalog
from serbench.commands.again import plan_of
from serbench.measure import turns
from serbench.measure.instructions import has_callgrind
from serbench.project import CACHE, ROOT
from serbench.provision import toolchain
from serbench.results.load import load_run
from tests.brief import BUDGET
from tests.shorten import shorten

READERS = ["--tests", "tree", "--contenders", "mpack,rapidjson", "--datasets", "generated:1"]


@pytest.fixture
def measured(command, ready, tmp_path, monkeypatch):
    """Makes a short run of some readers, as its file has it."""
    ready("c/mpack:tree"), ready("cpp/rapidjson:tree")
    shorten(monkeypatch.setattr)

    def run(*options):
        output = tmp_path / "run.json"
        done = command("run", *READERS, *BUDGET, "--output", output, *options)
        assert done.returncode == 0, done.stdout + done.stderr
        return load_run(output)

    return run


@pytest.mark.parametrize("compiler", ["clang", "zig"])
def test_rows_are_built_and_proved_with_another_compiler(measured, compiler):
    if compiler == "clang" and None in (shutil.which("clang"), shutil.which("ld.lld")):
        pytest.skip("needs clang with lld")
    if compiler == "zig" and not toolchain.find(ROOT, CACHE, "zig"):
        pytest.skip("needs the Zig compiler: ./serbench setup zig")
    run = measured("--compiler", f"gcc,{compiler}")
    rows = [row for row in run.rows if row.role == "contender"]
    assert {(row.contender_id, row.toolchain) for row in rows} == {
        (name, toolchain) for name in ("c/mpack", "cpp/rapidjson") for toolchain in ("gcc", compiler)
    }
    for row in rows:
        assert (row.status, row.hash) == ("ok", run.datasets[0].content_hash), f"{row.row}: {row.reason}"
        assert ("clang" in row.compiler) == (row.toolchain != "gcc")  # which zig's compiler is, too
    assert len({row.program for row in rows}) == len(rows)
    assert {row.id for row in rows} <= {sample.row for sample in run.samples}


def test_rows_are_built_and_proved_for_levels_of_the_processor(measured, command, ready, tmp_path):
    run = measured("--cpu", "native,baseline")
    rows = {(r.contender_id, r.cpu): r for r in run.rows if r.role == "contender"}
    assert list(rows) == [
        (name, cpu) for cpu in ("baseline", "native") for name in ("c/mpack", "cpp/rapidjson")
    ]
    assert [words[3] for words in run.settings.plan.configurations] == ["baseline", "native"]
    for (_, cpu), row in rows.items():
        assert (row.status, row.hash) == ("ok", run.datasets[0].content_hash), f"{row.row}: {row.reason}"
        assert row.flags == "-O3 -flto" + (" -march=native" if cpu == "native" else "")
        # What was built before there were levels is what is built for the baseline.
        assert (row.program == ready(row.row).built.digest) == (cpu == "baseline")
    assert {row.id for row in rows.values()} <= {sample.row for sample in run.samples}
    assert {r.cpu for r in run.rows if r.role == "baseline"} == {"baseline", "native"}
    done = command("report", tmp_path / "run.json", "--details")
    assert "MPack · native" in done.stdout and "MPack · baseline" in done.stdout
    repeated = plan_of(run, load_catalog(ROOT)).configurations
    assert [words[3] for words in repeated] == ["baseline", "native"]


@pytest.mark.parametrize("fragment", [True, False])
def test_the_heap_is_fragmented_unless_it_is_asked_not_to_be(measured, monkeypatch, fragment):
    seen, prepare = [], turns.prepare

    def watched(worker, tape, input_file, padding, fragment, *given):
        seen.append(fragment)
        prepare(worker, tape, input_file, padding, fragment, *given)

    monkeypatch.setattr(turns, "prepare", watched)
    run = measured(*([] if fragment else ["--no-fragment"]))
    assert run.settings.fragment is fragment and set(seen) == {fragment}


def test_instructions_and_the_published_baselines_are_in_the_run_and_its_reports(measured, command, tmp_path):
    if not has_callgrind():
        pytest.skip("needs valgrind")
    run = measured("--count", "instructions", "--published")
    assert run.settings.instructions
    assert not [
        (row.row, row.status, row.instructions) for row in run.rows if not (row.instructions or 0) > 1000
    ]
    fixed = [row for row in run.rows if row.role == "baseline" and row.variant == "published"]
    assert fixed and {row.status for row in fixed} == {"ok"}
    assert {row.id for row in fixed} <= {sample.row for sample in run.samples}
    done = command("report", tmp_path / "run.json", "--layout", "published", "--extended")
    assert done.returncode == 0 and "Times are net: the time of hash-object is subtracted" in done.stdout
    assert "no baseline of the suite's fixed block" not in done.stdout


def test_a_row_s_toolchain_is_the_compiler_of_its_own_harness(context, ready, monkeypatch):
    monkeypatch.setattr(context, "_compilers", {"": {"another": "otherc 1.0", "c": "gcc 12.2.0"}})
    assert context.toolchain(ready("c/mpack:write")) == "gcc"
