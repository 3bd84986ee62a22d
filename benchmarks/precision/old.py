"""Part e: the 2016 procedure and ours on the same programs, side by side: precision against time spent.

The 2016 procedure: a process for every row and run, warmed up for 2.5 s and timed for 10 s; seven runs, of
which the best and the worst are dropped. Ours is given a tenth of that time, in slices between the runs, so
that both see the same machine.
"""

import itertools
import math
import time
from collections.abc import Mapping, Sequence

import numpy as np
from benchmarks.precision.ground import BASELINE, Ground, Stored, catalog_with
from benchmarks.precision.records import Finding, Outcome, percent

from serbench.errors import UserError
from serbench.measure.calibration import Calibration, MeasurementTask
from serbench.measure.comparison import unpaired
from serbench.measure.precision import COMPARING
from serbench.measure.short_runs import SHORT_RUNS
from serbench.measure.statistics import Figures, LogRatio, paired, t_interval, time_interval
from serbench.worker.process import Worker, WorkerFailure
from serbench.worker.session import prepare, sample

TITLE = "the 2016 procedure on the same rows"
CONTENDERS = ["c/mpack", "c/jansson"]
DATA = "generated:2"
WARM_UP, TIMED = 2.5, 10.0
TENTH = 0.1


def middle(runs: Sequence[float]) -> list[float]:
    """Return `runs` without the best and the worst."""
    return sorted(runs)[1:-1]


def half_width(ratio: LogRatio | None) -> float:
    """Return half of a ratio's 95 % interval, as a part of the ratio; infinite where there is none."""
    if ratio is None:
        return math.inf
    value, low, high = ratio.interval
    return (high - low) / 2 / value


def _as_2016(ground: Ground, row: MeasurementTask, warm_up: float, timed: float) -> float:
    """One run of one row: the mean time of an iteration in ns. Raises UserError if the row fails."""
    conditions = ground.conditions()
    try:
        with ground.aside(), Worker(row.command, limits=conditions.limits, cpu=conditions.cpu) as worker:
            prepare(worker, row.tape, row.input, row.padding, True, row.messages, row.words)
            iterations, spent = 1, 0.0
            # The warm-up also tells how many iterations fill the time.
            end = time.monotonic() + warm_up
            while time.monotonic() < end:
                spent = max(1, sample(worker, iterations, 1, 0).wall[0]) / iterations
                iterations = max(1, min(10 * iterations, round(warm_up * 1e8 / spent)))
            count = max(1, round(timed * 1e9 / spent))
            return sample(worker, count, 1, 0, timeout=conditions.limits.timeout + 20 * timed).wall[0] / count
    except WorkerFailure as failure:
        raise UserError(f"a row failed while it was measured: {failure.reason}") from failure


def precisions(
    names: Mapping[int, str], old: Mapping[int, Sequence[float]], new: Mapping[int, Figures]
) -> dict[str, tuple[float, float]]:
    """Return for each row, and each ratio of two, half the 95 % interval relatively: by 2016 and by ours.

    The intervals are over runs, Student's, in the one and over launches, as a report has them, in the other;
    a ratio of the former is of independent runs, of the latter within launches. All seven runs count, since
    the five that remain without the best and the worst differ less than runs do.
    """
    all_runs = {row: dict(enumerate(runs)) for row, runs in old.items()}
    found = {
        names[row]: (t_interval(all_runs[row].values()).relative, time_interval(new[row].values()).relative)
        for row in names
    }
    for a, b in itertools.combinations(names, 2):
        found[f"{names[a]} / {names[b]}"] = (
            half_width(unpaired(all_runs[a], all_runs[b])),
            half_width(paired(new[a], new[b])),
        )
    return found


def course(new: Mapping[int, Figures], seconds: Sequence[float], names: Mapping[int, str]) -> str:
    """Return in words the half width of the last two rows' ratio after so many seconds of ours."""
    a, b = list(names)[-2:]
    said = []
    for count in (3, 5, 7, 10, 14, 20, 28, 40):
        if count <= len(seconds):
            part = [{n: new[row][n] for n in range(count)} for row in (a, b)]
            said.append(f"{sum(seconds[:count]):.0f} s: {percent(half_width(paired(*part)))}")
    return ", ".join(said)


