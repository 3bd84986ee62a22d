"""Three rows in Rust, timed by serbench and by criterion: python -m benchmarks.criterion [LAUNCHES].

The contenders' own sources are compiled with the crates and the options of their workers, against a harness
whose `run` hands the iteration to criterion (serbench.rs), which has the clock and the loop. Compared are the
medians of both tools, of chunks and of samples, by raw time. Printed are their ratios with 95 % intervals
over launches; the goal is 2 % at most, in one process. From the clone, with PYTHONPATH=src, on a machine that
does nothing else; Cargo fetches criterion by the lock beside it. The exit status is 1 if a ratio misses it.
"""

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.crosscheck import Launch, cross_check, request
from harness.rust.build import PROFILES

from serbench.catalog.records import Row
from serbench.catalog.tests import Test
from serbench.errors import UserError
from serbench.measure.calibration import MeasurementTask
from serbench.project import CACHE, ROOT
from serbench.provision.providers.crate import cargo_command
from serbench.provision.toolchain import need

ROWS: tuple[tuple[str, Test, str], ...] = (
    ("rust/serde_json", "write", ""),
    ("rust/rmp-serde", "write", ""),
    ("rust/simd-json", "tree", "tape"),
)
GOAL = 0.02
SECONDS = 1.0
"""For a row in a launch, in serbench and in criterion."""
HERE = Path(__file__).resolve().parent
TARGET = CACHE / "criterion"


def build() -> None:
    """Compile criterion's programs below TARGET, by the names of the contenders."""
    command = cargo_command(need(ROOT, CACHE, ["rust"], "rustc"), CACHE, {"CARGO_ENCODED_RUSTFLAGS": ""})
    command += ["build", "--locked", "--release", "--target-dir", str(TARGET)]
    command += ["--manifest-path", str(HERE / "Cargo.toml")]
    for name, value in PROFILES["speed"].items():
        command += ["--config", f"profile.release.{name}={value}"]
    subprocess.run(command, check=True)


def prepare(row: Row, proven: MeasurementTask, folder: Path) -> Launch:
    """The program of a row; a launch gives the medians of criterion's samples and of chunks."""
    program = TARGET / "release" / row.contender.folder.name
    words = [str(program), row.test, request(proven), proven.expected, str(folder)]

    def launch() -> tuple[float, float]:
        done = subprocess.run(words, capture_output=True, check=False)
        if done.returncode != 0:
            raise UserError(f"criterion failed: {done.stderr.decode('utf-8', 'replace').strip()[-300:]}")
        estimates = json.loads((folder / "row" / "row" / "new" / "estimates.json").read_bytes())
        return float(estimates["median"]["point_estimate"]), float(done.stderr.split()[-1])

    return launch


if __name__ == "__main__":
    build()
    sys.exit(not cross_check("criterion", ROWS, prepare, goal=GOAL, seconds=SECONDS, medians=True)[1])
