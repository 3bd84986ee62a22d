"""What rows and conditions measuring is given, and what a group learns of its rows' durations."""

import math
import statistics
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from serbench.measure.launches import Statistic
from serbench.worker.process import Limits

ALIKE = 1.5
"""Rows whose iterations differ by less than this factor can share the number of them in a chunk."""
LEAST_NS = 1e-3
"""No iteration takes less."""
START_SECONDS = 0.08
"""A first guess of what starting a worker with little data costs; measured launches replace it."""
LONGEST_CHUNK_NS = 20_000_000
SURELY_ONE = 10
"""How many times as long an iteration must be expected to take for its chunk to be surely one iteration."""
WARMUP_NS = 5_000_000
"""Untimed at the start of a turn: caches and branch prediction are those of the other workers by then.

`Conditions` may ask for less where only ratios of alike rows matter, but not of rows whose figure is a mean.
"""


class MeasurementTask(msgspec.Struct, frozen=True, kw_only=True):
    """A row that passed the gate, as the sampler needs it."""

    id: int
    command: tuple[str, ...]
    tape: Path
    input: Path | None
    paths: Path | None = None
    """The paths of the values that a worker looks up, which are its tape."""
    padding: int
    expected: str
    """The hash that every timed batch must end with."""
    memory: int
    """What the worker is expected to use, in bytes."""
    role: Literal["contender", "baseline", "floor"]
    statistic: Statistic
    harness: str
    warmup_seconds: float = 0.0
    warmup_calls: int = 0
    """How long, and how often at least, a new worker runs untimed before it is calibrated."""
    most_warmup_seconds: float = math.inf
    """After which it has been enough, however few iterations they were."""
    start_seconds: float = START_SECONDS
    """What starting its worker costs, as the gate saw it: with loading the data, which may be large."""
    iteration_seconds: float = 0.0
    """What the gate saw of one iteration, roughly; 0 if nothing is known."""
    data_bytes: int = 0
    """Bytes of tape and input: answers may take longer for large data."""
    chunk_ns: int = 0
    """The shortest chunk, where this row needs a longer one than `Conditions` says."""
    heap_command: tuple[str, ...] = ()
    """What counts the heap without a counting library."""
    messages: bool = False
    """The dataset is one of messages, handled one by one."""
    words: Path | None = None
    """Those that exact_hash mixes, of the baseline of a reader."""
    preload: tuple[str, ...] = ()
    """Libraries that come before the system's allocator."""
    anchor: bool = False
    """Where the rows of a group do not fit into memory together, it is in every block, as baselines are."""


class Conditions(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for every sample of a run."""

    limits: Limits
    cpu: int | None
    """The processor that all workers are pinned to, one of them running at a time."""
    fragment: bool
    chunk_ns: int
    warmup_ns: int = WARMUP_NS
    """How long a row runs untimed at the start of each turn."""
    clock: Callable[[], float]
    """Seconds since the run began."""
    deadline: float
    """On that clock: no sample begins after it."""
    watch: Callable[[Statistic, list[int], list[int]], str] = lambda _statistic, _wall, _cpu: ""
    """Tells after a sample what disturbed it, from its wall and processor times and all that it sees."""
    believe: bool = False
    """Take reported times for true even where more has not passed: for workers that make theirs up."""


class Calibration(msgspec.Struct, kw_only=True):
    """What a group learned in its first launch: the same for all its launches."""

    nanoseconds: dict[int, float] = {}
    """One iteration of each row, roughly."""
    expected: set[int] = set()
    """Rows of which this is what the gate saw, until a sample tells."""
    speed_factor: float = 1.0
    """What the last of these samples took, in parts of what the gate saw."""

    def seconds(self, row: MeasurementTask) -> float:
        """One iteration of a row, by what was found or by what the gate saw."""
        known = self.nanoseconds.get(row.id)
        return row.iteration_seconds * self.speed_factor if known is None else known / 1e9

    def ready(self, row: MeasurementTask) -> float:
        """What getting a row's worker ready should take: start, data, warm-up, an untimed iteration."""
        once = self.seconds(row)
        warm = max(row.warmup_seconds, min(row.warmup_calls * once, row.most_warmup_seconds))
        return row.start_seconds + warm + once

    def knows(self, row: MeasurementTask, last_ns: float = 0.0) -> bool:
        """Whether the row needs no calibrating: because it was done, or iterations are very long.

        That is what the last one says, in nanoseconds, or where there was none the one that the gate saw.
        """
        seen = last_ns or row.iteration_seconds * 1e9
        if row.id not in self.nanoseconds and seen >= SURELY_ONE * LONGEST_CHUNK_NS:
            self.nanoseconds[row.id] = seen
            self.expected.add(row.id)
        return row.id in self.nanoseconds

    def correct(self, row: int, nanoseconds: float) -> None:
        """Put what a sample says of an iteration in the place of what was expected; it stays a chunk."""
        if row in self.expected:
            self.expected.discard(row)
            self.speed_factor = nanoseconds / self.nanoseconds[row]
            self.nanoseconds[row] = max(nanoseconds, LONGEST_CHUNK_NS)

    def refine(self, figures: Mapping[int, Mapping[int, float]]) -> None:
        """Put the figures of launches, by row and launch, in the place of what rows' first batches told.

        The machine may have changed its speed between two rows' calibrations; chunks of different durations
        have different minima, so that one program would be slower than itself.
        """
        for row, known in figures.items():
            if known:
                self.nanoseconds[row] = max(statistics.median(known.values()), LEAST_NS)

    def align(self, new: int, old: int) -> None:
        """Let the chunks of two compared rows have as many iterations, unless they differ by much."""
        known = [self.nanoseconds.get(row, 0.0) for row in (new, old)]
        if 0 < max(known) < ALIKE * min(known):
            self.nanoseconds[new] = self.nanoseconds[old] = math.sqrt(known[0] * known[1])

    def chunk_ns(self, least: int) -> float:
        """The chunk of the group: its slowest row's single iteration, within `least` and 20 ms."""
        return min(max([float(least), *self.nanoseconds.values()]), LONGEST_CHUNK_NS)

    def iterations(self, row: int, least: int) -> int:
        """How many iterations of the row make a chunk of the group's duration."""
        return max(1, round(self.chunk_ns(least) / self.nanoseconds[row]))

    def untimed(self, row: int, nanoseconds: int) -> int:
        """How many iterations of the row fill `nanoseconds` before the first chunk of a sample."""
        return max(1, round(nanoseconds / self.nanoseconds[row]))


def expected_seconds(row: MeasurementTask, sampling: float) -> float:
    """What a launch of a row takes by what the gate saw, with at least `sampling` seconds of sampling."""
    unknown = Calibration()
    return unknown.ready(row) + max(sampling, unknown.seconds(row))
