"""Instructions per iteration of a worker in QEMU's user mode, by the plugin that firmware is counted with."""

import re
from pathlib import Path
from typing import NamedTuple

import msgspec

from serbench.files import scratch
from serbench.measure.calibration import MeasurementTask
from serbench.measure.instructions import REGION, SLOWDOWN, NotCountable
from serbench.platforms.counting import addresses
from serbench.worker.process import Limits, Worker, WorkerFailure
from serbench.worker.session import count, prepare

END = "sb_counted_end"
"""The function that the harness calls behind the region."""
ITERATIONS = 3
MOST_REGIONS = 12
"""How often a worker is given the chance to settle."""


class EmulatedCount(NamedTuple):
    """Instructions of one iteration, and whether two counts before were the same."""

    instructions: float
    settled: bool


def count_emulated(row: MeasurementTask, plugin: Path, nm: str, limits: Limits) -> EmulatedCount:
    """Instructions of one iteration, as (count(2N) - count(N)) / N, N being ITERATIONS.

    Before that, N iterations are counted until two such counts are the same: an allocator takes a few calls
    to settle. The row's command is an emulator's with the program last; `nm` knows the program's symbols.
    Raises NotCountable if the worker fails or the plugin saw other regions than it should.
    """
    *emulator, program = row.command
    begin, end = addresses(Path(program), nm, (REGION, END))
    with scratch() as folder:
        report = folder / "regions"
        words = f"{plugin},begin=0x{begin},end=0x{end},to={report}"
        # All limits but the time: counting is slow, and takes no more memory than proving.
        slow = msgspec.structs.replace(limits, timeout=limits.on(row.data_bytes).timeout * SLOWDOWN)
        try:
            with Worker([*emulator, "-plugin", words, program], limits=slow) as worker:
                prepare(worker, row.tape, row.input, row.padding, True, row.messages, row.words, row.paths)
                counts: list[int] = []
                while len(counts) < 2 or (counts[-1] != counts[-2] and len(counts) < MOST_REGIONS):
                    count(worker, ITERATIONS, row.expected)
                    counts = _regions(report, len(counts) + 1)
                count(worker, 2 * ITERATIONS, row.expected)
                twice = _regions(report, len(counts) + 1)[-1]
        except WorkerFailure as failure:
            raise NotCountable(failure.reason) from failure
    return EmulatedCount((twice - counts[-1]) / ITERATIONS, counts[-1] == counts[-2])


def _regions(report: Path, wanted: int) -> list[int]:
    """The counts so far, each written as its region ended. Raises NotCountable if they are not `wanted`."""
    said = report.read_text("ascii") if report.exists() else ""
    counts = [int(number) for number in re.findall(r"^region (\d+)$", said, re.MULTILINE)]
    if len(counts) != wanted:
        raise NotCountable(f"the counter saw {len(counts)} regions where there are {wanted}")
    return counts
