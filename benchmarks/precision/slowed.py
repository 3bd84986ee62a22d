"""Part c: how often it is found that a contender has been slowed by a known part."""

import math
import random
from collections.abc import Iterator, Sequence

import numpy as np
from benchmarks.precision.counting import Share, among, share, verdict_of
from benchmarks.precision.ground import BASELINE, Ground, catalog_with
from benchmarks.precision.records import Finding, Outcome, percent
from benchmarks.precision.same import DATA, MOST_REUSE
from benchmarks.precision.steps import build_calibrator, step_ns

from serbench.commands.compare import THRESHOLD
from serbench.measure.comparison import paired, time_ratio
from serbench.measure.statistics import RowFigures
from serbench.precision import COMPARING

TITLE = "a contender slowed by a known part"
SLOWDOWNS = {"slow1": 0.01, "slow2": 0.02, "slow5": 0.05, "slow10": 0.10}
COMPARISONS = 100
QUICK = COMPARING["quick"]
TARGET = QUICK.target * THRESHOLD
THRESHOLDS = [0.0, 0.01, THRESHOLD]
PILOT_LAUNCHES = 9
ROWS_OF_COMPARE = 4
"""Both versions, the baseline and the memcpy row: what `serbench compare` samples."""
SECONDS_ALLOWED = 20.0
SHARE_WANTED = 0.95
SURE = 0.05
"""The slowdown that must be found."""

Launches = Sequence[int]


def stopped(new: RowFigures, plain: RowFigures, launches: Launches) -> Launches | None:
    """Return those of `launches` that `compare` would have made; None where they do not suffice for one.

    It makes the most that it may, or fewer when half the interval of the ratio is as narrow as it wants.
    """
    for count in range(QUICK.launches, min(len(launches), QUICK.max_launches) + 1):
        seen = launches[:count]
        sides = [RowFigures(among(row.raw, seen), among(row.net, seen)) for row in (new, plain)]
        ratio = time_ratio(*sides)
        if count == QUICK.max_launches or (ratio and ratio.log.interval.relative <= TARGET):
            return seen
    return None


def dealt(new: RowFigures, plain: RowFigures, launches: Launches) -> Iterator[Launches]:
    """Yield the launches of one comparison after the other; none is in two of them."""
    while (seen := stopped(new, plain, launches)) is not None:
        yield seen
        launches = launches[len(seen) :]


def comparisons(
    new: RowFigures, plain: RowFigures, launches: int, order: random.Random
) -> tuple[list[Launches], int]:
    """Return the launches of COMPARISONS comparisons, and how many of them share none with another.

    These are in the order of time; for the others the same launches are shuffled and dealt again.
    """
    found = list(dealt(new, plain, range(launches)))[:COMPARISONS]
    apart = len(found)
    shuffled = list(range(launches))
    while apart and len(found) < COMPARISONS:
        order.shuffle(shuffled)
        found += dealt(new, plain, shuffled)
    return found[:COMPARISONS], apart


def _steps(ground: Ground, within: float) -> dict[str, int]:
    """Return how many steps make the slowdowns, parts of the net time that the plain contender has now."""
    catalog = catalog_with({"c/slowed": {"plain": 0}})
    rows = [ground.row(catalog, BASELINE, "tree"), ground.row(catalog, "c/slowed", "tree", "plain")]
    _, plain = proven = ground.prove(catalog, rows, DATA)
    stored = ground.store(proven, PILOT_LAUNCHES, 0.1, within)
    net = float(np.median(list(stored.figures()[plain.id].net.values())))
    step = step_ns(build_calibrator(ground.folder), ground.cpu)
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
    sets, apart = comparisons(new, plain, len(costs), order)
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
    proven = ground.prove(catalog, rows, DATA)
    needed = COMPARISONS * QUICK.max_launches
    stored = ground.store(proven, needed, QUICK.seconds_per_launch, within * 0.9)
    launches = len(stored.seconds)
    base, plain_row, *slowed_rows = proven
    # What a comparison sees: the two that it compares, and their baseline.
    seen = [stored.figures([base, plain_row, row]) for row in slowed_rows]
    outcome = Outcome(
        part="c",
        title=TITLE,
        settings={
            "row": "c/slowed:tree, net",
            "data": DATA,
            "launches": launches,
            "launches_per_comparison": f"{QUICK.launches} to {QUICK.max_launches}, as compare makes them",
            "target": TARGET,
            "seconds_per_row": QUICK.seconds_per_launch,
            "steps": steps,
        },
        figures={
            name: [[found[one.id].net.get(n) for n in range(launches)] for one in (plain_row, row)]
            for name, row, found in zip(steps, slowed_rows, seen, strict=True)
        },
    )
    if launches < QUICK.max_launches:
        outcome.not_run = f"the time sufficed for {launches} launches only"
        return outcome
    # A launch of compare has fewer rows than ours.
    costs = [seconds * ROWS_OF_COMPARE / len(rows) for seconds in stored.seconds]
    for part, row, found in zip(SLOWDOWNS.values(), slowed_rows, seen, strict=True):
        plain, new = found[plain_row.id], found[row.id]
        outcome.findings += [
            *_ratio(part, new, plain),
            *found_by_compare(part, new, plain, costs, ground.order),
        ]
    return outcome
