"""What the cross-checks share: rows that serbench and another tool time in turn, on one processor.

Both do the same iteration: the harness's copy, the contender's function, the hash, which must be right. The
other tool has the clock and the loop. Its program can time chunks as a worker does, behind the tool's own
samples; then these are judged, because the worker is another program, in whose memory the same code can be
faster or slower by some per cent. The command line has the number of launches, 20 without one.
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

Launch = Callable[[], tuple[float, float | None]]
"""Times a row in a process of its own by the other tool: nanoseconds an iteration, or UserError. Behind them
the same by chunks in that process, or None.
"""
Prepare = Callable[[Row, MeasurementTask, Path], Launch]
"""Makes ready what the other tool needs for a row that is proved; the folder is for its files."""


class Both(NamedTuple):
    """The times of a row, in nanoseconds an iteration, by launch."""

    ours: list[float]
    theirs: list[float]
    inside: list[float]
    """By chunks in the other tool's process, if it times any."""


def request(proven: MeasurementTask) -> str:
    """The line `prepare` of the protocol, as the row's worker gets it."""
    fields = {"do": "prepare", "tape": str(proven.tape), "padding": proven.padding}
    return json.dumps(fields | ({"input": str(proven.input)} if proven.input else {}), ensure_ascii=False)


def said(row: str, what: str, ours: Sequence[float], theirs: Sequence[float], goal: float) -> bool:
    """Print `ours` over `theirs`, less 1, of a row; whether it is within `goal` of 0."""
    ratio = deviation(ours, theirs)
    interval = f"[{percent(ratio.low)}, {percent(ratio.high)}]"
    print(f"{row}: {what}, less 1: {percent(ratio.value)} {interval}", flush=True)
    return abs(ratio.value) <= goal


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
    whether each ratio that is judged is within `goal` of 1.
    """
    launches = int(sys.argv[1]) if len(sys.argv) > 1 else LAUNCHES
    found, met = {}, True
    with tempfile.TemporaryDirectory() as name:
        ground, catalog = Ground(1, Path(name)), catalog_with()
        for contender, test, variant in rows:
            row = ground.row(catalog, contender, test, variant)
            (proven,) = ground.prove(catalog, [row], DATA)
            launch = prepare(row, proven, Path(name))
            stored, calibration, both = Stored([proven]), Calibration(), Both([], [], [])
            for number in range(launches):
                ground.launch(stored, calibration, seconds)
                with ground.pinned():
                    theirs, inside = launch()
                both.theirs.append(theirs)
                both.inside.extend([] if inside is None else [inside])
                if medians:
                    both.ours.append(typical(each for each in stored.samples if each.launch == number))
            if not medians:
                figures = stored.figures()[proven.id].raw
                both.ours.extend(figures[number] for number in sorted(figures))
            within = said(row.id, f"serbench over {tool}", both.ours, both.theirs, goal)
            if both.inside:
                within = said(row.id, f"in one process, chunks over {tool}", both.inside, both.theirs, goal)
            met &= within
            found[row.id] = both
    print(f"goal: within {percent(goal, 0)}: {'met' if met else 'missed'}")
    return found, met
