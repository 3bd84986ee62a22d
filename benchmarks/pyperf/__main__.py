"""Three rows in Python, timed by serbench and by pyperf: python -m benchmarks.pyperf [LAUNCHES].

Launches of both are made in turn, on one processor. In one process pyperf times the same iterations, by its
own clock, calibration and loop. Printed is the ratio of the means with its 95 % interval over launches; the
goal is 3 % at most. From the clone, with PYTHONPATH=src, on a machine that does nothing else; pyperf is
fetched by the lock beside this file. The exit status is 1 if a ratio misses the goal.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.precision.ground import Ground, Stored, catalog_with, deviation
from benchmarks.precision.records import percent

from serbench.catalog.records import Row
from serbench.measure.calibration import Calibration, MeasurementTask
from serbench.project import CACHE, ROOT
from serbench.provision.providers.pypi import install

ROWS = (("python/json", "tree"), ("python/orjson", "tree"), ("python/msgpack", "write"))
DATA = "corpus:citm_catalog"
GOAL = 0.03
SECONDS = 0.5
"""Of a row in a launch of serbench."""
HERE = Path(__file__).resolve().parent


def _task(row: Row, proven: MeasurementTask) -> tuple[str, str]:
    """The interpreter of a row, and what task.py is given of its worker's command."""
    command = list(proven.command)
    place = next(number for number, word in enumerate(command) if word.endswith("worker.py"))
    core, module, test, _gc, packages, _name = command[place + 1 :]
    given = {"core": core, "module": module, "test": test, "packages": packages, "root": str(ROOT)}
    given |= {"tape": str(proven.tape), "input": str(proven.input or ""), "expected": proven.expected}
    return command[0], json.dumps(given | {"name": row.id})


def pyperf_ns(interpreter: str, task: str, folder: Path, cpu: int | None) -> float:
    """The mean of one process of pyperf, in nanoseconds an iteration."""
    output = folder / "pyperf.json"
    output.unlink(missing_ok=True)
    words = ["--processes", "1", "--values", "5", "--warmups", "1", "--quiet", "--output", str(output)]
    words += ["--inherit-environ", "SERBENCH_TASK,PYTHONPATH"]
    if cpu is not None:
        words += ["--affinity", str(cpu)]
    environment = os.environ | {"SERBENCH_TASK": task, "PYTHONPATH": str(install(HERE, CACHE))}
    subprocess.run([interpreter, str(HERE / "task.py"), *words], env=environment, check=True)
    (benchmark,) = json.loads(output.read_bytes())["benchmarks"]
    values = [value for run in benchmark["runs"] for value in run.get("values", [])]
    return sum(values) / len(values) * 1e9


def main() -> None:
    """Measure, print a line for each row, and judge."""
    launches = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    met = True
    with tempfile.TemporaryDirectory() as name:
        ground, catalog = Ground(1, Path(name)), catalog_with()
        for contender, test in ROWS:
            row = ground.row(catalog, contender, test)
            (proven,) = ground.prove(catalog, [row], DATA)
            interpreter, task = _task(row, proven)
            stored, calibration, theirs = Stored([proven]), Calibration(), []
            for _ in range(launches):
                ground.launch(stored, calibration, SECONDS)
                theirs.append(pyperf_ns(interpreter, task, Path(name), ground.cpu))
            figures = stored.figures()[proven.id].raw
            found = deviation([figures[launch] for launch in sorted(figures)], theirs)
            met &= abs(found.value) <= GOAL
            interval = f"[{percent(found.low)}, {percent(found.high)}]"
            print(f"{row.id}: serbench over pyperf, less 1: {percent(found.value)} {interval}")
    print(f"goal: within {percent(GOAL, 0)}: {'met' if met else 'missed'}")
    sys.exit(not met)


if __name__ == "__main__":
    main()
