"""Part c: how often it is found that a contender has been slowed by a known part."""

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from benchmarks.precision.counting import Share, among, share, verdict_of
from benchmarks.precision.ground import BASELINE, Ground, Stored, catalog_with
from benchmarks.precision.records import Finding, Outcome, percent
from benchmarks.precision.same import DATA, MOST_REUSE
from benchmarks.precision.steps import build_calibrator, step_ns

from serbench.measure.calibration import MeasurementTask
from serbench.measure.comparison import time_ratio
from serbench.measure.precision import COMPARING, settings_for, usual_budget
from serbench.measure.records import Comparing
from serbench.measure.statistics import RowFigures, paired
from serbench.report.compared import THRESHOLD

TITLE = "a contender slowed by a known part"
SLOWDOWNS = {"slow1": 0.01, "slow2": 0.02, "slow5": 0.05, "slow10": 0.10}
COMPARISONS = 100
QUICK = COMPARING["quick"]
TARGET = QUICK.target * THRESHOLD
THRESHOLDS = [0.0, 0.01, THRESHOLD]
PILOT_LAUNCHES = 9
ROWS_OF_COMPARE = 3
"""Both versions and the baseline: what `serbench compare` samples."""
BUDGET = usual_budget(
    settings_for("quick", [], None, [], 0, True, False, Comparing(new="", old="", threshold=THRESHOLD)),
    ROWS_OF_COMPARE,
)
"""Seconds of measuring after which `compare` ends, if nothing else ends it."""
SECONDS_ALLOWED = 20.0
SHARE_WANTED = 0.95
SURE = 0.05
"""The slowdown that must be found; its launches are of the rows of one comparison and no others."""
OTHERS_SHARE = 0.15
"""The share of the time for the other slowdowns, which share their launches."""

Launches = Sequence[int]


def stopped(
    new: RowFigures, plain: RowFigures, launches: Launches, costs: Sequence[float]
) -> Launches | None:
    """Return those of `launches` that `compare` would have made; None where they do not suffice for one.

    It makes as many as its time has room for (`costs` are the seconds of each launch), or fewer when half
    the interval of the ratio is as narrow as it wants.
    """
    spent = 0.0
    for count in range(1, len(launches) + 1):
        spent += costs[launches[count - 1]]
        if spent > BUDGET:
            return launches[: max(1, count - 1)]
        if count < QUICK.launches:
            continue
        seen = launches[:count]
        sides = [RowFigures(among(row.raw, seen), among(row.net, seen)) for row in (new, plain)]
        ratio = time_ratio(*sides)
        if count == QUICK.max_launches or (ratio and ratio.log.interval.relative <= TARGET):
            return seen
    return None


def dealt(
    new: RowFigures, plain: RowFigures, launches: Launches, costs: Sequence[float]
) -> Iterator[Launches]:
    """Yield the launches of one comparison after the other; none is in two of them."""
    while (seen := stopped(new, plain, launches, costs)) is not None:
        yield seen
        launches = launches[len(seen) :]


def comparisons(
    new: RowFigures, plain: RowFigures, costs: Sequence[float], order: random.Random
) -> tuple[list[Launches], int]:
    """Return the launches of COMPARISONS comparisons, and how many of them share none with another.

    These are in the order of time; for the others the same launches are shuffled and dealt again.
    """
    found = list(dealt(new, plain, range(len(costs)), costs))[:COMPARISONS]
    apart = len(found)
    shuffled = list(range(len(costs)))
    while apart and len(found) < COMPARISONS:
        order.shuffle(shuffled)
        found += dealt(new, plain, shuffled, costs)
    return found[:COMPARISONS], apart


def _steps(ground: Ground, within: float) -> dict[str, int]:
    """Return how many steps make the slowdowns, parts of the net time that the plain contender has now."""
    catalog = catalog_with({"c/slowed": {"plain": 0}})
    rows = [ground.row(catalog, BASELINE, "tree"), ground.row(catalog, "c/slowed", "tree", "plain")]
    _, plain = proven = ground.prove(catalog, rows, DATA)
    calibrator = build_calibrator(ground.folder)
    before = step_ns(calibrator, ground.cpu)
    stored = ground.store(proven, PILOT_LAUNCHES, 0.1, within)
    net = float(np.median(list(stored.figures()[plain.id].net.values())))
    step = (before + step_ns(calibrator, ground.cpu)) / 2
    return {name: max(1, round(part * net / step)) for name, part in SLOWDOWNS.items()}


def _ratio(part: float, new: RowFigures, plain: RowFigures) -> list[Finding]:
    ratio = paired(new.net, plain.net)
    if ratio is None:
        return []
    value, low, high = ratio.interval
    common = new.net.keys() & plain.net.keys()
    deviation = percent(float(np.std([math.log(new.net[n] / plain.net[n]) for n in common], ddof=1)))
    found = f"{value:.4f} [{low:.4f}, {high:.4f}], deviation of a launch {deviation}"
    return [Finding(what=f"{percent(part, 0)}: the ratio over all launches", found=found)]


def exactly(part: float, new: RowFigures, plain: RowFigures) -> RowFigures:
    """Return `new` with net times that say, over all launches, a slowdown by `part`, no more and no less.

    The steps make a little more than is meant: how many are needed is found by a loop of nothing else.
    """
    ratio = paired(new.net, plain.net)
    factor = (1 + part) / ratio.interval.value if ratio else 1.0
    net = {launch: factor * ns for launch, ns in new.net.items()}
    return RowFigures({n: ns + net[n] - new.net[n] if n in net else ns for n, ns in new.raw.items()}, net)


