"""What one iteration requests of the heap: a launch of its own, with the counting library preloaded."""

from pathlib import Path

from serbench.measure.calibration import MeasurementTask
from serbench.worker.bounds import same_addresses
from serbench.worker.process import Limits, Worker
from serbench.worker.records import Heap
from serbench.worker.session import heap, prepare


def count_heap(row: MeasurementTask, counter: Path, limits: Limits) -> Heap:
    """Allocations, bytes and peak of one iteration. Raises WorkerFailure if the worker failed."""
    preload: tuple[str | Path, ...] = () if row.heap_command else (counter, *row.preload)
    limits = limits.on(row.data_bytes)
    command = (*same_addresses(), *row.heap_command) if row.heap_command else row.command
    with Worker(command, limits=limits, preload=preload) as worker:
        prepare(
            worker,
            row.tape,
            row.input,
            row.padding,
            fragment=False,
            messages=row.messages,
            words=row.words,
            paths=row.paths,
        )
        return heap(worker)
