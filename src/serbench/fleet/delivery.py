"""The results of units, from the machines that measured them to the clients that asked."""

import contextlib
from typing import Any

import msgspec

from serbench.errors import UserError
from serbench.fleet.units import LARGEST_RESULT, Unit, Worker

MOST_HELD = 256
"""Results that wait for a client to come back."""
MOST_SETTLED = 100_000


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a unit: the run file that a machine made of it, or why there is none."""

    key: str
    machine: str
    worker: bytes = b""
    """The machine's description, a Worker as JSON."""
    run: bytes = b""
    error: str = ""


class Delivery:
    """A part of the scheduler, in front of Dask's."""

    tasks: dict[str, Any]
    clients: dict[str, Any]
    aliases: dict[str, str]
    allowed_failures: int
    handle_task_finished: Any
    worker_send: Any
    client_releases_keys: Any
    _ongoing_background_tasks: Any
    """These are Dask's."""
    machines: dict[str, Worker]
    """By Dask's address of a worker."""
    units: dict[str, Unit]
    held: dict[str, Result]
    settled: set[str]
    """Units whose results a client has."""
    listening: dict[str, Any]
    """The connection of each run's client."""

    def take_result(
        self,
        worker: str,
        key: object = None,
        run_id: object = None,
        run: object = b"",
        error: object = "",
    ) -> None:
        """Pass on what a machine has measured, unless another was first."""
        if not (isinstance(key, str) and isinstance(run, bytes) and isinstance(error, str)):
            raise UserError("what arrived is no result of serbench")
        if len(run) > LARGEST_RESULT:
            raise UserError("the result of a unit is too large")
        machine = self.machines[worker]
        unit = self.units.get(key)
        ts = self.tasks.get(key)
        if ts is not None and ts.state == "processing" and ts.processing_on.address == worker:
            self.handle_task_finished(
                key=key,
                worker=worker,
                stimulus_id=f"result-{key}",
                run_id=ts.run_id,
                metadata={},
                nbytes=0,
                type=b"",
                typename="unit",
                startstops=(),
            )
        elif unit is None and error:
            run, error = b"", ""  # of a unit that nobody asks for any more: it is tried again
        if key not in self.held and key not in self.settled and (run or error):
            if len(self.held) >= MOST_HELD:
                self.held.pop(next(iter(self.held)))
            self.held[key] = Result(
                key=key,
                machine=machine.name,
                worker=msgspec.json.encode(machine),
                run=run,
                error=error,
            )
            self._send(self.held[key])
        self._forget([key])
        if key in self.settled:
            self.held.pop(key, None)
            self.worker_send(worker, {"op": "accepted", "key": key})

    def _settle(self, key: str, run: str) -> None:
        """Note that the client of `run` has a result on its disk: only now may its machine forget it."""
        result = self.held.pop(key, None) if key.startswith(f"{run}/") else None
        if result is None:
            return
        if len(self.settled) >= MOST_SETTLED:
            self.settled.clear()
        self.settled.add(key)
        place = self.aliases.get(result.machine)
        if place is not None:
            self.worker_send(place, {"op": "accepted", "key": key})

    def _forget(self, keys: list[str]) -> None:
        for key in keys:
            unit = self.units.get(key)
            if unit is not None and unit.run in self.clients:
                self.client_releases_keys([key], unit.run, stimulus_id=f"forget-{key}")
            if key not in self.tasks:
                self.units.pop(key, None)

    def _send(self, result: Result) -> None:
        self._tell(result.key.partition("/")[0], {"op": "result"} | msgspec.structs.asdict(result))

    def _tell(self, run: str, message: dict[str, Any]) -> None:
        if run in self.listening:
            with contextlib.suppress(OSError):
                self.listening[run].send(message)

    def transition_to_erred(self, key: str) -> None:
        """Tell the client of a unit that took too many machines with it."""
        self.held[key] = Result(
            key=key,
            machine="",
            error=f"{self.allowed_failures + 1} machines were lost while they measured it",
        )
        self._send(self.held[key])
        self._ongoing_background_tasks.call_soon(self._forget_later, key)

    async def _forget_later(self, key: str) -> None:
        self._forget([key])


def as_list(messages: Any) -> list[dict[str, Any]]:
    """The messages of one sending: Dask sends several at once."""
    found = messages if isinstance(messages, list) else [messages]
    if not all(isinstance(message, dict) for message in found):
        raise AttributeError("what arrived is no message")
    return found
