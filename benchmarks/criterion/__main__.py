"""Three rows in Rust, timed by serbench and by criterion: python -m benchmarks.criterion [LAUNCHES].

The contenders' own sources are compiled with the crates and the options of their workers, against a harness
whose `run` hands the iteration to criterion (serbench.rs), which has the clock and the loop. Launches of both
are made in turn, on one processor. Compared are the medians of both tools, of chunks and of samples, by raw
time. Printed is their ratio with its 95 % interval over launches; the goal is 2 % at most. From the clone,
with PYTHONPATH=src, on a machine that does nothing else; Cargo fetches criterion by the lock beside it.
The exit status is 1 if a ratio misses the goal.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.precision.ground import Ground, Stored, catalog_with, deviation
from benchmarks.precision.records import percent
from harness.rust.build import PROFILES

from serbench.catalog.tests import Test
from serbench.errors import UserError
from serbench.measure.calibration import Calibration, MeasurementTask
from serbench.measure.launches import typical
from serbench.project import CACHE, ROOT
from serbench.provision.providers.crate import cargo_command
from serbench.provision.toolchain import need

ROWS: tuple[tuple[str, Test, str], ...] = (
    ("rust/serde_json", "tree", ""),
    ("rust/rmp-serde", "write", ""),
    ("rust/simd-json", "tree", "tape"),
)
DATA = "corpus:citm_catalog"
GOAL = 0.02
SECONDS = 1.0
"""Of a row in a launch, of serbench as of criterion."""
HERE = Path(__file__).resolve().parent


def build(target: Path) -> Path:
    """Compile criterion's programs below `target`; the folder with them, by the names of the contenders."""
    command = cargo_command(need(ROOT, CACHE, ["rust"], "rustc"), CACHE, {"CARGO_ENCODED_RUSTFLAGS": ""})
    command += ["build", "--locked", "--release", "--target-dir", str(target)]
    command += ["--manifest-path", str(HERE / "Cargo.toml")]
    for name, value in PROFILES["speed"].items():
        command += ["--config", f"profile.release.{name}={value}"]
    subprocess.run(command, check=True)
    return target / "release"


def criterion_ns(program: Path, test: Test, row: MeasurementTask, folder: Path) -> float:
    """The median of criterion's samples in one process, in nanoseconds an iteration. Raises UserError."""
    request = {"do": "prepare", "tape": str(row.tape), "padding": row.padding}
    request |= {"input": str(row.input)} if row.input else {}
    words = [str(program), test, json.dumps(request, ensure_ascii=False), row.expected, str(folder)]
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode != 0:
        raise UserError(f"criterion failed: {done.stderr.decode('utf-8', 'replace').strip()[-300:]}")
    estimates = json.loads((folder / "row" / "new" / "estimates.json").read_bytes())
    return float(estimates["median"]["point_estimate"])


def main() -> None:
    """Measure, print a line for each row, and judge."""
    launches = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    met = True
    with tempfile.TemporaryDirectory() as name:
        programs = build(CACHE / "criterion")
        ground, catalog = Ground(1, Path(name)), catalog_with()
        for contender, test, variant in ROWS:
            row = ground.row(catalog, contender, test, variant)
            (proven,) = ground.prove(catalog, [row], DATA)
            program = programs / row.contender.folder.name
            stored, calibration, theirs = Stored([proven]), Calibration(), []
            for _ in range(launches):
                ground.launch(stored, calibration, SECONDS)
                with ground.pinned():
                    theirs.append(criterion_ns(program, test, proven, Path(name)))
            ours = [typical(s for s in stored.samples if s.launch == launch) for launch in range(launches)]
            found = deviation(ours, theirs)
            met &= abs(found.value) <= GOAL
            interval = f"[{percent(found.low)}, {percent(found.high)}]"
            print(f"{row.id}: serbench over criterion, less 1: {percent(found.value)} {interval}", flush=True)
    print(f"goal: within {percent(GOAL, 0)}: {'met' if met else 'missed'}")
    sys.exit(not met)


if __name__ == "__main__":
    main()
