"""Lets the runs of a process measure little: as many launches on any machine, and short ones."""

from collections.abc import Callable

import msgspec

from serbench.measure import plan, precision

LAUNCHES = 3
SECONDS = 0.02
"""For measuring a row in each launch."""


def shorten(put: Callable[[object, str, object], object] = setattr) -> None:
    """Let runs of this process be brief; `put` sets an attribute."""
    for name in ("PRECISIONS", "COMPARING"):
        usual = getattr(precision, name)
        few = {"launches": LAUNCHES, "max_launches": LAUNCHES, "seconds_per_launch": SECONDS}
        put(precision, name, usual | {"quick": msgspec.structs.replace(usual["quick"], **few)})
    put(plan, "MEAN_SECONDS", SECONDS)
