"""The exports, against the tools that read them where they are installed, else against their formats."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from serbench.errors import UserError
from serbench.measure.statistics import time_interval
from serbench.report.exchange import EXCHANGE
from serbench.report.render import render
from serbench.results.analysis import analyse
from tests.results.builder import configured_run, synthetic_run

COMPARE = Path("/usr/share/benchmark/compare.py")
"""Debian's package libbenchmark-tools."""

SCRIPTS = "HYPERFINE_SCRIPTS"
"""Names the folder of hyperfine's scripts, which few distributions install."""


def exported(name: str) -> Any:
    return json.loads(render([synthetic_run()], name))


def test_google_benchmark_has_every_field_that_its_reporter_writes() -> None:
    made = exported("google-benchmark")
    assert made["context"].keys() >= {
        *("date", "host_name", "executable", "num_cpus", "mhz_per_cpu", "caches", "load_avg"),
        *("library_version", "library_build_type", "json_schema_version"),
    }
    measured = [row for row in analyse(synthetic_run()) if row.measured]
    assert len(made["benchmarks"]) == sum(row.result.launches for row in measured)
    for item in made["benchmarks"]:
        assert item["run_type"] == "iteration" and item["time_unit"] == "ns" and item["threads"] == 1
        assert 0 <= item["repetition_index"] < item["repetitions"]
        assert item["iterations"] >= 1 and item["real_time"] > 0 and item["cpu_time"] > 0
    for row in measured:
        own = [b for b in made["benchmarks"] if b["family_index"] == measured.index(row)]
        assert time_interval(b["real_time"] for b in own).value == pytest.approx(row.result.raw_ns)


@pytest.mark.parametrize("name", ["google-benchmark", "hyperfine"])
def test_times_on_the_processor_are_the_same_statistic_as_those_by_the_clock(name: str) -> None:
    run = synthetic_run()
    for sample in run.samples:  # A round that is slower for all rows, and twice as long by the clock.
        sample.cpu = [ns * (1 + sample.round) for ns in sample.wall]
        sample.wall = [2 * ns for ns in sample.cpu]
    made = json.loads(render([run], name))
    for item in made.get("benchmarks", []):
        assert item["real_time"] == pytest.approx(2 * item["cpu_time"], rel=1e-9)
    for item in made.get("results", []):
        assert item["mean"] == pytest.approx(2 * item["user"], rel=1e-9)
    assert len(made.get("benchmarks", made.get("results"))) > 3


