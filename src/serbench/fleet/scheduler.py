"""Dask's scheduler with three requests of ours in place of all of its own.

Dask decides which machine gets which unit, queues what finds none, notices machines that are gone, and gives
their units to others. What it offers to clients and workers otherwise (graphs, functions, plugins, files,
restarts, a page for browsers) is not there: it answers to `handlers` and `stream_handlers` below alone.
"""

import contextlib
import heapq
from collections.abc import Callable
from time import monotonic, time
from typing import Any

import msgspec

from serbench.errors import UserError
from serbench.fleet.units import LARGEST_RESULT, MOST_UNITS, Unit, Worker, decoded
from serbench.fleet.wire import load, software
from serbench.results.revision import name_of
from serbench.results.schema import Revision

LOST_SECONDS = 30.0
"""Without a sign of life, after which a machine is gone."""
FAILURES = 3
"""How many machines a unit may take with it before it is given up."""
MOST_HELD = 256
"""Results that wait for a client to come back."""
MOST_SETTLED = 100_000
_METRICS = {
    "bandwidth": {"total": 1.0, "workers": {}, "types": {}},
    "digests_total_since_heartbeat": {},
    "memory": 0,
    "spilled_bytes": {"memory": 0, "disk": 0},
    "managed_bytes": 0,
    "cpu": 0.0,
    "event_loop_interval": 0.0,
}
"""What Dask's workers say of themselves, and ours do not."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a unit: the run file that a machine made of it, or why there is none."""

    key: str
    machine: str
    worker: bytes = b""
    """The machine's description, a Worker as JSON."""
    run: bytes = b""
    error: str = ""


