"""What disturbs a sample, seen while it is taken: the rule of METHOD.md, "Disturbed samples".

The words for what is seen are `preempted`, `steal`, `others`, `swapping` and `throttled`.
"""

import math
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from serbench.measure.launches import Statistic

LOST = 0.02
"""A chunk that its worker's processor was taken from for more than this part of it is not clean."""
LEAST_CLEAN = 0.3
"""With fewer clean chunks than this a sample is disturbed: the shortest of them may not be undisturbed."""
MOST_LOST = 0.2
"""The most that a sample may lose whose figure is a mean: in a mean every loss counts."""
WINDOW = 0.25
"""Seconds at the least over which the machine's counters, of 10 ms each, are compared."""
MOST_STEAL = 0.25
"""A share of the measuring processor's time. Virtual machines lose 5 to 14 % of it all the time."""
MOST_OTHERS = 0.5
"""Processors that other programs keep busy."""
MOST_PAGES = 256
"""Swapped in or out in a second: 1 MB."""


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """The machine's counters at a moment."""

    at: float
    """Seconds."""
    busy: float = 0.0
    """Seconds that all processors but the measuring one have worked, for whomever."""
    own: float = 0.0
    """Seconds of these for this process."""
    stolen: float = 0.0
    """Seconds that a hypervisor has taken from the measuring processor; from all, where none is set apart."""
    pages: int = 0
    """Swapped in or out."""
    throttled: int = 0
    """How often a processor was slowed down because it was hot."""


def _text(path: str | Path) -> str:
    try:
        return Path(path).read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""


def pages_swapped() -> int:
    """Pages swapped in or out since boot; 0 where that is unknown."""
    fields = (line.split() for line in _text("/proc/vmstat").splitlines())
    return sum(int(found[1]) for found in fields if found[0] in ("pswpin", "pswpout"))


def times_throttled(cpu: int | None) -> int:
    """How often a processor was slowed down for its heat since boot; 0 where that is unknown."""
    folder = Path(f"/sys/devices/system/cpu/cpu{cpu or 0}/thermal_throttle")
    return sum(int(_text(folder / f"{what}_throttle_count") or 0) for what in ("core", "package"))


def processor_seconds() -> dict[str, list[float]]:
    """Seconds since boot of each processor, and of all as `cpu`; empty where that is unknown.

    They are user, nice, system, idle, iowait, irq, softirq and steal.
    """
    found: dict[str, list[float]] = {}
    for line in _text("/proc/stat").splitlines():
        name, *fields = line.split()
        if not name.startswith("cpu"):
            break
        found[name] = ([int(field) / os.sysconf("SC_CLK_TCK") for field in fields] + [0.0] * 8)[:8]
    return found


def busy(seconds: Sequence[float]) -> float:
    """How many of a processor's seconds it has worked."""
    return sum(seconds[:3]) + seconds[5] + seconds[6]


def read_machine(cpu: int | None) -> Reading:
    """The counters now; `cpu` is the processor that is measured on, if one is set apart."""
    each = processor_seconds()
    each.pop("cpu", None)
    measured = list(each) if cpu is None else [f"cpu{cpu}"]
    own = os.times()
    return Reading(
        at=time.monotonic(),
        busy=sum(busy(seconds) for name, seconds in each.items() if name not in measured),
        own=own.user + own.system,
        stolen=sum(seconds[7] for name, seconds in each.items() if name in measured),
        pages=pages_swapped(),
        throttled=times_throttled(cpu),
    )


def was_preempted(statistic: Statistic, wall: Sequence[int], cpu: Sequence[int]) -> bool:
    """Whether a sample, by the times of its chunks, was off its processor for more than its figure bears."""
    if statistic == "mean":
        return sum(cpu) < (1 - MOST_LOST) * sum(wall)
    clean = sum(used >= (1 - LOST) * passed for passed, used in zip(wall, cpu, strict=True))
    return clean < max(1, math.ceil(LEAST_CLEAN * len(wall)))


def seen_between(before: Reading, after: Reading) -> list[str]:
    """What went on between two readings, in the words of this module."""
    seconds = after.at - before.at
    if seconds <= 0:
        return []
    others = after.busy - before.busy - (after.own - before.own)
    found = {
        "steal": after.stolen - before.stolen > MOST_STEAL * seconds,
        "others": others > MOST_OTHERS * seconds,
        "swapping": after.pages - before.pages > MOST_PAGES * max(1.0, seconds),
        "throttled": after.throttled > before.throttled,
    }
    return [word for word, holds in found.items() if holds]


class Watch:
    """Judges samples as they come, one at a time."""

    def __init__(self, cpu: int | None, read: Callable[[int | None], Reading] = read_machine) -> None:
        """Watch the machine while it is measured on `cpu`; `read` reads the counters."""
        self._cpu = cpu
        self._read = read
        self._readings = deque([read(cpu)])

    def __call__(self, statistic: Statistic, wall: list[int], cpu: list[int]) -> str:
        """What disturbed the sample with these chunks that has just been taken; empty if nothing did.

        The counters are compared with those of before the sample, and of `WINDOW` ago at the least.
        """
        now = self._read(self._cpu)
        self._readings.append(now)
        oldest = now.at - max(WINDOW, sum(wall) / 1e9)
        while len(self._readings) > 2 and self._readings[1].at <= oldest:
            self._readings.popleft()
        found = ["preempted"] if was_preempted(statistic, wall, cpu) else []
        if self._readings[0].at <= oldest:
            found += seen_between(self._readings[0], now)
        return " ".join(found)
