"""How long one step of the busy loop takes, found without the harness."""

import os
import subprocess
from pathlib import Path

from serbench.build.compilers import find_compilers
from serbench.errors import UserError

HERE = Path(__file__).resolve().parent


def build_calibrator(folder: Path) -> Path:
    """Compile calibrate.c. Raises UserError if that fails."""
    program = folder / "calibrate"
    command = [find_compilers().c, "-std=gnu11", "-O3", str(HERE / "calibrate.c"), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"calibrate.c cannot be compiled: {done.stderr.strip()}")
    return program


def step_ns(calibrator: Path, cpu: int | None) -> float:
    """Return the nanoseconds of one step, now, on the processor that is measured on."""
    before = os.sched_getaffinity(0)
    try:
        if cpu is not None:
            os.sched_setaffinity(0, {cpu})
        said = subprocess.run([str(calibrator)], capture_output=True, text=True, check=True).stdout
    finally:
        os.sched_setaffinity(0, before)
    return float(said)