def _never(_unit: str) -> None:
    """What Dask takes the units' tasks for; no machine is ever sent it."""
    raise AssertionError


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
    import dask
    from dask._task_spec import Task
    from distributed.core import Status

    class Scheduler(distributed.Scheduler):  # type: ignore[misc, name-defined]
        """See above."""

        def __init__(self) -> None:
            with dask.config.set(
                {"distributed.scheduler.preload": [], "distributed.scheduler.http.routes": []}
            ):
                super().__init__(
                    host=address,
                    security=safety,
                    extensions={},
                    allowed_failures=failures,
                    worker_ttl=lost,
                    dashboard=False,
                    validate=False,
                )
            for handlers in (self.handlers, self.stream_handlers):
                handlers.clear()
            self.handlers.update(join=self.join, submit=self.submit, who=self.who)
            self.stream_handlers.update(result=self.take_result, alive=self.alive)
            self.machines: dict[str, Worker] = {}
            """By Dask's address of a worker."""
            self.units: dict[str, Unit] = {}
            self.held: dict[str, Result] = {}
            self.settled: set[str] = set()
            """Units whose results a client has."""
            self.listening: dict[str, Any] = {}
            """The connection of each run's client."""
            self.waiting: dict[tuple[str | None, str], list[tuple[Any, str]]] = {}
            """The queue by machine and kind: priorities and keys, some of which may wait no more."""
            self._deciding: Any = None
            self._chosen: Any = None
            self.submitted = 0

        def start_http_server(self, *_given: Any, **_named: Any) -> None:
            """No page: nothing but machines and clients is answered."""

        # Machines.

        async def join(self, comm: Any, worker: object = None) -> Any:
            """Make the peer a worker, for as long as its connection lasts, or say why not."""
            try:
                machine = decoded(worker, Worker)
                self._must_be_equal(machine)
            except UserError as error:
                await comm.write({"status": "refused", "reason": str(error)})
                return Status.dont_reply
            if machine.name in self.aliases:
                await comm.write({"status": "taken", "reason": f"there is a machine {machine.name} already"})
                return Status.dont_reply
            place = comm.peer_address
            self.machines[place] = machine
            say(f"{machine.name} has joined: {machine.machine.cpu}")
            try:
                await self.add_worker(
                    comm,
                    address=place,
                    status="running",
                    server_id=machine.name,
                    nthreads=1,
                    name=machine.name,
                    resolve_address=False,
                    now=time(),
                    resources={},
                    memory_limit=machine.machine.memory_bytes,
                    metrics=_METRICS,
                    services={},
                    local_directory="",
                    versions={},
                    nanny="",
                    extra={},
                    stimulus_id=f"join-{machine.name}",
                )
            finally:
                del self.machines[place]
                say(f"{machine.name} has gone")
            return Status.dont_reply

        def _must_be_equal(self, machine: Worker) -> None:
            if machine.revision.sources != revision.sources:
                raise UserError(
                    f"{machine.name} has another revision of serbench ({name_of(machine.revision)}; the "
                    f"scheduler has {name_of(revision)}): update one of them"
                )
            ours = own_software or software()
            if machine.software != ours:
                raise UserError(
                    f"{machine.name} has other versions of Dask's library or of Python ({machine.software}; "
                    f"the scheduler has {ours}): run ./serbench setup fleet on both, with the same Python"
                )

        def alive(self, worker: str) -> None:
            """Note a sign of life."""
            if worker in self.workers:
                self.workers[worker].last_seen = time()

        async def who(self, comm: Any) -> Any:
            """Tell who is there, and what each does."""
            machines = [
                {
                    "worker": msgspec.json.encode(machine),
                    "busy": [ts.key for ts in self.workers[place].processing]
                    if place in self.workers
                    else [],
                }
                for place, machine in self.machines.items()
            ]
            await comm.write({"status": "OK", "machines": machines, "queued": len(self.queued)})
            return Status.dont_reply

        # Which machine gets which unit: Dask's queue of root tasks, but for machines of the right kind.

        def is_rootish(self, ts: Any) -> bool:
            """Every unit waits in the queue until a machine is free."""
            self._deciding = ts
            return True

        def decide_worker_rootish_queuing_enabled(self) -> Any:
            """A free machine for the unit that is being decided on; None, and it waits, if there is none."""
            ts, free = self._deciding, self.idle_task_count
            unit = self.units.get(ts.key)
            if unit is None:
                return None
            if self._chosen is not None:
                return self._chosen
            if unit.machine is not None:
                named = self.workers.get(self.aliases.get(unit.machine, ""))
                free = {named} & free
            found = min((ws for ws in free if self._fits(unit, ws)), key=lambda ws: ws.name, default=None)
            if found is None and ts.state != "queued":
                place = self.waiting.setdefault((unit.machine, unit.kind), [])
                heapq.heappush(place, (ts.priority, ts.key))
            return found

        def _fits(self, unit: Unit, ws: Any) -> bool:
            machine = self.machines.get(ws.address)
            return (
                machine is not None
                and unit.machine in (None, machine.name)
                and unit.kind in ("", machine.kind)
            )

        def stimulus_queue_slots_maybe_opened(self, *, stimulus_id: str) -> None:
            """Give each free machine the first unit that waits for it or for its kind."""
            for ws in list(self.idle_task_count) if self.queued else ():
                machine = self.machines.get(ws.address)
                ts = self._first(machine) if machine is not None else None
                if ts is not None and ws in self.idle_task_count:
                    self._deciding, self._chosen = ts, ws
                    try:
                        self.transitions({ts.key: "processing"}, stimulus_id)
                    finally:
                        self._chosen = None

        def _first(self, machine: Worker) -> Any:
            heads = []
            for name in (machine.name, None):
                for kind in (machine.kind, ""):
                    place = self.waiting.get((name, kind), [])
                    while place and getattr(self.tasks.get(place[0][1]), "state", "") != "queued":
                        heapq.heappop(place)
                    if place:
                        heads.append(place[0])
                    else:
                        self.waiting.pop((name, kind), None)
            return self.tasks[min(heads)[1]] if heads else None

        def _task_to_msg(self, ts: Any) -> dict[str, Any]:
            ts.run_id = self.transition_counter
            unit = self.units[ts.key]
            machine = self.machines[ts.processing_on.address]
            self._tell(unit.run, {"op": "started", "key": ts.key, "machine": machine.name})
            return {"op": "unit", "key": ts.key, "run_id": ts.run_id, "unit": msgspec.json.encode(unit)}

        # Clients.

        async def submit(self, comm: Any, units: object = None) -> Any:
            """Queue the units of a run, and send their results for as long as the connection lasts."""
            try:
                asked = self._checked(units)
            except UserError as error:
                await comm.write({"status": "refused", "reason": str(error)})
                return Status.dont_reply
            run = asked[0].run
            before = sum(1 for ts in self.queued if self.units[ts.key].run != run)
            await comm.write({"status": "OK", "before": before})
            sender = distributed.batched.BatchedSend(interval="5ms", loop=self.loop)
            sender.start(comm)
            self.listening[run] = sender
            try:
                self._queue(asked)
                while True:
                    for message in _as_list(await comm.read()):
                        if message.get("op") == "accepted":
                            self._settle(str(message.get("key")), run)
            except (OSError, AttributeError):
                pass
            finally:
                if self.listening.get(run) is sender:
                    del self.listening[run]
                    waiting = [ts.key for ts in self.queued if self.units[ts.key].run == run]
                    self._forget(waiting)
                sender.abort()
            return Status.dont_reply

        def _checked(self, units: object) -> list[Unit]:
            if not isinstance(units, list) or not 0 < len(units) <= MOST_UNITS:
                raise UserError("what arrived are no units of serbench")
            asked = [decoded(unit, Unit) for unit in units]
            run = asked[0].run
            if any(unit.run != run for unit in asked):
                raise UserError("the units are of several runs")
            for unit in asked:
                if unit.revision != revision.sources:
                    raise UserError(
                        f"the client has another revision of serbench (sources {unit.revision}; the "
                        f"scheduler has {name_of(revision)}): update one of them"
                    )
            if run in self.listening:
                raise UserError("another client waits for the results of this run")
            return asked

        def _queue(self, asked: list[Unit]) -> None:
            for unit in asked:
                if unit.key in self.held:
                    self._send(self.held[unit.key])
            new = [unit for unit in asked if unit.key not in self.held and unit.key not in self.tasks]
            self.settled.difference_update(unit.key for unit in asked)
            if not new:
                return
            self.units.update({unit.key: unit for unit in new})
            self.submitted += 1
            self._create_taskstate_from_graph(
                start=monotonic(),
                dsk={unit.key: Task(unit.key, _never, unit.key) for unit in new},
                keys={unit.key for unit in new},
                ordered={unit.key: place for place, unit in enumerate(new)},
                client=new[0].run,
                annotations_by_type={},
                global_annotations=None,
                stimulus_id=f"submit-{self.submitted}",
                submitting_task=None,
                span_metadata={},
                fifo_timeout=0.0,
            )

        # Results.

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
                key=key, machine="", error=f"{failures + 1} machines were lost while they measured it"
            )
            self._send(self.held[key])
            self._ongoing_background_tasks.call_soon(self._forget_later, key)

        async def _forget_later(self, key: str) -> None:
            self._forget([key])

    class Given(distributed.SchedulerPlugin):  # type: ignore[misc, name-defined]
        """Notices units that are given up."""

        def transition(self, key: str, start: str, finish: str, *_given: Any, **_named: Any) -> None:
            if finish == "erred":
                made.transition_to_erred(key)

    made = Scheduler()
    made.add_plugin(Given(), name="serbench")
    return made


def _as_list(messages: Any) -> list[dict[str, Any]]:
    """The messages of one sending: Dask sends several at once."""
    found = messages if isinstance(messages, list) else [messages]
    if not all(isinstance(message, dict) for message in found):
        raise AttributeError("what arrived is no message")
    return found
