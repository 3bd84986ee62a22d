"""Part b: how often one program under two names is called different from itself."""

import random
from collections.abc import Mapping, Sequence

from benchmarks.precision.counting import differs, disjoint, share, verdict_of
from benchmarks.precision.ground import BASELINE, Ground, catalog_with, copies
from benchmarks.precision.records import Finding, Outcome, percent

from serbench.measure.precision import COMPARING
from serbench.measure.statistics import RowFigures

TITLE = "one program under two names"
CONTENDERS = ["c/mpack", "c/msgpack-c", "c/jansson", "c/cjson", "c/json-c"]
DATA = "generated:2"
PAIRS = 2
"""Pairs of each contender in every launch."""
COMPARISONS = 1000
QUICK = COMPARING["quick"]
LAUNCHES = QUICK.launches
"""Launches for one comparison."""
START_SECONDS = 0.035
"""About what starting a worker takes; so much less of the time is left for sampling."""
LEAST_SECONDS, MOST_SECONDS = 0.02, QUICK.seconds_per_launch
"""For sampling a row in a launch: a few rounds of three chunks, and what a comparison takes."""
LOW, HIGH = 0.03, 0.07
MOST_REUSE = 3

Pair = tuple[RowFigures, RowFigures]


def seconds_per_row(within: float, launches: int, rows: int) -> float:
    """Return how long each row can be sampled, if so many launches of so many rows are to end in time."""
    return max(LEAST_SECONDS, min(MOST_SECONDS, within / (launches * rows) - START_SECONDS))


def claims(pairs: Mapping[str, Pair], launches: Sequence[int], size: int) -> list[bool]:
    """Compare each of `pairs` at the threshold 0, in disjoint sets of `size` of the `launches`.

    Returns for every comparison whether a difference was claimed.
    """
    return [
        differs(verdict_of(new, old, chosen, 0.0))
        for chosen in disjoint(launches, size)
        for new, old in pairs.values()
    ]


def claims_again(
    pairs: Mapping[str, Pair], launches: Sequence[int], size: int, wanted: int, order: random.Random
) -> list[bool]:
    """The same for so many comparisons as are `wanted`: the launches are shuffled and cut again until then.

    Nothing comes of fewer than `size` launches.
    """
    found: list[bool] = []
    dealt = list(launches)
    while len(found) < wanted and len(dealt) >= size and pairs:
        order.shuffle(dealt)
        found += claims(pairs, dealt, size)
    return found[:wanted]


def findings(
    pairs: Mapping[str, Pair], launches: Sequence[int], wanted: int, order: random.Random
) -> list[Finding]:
    """Return how often a difference was claimed; where disjoint sets are too few, also when dealt again.

    What was dealt again is judged only if a launch is in a few comparisons, and not in dozens, of its pair.
    """
    apart = claims(pairs, launches, LAUNCHES)[:wanted]
    found = share(sum(apart), len(apart))
    enough = len(apart) == wanted
    what = f"called different at the threshold 0, {LAUNCHES} launches a comparison, all disjoint"
    made = [_finding(what, str(found), found.value, enough)]
    if not enough:
        again = claims_again(pairs, launches, LAUNCHES, wanted, order)
        value = sum(again) / wanted
        said = f"{sum(again)} of {wanted} = {percent(value, 1)}"
        what = "the same launches shuffled and cut into sets again"
        made.append(_finding(what, said, value, wanted <= MOST_REUSE * len(apart)))
    return made


def _finding(what: str, found: str, value: float, judged: bool) -> Finding:
    goal = "3 to 7 %" if judged else ""
    return Finding(what=what, found=found, goal=goal, met=LOW <= value <= HIGH if judged else None)


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
    stored = ground.store(everyone, needed, seconds, within, QUICK.warmup_ns)
    figures = stored.figures()
    pairs = {name: (figures[a.id], figures[b.id]) for name, (a, b) in twins.items()}
    launches = range(len(stored.seconds))
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
    if len(launches) < LAUNCHES:
        outcome.not_run = f"the time sufficed for {len(launches)} launches only"
        return outcome
    outcome.findings = findings(pairs, launches, COMPARISONS, ground.order)
    return outcome
