"""Emulated Linux: rows are proved there and counted twice with the same figures, where it is set up."""

import csv
import io
import itertools
import json
import threading
from types import SimpleNamespace

import pytest

from serbench.catalog.load import load_catalog
from serbench.catalog.selection import select_rows
from serbench.datasets.spec import parse_spec
from serbench.kinds.linux import step as emulation_module
from serbench.kinds.linux.step import CrossBuildContext, LinuxRun, buildable, cross_catalog
from serbench.platforms.load import why_absent
from serbench.platforms.records import LinuxPlatform
from serbench.project import ROOT
from serbench.report.page.make import page
from serbench.results.load import load_run
from serbench.results.schema import RowRecord
from tests.conftest import CONTENDERS, LIMITS
from tests.platforms import platforms_of
from tests.tiers import ALL

ALWAYS = ("linux-armv6",)
PLATFORMS = platforms_of(ROOT, LinuxPlatform)


@pytest.fixture
def platform():
    """A platform by its name; the test is skipped with the reason where it is not available."""

    def find(name):
        if name not in ALWAYS and not ALL:
            pytest.skip(f"{name}: only with ./check --all")
        absent = why_absent(PLATFORMS[name])
        if absent:
            pytest.skip(f"{name}: {absent}")
        return PLATFORMS[name]

    return find


def counted(step):
    """What the step keeps in a session of its own, by row."""
    found = []
    progress = SimpleNamespace(
        build=lambda context, rows: context.build(rows), counter=lambda _name, _total: lambda: None
    )
    run = SimpleNamespace(rows=[], datasets=[], periods=[], platforms=[], id="r")
    step.run(SimpleNamespace(run=run, progress=progress, keep=found.append))
    return {record.row: record for record in found if isinstance(record, RowRecord)}


@pytest.mark.parametrize("name", sorted(PLATFORMS))
def test_rows_are_proved_and_counts_repeat(name, platform, context, generated):
    work = CrossBuildContext(context, platform(name), ["size"])
    chosen = select_rows(context.catalog, ["write", "tree"], ["c", "cpp"], ["c/mpack", "cpp/rapidjson"])
    rows = [row for row in chosen if not row.variant]
    dataset = generated("generated:2")
    first = counted(LinuxRun(work, rows, [parse_spec("generated:2")], LIMITS))
    assert first == counted(LinuxRun(work, rows, [parse_spec("generated:2")], LIMITS))
    assert {record.status for record in first.values()} == {"ok"}, [r.reason for r in first.values()]
    assert first["c/mpack:tree"].exact_hash == dataset.facts.exact_hash
    assert (first["c/mpack:write"].bytes, first["c/mpack:write"].hash) == (2367, "1a9c6681")
    assert first["cpp/rapidjson:write"].hash == "e4495ccf"
    assert {record.platform for record in first.values()} == {name}
    for test in ("write", "tree"):
        floor = first[f"c/memcpy:{test}"].instructions
        assert 2000 < first[f"c/baseline:{test}"].instructions < floor
        assert floor < first[f"c/mpack:{test}"].instructions < first[f"cpp/rapidjson:{test}"].instructions
        sizes = [first[f"{name}:{test}"].code_size for name in ("c/mpack", "cpp/rapidjson")]
        assert 1000 < sizes[0] < sizes[1] < 40_000
        assert first[f"c/baseline:{test}"].code_size is None
        assert first[f"c/baseline:{test}"].whole_size > sizes[1]


