"""Part c: how often it is found that a contender has been slowed by a known part."""

from collections.abc import Sequence

import numpy as np
from benchmarks.precision.counting import disjoint, share, verdict_of
from benchmarks.precision.ground import BASELINE, Ground, Stored, catalog_with
from benchmarks.precision.records import Finding, Outcome, percent
from benchmarks.precision.same import DATA, seconds_per_row
from benchmarks.precision.steps import build_calibrator, step_ns

from serbench.commands.compare import THRESHOLD
from serbench.measure.comparison import paired
from serbench.measure.statistics import RowFigures, precise_enough
from serbench.run import PRECISIONS

TITLE = "a contender slowed by a known part"
SLOWDOWNS = {"slow1": 0.01, "slow2": 0.02, "slow5": 0.05, "slow10": 0.10}
COMPARISONS = 100
QUICK = PRECISIONS["quick"]
THRESHOLDS = [0.0, 0.01, THRESHOLD]
PILOT_LAUNCHES = 9
ROWS_OF_COMPARE = 4
"""Both versions, the baseline and the memcpy row: what `serbench compare` samples."""
SECONDS_ALLOWED = 20.0
SHARE_WANTED = 0.95
SURE_SLOWDOWN = "slow5"


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


def _settings(stored: Stored, seconds: float, steps: dict[str, int]) -> dict[str, object]:
    return {
        "row": "c/slowed:tree, net",
        "data": DATA,
        "launches": len(stored.seconds),
        "launches_per_comparison": f"{QUICK.launches} to {QUICK.max_launches}, as in a quick run",
        "seconds_per_row": seconds,
        "steps": steps,
    }


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
    seconds = seconds_per_row(within * 0.9, needed, len(rows))
    stored = ground.store(proven, needed, seconds, within * 0.9)
    figures = stored.figures()
    _, plain, *slowed = [figures[row.id] for row in proven]
    launches = range(len(stored.seconds))
    outcome = Outcome(part="c", title=TITLE, settings=_settings(stored, seconds, steps))
    sets = list(disjoint(launches, QUICK.max_launches))
    if not sets:
        outcome.not_run = f"the time sufficed for {len(launches)} launches only"
        return outcome
    costs: list[float] = []
    for (name, part), new in zip(SLOWDOWNS.items(), slowed, strict=True):
        chosen = [stopped([plain, new], each) for each in sets]
        costs += [sum(stored.seconds[n] for n in each) * ROWS_OF_COMPARE / len(rows) for each in chosen]
        ratio = paired(new.net, plain.net)
        outcome.figures[name] = {"net_ns": [new.net.get(n) for n in launches]}
        if ratio is not None:
            value, low, high = ratio.interval
            deviation = ratio.error * np.sqrt(ratio.freedom + 1)
            outcome.findings.append(
                Finding(
                    what=f"{percent(part, 0)}: the ratio over all launches",
                    found=f"{value:.4f} [{low:.4f}, {high:.4f}], deviation of a launch {percent(deviation)}",
                )
            )
        for threshold in THRESHOLDS:
            found = share(
                sum(verdict_of(new, plain, each, threshold) == "slower" for each in chosen), len(sets)
            )
            goal = name == SURE_SLOWDOWN and threshold == THRESHOLD
            outcome.findings.append(
                Finding(
                    what=f"{percent(part, 0)}: found at the threshold {percent(threshold, 0)}",
                    found=str(found),
                    goal="95 of 100" if goal else "",
                    met=found.value >= SHARE_WANTED if goal else None,
                )
            )
    outcome.figures["plain"] = {"net_ns": [plain.net.get(n) for n in launches]}
    longest = max(costs)
    outcome.findings.append(
        Finding(
            what="seconds of measuring a comparison",
            found=f"median {np.median(costs):.1f} s, at most {longest:.1f} s",
            goal=f"{SECONDS_ALLOWED:.0f} s",
            met=longest <= SECONDS_ALLOWED,
        )
    )
    return outcome
