"""Three rows in Go, timed by serbench and by `go test -bench`: python -m benchmarks.gotest [LAUNCHES].

The contenders' own sources are compiled with the modules and the options of their workers, and with a
benchmark (row_test.go); of the harness only `Run` is another (run.go), which hands the contender over.
Printed is the ratio of the means with its 95 % interval over launches, and what benchstat says of the same
times; the goal is 5 % at most. From the clone, with PYTHONPATH=src, on a machine that does nothing else; Go
fetches benchstat by the lock beside this file. The exit status is 1 if a ratio misses the goal.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from benchmarks.crosscheck import Both, Launch, cross_check, request

from serbench.catalog.records import Row
from serbench.catalog.tests import Test
from serbench.errors import UserError
from serbench.measure.calibration import MeasurementTask
from serbench.project import CACHE, ROOT
from serbench.provision.providers.gomod import go_command
from serbench.provision.toolchain import Toolchain, need

ROWS: tuple[tuple[str, Test, str], ...] = (
    ("go/encoding-json", "tree", ""),
    ("go/goccy-json", "write", ""),
    ("go/fastjson", "tree", ""),
)
GOAL = 0.05
SECONDS = 1.0
"""For a row in a launch, in serbench and in the other tool."""
HERE = Path(__file__).resolve().parent
HARNESS = ROOT / "harness/go/serbench"
RUN = "func Run("


def _tools() -> Toolchain:
    return need(ROOT, CACHE, ["go"], "go")


def _compile(row: Row, folder: Path) -> Path:
    """The contender's test program. Its sources are seen with ours beside them, and stay as they are."""
    worker = (HARNESS / "worker.go").read_text("utf-8")
    if worker.count(RUN) != 1:
        raise UserError("the harness has not one function Run")
    (folder / "worker.go").write_text(worker.replace(RUN, "func runWorker("), "utf-8")
    seen = {
        HARNESS / "worker.go": folder / "worker.go",
        HARNESS / "run.go": HERE / "run.go",
        row.contender.folder / "row_test.go": HERE / "row_test.go",
    }
    overlay, made = folder / "overlay.json", folder / f"{row.contender.folder.name}.test"
    overlay.write_text(json.dumps({"Replace": {str(to): str(of) for to, of in seen.items()}}), "utf-8")
    words = [*go_command(_tools(), CACHE, {"GOAMD64": "v1"}), "test", "-C", str(row.contender.folder)]
    words += ["-c", "-overlay", str(overlay), "-trimpath", "-ldflags=-s -w", "-o", str(made), "."]
    subprocess.run(words, check=True)
    return made


def prepare(row: Row, proven: MeasurementTask, folder: Path) -> Launch:
    """The test program of a row; its mean is what a launch gives."""
    words = [str(_compile(row, folder)), "-test.run=^$", "-test.bench=Row", "-test.cpu=1"]
    words.append(f"-test.benchtime={SECONDS}s")
    given = {"SERBENCH_TEST": row.test, "SERBENCH_REQUEST": request(proven), "SERBENCH_HASH": proven.expected}

    def launch() -> tuple[float, None]:
        done = subprocess.run(words, env=os.environ | given, capture_output=True, text=True, check=False)
        found = re.search(r"^BenchmarkRow\s+\d+\s+([\d.]+) ns/op", done.stdout, re.MULTILINE)
        if done.returncode != 0 or found is None:
            raise UserError(f"go test failed: {(done.stdout + done.stderr).strip()[-300:]}")
        return float(found[1]), None

    return launch


def benchstat(found: Mapping[str, Both]) -> None:
    """Print benchstat's table of both tools' times."""
    with tempfile.TemporaryDirectory() as name:
        files = [Path(name) / "go-test", Path(name) / "serbench"]
        for file, side in zip(files, ("theirs", "ours"), strict=True):
            lines = [
                f"Benchmark{row} 1 {time:.1f} ns/op\n"
                for row, both in found.items()
                for time in getattr(both, side)
            ]
            file.write_text("".join(lines), "utf-8")
        go = go_command(_tools(), CACHE, {}, online=True)
        subprocess.run([*go, "tool", "-C", str(HERE), "benchstat", *map(str, files)], check=True)


if __name__ == "__main__":
    rows, met = cross_check("go test", ROWS, prepare, goal=GOAL, seconds=SECONDS)
    benchstat(rows)
    sys.exit(not met)
