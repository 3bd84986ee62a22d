"""`join`: one machine of a fleet, Dask's worker with one thread, which listens on loopback alone."""

import asyncio
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from serbench.errors import UserError
from serbench.files import scratch
from serbench.fleet.units import LARGEST_RESULT, Result, Unit, Worker, decoded, offered
from serbench.fleet.wire import CONNECT_SECONDS, MACHINES, connected, load
from serbench.results.revision import name_of

WAIT_SECONDS = (0.1, 5.0)
"""Before another attempt to reach the scheduler: at first, and at the most."""
MOST_KEPT = 16
"""Results that a machine keeps for a client or a scheduler that is away."""

Runner = Callable[[Unit, threading.Event], bytes]
"""Measures a unit and returns its run file; raises UserError. The event is set when nobody wants it now."""

_members: dict[str, "Member"] = {}
"""The machines of this process, by name: one, but for tests."""


async def measure(unit: bytes) -> None:
    """Measure a unit on the machine that Dask has chosen, which logs the result as an event."""
    worker = load().get_worker()
    # Dask cancels this when its worker ends, as with any connection; what has begun goes on.
    await asyncio.shield(asyncio.create_task(_members[worker.name].measure(worker, unit)))


class Member:
    """A machine that measures units one at a time, and keeps what it has measured last."""

    def __init__(
        self,
        address: str,
        safety: Any,
        worker: Worker,
        runner: Runner,
        check: Callable[[Unit], object],
        say: Callable[[str], None] = lambda _sentence: None,
    ) -> None:
        """`check` raises UserError for a unit that names what this checkout does not have."""
        self.address, self.safety, self.worker = address, safety, worker
        self.runner, self.check, self.say = runner, check, say
        self._kept: dict[str, Result] = {}
        self._turn = asyncio.Lock()
        self._left = threading.Event()
        self._joined: Any = None

    async def stay(self) -> None:
        """Be a member until the task is cancelled. Raises UserError if the machine may not join."""
        wait = WAIT_SECONDS[0]
        _members[self.worker.name] = self
        try:
            while True:
                try:
                    await self._join()
                    wait = WAIT_SECONDS[0]
                except (OSError, RuntimeError, ValueError) as error:
                    self.say(f"cannot join {self.address}: {error.__cause__ or error}; trying again")
                await asyncio.sleep(wait * random.uniform(0.5, 1.0))  # noqa: S311 - no secret
                wait = min(2 * wait, WAIT_SECONDS[1])
        finally:
            self._left.set()
            _members.pop(self.worker.name, None)

    async def _join(self) -> None:
        """Be Dask's worker until the connection ends."""
        own = self.worker
        with scratch() as folder:
            try:
                async with connected(self.address, self.safety) as (client, about):
                    about.must_equal(own.name, own.revision.sources, name_of(own.revision), own.software)
                    there = (await client.scheduler.identity(n_workers=-1))["workers"]
                    if any(each["name"] == own.name for each in there.values()):
                        raise OSError(f"there is a machine {own.name} already")
                    self._joined = self._dask_worker(folder)  # which may get a unit as soon as it has begun
                    await self._joined
                    await client.set_metadata([MACHINES, own.name], msgspec.json.encode(own))
                self.say(f"joined {self.address} as {own.name}")
                for result in list(self._kept.values()):
                    self._log("result", result)
                await self._joined.finished()
            finally:
                worker, self._joined = self._joined, None
                if worker is not None:
                    await worker.close()

    def _dask_worker(self, folder: Path) -> Any:
        # Nobody connects to a worker, as its results are events; so it listens on loopback, on an address
        # that no other machine has: Dask tells workers from each other by it.
        host = "127." + ".".join(str(random.randint(1, 254)) for _ in range(3))  # noqa: S311 - no secret
        return load().Worker(
            self.address,
            name=self.worker.name,
            host=host,
            dashboard_address=f"{host}:0",
            security=self.safety,
            nthreads=1,
            resources=offered(self.worker),
            memory_limit=0,
            local_directory=str(folder),
            death_timeout=CONNECT_SECONDS,
        )

    def _log(self, what: str, result: Result) -> None:
        """Say something to the client of a run, if there is a scheduler."""
        worker = self._joined
        if worker is not None:
            run = result.key.partition("/")[0]
            worker.log_event(run, {what: msgspec.structs.asdict(result)})

    async def measure(self, worker: Any, data: bytes) -> None:
        """Measure a unit for a worker, unless that ended while the unit waited; log the result."""
        unit = decoded(data, Unit)
        async with self._turn:
            if worker is not self._joined:
                return
            if unit.key not in self._kept:
                about = msgspec.json.encode(self.worker)
                result = Result(key=unit.key, machine=self.worker.name, worker=about)
                self._log("started", result)
                self.say(f"measures {unit.test} on {unit.dataset} ({unit.profile})")
                try:
                    result = msgspec.structs.replace(result, run=await self._run(unit))
                except UserError as error:
                    self._log("result", msgspec.structs.replace(result, error=str(error) or "it failed"))
                    return
                while len(self._kept) >= MOST_KEPT:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[unit.key] = result
            self._log("result", self._kept[unit.key])

    async def _run(self, unit: Unit) -> bytes:
        self.check(unit)
        run = await asyncio.to_thread(self.runner, unit, self._left)
        if self._left.is_set():
            raise UserError("the machine has left the fleet")
        if len(run) > LARGEST_RESULT:
            raise UserError("its result is too large to send")
        return run
