"""Whatever a worker starts ends with it, and with this process, in whatever session it has hidden.

The mark of a worker is its limit on the size of files: no two workers of this machine have the same one.
Children inherit it, and neither a session of their own nor another program or environment takes it from
them. So a search through the processes finds all that a worker left. This file is also the program of
the warden, which outlives this process and makes the same search when it is gone, even by kill -9.
"""

import contextlib
import itertools
import os
import resource
import signal
import subprocess
import sys
import threading

LEAST = 8 << 30
"""Every mark is above it: what a worker may write into one file at the least, in bytes."""
WORKERS = 1 << 11
"""More than are ever alive at once."""
_numbers = itertools.count()


def new_mark() -> int:
    """A limit on the size of files that no other worker has: between 8 and 16 GiB."""
    return _first(os.getpid()) + next(_numbers) % WORKERS


def _first(owner: int) -> int:
    """The first of the marks of the workers of the process `owner`; no process number exceeds 22 bits."""
    return LEAST + owner * WORKERS


def end_marked(first: int, beyond: int) -> None:
    """Kill every process with a mark from `first` to below `beyond`, until a search finds none."""
    ended: set[int] = set()
    while found := _marked(first, beyond) - ended:
        for process in found:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        ended |= found


def _marked(first: int, beyond: int) -> set[int]:
    """The processes with such marks. A killed one may still be among them for a moment."""
    own, found = os.getpid(), set()
    for name in os.listdir("/proc"):  # noqa: PTH208 - a path object for each would take longer than the search
        if name.isdecimal() and int(name) != own:
            # Another user's process cannot be asked, nor can it be a worker's.
            with contextlib.suppress(OSError):
                if first <= resource.prlimit(int(name), resource.RLIMIT_FSIZE)[1] < beyond:
                    found.add(int(name))
    return found


_posting = threading.Lock()
_posts: list[tuple["subprocess.Popen[bytes]", int]] = []


def start_reaper() -> None:
    """Start the warden of this process, once. It listens on a pipe whose other end only this process has."""
    with _posting:
        if _posts:
            return
        listens, held = os.pipe()
        try:
            warden = subprocess.Popen(
                [sys.executable, "-I", "-S", __file__, str(os.getpid())],
                stdin=listens,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except BaseException:
            os.close(held)
            raise
        finally:
            os.close(listens)
        _posts.append((warden, held))


def _watch(owner: int) -> None:
    """Wait until the process `owner`, which holds the other end of standard input, is gone; then search."""
    while os.read(0, 1):
        pass
    end_marked(_first(owner), _first(owner) + WORKERS)


if __name__ == "__main__":
    _watch(int(sys.argv[1]))