def alternate(
    ground: Ground, proven: Sequence[MeasurementTask], scale: float
) -> tuple[dict[int, list[float]], float, Stored]:
    """Seven rounds of the 2016 procedure, with all times multiplied by `scale`, and ours between them.

    Returns the runs of each row by its id, the seconds that they took, and our launches.
    """
    old: dict[int, list[float]] = {row.id: [] for row in proven}
    ours, calibration = Stored(list(proven)), Calibration()
    seconds = 0.0
    for _ in range(SHORT_RUNS):
        for row in ground.order.sample(proven, len(proven)):
            start = time.monotonic()
            old[row.id].append(_as_2016(ground, row, WARM_UP * scale, TIMED * scale))
            seconds += time.monotonic() - start
        # A launch that might end beyond the tenth is not begun.
        while sum(ours.seconds) + 1.2 * max(ours.seconds, default=0.0) <= TENTH * seconds:
            ground.launch(ours, calibration, per_launch(scale))
    return old, seconds, ours


def per_launch(scale: float) -> float:
    """Return how many seconds ours samples a row in a launch: as a comparison does, or less by `scale`."""
    return min(COMPARING["quick"].seconds_per_launch, TENTH * TIMED * scale)


def run(ground: Ground, within: float) -> Outcome:
    """Measure the same programs in both ways, and compare the widths of their intervals."""
    catalog = catalog_with()
    rows = [ground.row(catalog, name, "tree") for name in (BASELINE, *CONTENDERS)]
    proven = ground.prove(catalog, rows, DATA)
    names = {row.id: name for row, name in zip(proven, (BASELINE, *CONTENDERS), strict=True)}
    scale = min(1.0, within / ((1 + TENTH) * SHORT_RUNS * len(proven) * (WARM_UP + TIMED + 0.1)))
    old, seconds, ours = alternate(ground, proven, scale)
    new = {number: row.raw for number, row in ours.figures().items()}
    outcome = Outcome(
        part="e",
        title=TITLE,
        settings={
            "rows": [f"{name}:tree, raw" for name in names.values()],
            "data": DATA,
            "runs_2016": SHORT_RUNS,
            "warm_up_seconds": WARM_UP * scale,
            "timed_seconds": TIMED * scale,
            "seconds_per_row_and_launch": per_launch(scale),
        },
        figures={
            "2016_ns": {names[n]: runs for n, runs in old.items()},
            "ours_ns": {names[n]: list(figures.values()) for n, figures in new.items()},
        },
    )
    if len(ours.seconds) < 2:
        outcome.not_run = "a tenth of the time sufficed for one launch only"
        return outcome
    took = sum(ours.seconds)
    for name, (theirs, own) in precisions(names, old, new).items():
        outcome.findings.append(
            Finding(
                what=f"{name}: half the 95 % interval, 2016 and ours",
                found=f"{percent(theirs)} in {seconds:.0f} s, {percent(own)} in {took:.0f} s",
                goal="not wider in a tenth of the time",
                met=own <= theirs and took <= TENTH * seconds if scale == 1.0 else None,
            )
        )
    reported = {n: float(np.mean(middle(runs))) for n, runs in old.items()}
    gaps = {names[n]: time_interval(new[n].values()).value / ns - 1 for n, ns in reported.items()}
    by_time, gap = course(new, ours.seconds, names), ", ".join(f"{n} {percent(g)}" for n, g in gaps.items())
    outcome.findings += [
        Finding(what="half the interval of the last ratio by time, ours", found=by_time),
        Finding(what="a row's time, ours over what 2016 would have reported, less 1", found=gap),
    ]
    if scale < 1.0:
        short = f"{TIMED * scale:.1f} s in place of {TIMED:.0f} s"
        outcome.findings.append(Finding(what="runs shortened for want of time, so not judged", found=short))
    return outcome
