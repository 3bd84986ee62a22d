"""The payload limit: a bounded search for the largest document that a library encodes, and decodes."""

import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from serbench.errors import Failure
from serbench.results.probes import Attempt, Direction, FailureClass, Library, Payload
from serbench.worker.process import Limits, Reply, Worker, WorkerFailure

LEAST_STEP, MOST_STEP = 51, 107
"""Steps of the records dataset: 0.1 MB as JSON, with which the 2020 comparison began, and 465 MB."""
COARSE = (74, 80, 86, 92, 95, 98, 101, 104, MOST_STEP)
"""The steps that are tried first, each about twice the one before."""
MEGABYTES_PER_ROW = 10.467 / 208_617
LOOKS = 5
"""So often plain objects must have fit: near the limit it depends on when garbage is collected."""
_PATTERNS: tuple[tuple[str, FailureClass], ...] = (
    (r"did not answer within", "time"),
    (r"heap out of memory|Reached heap limit|Fatal process out of memory", "heap"),
    (r"invalid (array|table|size)|Invalid array length|invalid size error", "array length"),
    (r"string longer than|Invalid string length", "string length"),
    (r"call stack", "stack"),
    (r"[Aa]rray buffer|[Bb]uffer|typed array|offset|out of bounds|out of range", "buffer length"),
    (r"RangeError", "range error"),
    (r"wrong hash", "wrong hash"),
    (r"SIGKILL", "memory"),
    (r"was ended by|ended without", "crash"),
)


class Shape(Library, kw_only=True):
    """A library as the search starts it."""

    shape: Literal["mapped", "unmapped"]
    program: tuple[str, ...]
    """What runs the script, with its options."""
    heap_option: str
    """The option of the program that limits the heap, with {mb} in the place of its megabytes."""
    script: str
    modules: Mapping[Direction, str]
    """The files of its tests write and tree, as far as it has them."""


class Room(msgspec.Struct, frozen=True, kw_only=True):
    """What one attempt may use."""

    heap_mb: int | None
    """None for the language's default."""
    ample_mb: int
    """For making what is to be read."""
    seconds: float
    memory_bytes: int | None = None
    """For the whole process."""


class Reached(Reply):
    """What an attempt that went well says."""

    rows: int = 0
    megabytes: float = 0.0
    bytes: int = 0
    heap_limit: int = 0


def classify(reason: str, output: str) -> FailureClass:
    """The class of a failure, from why the process ended or refused and what it had written before."""
    said = f"{reason}\n{output}" if "was ended by" in reason or "ended without" in reason else reason
    return next((kind for pattern, kind in _PATTERNS if re.search(pattern, said)), "error")


def rows_at(step: int) -> int:
    """The number of rows at a step, as src/serbench/datasets/growing.py makes them."""
    rows, size = 4, 0.0
    for _ in range(step):
        size = rows * MEGABYTES_PER_ROW
        rows += int(rows / (4 if size > 10 else 8) + 0.5)
    return rows


