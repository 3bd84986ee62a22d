"""What a worker may have of the machine, set before its first instruction where there is a program for it."""

import contextlib
import os
import resource
import shutil
import subprocess
from functools import cache
from pathlib import Path

MEMORY_SHARE = 0.7
FREE_SHARE = 0.6
"""Of the free memory, what workers that run at the same time may need together."""
RESOURCES = {"core": resource.RLIMIT_CORE, "fsize": resource.RLIMIT_FSIZE, "data": resource.RLIMIT_DATA}


def most_memory() -> int:
    """What one worker may have: most of the machine's memory, in bytes."""
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return int(whole * MEMORY_SHARE)


def free_memory() -> int:
    """Bytes that can be used without swapping."""
    for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")


def workers_at_a_time(jobs: int, each: int) -> int:
    """How many of `jobs` workers may run at a time when each may need so many bytes; one at least."""
    return max(1, min(jobs, int(FREE_SHARE * free_memory()) // max(1, each)))


def bounds(memory_bytes: int | None, file_bytes: int) -> dict[str, int]:
    """The limits by the names of `RESOURCES`: no core file, and never more than this process may have."""
    wanted = {"core": 0, "fsize": file_bytes}
    if memory_bytes is not None:
        wanted["data"] = memory_bytes
    own = {name: resource.getrlimit(RESOURCES[name])[1] for name in wanted}
    return {
        name: bound if own[name] == resource.RLIM_INFINITY else min(own[name], bound)
        for name, bound in wanted.items()
    }


def guard(bound: dict[str, int]) -> list[str]:
    """The words before a worker's command that start it with these limits, and end it with this process."""
    prlimit, setpriv = shutil.which("prlimit"), shutil.which("setpriv")
    limits = [f"--{name}={value}:{value}" for name, value in bound.items()]
    return [
        *([prlimit, *limits, "--"] if prlimit else []),
        # The kernel ends the worker when this process ends in whatever way.
        *([setpriv, "--pdeathsig", "KILL", "--"] if setpriv else []),
    ]


def restrict(process: int, bound: dict[str, int], cpu: int | None) -> None:
    """Set the same limits from outside, where there was no program for it, and the processor to run on."""
    with contextlib.suppress(OSError):  # it may have ended already: the first request will tell
        for name, value in bound.items():
            resource.prlimit(process, RESOURCES[name], (value, value))
        if cpu is not None:
            os.sched_setaffinity(process, {cpu})


@cache
def same_addresses() -> tuple[str, ...]:
    """The words before a command that give a program the same addresses in every launch.

    Nothing where the system forbids it. Jansson hashes the addresses of the containers that it writes, and V8
    those of the shapes of objects.
    """
    command = ("setarch", "-R")
    try:
        done = subprocess.run([*command, "true"], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return command if done.returncode == 0 else ()
