"""What --quick and --full stand for: launches, seconds and the width of interval that is aimed at."""

import math
from collections.abc import Collection, Sequence

import msgspec

from serbench.catalog.harness import HarnessManifest
from serbench.errors import readable
from serbench.measure.calibration import WARMUP_NS
from serbench.measure.records import Comparing, Settings


class Precision(msgspec.Struct, frozen=True, kw_only=True):
    """What --quick or --full stands for."""

    launches: int
    max_launches: int
    seconds_per_launch: float
    target: float
    budget_per_row: float
    """Seconds of measuring per row, when the user gives no --budget."""
    least_budget: float = 60.0
    """Seconds of measuring in all, however few rows there are, when the user gives no --budget."""
    most_budget: float
    """The same, however many rows there are."""
    most_seconds: float = math.inf
    """For proving and measuring together, when the user gives no --budget; unless `least_budget` is more."""
    warmup_ns: int = WARMUP_NS
    """How long a row runs untimed at the start of each turn."""


PRECISIONS = {
    "quick": Precision(
        launches=5,
        max_launches=10,
        seconds_per_launch=0.3,
        target=0.015,
        budget_per_row=4.0,
        most_budget=300.0,
        most_seconds=360.0,
    ),
    "full": Precision(
        launches=10,
        max_launches=20,
        seconds_per_launch=1.0,
        target=0.0075,
        budget_per_row=30.0,
        most_budget=3600.0,
    ),
}
COMPARING_WARMUP_NS = 1_000_000
"""What two builds of one library pay for cold caches they pay alike, and short turns scatter less."""
COMPARING = {
    # Many turns of a row, in many launches, tell more of a ratio than long ones do. What ends them is time.
    "quick": Precision(
        launches=10,
        max_launches=240,
        seconds_per_launch=0.06,
        target=1 / 4,
        budget_per_row=6.0,
        least_budget=0.0,
        most_budget=600.0,
        warmup_ns=COMPARING_WARMUP_NS,
    ),
    "full": Precision(
        launches=20,
        max_launches=480,
        seconds_per_launch=0.12,
        target=1 / 6,
        budget_per_row=40.0,
        least_budget=0.0,
        most_budget=3600.0,
        warmup_ns=COMPARING_WARMUP_NS,
    ),
}
"""The same for `serbench compare`, where the target is a part of the threshold."""
LEAST_TARGET = 0.002
"""The target of a comparison with the smallest threshold."""
CHUNK_NS = 1_000_000
THRESHOLD = 0.01
MARGIN = 1.1
"""Times what was reckoned, so that a budget does suffice."""
ROUGHLY = 2.0
"""The same where it was reckoned from what the gate saw: that is rough, and disturbed rounds are repeated."""


def _chosen(precision: str, comparing: Comparing | None) -> Precision:
    return (COMPARING if comparing else PRECISIONS)[precision]


def settings_for(
    precision: str,
    command: Sequence[str],
    budget: float | None,
    profiles: Sequence[str],
    seed: int,
    fragment: bool,
    instructions: bool,
    comparing: Comparing | None = None,
) -> Settings:
    """The settings that --quick or --full stands for, with the user's own options."""
    chosen = _chosen(precision, comparing)
    target = max(chosen.target * comparing.threshold, LEAST_TARGET) if comparing else chosen.target
    return msgspec.convert(
        {
            "command": [readable(word) for word in command],
            "precision": precision,
            "launches": chosen.launches,
            "max_launches": chosen.max_launches,
            "seconds_per_launch": chosen.seconds_per_launch,
            "chunk_ns": CHUNK_NS,
            "warmup_ns": chosen.warmup_ns,
            "target": target,
            "threshold": THRESHOLD,
            "budget_seconds": budget,
            "seed": seed,
            "profile": ",".join(profiles) or "speed",
            "fragment": fragment,
            "instructions": instructions,
            "comparing": comparing,
        },
        Settings,
    )


def usual_budget(
    settings: Settings,
    rows: int,
    harnesses: Collection[HarnessManifest] = (),
    spent: float = 0.0,
    launch_seconds: float = 0.0,
) -> float:
    """Seconds of measuring `rows` rows of `harnesses`, when the user gives no --budget.

    In a quick run `spent` seconds went into proofs; a harness alone may state how long both take. A
    comparison of rows whose launches are dear gets the time for as many of them as it must have, where one
    of all rows is expected to take `launch_seconds`.
    """
    chosen = _chosen(settings.precision, settings.comparing)
    least = chosen.least_budget
    for harness in harnesses if chosen is PRECISIONS["quick"] and len(harnesses) == 1 else ():
        if harness.quick_seconds:
            return max(least, harness.quick_seconds - spent)
    if settings.comparing:
        least = max(least, ROUGHLY * chosen.launches * launch_seconds)
    most = min(chosen.most_budget, max(least, chosen.most_seconds - spent))
    return min(max(least, rows * chosen.budget_per_row), most)


def budget_sentence(seconds: float, launches: int, had: float = 0.0) -> str:
    """Say how large a budget would do for all rows, if they need `seconds`; rounded up.

    It is more than the run `had`, which did not do: where other programs get in the way, launches take longer
    than they would by themselves.
    """
    seconds = max(seconds, had)
    step = 10 ** max(0, math.floor(math.log10(max(1.0, seconds))) - 1)
    budget = math.ceil(round(MARGIN * seconds / step, 6)) * step
    return (
        f"The time for measuring was used up before every row had {launches} launches: about "
        f"--budget {budget} would measure them all with enough samples."
    )
