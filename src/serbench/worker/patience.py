"""How long a process is waited for: a busy machine must not decide what fails."""

import contextlib
import time
from pathlib import Path

_UNSEEN = 0.1
"""The part of a timeout that passes before anybody looks: what comes at once costs no look."""
_LEAST = 0.001
"""Seconds in a queue that are worth waiting longer."""


def queued(process: int) -> dict[str, int]:
    """The nanoseconds that each thread of a process has waited for a processor; none where nobody counts."""
    found = {}
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            with contextlib.suppress(OSError):  # it has ended
                found[thread.name] = int((thread / "schedstat").read_text("ascii").split()[1])
    return found


class Patience:
    """A timeout in which the time does not count that the process waits for a processor."""

    def __init__(self, process: int, seconds: float) -> None:
        """Begin to wait `seconds` for `process`."""
        self.seconds = seconds
        self._process = process
        self._deadline = time.monotonic() + seconds * _UNSEEN
        self._queued: dict[str, int] | None = None

    def left(self) -> float:
        """Seconds until it is worth looking again; 0 or less when the time is up."""
        now = time.monotonic()
        if self._deadline <= now:
            before, self._queued = self._queued, queued(self._process)
            if before is None:
                more = self.seconds * (1 - _UNSEEN)
            else:
                since = (waited - before.get(thread, 0) for thread, waited in self._queued.items())
                more = max(since, default=0) / 1e9
            if more > _LEAST:
                self._deadline = now + more
        return self._deadline - now
