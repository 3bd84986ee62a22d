"""Part a: a busy loop of a known length, measured against what it must take."""

from pathlib import Path

from benchmarks.precision.ground import BASELINE, Ground, Stored, catalog_with, deviation
from benchmarks.precision.records import Finding, Outcome, percent
from benchmarks.precision.steps import STEPS, THREES, build_calibrator, step_ns

from serbench.measure.calibration import Calibration

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


def run(ground: Ground, within: float) -> Outcome:
    """Measure loops of 100 ns to 100 ms, the step's length found anew around every launch."""
    calibrator = build_calibrator(ground.folder)
    step = step_ns(calibrator, ground.cpu)
    steps = {in_words(ns).replace(" ", ""): round(ns / step) for ns in DURATIONS_NS}
    catalog = catalog_with({"c/busy": {"few": FEW, **{name: count + FEW for name, count in steps.items()}}})
    names = ["few", *steps]
    tiny = ground.folder / "nil.json"
    tiny.write_text("[]", encoding="utf-8")
    rows = [
        ground.row(catalog, BASELINE, "incremental"),
        *(ground.row(catalog, "c/busy", "incremental", name) for name in names),
    ]
    _, few, *busy = ground.prove(catalog, rows, Path(tiny))
    # The longest needs three chunks of itself in each launch.
    share = within / LAUNCHES / len(busy) / 2 - 0.2
    seconds = max(0.02, min(SECONDS_PER_ROW, share))
    outcome = Outcome(part="a", title=TITLE, settings={"launches": LAUNCHES, "seconds_per_row": seconds})
    for ns, row, count in zip(DURATIONS_NS, busy, steps.values(), strict=True):
        stored, calibration = Stored([few, row]), Calibration()
        expected = []
        batch = batches(ns, count, seconds)
        for _ in range(LAUNCHES):
            before = step_ns(calibrator, ground.cpu, *batch)
            ground.launch(stored, calibration, max(seconds, 3 * ns / 1e9))
            expected.append(count * (before + step_ns(calibrator, ground.cpu, *batch)) / 2)
        figures = stored.figures()
        measured = [figures[row.id].raw[launch] - figures[few.id].raw[launch] for launch in range(LAUNCHES)]
        found = deviation(measured, expected)
        outcome.figures[in_words(ns)] = {"measured_ns": measured, "expected_ns": expected}
        outcome.findings.append(
            Finding(
                what=f"{in_words(ns)}: measured over expected, less 1",
                found=f"{percent(found.value)} [{percent(found.low)}, {percent(found.high)}]",
                goal=f"within {percent(GOAL, 0)}",
                met=abs(found.value) <= GOAL,
            )
        )
    outcome.settings["step_ns"] = step
    return outcome
