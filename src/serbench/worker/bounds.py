"""How much of the machine a worker may use."""

import os
import resource
import subprocess
from functools import cache
from pathlib import Path

MEMORY_SHARE = 0.7
FREE_SHARE = 0.6
"""The share of the free memory that workers which run at the same time may need together."""
LARGEST_FILE = 8 << 30
"""Bytes that a worker may write into one file."""


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
    """How many of `jobs` workers may run at a time if each may need `each` bytes; one at least."""
    return max(1, min(jobs, int(FREE_SHARE * free_memory()) // max(1, each)))


def resource_limits(memory_bytes: int | None) -> dict[int, int]:
    """What setrlimit(2) is to be given for a worker: no core file, a limit for files, and one for memory."""
    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: LARGEST_FILE}
    return limits if memory_bytes is None else limits | {resource.RLIMIT_DATA: memory_bytes}


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
