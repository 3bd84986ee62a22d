"""Dask's scheduler, with a plugin that holds results until their clients have them.

Dask gives units to machines, notices machines that are gone, and gives their units to others.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from serbench.fleet.wire import ABOUT, About, load, software
from serbench.results.schema import Revision

LOST_SECONDS = 30.0
"""Without a sign of life, after which a machine is gone."""
FAILURES = 3
"""How many machines a unit may take with it before it is given up."""
MOST_HELD = 256
"""Results that wait for a client to come back."""
WANTED, ACCEPTED = "serbench-wanted", "serbench-accepted"
"""What a client says: whose results it lacks, by the digest of a run; which result it has, by its key."""
ALL_HELD = "all that was held"
"""What follows the results that a client wanted."""


def make_scheduler(
    address: str,
    safety: Any,
    revision: Revision,
    failures: int = FAILURES,
    lost: float = LOST_SECONDS,
    own_software: str = "",
    say: Callable[[str], None] = lambda _sentence: None,
) -> Any:
    """A scheduler that listens on `address` once it is awaited; `say` gets who comes and goes."""
    distributed = load()

    class Holder(distributed.SchedulerPlugin):  # type: ignore[misc, name-defined]
        """Holds the newest results, as machines log them, under the digest of their run."""

        def __init__(self) -> None:
            self.names: dict[str, str] = {}
            self.held: dict[str, Any] = {}

        async def start(self, scheduler: Any) -> None:
            """Say which serbench this is."""
            self.scheduler = scheduler
            about = About(revision=revision, software=own_software or software())
            scheduler.set_metadata(keys=[ABOUT], value=msgspec.to_builtins(about))

        def add_worker(self, scheduler: Any, worker: str) -> None:
            """Say who has come."""
            self.names[worker] = scheduler.workers[worker].name
            say(f"{self.names[worker]} has joined")

        def remove_worker(self, scheduler: Any, worker: str, **_named: Any) -> None:
            """Say who has gone."""
            say(f"{self.names.pop(worker, worker)} has gone")

        def log_event(self, topic: str, msg: Any) -> None:
            """Hold a result, send it again, or forget it."""
            if topic == WANTED:
                for key in [key for key in self.held if key.startswith(f"{msg}/")]:
                    self.scheduler.log_event(msg, self.held[key])
                self.scheduler.log_event(msg, ALL_HELD)
            elif topic == ACCEPTED:
                self.held.pop(msg, None)
            elif isinstance(msg, dict) and "result" in msg:
                key = msg["result"]["key"]
                self.held.pop(key, None)
                if len(self.held) >= MOST_HELD:
                    self.held.pop(next(iter(self.held)))
                self.held[key] = msg

    return distributed.Scheduler(
        host=address,
        security=safety,
        allowed_failures=failures,
        worker_ttl=lost,
        dashboard=False,
        dashboard_address="127.0.0.1:0",
        plugins=[Holder()],
    )
