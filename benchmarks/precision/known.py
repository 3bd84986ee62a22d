"""Part a: a busy loop of a known length, measured against what it must take."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.precision.ground import BASELINE, Ground, Stored, catalog_with, deviation
from benchmarks.precision.records import Finding, Outcome, percent
from benchmarks.precision.steps import STEPS, THREES, build_calibrator, step_ns

from serbench.catalog.tests import Test
from serbench.measure.calibration import Calibration, MeasurementTask

TITLE = "a busy loop of known length"
DURATIONS_NS = [10.0**power for power in range(2, 9)]
LAUNCHES = 20
SECONDS_PER_ROW = 0.15
FEW = 64
"""The steps of the loop whose time is subtracted, so that what any loop costs at its ends drops out.

About as many as the shortest of the other loops adds: a far shorter loop may end as the processor predicts.
"""
GOAL = 0.01
"""A processor that changes its pace between the calibration and the measurement allows no less."""
NET_TESTS: tuple[Test, ...] = ("write", "tree", "incremental")
NET_NS, NET_DATA, NET_GOAL = 1e5, "generated:2", 0.02
"""The loop that does the baseline's work too: its length, the data, and how exact its net time must be."""
SMALLEST = "c/mpack"


def in_words(nanoseconds: float) -> str:
    """Return a round duration with the unit that suits it."""
    for unit, size in (("ms", 1e6), ("µs", 1e3), ("ns", 1.0)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:g} {unit}"
    return f"{nanoseconds:g} ns"


def batches(nanoseconds: float, steps: int, seconds: float) -> tuple[int, int]:
    """Return how many steps a batch of the calibration has, and how many threes of them are made.

    A batch is as long as the chunks of a loop of so many `nanoseconds` and `steps`, since long ones are
    interrupted more often. The threes take about as long as `seconds` of sampling, and are odd in number.
    """
    return max(STEPS, steps), min(THREES, round(seconds * 1e9 / (3 * nanoseconds))) | 1


def _launches(
    ground: Ground, calibrator: Path, rows: Sequence[MeasurementTask], count: int, ns: float, seconds: float
) -> tuple[list[float], list[float]]:
    """Return by how much the second of `rows` took longer in each launch, and what `count` steps must."""
    first, second = rows
    stored, calibration = Stored(list(rows)), Calibration()
    batch, expected = batches(ns, count, seconds), []
    for _ in range(LAUNCHES):
        before = step_ns(calibrator, ground.cpu, *batch)
        ground.launch(stored, calibration, max(seconds, 3 * ns / 1e9))
        expected.append(count * (before + step_ns(calibrator, ground.cpu, *batch)) / 2)
    figures = stored.figures()
    return [figures[second.id].raw[n] - figures[first.id].raw[n] for n in range(LAUNCHES)], expected


def _keep(outcome: Outcome, what: str, measured: list[float], expected: list[float], goal: float) -> None:
    found = deviation(measured, expected)
    outcome.figures[what] = {"measured_ns": measured, "expected_ns": expected}
    outcome.findings.append(
        Finding(
            what=f"{what}: measured over expected, less 1",
            found=f"{percent(found.value)} [{percent(found.low)}, {percent(found.high)}]",
            goal=f"within {percent(goal, 0)}",
            met=abs(found.value) <= goal,
        )
    )


def run(ground: Ground, within: float) -> Outcome:
    """Measure loops of 100 ns to 100 ms, then net times, the step's length found anew around every launch."""
    calibrator = build_calibrator(ground.folder)
    step = step_ns(calibrator, ground.cpu)
    steps = {in_words(ns).replace(" ", ""): round(ns / step) for ns in DURATIONS_NS}
    net = round(NET_NS / step)
    longer = {name: count + FEW for name, count in steps.items()}
    catalog = catalog_with({"c/busy": {"few": FEW, **longer, "net": net}})
    tiny = ground.folder / "nil.json"
    tiny.write_text("[]", encoding="utf-8")

    def prove(test: Test, variants: Sequence[str], data: Path | str) -> list[MeasurementTask]:
        """The baseline and the loops; MPack makes the smallest encoding, which both handle."""
        rows = [ground.row(catalog, name, test) for name in (SMALLEST, BASELINE)]
        return ground.prove(
            catalog, [*rows, *(ground.row(catalog, "c/busy", test, name) for name in variants)], data
        )[1:]

    _, few, *busy = prove("incremental", ["few", *steps], Path(tiny))
    # The longest needs three chunks of itself in each launch.
    share = within / LAUNCHES / (len(busy) + len(NET_TESTS)) / 2 - 0.2
    seconds = max(0.02, min(SECONDS_PER_ROW, share))
    outcome = Outcome(part="a", title=TITLE, settings={"launches": LAUNCHES, "seconds_per_row": seconds})
    for ns, row, count in zip(DURATIONS_NS, busy, steps.values(), strict=True):
        found = _launches(ground, calibrator, [few, row], count, ns, seconds)
        _keep(outcome, in_words(ns), *found, GOAL)
    for test in NET_TESTS:
        rows = prove(test, ["net"], NET_DATA)
        found = _launches(ground, calibrator, rows, net, NET_NS, seconds)
        _keep(outcome, f"{in_words(NET_NS)} net, {test} of {NET_DATA}", *found, NET_GOAL)
    outcome.settings["step_ns"] = step
    return outcome
