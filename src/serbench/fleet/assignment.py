"""Which machine gets which unit: Dask's queue of root tasks, but for machines of the right kind."""

import heapq
from typing import Any

from serbench.fleet.units import Unit, Worker


class Assignment:
    """A part of the scheduler, in front of Dask's."""

    tasks: dict[str, Any]
    queued: Any
    workers: dict[str, Any]
    aliases: dict[str, str]
    idle_task_count: set[Any]
    transitions: Any
    """These are Dask's."""
    machines: dict[str, Worker]
    """By Dask's address of a worker."""
    units: dict[str, Unit]
    waiting: dict[tuple[str | None, str], list[tuple[Any, str]]]
    """The queue by machine and kind: priorities and keys, some of which may wait no more."""
    _deciding: Any = None
    _chosen: Any = None

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
            machine is not None and unit.machine in (None, machine.name) and unit.kind in ("", machine.kind)
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