def times_found(new: RowFigures, plain: RowFigures, sets: Sequence[Launches], threshold: float) -> Share:
    """Return in how many of the `sets` of launches `new` is called slower than `plain`."""
    return share(sum(verdict_of(new, plain, each, threshold) == "slower" for each in sets), len(sets))


def found_by_compare(
    part: float, new: RowFigures, plain: RowFigures, costs: Sequence[float], order: random.Random
) -> list[Finding]:
    """Return how often a slowdown by `part` is found by `compare`, and what that takes.

    `costs` are the seconds of each launch of what a comparison samples. Judged is only what no launch has
    been in too often.
    """
    sets, apart = comparisons(new, plain, costs, order)
    if not sets:
        what = f"{percent(part, 0)}: the launches suffice for no comparison"
        return [Finding(what=what, found=f"{len(costs)} launches")]
    judged = part == SURE and len(sets) <= MOST_REUSE * apart
    findings = []
    for threshold in THRESHOLDS:
        found = times_found(new, plain, sets, threshold)
        goal = judged and threshold == THRESHOLD
        findings.append(
            Finding(
                what=f"{percent(part, 0)}: found at the threshold {percent(threshold, 0)}",
                found=f"{found} ({apart} of them share no launch)",
                goal="95 of 100" if goal else "",
                met=found.value >= SHARE_WANTED if goal else None,
            )
        )
    seconds = [sum(costs[launch] for launch in each) for each in sets]
    counts = [len(each) for each in sets]
    findings.append(
        Finding(
            what=f"{percent(part, 0)}: what a comparison takes",
            found=f"{np.median(seconds):.1f} s and {np.median(counts):.0f} launches in the median, "
            f"{max(seconds):.1f} s and {max(counts)} at most",
            goal=f"{SECONDS_ALLOWED:.0f} s" if judged else "",
            met=max(seconds) <= SECONDS_ALLOWED if judged else None,
        )
    )
    return findings


def run(ground: Ground, within: float) -> Outcome:
    """Sample the plain contender and the slowed ones in the same launches, and compare them over and over."""
    steps = _steps(ground, within / 10)
    catalog = catalog_with({"c/slowed": {"plain": 0, **steps}})
    rows = [
        ground.row(catalog, BASELINE, "tree"),
        *(ground.row(catalog, "c/slowed", "tree", name) for name in ("plain", *steps)),
    ]
    base, plain, *slowed = ground.prove(catalog, rows, DATA)
    slow_rows = dict(zip(SLOWDOWNS, slowed, strict=True))
    (sure,) = (row for name, row in slow_rows.items() if SLOWDOWNS[name] == SURE)
    others = [row for row in slowed if row is not sure]
    outcome = Outcome(
        part="c",
        title=TITLE,
        settings={
            "row": "c/slowed:tree, net",
            "data": DATA,
            "launches_per_comparison": f"{QUICK.launches} to {QUICK.max_launches}, as compare makes them",
            "seconds_per_comparison": BUDGET,
            "target": TARGET,
            "seconds_per_row": QUICK.seconds_per_launch,
            "steps": steps,
        },
    )
    parts = ((others, within * 0.9 * OTHERS_SHARE), ([sure], within * 0.9 * (1 - OTHERS_SHARE)))
    found: dict[int, Stored] = {}
    for some, seconds in parts:
        stored = ground.store(
            [base, plain, *some],
            COMPARISONS * QUICK.max_launches,
            QUICK.seconds_per_launch,
            seconds,
            QUICK.warmup_ns,
        )
        found |= {row.id: stored for row in some}
    outcome.settings["launches"] = {name: len(found[row.id].seconds) for name, row in slow_rows.items()}
    for name, row in slow_rows.items():
        outcome.findings += _judged(ground, SLOWDOWNS[name], found[row.id], (base, plain, row))
        outcome.figures[name] = _shown(found[row.id], (base, plain, row))
    if len(found[sure.id].seconds) < QUICK.launches:
        outcome.not_run = f"the time sufficed for {len(found[sure.id].seconds)} launches only"
    return outcome


def _judged(
    ground: Ground,
    part: float,
    stored: Stored,
    compared: tuple[MeasurementTask, MeasurementTask, MeasurementTask],
) -> list[Finding]:
    """What the stored launches tell of a slowdown; `compared` are the rows that a comparison would see."""
    figures = stored.figures(compared)
    plain, new = (figures[row.id] for row in compared[1:])
    # A launch of compare may have fewer rows than ours.
    costs = [seconds * ROWS_OF_COMPARE / len(stored.rows) for seconds in stored.seconds]
    made = exactly(part, new, plain)
    return [*_ratio(part, new, plain), *found_by_compare(part, made, plain, costs, ground.order)]


def _shown(
    stored: Stored, compared: tuple[MeasurementTask, MeasurementTask, MeasurementTask]
) -> dict[str, Any]:
    """The net times of both versions by launch, the seconds that the launches took, and their rounds."""
    figures = stored.figures(compared)
    launches = range(len(stored.seconds))
    plain, new = ([figures[row.id].net.get(n) for n in launches] for row in compared[1:])
    rounds = Counter(sample.launch for sample in stored.samples if sample.row == compared[2].id)
    return {"plain": plain, "slowed": new, "seconds": stored.seconds, "rounds": [rounds[n] for n in launches]}
