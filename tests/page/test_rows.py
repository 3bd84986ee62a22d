"""The page shows what a file's summary says, and compares two files as compare.py does."""

import math
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from serbench.measure.records import Sample
from serbench.report.compare import compare_runs
from serbench.report.drawing import formats_of
from serbench.report.page.data import run_samples
from serbench.report.view import distinct_names
from serbench.results.analysis import analyse, figures_of
from serbench.results.schema import Machine, RowResult, Run
from serbench.text import visible
from tests.page.conftest import PAGE, Script
from tests.page.runs import emulated_run, written
from tests.results.builder import configured_run, row, samples, synthetic_run
from tests.results.test_analysis import unsteady_run

CLOSE = 1e-9
"""Two implementations of Student's t agree up to this; the page shows far fewer digits."""


def mean_run() -> Run:
    """Rows in a language whose figure is the mean, gaps among the launches, and another seed."""
    run = synthetic_run(seed=91)
    for record in run.rows[3:8]:
        record.statistic = "mean"
    run.samples = [s for s in run.samples if not (s.row == 4 and s.launch in (1, 3))]
    return run


def large_run() -> Run:
    """Rows that scatter much, of 2 to 29 launches and of as many as a comparison makes at most."""
    source = random.Random(3)
    run = synthetic_run(seed=5)
    counts = [30, *range(2, 30), 60, 480]
    run.rows = [row(n, f"L{n}" if n else "baseline") for n in range(len(counts))]
    run.rows[0].role = "baseline"
    run.samples = [
        s
        for n, (record, count) in enumerate(zip(run.rows, counts, strict=True))
        for s in samples(record, 3000 + 40 * n, source, range(count), spread=0.05)
    ]
    run.failures = []
    return run


def disturbed_run() -> Run:
    """Samples that were disturbed, in some launches too many of them to be left out."""
    source = random.Random(8)
    run = synthetic_run(seed=44)
    for record in run.rows[4:8]:
        record.statistic = "mean"
    for sample in run.samples:
        if source.random() < 0.4:
            sample.disturbed = "steal"
            sample.wall = [wall * 2 for wall in sample.wall]
    return run


def blocks_run() -> Run:
    """Rows that did not fit into memory together: blocks of a round or two each, the second slower."""
    source = random.Random(12)
    run = synthetic_run(seed=23)
    by_place: dict[tuple[int, int], list[Sample]] = {}
    for sample in run.samples:
        if sample.round < 2:
            again = [] if sample.row else [msgspec.structs.replace(sample)]  # the first row is in both blocks
            for block, each in enumerate([sample, *again] if not sample.row else [sample]):
                by_place.setdefault((sample.launch, block if again else sample.row % 2), []).append(each)
    run.samples, now = [], 0.0
    for (_, block), taken in sorted(by_place.items()):
        for number in range(2 if source.random() < 0.5 else 1):
            turn = [sample for sample in taken if sample.round == number]
            source.shuffle(turn)
            for position, sample in enumerate(turn):
                now += 0.5
                sample.started, sample.position = now, position
                sample.wall = [wall * (1 + 2 * block) for wall in sample.wall]
                sample.disturbed = "steal" if source.random() < 0.2 else ""
                run.samples.append(sample)
    return run


def large_means_run() -> Run:
    """Means of many rows, which tell how fast the machine was in each turn."""
    run = large_run()
    for record in run.rows:
        record.statistic = "mean"
    return run


def stopped_means_run() -> Run:
    """Means of many rows, most of whose samples were stopped, and in the first launch all of one row."""
    source = random.Random(5)
    run = large_means_run()
    for sample in run.samples:
        if source.random() < 0.8 or (sample.row == run.rows[3].id and sample.launch == 0):
            sample.disturbed = "preempted"
            sample.wall = [round(wall * source.uniform(1.3, 30)) for wall in sample.wall]
    return run


RUNS: dict[str, Callable[[], Run]] = {
    "synthetic": synthetic_run,
    "configured": configured_run,
    "mean": mean_run,
    "large": large_run,
    "disturbed": disturbed_run,
    "blocks": blocks_run,
    "unsteady": unsteady_run,
    "large means": large_means_run,
    "stopped means": stopped_means_run,
    "emulated": emulated_run,
}


def same(found: Any, expected: Any, where: str) -> None:
    """Equal, and numbers as close as CLOSE."""
    if isinstance(expected, dict):
        assert isinstance(found, dict) and found.keys() == expected.keys(), where
        for name in expected:
            same(found[name], expected[name], f"{where}.{name}")
    elif isinstance(expected, list):
        assert isinstance(found, list) and len(found) == len(expected), where
        for number, (a, b) in enumerate(zip(found, expected, strict=True)):
            same(a, b, f"{where}[{number}]")
    elif isinstance(expected, int | float) and not isinstance(expected, bool):
        assert isinstance(found, int | float), f"{where}: {found!r} for {expected!r}"
        assert math.isclose(found, expected, rel_tol=CLOSE, abs_tol=1e-9), f"{where}: {found} for {expected}"
    else:
        assert found == expected, where


def in_file(run: Run, path: Path) -> Path:
    path.write_bytes(written(run))
    return path


