"""Instructions per iteration of a worker in QEMU's user mode, by the plugin that firmware is counted with."""

import re
import tempfile
from pathlib import Path

from serbench.measure.instructions import REGION, SLOWDOWN, WARM_UP, NotCountable
from serbench.measure.turns import Measured
from serbench.provision.process import run
from serbench.worker.process import Limits, Worker, WorkerFailure
from serbench.worker.session import count, prepare

END = "sb_counted_end"
"""The function that the harness calls behind the region."""


def count_emulated(row: Measured, plugin: Path, nm: str, limits: Limits, iterations: int = 3) -> float:
    """Instructions of one iteration, as (count(2N) - count(N)) / N after a warm-up, N being `iterations`.

    The row's command is an emulator's with the program last; `nm` knows the program's symbols. Raises
    NotCountable if the worker fails or the plugin saw other regions than it should.
    """
    *emulator, program = row.command
    addresses = _addresses(Path(program), nm)
    with tempfile.TemporaryDirectory(prefix="serbench-") as folder:
        report = Path(folder) / "regions"
        words = f"{plugin},begin=0x{addresses[REGION]},end=0x{addresses[END]},to={report}"
        slow = Limits(timeout=limits.timeout * SLOWDOWN)
        try:
            with Worker([*emulator, "-plugin", words, program], limits=slow) as worker:
                prepare(worker, row.tape, row.input, row.padding, messages=row.messages)
                for number in (WARM_UP, iterations, 2 * iterations):
                    count(worker, number, row.expected)
        except WorkerFailure as failure:
            raise NotCountable(failure.reason) from failure
        said = report.read_text("ascii") if report.exists() else ""
    counts = [int(number) for number in re.findall(r"^region (\d+)$", said, re.MULTILINE)]
    if len(counts) != 3:
        raise NotCountable(f"the counter saw {len(counts)} regions where there are 3")
    return (counts[2] - counts[1]) / iterations


def _addresses(program: Path, nm: str) -> dict[str, str]:
    """The addresses of the two functions, hexadecimal. Raises NotCountable if one is not there."""
    found = {
        words[2]: words[0]
        for line in run([nm, program]).output.splitlines()
        if len(words := line.split()) == 3 and words[2] in (REGION, END)
    }
    if len(found) != 2:
        raise NotCountable(f"{nm} finds no region to count in {program.name}")
    return found
