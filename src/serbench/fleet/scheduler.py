"""Dask's scheduler with three requests of ours in place of all of its own.

Dask decides which machine gets which unit, queues what finds none, notices machines that are gone, and gives
their units to others. What it offers to clients and workers otherwise (graphs, functions, plugins, files,
restarts, a page for browsers) is not there: it answers to `handlers` and `stream_handlers` below alone.
"""

from collections.abc import Callable
from time import monotonic, time
from typing import Any

import msgspec

from serbench.errors import UserError
from serbench.fleet.assignment import Assignment
from serbench.fleet.delivery import Delivery, Result, as_list
from serbench.fleet.units import MOST_UNITS, Unit, Worker, decoded
from serbench.fleet.wire import load, software
from serbench.results.revision import name_of
from serbench.results.schema import Revision

LOST_SECONDS = 30.0
"""Without a sign of life, after which a machine is gone."""
FAILURES = 3
"""How many machines a unit may take with it before it is given up."""
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

    class Scheduler(Assignment, Delivery, distributed.Scheduler):  # type: ignore[misc, name-defined]
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
            self.units: dict[str, Unit] = {}
            self.held: dict[str, Result] = {}
            self.settled: set[str] = set()
            self.listening: dict[str, Any] = {}
            self.waiting: dict[tuple[str | None, str], list[tuple[Any, str]]] = {}
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
                    for message in as_list(await comm.read()):
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

    class Given(distributed.SchedulerPlugin):  # type: ignore[misc, name-defined]
        """Notices units that are given up."""

        def transition(self, key: str, start: str, finish: str, *_given: Any, **_named: Any) -> None:
            if finish == "erred":
                made.transition_to_erred(key)

    made = Scheduler()
    made.add_plugin(Given(), name="serbench")
    return made