class Search:
    """The searches of one command: what only depends on the data is found out once."""

    def __init__(self, room: Room, folder: Path) -> None:
        """Encodings are made in `folder`, one at a time."""
        self.room = room
        self._folder = folder
        self._fits: dict[tuple[str, str, int], bool] = {}

    def _attempt(self, shape: Shape, module: str, heap_mb: int | None, **message: object) -> Reached:
        """One process that does one thing. Raises WorkerFailure."""
        heap = [] if heap_mb is None else [shape.heap_option.format(mb=heap_mb)]
        command = [*shape.program, *heap, shape.script, module, shape.shape]
        limits = Limits(timeout=self.room.seconds, memory_bytes=self.room.memory_bytes)
        with Worker(command, limits=limits) as worker:
            return worker.ask(Reached, None, **message)

    def _objects_fit(self, shape: Shape, module: str, step: int) -> bool:
        """Whether the plain objects of a step fit in this heap time after time, with no library at work."""
        key = (shape.script, shape.shape, step)
        if key not in self._fits:
            try:
                for _ in range(LOOKS):
                    self._attempt(shape, module, self.room.heap_mb, do="objects", step=step)
                self._fits[key] = True
            except WorkerFailure:
                self._fits[key] = False
        return self._fits[key]

    def limit(self, shape: Shape, direction: Direction) -> Payload:
        """The largest step that `shape` takes in `direction`."""
        return _Descent(self, shape, direction).run()

    def encode(self, shape: Shape, step: int) -> Reached:
        """Encode a step within the heap. Raises WorkerFailure."""
        return self._attempt(
            shape, shape.modules["encode"], self.room.heap_mb, do="encode", step=step, output=""
        )

    def decode(self, shape: Shape, step: int) -> Reached:
        """Decode a step within the heap. Raises WorkerFailure, and _NoInput when there is nothing to read."""
        path = self._folder / f"{shape.contender_id.replace('/', '-')}-{step}"
        try:
            try:
                self._attempt(
                    shape,
                    shape.modules["encode"],
                    self.room.ample_mb,
                    do="encode",
                    step=step,
                    output=str(path),
                )
            except WorkerFailure as error:
                raise _NoInput(error.reason, error.output) from error
            return self._attempt(
                shape, shape.modules["decode"], self.room.heap_mb, do="decode", step=step, input=str(path)
            )
        finally:
            path.unlink(missing_ok=True)

    def limited_by_input(self, shape: Shape, step: int, failure: FailureClass) -> bool:
        """Whether a failure at `step` says nothing of the library."""
        if failure == "input":
            return True
        return failure in ("heap", "memory", "time") and not self._objects_fit(
            shape, shape.modules["encode"], step
        )


class _NoInput(Failure):
    """The encoded input of a step could not be made."""


class _Descent:
    """One search: coarse steps up to the first that fails, then halves of what lies between."""

    def __init__(self, search: Search, shape: Shape, direction: Direction) -> None:
        self._search = search
        self._shape = shape
        self._action: Callable[[Shape, int], Reached]
        self._action = search.encode if direction == "encode" else search.decode
        self.found = Payload(**shape.names, direction=direction, heap_mb=search.room.heap_mb)

    def _try(self, step: int) -> bool:
        started = time.monotonic()
        failure: FailureClass = ""
        reason = ""
        found = self.found
        known = found.megabytes / found.rows if found.megabytes and found.rows else MEGABYTES_PER_ROW
        size = rows_at(step) * known
        reached: Reached | None = None
        try:
            reached = self._action(self._shape, step)
            size = reached.megabytes
        except _NoInput as error:
            kind = classify(error.reason, error.output)
            failure, reason = "input", f"its input could not be made ({kind}): {error.reason}"
        except WorkerFailure as error:
            failure, reason = classify(error.reason, error.output), error.reason
        spent = round(time.monotonic() - started, 3)
        found.attempts.append(Attempt(megabytes=round(size, 4), failure=failure, seconds=spent))
        if reached is not None:
            found.megabytes, found.rows, found.bytes = round(size, 4), reached.rows, reached.bytes
            found.heap_limit = reached.heap_limit
            return True
        found.failed_megabytes, found.failure, found.reason = round(size, 4), failure, reason
        return False

    def run(self) -> Payload:
        """Search, and put the result into `found`."""
        good, bad = LEAST_STEP - 1, MOST_STEP + 1
        for step in COARSE:
            if not self._try(step):
                bad = step
                break
            good = step
        if bad == COARSE[0]:
            if not self._try(LEAST_STEP):
                self.found.status = "failed"
                return self._judged(LEAST_STEP)
            # The failure that is told is that of the smallest size that failed.
            good = LEAST_STEP
        while bad - good > 1 and bad <= MOST_STEP:
            middle = (good + bad) // 2
            if self._try(middle):
                good = middle
            else:
                bad = middle
        return self._judged(bad)

    def _judged(self, bad: int) -> Payload:
        if bad <= MOST_STEP:
            failure = self.found.failure
            self.found.limited_by_input = self._search.limited_by_input(self._shape, bad, failure)
        return self.found
