"""Part c: how often it is found that a contender has been slowed by a known part."""

import math
from collections.abc import Sequence

import numpy as np
from benchmarks.precision.counting import Share, disjoint, share, verdict_of
from benchmarks.precision.ground import BASELINE, Ground, catalog_with
from benchmarks.precision.records import Finding, Outcome, percent
from benchmarks.precision.same import DATA, seconds_per_row
from benchmarks.precision.steps import build_calibrator, step_ns

from serbench.commands.compare import THRESHOLD
from serbench.measure.comparison import paired
from serbench.measure.statistics import RowFigures, precise_enough
from serbench.precision import PRECISIONS

TITLE = "a contender slowed by a known part"
SLOWDOWNS = {"slow1": 0.01, "slow2": 0.02, "slow5": 0.05, "slow10": 0.10}
COMPARISONS = 100
QUICK = PRECISIONS["quick"]
MORE_LAUNCHES = (2 * QUICK.max_launches, 4 * QUICK.max_launches)
"""What more launches would find, to be seen beside what a quick run does."""
THRESHOLDS = [0.0, 0.01, THRESHOLD]
PILOT_LAUNCHES = 9
ROWS_OF_COMPARE = 4
"""Both versions, the baseline and the memcpy row: what `serbench compare` samples."""
SECONDS_ALLOWED = 20.0
SHARE_WANTED = 0.95
SURE = 0.05
"""The slowdown that must be found."""


def stopped(rows: Sequence[RowFigures], launches: Sequence[int]) -> Sequence[int]:
    """Return the launches after which a quick run of these rows would have stopped."""
    for count in range(QUICK.launches, len(launches)):
        seen = launches[:count]
        if precise_enough([{n: row.raw[n] for n in seen} for row in rows], QUICK.target):
            return seen
    return launches


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
    deviation = percent(ratio.error * math.sqrt(ratio.freedom + 1))
    found = f"{value:.4f} [{low:.4f}, {high:.4f}], deviation of a launch {deviation}"
    return [Finding(what=f"{percent(part, 0)}: the ratio over all launches", found=found)]


def times_found(new: RowFigures, plain: RowFigures, sets: Sequence[Sequence[int]], threshold: float) -> Share:
    """Return in how many of the `sets` of launches `new` is called slower than `plain`."""
    return share(sum(verdict_of(new, plain, each, threshold) == "slower" for each in sets), len(sets))


def quick_runs(part: float, new: RowFigures, plain: RowFigures, launches: int) -> list[Finding]:
    """Return how often a slowdown by `part` is found by so many launches cut into quick runs."""
    sets = [stopped([plain, new], each) for each in disjoint(range(launches), QUICK.max_launches)]
    findings = []
    for threshold in THRESHOLDS:
        found = times_found(new, plain, sets, threshold)
        judged = part == SURE and threshold == THRESHOLD
        findings.append(
            Finding(
                what=f"{percent(part, 0)}: found at the threshold {percent(threshold, 0)}",
                found=str(found),
                goal="95 of 100" if judged else "",
                met=found.value >= SHARE_WANTED if judged else None,
            )
        )
    return findings


def longer_runs(new: RowFigures, plain: RowFigures, launches: int, seconds: float) -> list[Finding]:
    """Return how often the sure slowdown is found by more launches, each of which costs so many seconds."""
    findings = []
    for size in MORE_LAUNCHES:
        sets = list(disjoint(range(launches), size))
        if sets:
            what = f"{percent(SURE, 0)}: found at the threshold {percent(THRESHOLD, 0)} by {size} launches"
            found = f"{times_found(new, plain, sets, THRESHOLD)}, {size * seconds:.1f} s each"
            findings.append(Finding(what=what, found=found))
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
    sampled = seconds_per_row(within * 0.9, needed, len(rows))
    stored = ground.store(proven, needed, sampled, within * 0.9)
    launches = len(stored.seconds)
    figures = stored.figures()
    _, plain, *slowed = [figures[row.id] for row in proven]
    outcome = Outcome(
        part="c",
        title=TITLE,
        settings={
            "row": "c/slowed:tree, net",
            "data": DATA,
            "launches": launches,
            "launches_per_comparison": f"{QUICK.launches} to {QUICK.max_launches}, as in a quick run",
            "seconds_per_row": sampled,
            "steps": steps,
        },
        figures={
            name: [figures[row.id].net.get(n) for n in range(launches)]
            for name, row in zip(("plain", *steps), proven[1:], strict=True)
        },
    )
    if launches < QUICK.max_launches:
        outcome.not_run = f"the time sufficed for {launches} launches only"
        return outcome
    for part, new in zip(SLOWDOWNS.values(), slowed, strict=True):
        outcome.findings += [*_ratio(part, new, plain), *quick_runs(part, new, plain, launches)]
    # A launch of compare has fewer rows than ours.
    costs = [seconds * ROWS_OF_COMPARE / len(rows) for seconds in stored.seconds]
    sure = slowed[list(SLOWDOWNS.values()).index(SURE)]
    outcome.findings += longer_runs(sure, plain, launches, float(np.mean(costs)))
    longest = [sum(each) for each in disjoint(costs, QUICK.max_launches)]
    outcome.findings.append(
        Finding(
            what=f"measuring {QUICK.max_launches} launches, {sampled:.2f} s of sampling a row in each",
            found=f"median {np.median(longest):.1f} s, at most {max(longest):.1f} s",
            goal=f"{SECONDS_ALLOWED:.0f} s",
            met=max(longest) <= SECONDS_ALLOWED,
        )
    )
    return outcome
