"""How long one step of the busy loop takes, found without the harness."""

import os
import subprocess
from pathlib import Path

from harness.c.build.compilers import find_compilers

from serbench.errors import UserError

HERE = Path(__file__).resolve().parent
STEPS, THREES = 700_000, 19
"""About a millisecond, as the harness's shortest chunks, and about as many as a launch has in part a."""


def build_calibrator(folder: Path) -> Path:
    """Compile calibrate.c. Raises UserError if that fails."""
    program = folder / "calibrate"
    command = [find_compilers().c, "-std=gnu11", "-O3", str(HERE / "calibrate.c"), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"calibrate.c cannot be compiled: {done.stderr.strip()}")
    return program


def step_ns(calibrator: Path, cpu: int | None, steps: int = STEPS, threes: int = THREES) -> float:
    """Return the nanoseconds of one step, now, on the processor that is measured on.

    By batches of so many `steps`: the median of the shortest of so many `threes`.
    """
    before = os.sched_getaffinity(0)
    try:
        if cpu is not None:
            os.sched_setaffinity(0, {cpu})
        command = [str(calibrator), str(steps), str(threes)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    finally:
        os.sched_setaffinity(0, before)
    return float(said)
