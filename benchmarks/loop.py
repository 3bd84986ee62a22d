"""The harness's own cost: nanoseconds per iteration around a call that does nothing. Goal: under 5 ns.

PYTHONPATH=src .venv/bin/python benchmarks/loop.py
"""

import json
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "harness/c/src"


def main() -> None:
    """Build loop.c with the profile speed, run it five times, and print the best."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "loop"
        files = [ROOT / "benchmarks/loop.c", SOURCE / "clock.c"]
        flags = ["-std=gnu11", "-O3", "-flto", f"-I{SOURCE}"]
        subprocess.run(["gcc", *flags, *map(str, files), "-o", str(program)], check=True)
        runs = [json.loads(subprocess.check_output([str(program)])) for _ in range(5)]
    best = min(run["ns_per_iteration"] for run in runs)
    clock = min(run["ns_per_clock_pair"] for run in runs)
    print(f"loop: {best:.2f} ns per iteration (goal: under 5); two clock readings: {clock:.0f} ns")


if __name__ == "__main__":
    main()
