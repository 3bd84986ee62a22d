"""What the cross-checks share: rows that serbench and another tool time in turn, on one processor.

Both do the same iteration: the harness's copy, the contender's function, the hash, which must be right. The
other tool has the clock and the loop. The command line has the number of launches, 20 without one.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.precision.ground import Ground, Stored, catalog_with, deviation
from benchmarks.precision.records import percent

from serbench.catalog.records import Row
from serbench.catalog.tests import Test
from serbench.measure.calibration import Calibration, MeasurementTask
from serbench.measure.launches import typical

DATA = "corpus:citm_catalog"
LAUNCHES = 20

Launch = Callable[[], float]
"""Times a row in a process of its own by the other tool: nanoseconds an iteration, or UserError."""
Prepare = Callable[[Row, MeasurementTask, Path], Launch]
"""Makes ready what the other tool needs for a row that is proved; the folder is for its files."""


class Both(NamedTuple):
    """The times of a row, in nanoseconds an iteration, by launch."""

    ours: list[float]
    theirs: list[float]


def request(proven: MeasurementTask) -> str:
    """The line `prepare` of the protocol, as the row's worker gets it."""
    fields = {"do": "prepare", "tape": str(proven.tape), "padding": proven.padding}
    return json.dumps(fields | ({"input": str(proven.input)} if proven.input else {}), ensure_ascii=False)


def cross_check(
    tool: str,
    rows: Sequence[tuple[str, Test, str]],
    prepare: Prepare,
    *,
    goal: float,
    seconds: float,
    medians: bool = False,
) -> tuple[dict[str, Both], bool]:
    """Time `rows` for `seconds` a launch by serbench, and by `tool`; print the ratio of both for each.

    Compared are the row's own statistic, or `medians` of its chunks. The times come back by row, and
    whether each ratio is within `goal` of 1.
    """
    launches = int(sys.argv[1]) if len(sys.argv) > 1 else LAUNCHES
    found, met = {}, True
    with tempfile.TemporaryDirectory() as name:
        ground, catalog = Ground(1, Path(name)), catalog_with()
        for contender, test, variant in rows:
            row = ground.row(catalog, contender, test, variant)
            (proven,) = ground.prove(catalog, [row], DATA)
            launch = prepare(row, proven, Path(name))
            stored, calibration, both = Stored([proven]), Calibration(), Both([], [])
            for number in range(launches):
                ground.launch(stored, calibration, seconds)
                with ground.pinned():
                    both.theirs.append(launch())
                if medians:
                    both.ours.append(typical(each for each in stored.samples if each.launch == number))
            if not medians:
                figures = stored.figures()[proven.id].raw
                both.ours.extend(figures[number] for number in sorted(figures))
            ratio = deviation(both.ours, both.theirs)
            met &= abs(ratio.value) <= goal
            interval = f"[{percent(ratio.low)}, {percent(ratio.high)}]"
            print(f"{row.id}: serbench over {tool}, less 1: {percent(ratio.value)} {interval}", flush=True)
            found[row.id] = both
    print(f"goal: within {percent(goal, 0)}: {'met' if met else 'missed'}")
    return found, met
