"""Instructions per iteration, counted by Callgrind: exact, and a count, never a time."""

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import msgspec

from serbench.errors import Failure
from serbench.files import scratch
from serbench.measure.calibration import MeasurementTask
from serbench.measure.records import VARIES
from serbench.worker.bounds import same_addresses
from serbench.worker.process import Limits, Worker, WorkerFailure
from serbench.worker.session import count, describe, prepare

REGION = "sb_counted_region"
"""The function around which every native harness lets an instruction counter be toggled."""
SLOWDOWN = 100
WARM_UP, WARM_UP_SMALL = 2, 20
"""Iterations; more for small data, where an allocator's tidying up once would outweigh the document."""
SMALL = 100_000
"""Bytes of tape and input, less than which are small data."""


class NotCountable(Failure):
    """Why a row has no count."""


class Counted(NamedTuple):
    """What was counted of a row, and of what."""

    instructions: float
    """The count for one iteration."""
    library_version: str
    """As the library reported it while it was counted: with the kernel that it chose there, if it says."""


def has_callgrind() -> bool:
    """Whether valgrind is installed."""
    return shutil.which("valgrind") is not None


def count_instructions(row: MeasurementTask, seed: Path, limits: Limits, iterations: int = 3) -> Counted:
    """Instructions of one iteration, as (count(2N) - count(N)) / N after a warm-up, N being `iterations`.

    `seed` is the library that makes random seeds the same in every launch. Raises NotCountable if valgrind or
    the worker fails, or the worker has no region to toggle.
    """
    with scratch() as folder:
        out = folder / "count"
        # A loader's list of libraries can have no space or colon in it, which the clone's path may have.
        preload = (shutil.copy(seed, folder), *row.preload)
        command = [
            *same_addresses(),
            "valgrind",
            "--quiet",
            "--tool=callgrind",
            "--collect-atstart=no",
            f"--toggle-collect={REGION}",
            f"--dump-after={REGION}",
            f"--callgrind-out-file={out}",
            *row.command,
        ]
        timeout = limits.on(row.data_bytes).timeout * SLOWDOWN
        slow = msgspec.structs.replace(limits, timeout=timeout)
        try:
            with Worker(command, limits=slow, preload=preload) as worker:
                version = describe(worker).library_version
                prepare(worker, row.tape, row.input, row.padding, True, row.messages, row.words, row.paths)
                warm_up = WARM_UP_SMALL if row.data_bytes < SMALL else WARM_UP
                for number in (warm_up, iterations, 2 * iterations):
                    count(worker, number, row.expected)
        except WorkerFailure as failure:
            raise NotCountable(failure.reason) from failure
        counts = [_total(out.with_name(f"{out.name}.{number}")) for number in (2, 3)]
    if counts[1] <= counts[0]:
        raise NotCountable(VARIES)
    return Counted((counts[1] - counts[0]) / iterations, version)


def _total(dump: Path) -> int:
    """The instructions of one dump of Callgrind's. Raises NotCountable if it is not there."""
    try:
        found = re.search(r"^(?:totals|summary): (\d+)", dump.read_text("utf-8", "replace"), re.MULTILINE)
    except OSError as error:
        raise NotCountable("the worker has no region that a counter can be toggled around") from error
    if found is None:
        raise NotCountable("Callgrind left no total")
    return int(found.group(1))
