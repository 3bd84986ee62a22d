"""What else the machine does: seen before a run (doctor) and over a run (its notes)."""

import os
from pathlib import Path

import msgspec

BUSY_SHARE = 0.05
STOLEN_SHARE = 0.01


class Activity(msgspec.Struct, frozen=True, kw_only=True):
    """Processor time since boot, in seconds over all processors, and this process's and its children's."""

    busy: float
    stolen: float
    total: float
    own: float


def activity() -> Activity | None:
    """The counters now; None where the system has no /proc/stat."""
    try:
        fields = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:]
    except OSError:
        return None
    ticks = [int(field) / os.sysconf("SC_CLK_TCK") for field in fields] + [0.0] * 8
    user, nice, system, idle, iowait, irq, softirq, steal = ticks[:8]
    times = os.times()
    return Activity(
        busy=user + nice + system + irq + softirq,
        stolen=steal,
        total=user + nice + system + idle + iowait + irq + softirq + steal,
        own=times.user + times.system + times.children_user + times.children_system,
    )


def disturbances(before: Activity | None, after: Activity | None) -> list[str]:
    """Sentences on what else ran between two readings, with the remedy; empty if nothing worth saying did."""
    if before is None or after is None or after.total <= before.total:
        return []
    total = after.total - before.total
    others = max(0.0, after.busy - before.busy - (after.own - before.own)) / total
    stolen = (after.stolen - before.stolen) / total
    sentences = []
    if others > BUSY_SHARE:
        sentences.append(
            f"Other processes used {others:.0%} of the processors meanwhile: end them and measure again."
        )
    if stolen > STOLEN_SHARE:
        sentences.append(
            f"The hypervisor took {stolen:.0%} of the processors' time away: a quieter host gives narrower "
            "intervals."
        )
    return sentences


def governor_warning() -> str | None:
    """A sentence if the processor's frequency is governed for saving; None otherwise or if unknown."""
    try:
        name = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").read_text("ascii").strip()
    except OSError:
        return None
    if name in ("performance", "schedutil"):
        return None
    return f"The frequency governor is '{name}': set 'performance' (cpupower frequency-set -g performance)."


def processors() -> tuple[int | None, set[int]]:
    """The processor to measure on and those left for the orchestrator; (None, all) if there is only one."""
    usable = os.sched_getaffinity(0)
    if len(usable) < 2:
        return None, usable
    chosen = max(usable)
    return chosen, usable - {chosen}


def free_memory() -> int:
    """Bytes that can be used without swapping."""
    for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
