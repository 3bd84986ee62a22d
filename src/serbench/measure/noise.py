"""What else the machine does: seen before a run (doctor) and over a run (its notes), in sentences."""

import contextlib
import os
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from serbench.measure.records import Sample
from serbench.measure.watch import MOST_PAGES, busy, pages_swapped, processor_seconds, times_throttled

BUSY_SHARE = 0.05
STOLEN_SHARE = 0.01
HEAVY_SHARE = 0.05
"""A share of one processor."""
MOST_NAMED = 3
MOST_LOAD = 0.3
"""Programs that run or wait to, on the average of a minute."""
CAUSES = {
    "preempted": "their processor was taken from them",
    "steal": "the hypervisor took much of the processor away",
    "others": "other programs were at work",
    "swapping": "the machine was swapping",
    "throttled": "the processor was slowed down for its heat",
    "compiled": "their language's compiler was at work",
}


class Activity(msgspec.Struct, frozen=True, kw_only=True):
    """The machine's counters at a moment: processor time is in seconds since boot, over all processors."""

    at: float
    """Seconds."""
    busy: float
    stolen: float
    total: float
    own: float
    """The time of this process and its descendants, also of those that have ended."""
    pages: int = 0
    throttled: int = 0
    processes: Mapping[tuple[int, str], float] = {}
    """Processor time of every process that is not a descendant of this one, by number and name."""


def _processes() -> tuple[dict[tuple[int, str], float], float]:
    """The processor time of every other process, and of this one with its descendants, in seconds."""
    found: dict[tuple[int, str], float] = {}
    with_ended: dict[int, float] = {}
    parents: dict[int, int] = {}
    second = os.sysconf("SC_CLK_TCK")
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            head, _, rest = (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")
            fields = rest.split()
            parents[int(folder.name)] = int(fields[1])
            ticks = [int(field) for field in fields[11:15]]  # proc(5): its own, and its ended children's
            found[int(folder.name), head.partition("(")[2]] = sum(ticks[:2]) / second
            with_ended[int(folder.name)] = sum(ticks) / second

    def is_own(process: int) -> bool:
        seen: set[int] = set()
        while process in parents and process not in seen and process != os.getpid():
            seen.add(process)
            process = parents[process]
        return process == os.getpid()

    own = {process for process in with_ended if is_own(process)}
    others = {key: seconds for key, seconds in found.items() if key[0] not in own}
    return others, sum(with_ended[process] for process in own)


def activity() -> Activity | None:
    """The counters now; None where the system has no /proc/stat."""
    seconds = processor_seconds().get("cpu")
    if seconds is None:
        return None
    others, own = _processes()
    return Activity(
        at=time.monotonic(),
        busy=busy(seconds),
        stolen=seconds[7],
        total=sum(seconds),
        own=own,
        pages=pages_swapped(),
        throttled=times_throttled(processors()[0]),
        processes=others,
    )


def heaviest(before: Activity, after: Activity) -> list[str]:
    """The processes that used most between two readings: `cc1plus (80%)`, as parts of one processor."""
    seconds = max(after.at - before.at, 1e-9)
    # By number alone: the kernel's workers change their names with what they do.
    known = {number: used for (number, _), used in before.processes.items()}
    shares = {}
    for (number, name), used in after.processes.items():
        earlier = known.get(number, 0.0)
        shares[number, name] = (used - earlier if earlier <= used else used) / seconds
    found = sorted((-share, name[1]) for name, share in shares.items() if share > HEAVY_SHARE)
    return [f"{name} ({-share:.0%})" for share, name in found[:MOST_NAMED]]


def disturbances(before: Activity | None, after: Activity | None) -> list[str]:
    """Sentences on what else ran between two readings, with the remedy; empty if nothing worth saying did."""
    if before is None or after is None or after.total <= before.total:
        return []
    total = after.total - before.total
    others = max(0.0, after.busy - before.busy - (after.own - before.own)) / total
    stolen = (after.stolen - before.stolen) / total
    sentences = []
    if others > BUSY_SHARE:
        named = heaviest(before, after)
        most = f", most of all {', '.join(named)}" if named else ""
        sentences.append(
            f"Other processes used {others:.0%} of the processors meanwhile{most}: end them and measure "
            "again."
        )
    if stolen > STOLEN_SHARE:
        sentences.append(
            f"The hypervisor took {stolen:.0%} of the processors' time away: a quieter host gives narrower "
            "intervals."
        )
    if after.pages - before.pages > MOST_PAGES * (after.at - before.at):
        sentences.append("The machine was swapping: end what needs the memory, or measure smaller data.")
    if after.throttled > before.throttled:
        sentences.append(
            f"The processor was slowed down for its heat {after.throttled - before.throttled} times: cool "
            "it, or turn its turbo off."
        )
    return sentences


def disturbed_sentence(samples: Iterable[Sample]) -> str | None:
    """How many of `samples` were disturbed and by what, in a sentence; None if it was none."""
    number, disturbed, words = 0, 0, Counter[str]()
    for sample in samples:
        number += 1
        disturbed += bool(sample.disturbed)
        words.update(sample.disturbed.split())
    if not disturbed:
        return None
    what = ", ".join(f"{count:,} as {CAUSES.get(word, word)}" for word, count in words.most_common())
    return (
        f"{disturbed:,} of {number:,} samples were disturbed ({what}); where a launch of a row has enough "
        "others, these alone count."
    )


def governor_warning() -> str | None:
    """A sentence if the processor's frequency is governed for saving; None otherwise or if unknown."""
    try:
        name = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").read_text("ascii").strip()
    except OSError:
        return None
    if name in ("performance", "schedutil"):
        return None
    return f"The frequency governor is '{name}': set 'performance' (cpupower frequency-set -g performance)."


def turbo(root: Path = Path("/sys/devices/system/cpu")) -> bool | None:
    """Whether the processor may run above its rated frequency; None where the system does not tell."""
    for path, on in ((root / "intel_pstate/no_turbo", "0"), (root / "cpufreq/boost", "1")):
        with contextlib.suppress(OSError):
            return path.read_text("ascii").strip() == on
    return None


def turbo_warning(root: Path = Path("/sys/devices/system/cpu")) -> str | None:
    """A sentence if the processor may run above its rated frequency; None otherwise or if unknown."""
    if not turbo(root):
        return None
    return (
        "Turbo is on: times depend on how warm and busy the processor is; turn it off for close comparisons."
    )


def load_warning(load: float) -> str | None:
    """A sentence if programs wait for the processor, by the load average of a minute; None otherwise."""
    if load <= MOST_LOAD:
        return None
    return f"The load was {load:.2f} in the minute before: end other work before measuring."


def processors() -> tuple[int | None, set[int]]:
    """The processor to measure on and those left for the orchestrator; (None, all) if there is only one."""
    usable = os.sched_getaffinity(0)
    if len(usable) < 2:
        return None, usable
    chosen = max(usable)
    return chosen, usable - {chosen}