def test_what_does_not_build_costs_its_rows_only(platform, command, tmp_path):
    platform("linux-armv6")
    run = tmp_path / "run.json"
    words = ("--tests", "write", "--datasets", "generated:1", "--contender", CONTENDERS / "does-not-build")
    names = ("--contenders", "does-not-build,mpack,mongo-cxx-legacy", "--profile", "size", "--output", run)
    done = command("count", "--platform", "linux-armv6", *words, *names)
    assert done.returncode == 0, done.stderr
    assert "instructions" in done.stdout and "no times" in done.stdout
    assert "is built for this machine only" in done.stdout
    assert f"./serbench report {run} --layout published" in done.stdout
    stored = json.loads(run.read_bytes())
    assert stored["samples"] == [] and stored["platforms"][0]["name"] == "linux-armv6"
    by_row = {row["row"]: row for row in stored["rows"]}
    assert by_row["c/does-not-build:write"]["status"] == "failed"
    assert by_row["cpp/mongo-cxx-legacy:write"]["status"] == "unavailable"
    assert by_row["c/mpack:write"]["instructions"] > 0
    for record in csv.DictReader(io.StringIO(command("report", run, "--format", "csv").stdout)):
        assert record["platform"] == "linux-armv6" and record["net_ns"] == record["raw_ns"] == ""
    assert run.with_suffix(".md").read_text().startswith("# Benchmark report\n\n## Run run\n")
    assert run.with_suffix(".html").read_text() == page([load_run(run)])
    assert command("report", run, "--format", "bencher").returncode == 2
    again = tmp_path / "again.json"
    done = command("repeat", run, "--contender", CONTENDERS / "does-not-build", "--output", again)
    assert done.returncode == 0, done.stderr
    assert "Repeats the run run, with nothing changed." in done.stdout
    repeated = json.loads(again.read_bytes())["rows"]
    assert [(r["row"], r.get("instructions")) for r in repeated] == [
        (r["row"], r.get("instructions")) for r in stored["rows"]
    ]
    done = command("compare", run, again, "--threshold", "0")
    assert done.returncode == 0 and " no difference" in done.stdout, done.stdout


def test_an_interruption_keeps_what_was_counted(platform, command, monkeypatch, tmp_path):
    platform("linux-armv6")
    real = emulation_module.count_emulated
    turn, counted_one = itertools.count(), threading.Event()

    def interrupted(*arguments):
        if next(turn):
            counted_one.wait()
            raise KeyboardInterrupt
        try:
            return real(*arguments)
        finally:
            counted_one.set()

    monkeypatch.setattr(emulation_module, "count_emulated", interrupted)
    run = tmp_path / "run.json"
    words = ("count", "--platform", "linux-armv6", "--tests", "write", "--contenders", "mpack")
    words += ("--datasets", "generated:1", "--output", run)
    outcome = command(*words)
    assert outcome.returncode == 130 and "INTERRUPTED" in outcome.stdout, outcome.stderr
    stored = json.loads(run.read_bytes())
    assert not stored["complete"] and len(stored["rows"]) > 1
    counted = [row for row in stored["rows"] if row.get("instructions")]
    assert len(counted) == 1 and stored["platforms"][0]["name"] == "linux-armv6"
    for row in stored["rows"]:
        assert row in counted or row["instructions_reason"] == "the run was interrupted before"
    for made in run.parent.glob("run.*"):
        made.unlink()
    outcome = command(*words)
    assert outcome.returncode == 130 and "nothing was measured" in outcome.stderr and not run.exists()


def test_what_is_only_built_for_this_machine_is_told():
    catalog, reasons = cross_catalog(load_catalog(ROOT))
    assert "libmongoclient-dev is built for this machine only" in reasons["cpp/mongo-cxx-legacy"]
    assert not {"c/mpack", "c/yajl", "cpp/rapidjson", "c/baseline"} & set(reasons)
    for name, contender in catalog.contenders.items():
        if name not in reasons:
            assert all(s.files or s.cmake or s.header_only for s in contender.manifest.source), name


def test_rows_of_other_languages_are_left_out():
    catalog = load_catalog(ROOT)
    languages = {row.contender.manifest.language for row in buildable(catalog, catalog.rows())}
    assert languages == {"c", "cpp"}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--platform", "linux-arm6"), "did you mean 'linux-arm"),
        (
            ("--platform", "linux-armv6", "--compiler", "clang"),
            "No such option",
        ),
        (("--platform", "linux-armv6,avr"), "different kinds"),
        (("--platform", "linux-armv6", "--contenders", "no-such"), "no-such"),
        (("--platform", "linux-armv6", "--data", "missing.json"), "missing.json"),
    ],
)
def test_what_a_platform_has_not_is_refused(words, reason, command):
    done = command("count", *words)
    assert done.returncode == 2 and reason in done.stderr.replace("\n", " ")


def test_setup_says_what_it_would_install(command):
    listed = command("setup").stdout
    for name, platform in PLATFORMS.items():
        assert name in listed
        said = command("setup", name, "--no-install")
        assert said.returncode == 0
        if "installed already" not in said.stdout:
            assert f"{platform.download_mb} MB" in said.stderr
