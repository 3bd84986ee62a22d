"""One launch of one group: workers started together, calibrated once, sampled in rounds."""

import math
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from serbench.measure.calibration import (
    LONGEST_CHUNK_NS,
    WARMUP_NS,
    Calibration,
    Conditions,
    MeasurementTask,
)
from serbench.measure.records import Failure, Overhead, Sample
from serbench.worker.process import Worker, WorkerFailure
from serbench.worker.session import Sampled, prepare, sample

LEAST_CHUNKS, MOST_CHUNKS = 3, 10
"""The chunks of a sample whose shortest one counts. Many short samples tell changes of the machine's speed
from differences of rows, and so a sample is a single chunk where the mean counts."""
MOST_ROUNDS = 60
QUIET = 0.25
"""The part of a new worker's warm-up in which its compiler must have done nothing, where that is known."""
MOST_ITERATIONS = 10**12
OVERHEAD_CHUNKS = 10
OVERHEAD_WARMUP, STEADY, FASTER = 0.25, 4, 0.97
"""The part of a new worker's warm-up that its harness's own work gets at the least, and how often in a row it
must have become no faster by this part."""


class Outcome(NamedTuple):
    """What a launch says of the ones to come."""

    started: list[MeasurementTask]
    """The rows for whose workers there was time."""
    chunks: int | None
    """The chunks of each sample whose shortest one counts."""
    calibrating: float
    """Seconds spent on calibration, which later launches of the group need not spend again."""
    repeating: float
    """Seconds spent on the rounds that repeat disturbed ones."""


