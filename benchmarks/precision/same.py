"""Part b: how often one program under two names is called different from itself."""

import random
from collections.abc import Mapping, Sequence

from benchmarks.precision.counting import differs, disjoint, share, verdict_of
from benchmarks.precision.ground import BASELINE, Ground, catalog_with, copies
from benchmarks.precision.records import Finding, Outcome

from serbench.measure.statistics import RowFigures
from serbench.run import PRECISIONS

TITLE = "one program under two names"
CONTENDERS = ["c/mpack", "c/msgpack-c", "c/jansson", "c/cjson", "c/json-c"]
DATA = "generated:2"
PAIRS = 2
"""Of each contender, in every launch."""
COMPARISONS = 1000
LAUNCHES = PRECISIONS["quick"].launches
"""Of one comparison."""
START_SECONDS = 0.035
"""About what starting a worker takes; so much less of the time is left for sampling."""
LEAST_SECONDS, MOST_SECONDS = 0.011, 0.3
"""Of sampling a row in a launch: one round of ten chunks, and what a quick run takes."""
LOW, HIGH = 0.03, 0.07

Pair = tuple[RowFigures, RowFigures]


def seconds_per_row(within: float, launches: int, rows: int) -> float:
    """Return how long each row can be sampled, if so many launches of so many rows are to end in time."""
    return max(LEAST_SECONDS, min(MOST_SECONDS, within / (launches * rows) - START_SECONDS))


def called_different(
    pairs: Mapping[str, Pair], launches: Sequence[int], size: int, wanted: int, order: random.Random
) -> tuple[int, int, int]:
    """Compare each of `pairs` at the threshold 0, in disjoint sets of `size` of the `launches`.

    Returns how often a difference was claimed, in how many comparisons, and how many of these share no
    launch of their pair with another one. When the launches do not suffice for so many as are `wanted`,
    they are shuffled and dealt into sets again. Nothing comes of fewer than `size` launches.
    """
    times = trials = 0
    apart = len(pairs) * (len(launches) // size)
    dealt = list(launches)
    while trials < wanted and apart:
        for chosen in disjoint(dealt, size):
            for new, old in pairs.values():
                if trials < wanted:
                    times += differs(verdict_of(new, old, chosen, 0.0))
                    trials += 1
        order.shuffle(dealt)
    return times, trials, min(apart, trials)


def run(ground: Ground, within: float) -> Outcome:
    """Make launches in which every program runs in several processes, and compare these two by two."""
    catalog = catalog_with()
    rows = [ground.row(catalog, name, "tree") for name in (BASELINE, *CONTENDERS)]
    base, *proven = ground.prove(catalog, rows, DATA)
    twins = {
        f"{name} {pair}": copies(row, 2, first=1000 * (1 + index) + 2 * pair)
        for index, (name, row) in enumerate(zip(CONTENDERS, proven, strict=True))
        for pair in range(PAIRS)
    }
    everyone = [base, *(row for two in twins.values() for row in two)]
    needed = -(-COMPARISONS // len(twins)) * LAUNCHES
    seconds = seconds_per_row(within, needed, len(everyone))
    stored = ground.store(everyone, needed, seconds, within)
    figures = stored.figures()
    pairs = {name: (figures[a.id], figures[b.id]) for name, (a, b) in twins.items()}
    launches = range(len(stored.seconds))
    times, trials, apart = called_different(pairs, launches, LAUNCHES, COMPARISONS, ground.order)
    outcome = Outcome(
        part="b",
        title=TITLE,
        settings={
            "rows": [f"{name}:tree" for name in CONTENDERS],
            "data": DATA,
            "launches": len(launches),
            "launches_per_comparison": LAUNCHES,
            "seconds_per_row": seconds,
            "threshold": 0.0,
        },
        figures={
            name: [[side.net.get(launch) for launch in launches] for side in pair]
            for name, pair in pairs.items()
        },
    )
    if not trials:
        outcome.not_run = f"the time sufficed for {len(launches)} launches only"
        return outcome
    found = share(times, trials)
    outcome.findings.append(
        Finding(
            what=f"called different at the threshold 0, {LAUNCHES} launches a comparison",
            found=f"{found}; {apart} of the comparisons share no launch of their pair",
            goal="3 to 7 %",
            met=LOW <= found.value <= HIGH,
        )
    )
    return outcome