@pytest.mark.parametrize("name", RUNS)
def test_a_dropped_file_gives_the_rows_of_its_summary(name: str, in_node: Script, tmp_path: Path):
    run = RUNS[name]()
    figures = figures_of(analyse(run))
    (found,) = in_node("analyse.mjs", in_file(run, tmp_path / "run.json"))
    summaries, drawn = analyse(run), run_samples(run, 1)
    assert [row["id"] for row in found["rows"]] == [summary.result.id for summary in summaries]
    for shown, summary in zip(found["rows"], summaries, strict=True):
        for field in {*RowResult.__struct_fields__} - {"launch_ns", "harness_ns"}:
            assert shown[field] == getattr(summary.result, field), (summary.record.row, field)
        for field in (
            "row",
            "contender",
            "language_name",
            "format_name",
            "test",
            "variant",
            "dataset",
            "role",
        ):
            assert shown[field] == getattr(summary.record, field), (summary.record.row, field)
        raw = figures[summary.result.id].raw.items()
        assert shown["figures"] == [[launch, ns / summary.result.messages] for launch, ns in raw]
        assert [sample[:2] for sample in shown["samples"]] == [
            sample[:2] for sample in drawn[summary.result.id]
        ]
        # Those of a page's own run are rounded for drawing.
        times = zip(shown["samples"], drawn[summary.result.id], strict=True)
        assert all(
            math.isclose(x, y, rel_tol=1e-4) for d, e in times for x, y in zip(d[2:], e[2:], strict=True)
        )


def changed(seed: int, **factors: float) -> Run:
    """The synthetic run of another moment, in which some rows are other programs and take another time."""
    run = synthetic_run(seed)
    run.id = f"run-{seed}"
    source = random.Random(seed)
    for record in run.rows:
        record.compiler, record.flags = "gcc 12.2.0", "-O3"
        if record.contender in factors:
            record.program = f"{record.contender}-{seed}"
            own = [s for s in run.samples if s.row == record.id]
            factor = factors[record.contender] * (1 + source.gauss(0, 0.001))
            for sample in own:
                sample.wall = [round(ns * factor) for ns in sample.wall]
        else:
            record.program = f"{record.contender}-{record.variant}"
    return run


def slower_machine(run: Run) -> Run:
    run.machine = msgspec.structs.replace(run.machine, cpu="Another CPU")
    assert isinstance(run.machine, Machine)
    return run


@pytest.mark.parametrize(
    "old, new",
    [
        (changed(1), changed(2, MPack=1.3, YAJL=0.7, Jansson=1.001)),
        (changed(1), changed(2, msgpack=1.02, RapidJSON=1.2)),
        (changed(1), slower_machine(changed(3, MPack=2.0))),
        (changed(1, baseline=1.0, MPack=1.0), changed(4, baseline=1.5, MPack=1.1)),
    ],
)
def test_two_runs_are_compared_alike(old: Run, new: Run, in_node: Script, tmp_path: Path):
    files = in_file(old, tmp_path / "old.json"), in_file(new, tmp_path / "new.json")
    found = in_node("analyse.mjs", *files)[2]
    rows = compare_runs(old, new, 0.03).rows
    expected = [
        [r.name, r.ratio or 0.0, r.low, r.high, r.basis, r.verdict, r.reason, r.control]
        for r in sorted(rows, key=lambda r: (r.name, r.ratio or 0.0))
    ]
    same(sorted(map(compared, found)), sorted(expected), "rows")
    assert any(r.ratio is not None for r in rows) == (new.machine == old.machine)


def compared(pair: dict[str, Any]) -> list[Any]:
    """A pair of the page as a row of compare_runs."""
    record, ratio = pair["is"], pair["ratio"] or {"value": 0.0, "low": None, "high": None}
    variant = f" ({record['variant']})" if record["variant"] else ""
    return [
        f"{record['contender']} {record['test']} {record['dataset']}{variant}",
        *(ratio["value"], ratio["low"], ratio["high"], pair["basis"], pair["verdict"]),
        *(pair["reason"], pair["control"]),
    ]


def test_types(node: Path, packages: Path):
    tsc = packages / "node_modules" / "typescript" / "bin" / "tsc"
    done = subprocess.run([node, tsc, "-p", PAGE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_addresses_name_a_level_unless_it_is_the_baseline(in_node: Script, tmp_path: Path):
    run, file = configured_run(), tmp_path / "run.json"
    in_file(run, file)
    ((_formats, _names, (older,)),) = in_node("names.mjs", file)
    assert "c/mpack~~gcc" in older and "c/mpack~~gcc~jemalloc" in older
    for record in run.rows:
        record.cpu = "v3" if record.contender == "MPack" else "baseline"
    in_file(run, file)
    ((_formats, _names, (found,)),) = in_node("names.mjs", file)
    assert {"c/mpack~~gcc~~v3", "c/mpack~~gcc~jemalloc~v3", "c/yajl~~gcc", "c/yajl~~gcc~jemalloc"} <= {*found}


def test_charts_name_formats_and_rows_alike(in_node: Script, tmp_path: Path):
    """The colours and the names of the page's charts are those of the static plots."""
    first, second = configured_run(), synthetic_run(seed=3)
    for record, form in zip(first.rows[2:6], ("CBOR", "CBOR", "Own", "<Ünique>"), strict=True):
        record.format_name = form
    for record in second.rows[2:5]:
        record.contender, record.variant, record.format_name = "Same", "", f"Form {record.id % 2}"
    files = [tmp_path / "first.json", tmp_path / "second.json"]
    for file, run in zip(files, (first, second), strict=True):
        in_file(run, file)
    ((formats, names, _keys),) = in_node("names.mjs", *files)
    rows = [analyse(run) for run in (first, second)]
    assert formats == list(dict.fromkeys([*formats_of(rows[0]), *formats_of(rows[1])]))
    for summaries, shown in zip(rows, names, strict=True):
        wanted = distinct_names(summaries)
        assert shown == [visible(wanted[row.result.id]) for row in summaries]
    assert "Same [Form 0]" in names[1] and "Same [Form 1]" in names[1]