class Launch:
    """One launch of some rows of a group. `emit` gets each sample, overhead and failure as it happens."""

    def __init__(
        self,
        number: int,
        rows: Sequence[MeasurementTask],
        calibration: Calibration,
        conditions: Conditions,
        order: random.Random,
        emit: Callable[[Sample | Overhead | Failure], None],
        chunks: int | None = None,
        startup_factor: float = 1.0,
    ) -> None:
        """Prepare launch `number`; samples have `chunks` if another block of rows has decided that.

        Getting workers ready is expected to take `startup_factor` times as long as the calibration says.
        """
        self.number = number
        self.rows = rows
        self.calibration = calibration
        self.conditions = conditions
        self.order = order
        self.emit = emit
        self._chunks = chunks
        self._startup_factor = startup_factor
        self._calibrating = self._repeating = 0.0
        self._started: list[MeasurementTask] = []
        self._begun = 0.0
        self._disturbed = 0
        self._workers: dict[int, Worker] = {}

    def run(self, seconds: float, spare: float = 0.0, until: float = math.inf) -> Outcome:
        """Sample all rows in rounds for about `seconds` in all, at least once each if time allows.

        Disturbed rounds are repeated with all rows, for `spare` seconds at most. Rows are left out if their
        samples would end after `until`, on the conditions' clock; baselines and a first contender never are.
        """
        try:
            self._begun = self.conditions.clock()
            order = self.order.sample(self.rows, len(self.rows))
            for row in sorted(order, key=lambda row: row.role == "contender" and not row.anchor):
                if not self._is_late(row, until):
                    self._started.append(row)
                    self._guard(row, partial(self._start, row))
            live = self._live
            if live:
                left = max(0.0, until - self.conditions.clock())
                self._rounds(live, min(seconds, left), min(spare, left))
                # Last, so that compilers at run time know nothing of it while rows are sampled.
                for row in self._live:
                    self._guard(row, partial(self._overhead, row))
            return Outcome(self._started, self._chunks, self._calibrating, self._repeating)
        finally:
            for worker in self._workers.values():
                worker.close()

    @property
    def _live(self) -> list[MeasurementTask]:
        return [row for row in self.rows if row.id in self._workers]

    def _is_late(self, row: MeasurementTask, until: float) -> bool:
        """Whether starting one more row leaves too little time to sample it and those that were started."""
        live = self._live
        if until == math.inf or not any(each.role == "contender" and not each.anchor for each in live):
            return False
        now, seconds = self.conditions.clock(), self.calibration.seconds
        expected = sum(map(self.calibration.ready, self._started))
        found = (now - self._begun - self._calibrating) / max(expected, 1e-9)
        factor = max(1.0, self._startup_factor, found)
        return now + factor * (self.calibration.ready(row) + sum(map(seconds, [*live, row]))) > until

    def _guard(self, row: MeasurementTask, action: Callable[[], None]) -> None:
        """Do something with one row's worker; if it fails, that costs this row only."""
        try:
            action()
        except WorkerFailure as failure:
            output = failure.output
            worker = self._workers.pop(row.id, None)
            if worker is not None:
                worker.close()
                output = output or worker.noise
            self.emit(Failure(row=row.id, launch=self.number, reason=failure.reason, output=output))

    def _least_ns(self, row: MeasurementTask) -> int:
        return max(self.conditions.chunk_ns, row.chunk_ns)

    def _untimed(self, row: MeasurementTask) -> int:
        wanted = self.conditions.warmup_ns
        if row.statistic != "shortest-chunk":  # Every chunk counts, the first ones too.
            wanted = max(wanted, WARMUP_NS)
        return self.calibration.untimed(row.id, wanted)

    def _out_of_time(self) -> bool:
        return self.conditions.clock() >= self.conditions.deadline

    def _start(self, row: MeasurementTask) -> None:
        if self._out_of_time():
            return
        conditions = self.conditions
        limits = conditions.limits.on(row.data_bytes)
        worker = Worker(row.command, limits=limits, cpu=conditions.cpu, preload=row.preload)
        self._workers[row.id] = worker
        fragment = conditions.fragment
        prepare(worker, row.tape, row.input, row.padding, fragment, row.messages, row.words, row.paths)
        last = self._warm_up(row, worker)
        if not self.calibration.knows(row, last):
            before = conditions.clock()
            self.calibration.nanoseconds[row.id] = self._calibrate(row, worker)
            self._calibrating += conditions.clock() - before

    def _warm_up(self, row: MeasurementTask, worker: Worker) -> float:
        """Run a new worker until its language's compiler has done with it.

        Where the worker tells what its compiler did, that is when it did nothing in a quarter of the time
        that a new worker is given. Returns what one of the last iterations took, in nanoseconds; 0 if there
        were none.
        """
        calls, spent, iterations, last, compiled = 0, 0, 1, 0.0, 0
        least, most = (seconds * 1e9 for seconds in (row.warmup_seconds, row.most_warmup_seconds))
        while calls < row.warmup_calls or spent < least or compiled:
            if self._out_of_time() or spent >= most:
                break
            batch = self._checked(row, self._sample(worker, iterations, 1, 0))
            wall = max(1, batch.wall[0])
            last = wall / iterations
            spent += wall
            calls += iterations
            compiled = batch.compiled or 0
            # What is left, by the word of the calls so far, but at most four times as many as before.
            once = spent / calls
            quiet = 0.0 if batch.compiled is None else QUIET * least
            wanted = max(1, row.warmup_calls - calls, round(max(least - spent, quiet) / once))
            iterations = int(min(4 * iterations, wanted, max(1, (most - spent) / once)))
        return last

    def _sample(
        self, worker: Worker, iterations: int, chunks: int, warmup: int, timeout: float | None = None
    ) -> Sampled:
        return sample(worker, iterations, chunks, warmup, timeout, self.conditions.believe)

    def _overhead(self, row: MeasurementTask) -> None:
        """Time what the harness itself does in an iteration of the row, in short chunks: more are calm."""
        worker, least = self._workers[row.id], self.conditions.chunk_ns
        warmup = OVERHEAD_WARMUP * row.warmup_seconds * 1e9
        iterations, spent, steady, best = 1, 0, 0, math.inf

        def timed(chunks: int) -> Sampled:
            timeout = self.conditions.limits.on(row.data_bytes).timeout
            return sample(worker, iterations, chunks, 0, timeout, self.conditions.believe, do="overhead")

        while iterations < MOST_ITERATIONS:
            batch = timed(2)  # A stall in one would be taken for a long iteration.
            wall = max(1, min(batch.wall))
            spent += sum(batch.wall)
            steady = 0 if batch.compiled or wall / iterations < FASTER * best else steady + 1
            best = min(best, wall / iterations)
            warm = spent >= warmup and (steady >= STEADY or spent >= row.warmup_seconds * 1e9)
            if wall >= least and warm:
                break
            if wall < least:
                iterations *= max(2, min(100, round(1.2 * least / wall)))
        if wall < LONGEST_CHUNK_NS * OVERHEAD_CHUNKS:
            batch = timed(OVERHEAD_CHUNKS)
        self.emit(
            Overhead(row=row.id, launch=self.number, iterations=iterations, wall=batch.wall, cpu=batch.cpu)
        )

    def _calibrate(self, row: MeasurementTask, worker: Worker) -> float:
        """The duration of one iteration in ns, from a batch that is long against the clock's reading.

        Each batch is run twice and the shorter one counts: a stall in a short one would be taken for a long
        iteration.
        """
        least = self._least_ns(row)
        iterations = 1
        while True:
            batch = self._checked(row, self._sample(worker, iterations, 2, min(iterations, 2)))
            nanoseconds = max(1, min(batch.wall))
            if nanoseconds >= least or self._out_of_time():
                return nanoseconds / iterations
            # Aim past the goal, but never jump by more than a hundredfold on the word of a short batch.
            if iterations >= MOST_ITERATIONS:
                raise WorkerFailure(f"timed {iterations} iterations in {min(batch.wall)} ns, which cannot be")
            iterations *= max(2, min(100, round(1.2 * least / nanoseconds)))

    def _checked(self, row: MeasurementTask, batch: Sampled) -> Sampled:
        if batch.hash != row.expected:
            raise WorkerFailure(f"a timed iteration gave the hash {batch.hash} where {row.expected} is right")
        return batch

    def _rounds(self, live: Sequence[MeasurementTask], seconds: float, spare: float) -> None:
        calibration, budget = self.calibration, seconds * 1e9
        untimed = per_chunk = 0.0
        for row in live:
            once = calibration.nanoseconds[row.id]
            chunk = calibration.iterations(row.id, self._least_ns(row)) * once
            untimed += self._untimed(row) * once
            if row.statistic == "mean":
                untimed += chunk
            else:
                per_chunk += chunk
        room = [(budget / rounds - untimed) / max(per_chunk, 1.0) for rounds in (1, MOST_ROUNDS)]
        least, most = (max(1, int(min(room[0], LEAST_CHUNKS))), int(min(room[1], MOST_CHUNKS)))
        chunks = self._chunks = self._chunks or max(least, most)
        per_round = untimed + chunks * per_chunk
        rounds = max(1, min(MOST_ROUNDS, int(budget / per_round)))
        for number in range(rounds):
            self._round(live, number, chunks)
        # As many again as were disturbed at first, if there is the time.
        repeats = min(-(-self._disturbed // len(live)), int(spare * 1e9 / per_round))
        if repeats > 0:
            before = self.conditions.clock()
            for number in range(rounds, rounds + repeats):
                self._round(live, number, chunks)
            self._repeating = self.conditions.clock() - before

    def _round(self, live: Sequence[MeasurementTask], number: int, chunks: int) -> None:
        for position, row in enumerate(self.order.sample(live, len(live))):
            if self._out_of_time():
                return
            if row.id in self._workers:
                self._guard(row, partial(self._turn, row, (number, position), chunks))

    def _turn(self, row: MeasurementTask, at: tuple[int, int], chunks: int) -> None:
        conditions, calibration = self.conditions, self.calibration
        iterations = calibration.iterations(row.id, self._least_ns(row))
        untimed = self._untimed(row)
        chunks = 1 if row.statistic == "mean" else chunks
        expected = (untimed + chunks * iterations) * calibration.nanoseconds[row.id] / 1e9
        started = conditions.clock()
        batch = self._checked(
            row,
            self._sample(
                self._workers[row.id],
                iterations,
                chunks,
                warmup=untimed,
                timeout=conditions.limits.on(row.data_bytes).timeout + 20 * expected,
            ),
        )
        calibration.correct(row.id, min(batch.wall) / iterations)
        seen = conditions.watch(row.statistic, batch.wall, batch.cpu)
        disturbed = f"{seen} compiled".strip() if batch.compiled else seen
        self._disturbed += bool(disturbed)
        self.emit(
            Sample(
                row=row.id,
                launch=self.number,
                round=at[0],
                position=at[1],
                started=round(started, 6),
                iterations=iterations,
                wall=batch.wall,
                cpu=batch.cpu,
                page_faults=batch.page_faults,
                disturbed=disturbed,
            )
        )


def wall_clock(shown: float = 0.0) -> Callable[[], float]:
    """A clock that shows the seconds since it was made, and those that it had `shown` before."""
    start = time.monotonic() - shown
    return lambda: time.monotonic() - start