@pytest.mark.skipif(not COMPARE.is_file(), reason="sudo apt-get install libbenchmark-tools")
def test_google_benchmark_s_own_script_compares_two_exports(tmp_path: Path) -> None:
    slower = synthetic_run()
    for sample in slower.samples:
        sample.wall = [ns * 2 for ns in sample.wall]
        sample.cpu = sample.wall
    files = [tmp_path / "old.json", tmp_path / "new.json"]
    for run, file in zip((synthetic_run(), slower), files, strict=True):
        file.write_text(render([run], "google-benchmark"))
    done = subprocess.run(
        [sys.executable, str(COMPARE), "benchmarks", *map(str, files)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = [
        line
        for line in done.stdout.splitlines()
        if line.lstrip("\x1b[0123456789m").startswith("c/yajl:write")
    ]
    changes = [re.sub(r"\x1b\[\d+m", " ", line).split()[1] for line in lines if "_pvalue" not in line]
    assert len(changes) == 5
    assert all(float(change) == pytest.approx(1.0, abs=0.001) for change in changes)  # twice as long: +100 %


def test_bencher_follows_its_schema() -> None:
    # https://bencher.dev/docs/reference/bencher-metric-format: names of at most 1,024 characters hold
    # measures of at most 64, each a number `value` and perhaps its two bounds.
    made = exported("bencher")
    assert made
    for name, measures in made.items():
        assert 0 < len(name) <= 1024
        for measure, metric in measures.items():
            assert re.fullmatch(r"[a-z][a-z-]{0,63}", measure)
            assert "value" in metric and metric.keys() <= {"value", "lower_value", "upper_value"}
            assert all(isinstance(number, float) for number in metric.values())
            assert metric.get("lower_value", metric["value"]) <= metric["value"]
            assert metric.get("upper_value", metric["value"]) >= metric["value"]
    mpack = made["c/mpack:tree/generated:2/speed"]
    row = next(r for r in analyse(synthetic_run()) if r.record.row == "c/mpack:tree")
    assert (
        mpack["latency"]["value"] == row.result.raw_ns and mpack["net-latency"]["value"] == row.result.net_ns
    )
    assert mpack["bytes"] == {"value": 2367.0} and mpack["heap-peak"] == {"value": 16_400.0}


def test_hyperfine_follows_its_exporter() -> None:
    # The fields of the struct BenchmarkResult in hyperfine's source.
    results = exported("hyperfine")["results"]
    assert len(results) == sum(row.measured for row in analyse(synthetic_run()))
    for result in results:
        assert result.keys() == {
            *("command", "mean", "stddev", "median", "user", "system", "min", "max", "times"),
            *("exit_codes", "parameters"),
        }
        times = result["times"]
        assert result["min"] == min(times) and result["max"] == max(times)
        assert result["mean"] == pytest.approx(sum(times) / len(times))
        assert (result["stddev"] is None) == (len(times) == 1)
        assert result["exit_codes"] == [0] * len(times)
        assert all(isinstance(value, str) for value in result["parameters"].values())
    yajl = next(r for r in results if r["command"].startswith("c/yajl:write/"))
    assert yajl["mean"] == pytest.approx((2260 + 31_000) / 1e9, rel=0.02)  # seconds


def hyperfine_script(name: str) -> Path:
    """A script of hyperfine's repository; the test is skipped where there is none."""
    path = Path(os.environ.get(SCRIPTS, "/usr/share/doc/hyperfine/scripts")) / name
    if not path.is_file():
        pytest.skip(f"there is no {name}: let {SCRIPTS} name the folder `scripts` of hyperfine's repository")
    return path


def said_by(script: Path, *words: str) -> str:
    done = subprocess.run([sys.executable, str(script), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_hyperfine_s_own_test_tells_two_contenders_apart(tmp_path: Path) -> None:
    script = hyperfine_script("welch_ttest.py")
    made = exported("hyperfine")
    two = [r for r in made["results"] if r["command"].startswith(("c/mpack:write/", "c/yajl:write/"))]
    assert len(two) == 2
    file = tmp_path / "two.json"
    file.write_text(json.dumps({"results": two}))
    told = said_by(script, str(file))
    assert f"Command 1: {two[0]['command']}" in told and "There is a difference" in told
    file.write_text(json.dumps({"results": [two[0], two[0]]}))
    assert "almost the same" in said_by(script, str(file))


def test_hyperfine_s_own_statistics_read_the_whole_export(tmp_path: Path) -> None:
    script = hyperfine_script("advanced_statistics.py")
    file = tmp_path / "run.json"
    file.write_text(render([synthetic_run()], "hyperfine"))
    told = said_by(script, str(file), "--time-unit", "millisecond")
    results = exported("hyperfine")["results"]
    assert [r["command"] for r in results if f"'{r['command']}'" not in told] == []
    yajl = next(r for r in results if r["command"].startswith("c/yajl:write/"))
    section = told[told.index(yajl["command"]) :]
    mean = re.search(r"mean:\s+([\d.]+) ms", section)
    assert mean and float(mean[1]) == pytest.approx(yajl["mean"] * 1e3, abs=0.001)


@pytest.mark.parametrize("name", EXCHANGE)
def test_names_tell_all_rows_apart_and_times_are_per_message(name: str) -> None:
    made = json.loads(render([configured_run()], name))
    found = (
        made
        if name == "bencher"
        else {
            r.get("command") or r["name"]: r
            for r in next(made[key] for key in ("results", "benchmarks") if key in made)
        }
    )
    assert len(found) == len(configured_run().rows)
    gcc = found["c/mpack:tree/tweets.jsonl/speed/gcc/system"]
    ns = {"bencher": lambda: gcc["latency"]["value"], "hyperfine": lambda: gcc["mean"] * 1e9}.get(
        name, lambda: gcc["real_time"]
    )()
    assert ns == pytest.approx(180_000 / 40, rel=0.03)


def test_a_name_has_the_level_of_the_processor_unless_it_is_the_baseline() -> None:
    run = configured_run()
    before = list(json.loads(render([run], "bencher")))
    for record in run.rows:
        record.cpu = "v3" if record.contender == "MPack" else "baseline"
    found = {*json.loads(render([run], "bencher"))}
    assert found == {f"{name}/v3" if name.startswith("c/mpack:") else name for name in before} != {*before}


@pytest.mark.parametrize("name", EXCHANGE)
def test_several_runs_do_not_fit(name: str) -> None:
    with pytest.raises(UserError, match="holds one run"):
        render([synthetic_run(), synthetic_run()], name)
