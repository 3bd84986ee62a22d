"""One run in the formats that other tools read; docs/exports.md says what they find there.

Every time is raw, with nothing subtracted, since those tools know no baseline: per iteration, or per message
on data of several messages. Rows that were not measured are left out, as a 0 would look fast.
"""

import json
import statistics
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from serbench.errors import UserError
from serbench.measure.records import Sample
from serbench.results.analysis import RowSummary, analyse, figures_of
from serbench.results.metrics import METRICS
from serbench.results.schema import Run


class _Timed(NamedTuple):
    """A row with its figures by launch, in ns."""

    row: RowSummary
    wall: dict[int, float]
    cpu: dict[int, float]
    """The same statistic of the times on the processor."""
    iterations: dict[int, int]
    """How many were timed in each launch."""

    @property
    def name(self) -> str:
        """The row's id, its dataset, and what it was built with."""
        of = self.row.record
        allocator = of.allocator if of.toolchain else ""
        return "/".join(filter(None, (of.row, of.dataset, of.profile, of.toolchain, allocator, of.level)))


def _only(runs: list[Run], format_: str) -> Run:
    if len(runs) != 1:
        raise UserError(f"the format {format_} holds one run; export the {len(runs)} one by one")
    return runs[0]


def _timed(run: Run) -> Iterator[_Timed]:
    samples: dict[int, list[Sample]] = {}
    for sample in run.samples:
        samples.setdefault(sample.row, []).append(sample)
    by_cpu = [msgspec.structs.replace(s, wall=s.cpu) for s in run.samples if s.cpu]
    rows = analyse(run)
    figures = figures_of(rows)
    cpu_figures = figures_of(analyse(msgspec.structs.replace(run, samples=by_cpu, summary=None)))
    for row in rows:
        if not row.measured:
            continue
        iterations: dict[int, int] = {}
        for sample in samples[row.result.id]:
            done = sample.iterations * len(sample.wall)
            iterations[sample.launch] = iterations.get(sample.launch, 0) + done
        wall, cpu = (
            {launch: ns / row.result.messages for launch, ns in found.items()}
            for found in (figures[row.result.id].raw, cpu_figures[row.result.id].raw)
        )
        yield _Timed(row, wall, cpu, iterations)


def _text(value: Any) -> str:
    return json.dumps(value, indent=2, allow_nan=False) + "\n"


def _counters(row: RowSummary) -> dict[str, float]:
    """Return what is counted of a row, by names that all three formats take."""
    counted = {metric.counter: metric.of(*row) for metric in METRICS if metric.counter}
    return {name: number for name, number in counted.items() if number is not None}


def google_benchmark(runs: list[Run]) -> str:
    """Return a run as Google Benchmark's JSON reporter writes one: a launch is a repetition."""
    run = _only(runs, "google-benchmark")
    benchmarks: list[dict[str, Any]] = []
    for family, timed in enumerate(_timed(run)):
        for index, launch in enumerate(timed.wall):
            benchmarks.append(
                {
                    "name": timed.name,
                    "family_index": family,
                    "per_family_instance_index": 0,
                    "run_name": timed.name,
                    "run_type": "iteration",
                    "repetitions": len(timed.wall),
                    "repetition_index": index,
                    "threads": 1,
                    "iterations": timed.iterations[launch],
                    "real_time": timed.wall[launch],
                    "cpu_time": timed.cpu.get(launch, timed.wall[launch]),
                    "time_unit": "ns",
                    **{name.replace("-", "_"): float(n) for name, n in _counters(timed.row).items()},
                }
            )
    context = {
        "date": run.started,
        "host_name": "",
        "executable": f"serbench {run.serbench}",
        "num_cpus": run.machine.cores,
        "mhz_per_cpu": 0,
        "cpu_scaling_enabled": run.machine.governor not in ("", "performance"),
        "caches": [],
        "load_avg": [],
        "library_version": f"serbench {run.serbench}",
        "library_build_type": "release",
        "json_schema_version": 1,
        "cpu": run.machine.cpu,
    }
    return _text({"context": context, "benchmarks": benchmarks})


def bencher(runs: list[Run]) -> str:
    """Return a run in the Bencher Metric Format: benchmarks, each with its measures and their bounds."""
    run = _only(runs, "bencher")
    made: dict[str, dict[str, dict[str, float]]] = {}
    for timed in _timed(run):
        result = timed.row.result
        times = {
            "latency": (result.raw_ns, result.raw_low_ns, result.raw_high_ns),
            "net-latency": (result.net_ns, result.net_low_ns, result.net_high_ns),
        }
        measures = {name: {"value": float(n)} for name, n in _counters(timed.row).items()}
        for name, figures in times.items():
            named = zip(("value", "lower_value", "upper_value"), figures, strict=True)
            if figures[0] is not None:
                measures[name] = {key: figure for key, figure in named if figure is not None}
        made[timed.name] = measures
    return _text(made)


def hyperfine(runs: list[Run]) -> str:
    """Return a run as hyperfine's --export-json writes one, in seconds: a launch is a run of a command."""
    run = _only(runs, "hyperfine")
    results: list[dict[str, Any]] = []
    for timed in _timed(run):
        times = [ns / 1e9 for ns in timed.wall.values()]
        told = ("contender", "variant", "test", "dataset", "profile")
        results.append(
            {
                "command": timed.name,
                "mean": statistics.fmean(times),
                "stddev": statistics.stdev(times) if len(times) > 1 else None,
                "median": statistics.median(times),
                "user": statistics.fmean((timed.cpu or timed.wall).values()) / 1e9,
                "system": 0.0,
                "min": min(times),
                "max": max(times),
                "times": times,
                "exit_codes": [0] * len(times),
                "parameters": {name: value for name in told if (value := getattr(timed.row.record, name))},
            }
        )
    return _text({"results": results})


EXCHANGE = {"google-benchmark": google_benchmark, "bencher": bencher, "hyperfine": hyperfine}
