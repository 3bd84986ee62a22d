"""`join`: one machine of a fleet. It dials the scheduler, and listens on nothing itself."""

import asyncio
import contextlib
import random
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec

from serbench.errors import UserError
from serbench.fleet.delivery import as_list
from serbench.fleet.units import LARGEST_RESULT, Unit, Worker, decoded
from serbench.fleet.wire import connect

ALIVE_SECONDS = 3.0
WAIT_SECONDS = (0.1, 5.0)
"""Before another attempt to reach the scheduler: at first, and at the most."""

MOST_KEPT = 16
"""Results that a machine keeps for a client or a scheduler that is away."""

Runner = Callable[[Unit, threading.Event], bytes]
"""Measures a unit and returns its run file; raises UserError. The event is set when nobody wants it now."""


class Member:
    """A machine that measures units one at a time, and keeps what it has measured until that has arrived."""

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
        self._waiting: deque[Unit] = deque()
        self._finished: dict[str, dict[str, Any]] = {}
        """Results that no client has confirmed, by the keys of their units."""
        self._running: tuple[str, threading.Event] | None = None
        self._news = asyncio.Event()
        self._comm: Any = None
        self._sending = asyncio.Lock()

    async def stay(self) -> None:
        """Be a member until the task is cancelled. Raises UserError if the scheduler refuses this machine."""
        measuring = asyncio.create_task(self._measure())
        wait = WAIT_SECONDS[0]
        try:
            while True:
                if measuring.done():
                    measuring.result()
                try:
                    comm = await connect(self.address, self.safety)
                    try:
                        await self._join(comm)
                        wait = WAIT_SECONDS[0]
                        await self._converse(comm)
                    finally:
                        self._comm = None
                        comm.abort()
                except OSError as error:
                    self.say(f"no scheduler at {self.address} ({error}): trying again")
                await asyncio.sleep(wait * random.uniform(0.5, 1.0))  # noqa: S311 - no secret
                wait = min(2 * wait, WAIT_SECONDS[1])
        finally:
            if self._running is not None:
                self._running[1].set()
            measuring.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await measuring

    async def _join(self, comm: Any) -> None:
        await comm.write({"op": "join", "worker": msgspec.json.encode(self.worker)})
        answer = await comm.read()
        status = answer.get("status") if isinstance(answer, dict) else None
        if status == "refused":
            raise UserError(f"the scheduler refuses this machine: {answer.get('reason')}")
        if status != "OK":
            raise OSError(f"the scheduler answered {answer!r:.200}")
        self.say(f"joined {self.address} as {self.worker.name}")

    async def _converse(self, comm: Any) -> None:
        self._comm = comm
        for message in list(self._finished.values()):
            await self._send(message)
        alive = asyncio.create_task(self._live())
        try:
            while True:
                for message in as_list(await comm.read()):
                    await self._take(message)
        except AttributeError as error:
            raise OSError(str(error)) from error
        finally:
            alive.cancel()
            self._waiting.clear()  # the scheduler gives them to others, or again

    async def _live(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                await asyncio.sleep(ALIVE_SECONDS)
                await self._send({"op": "alive"})

    async def _send(self, message: dict[str, Any]) -> None:
        comm = self._comm
        if comm is not None:
            async with self._sending:
                await comm.write(message)

    async def _take(self, message: dict[str, Any]) -> None:
        """Handle a message of the scheduler. Among Dask's own only those matter that take units away."""
        op = message.get("op")
        if op == "unit":
            await self._take_unit(message)
        elif op == "accepted":
            self._finished.pop(str(message.get("key")), None)
        elif op in ("free-keys", "cancel-compute"):
            unwanted = set(map(str, message.get("keys") or [message.get("key")]))
            self._waiting = deque(unit for unit in self._waiting if unit.key not in unwanted)
            if self._running is not None and self._running[0] in unwanted:
                self._running[1].set()
        elif op == "close":
            raise OSError("the scheduler has closed the connection")

    async def _take_unit(self, message: dict[str, Any]) -> None:
        try:
            unit = decoded(message.get("unit"), Unit)
            self.check(unit)
        except UserError as error:
            self.say(f"a unit is refused: {error}")
            await self._send({"op": "result", "key": str(message.get("key")), "error": str(error)})
            return
        if unit.key in self._finished:
            await self._send(self._finished[unit.key])
        elif self._running is None or self._running[0] != unit.key or self._running[1].is_set():
            self._waiting.append(unit)
            self._news.set()

    async def _measure(self) -> None:
        while True:
            while not self._waiting:
                self._news.clear()
                await self._news.wait()
            unit = self._waiting.popleft()
            unwanted = threading.Event()
            self._running = (unit.key, unwanted)
            self.say(f"measures {unit.test} on {unit.dataset} ({unit.profile})")
            message: dict[str, Any] = {"op": "result", "key": unit.key}
            try:
                message["run"] = await asyncio.to_thread(self.runner, unit, unwanted)
                if len(message["run"]) > LARGEST_RESULT:
                    message = {"op": "result", "key": unit.key, "error": "its result is too large to send"}
            except UserError as error:
                message["error"] = str(error) or "it failed"
            finally:
                self._running = None
            if unwanted.is_set():
                continue
            while len(self._finished) >= MOST_KEPT:
                self._finished.pop(next(iter(self._finished)))
            self._finished[unit.key] = message
            with contextlib.suppress(OSError):
                await self._send(message)
