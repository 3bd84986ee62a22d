"""Three rows in Python, timed by serbench and by pyperf: python -m benchmarks.pyperf [LAUNCHES].

In one process pyperf times the same iterations, by its own clock, calibration and loop. Printed are the
ratios of the means with 95 % intervals over launches; the goal is 3 % at most, in one process. From the
clone, with PYTHONPATH=src, on a machine that does nothing else; pyperf is fetched by the lock beside this
file. The exit status is 1 if a ratio misses the goal.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.crosscheck import Launch, cross_check

from serbench.catalog.records import Row
from serbench.catalog.tests import Test
from serbench.measure.calibration import MeasurementTask
from serbench.project import CACHE, ROOT
from serbench.provision.providers.pypi import install

ROWS: tuple[tuple[str, Test, str], ...] = (
    ("python/json", "tree", ""),
    ("python/orjson", "tree", ""),
    ("python/msgpack", "write", ""),
)
GOAL = 0.03
SECONDS = 0.5
"""For a row in a launch of serbench."""
HERE = Path(__file__).resolve().parent


def _task(row: Row, proven: MeasurementTask, chunks: Path) -> tuple[str, str]:
    """The interpreter of a row, and what task.py is given of its worker's command."""
    command = list(proven.command)
    place = next(number for number, word in enumerate(command) if word.endswith("worker.py"))
    core, module, test, _gc, packages, _name = command[place + 1 :]
    given = {"core": core, "module": module, "test": test, "packages": packages, "root": str(ROOT)}
    given |= {"tape": str(proven.tape), "input": str(proven.input or ""), "expected": proven.expected}
    return command[0], json.dumps(given | {"name": row.id, "chunks": str(chunks)})


def prepare(row: Row, proven: MeasurementTask, folder: Path) -> Launch:
    """The program of a row; a launch gives the means of one process, by pyperf and of chunks."""
    chunks, output = folder / "chunks.json", folder / "pyperf.json"
    interpreter, task = _task(row, proven, chunks)
    words = ["--processes", "1", "--values", "5", "--warmups", "1", "--quiet", "--output", str(output)]
    words += ["--inherit-environ", "SERBENCH_TASK,PYTHONPATH"]
    environment = os.environ | {"SERBENCH_TASK": task, "PYTHONPATH": str(install(HERE, CACHE))}

    def launch() -> tuple[float, float]:
        output.unlink(missing_ok=True)
        subprocess.run([interpreter, str(HERE / "task.py"), *words], env=environment, check=True)
        (benchmark,) = json.loads(output.read_bytes())["benchmarks"]
        values = [value for run in benchmark["runs"] for value in run.get("values", [])]
        return sum(values) / len(values) * 1e9, float(json.loads(chunks.read_bytes()))

    return launch


if __name__ == "__main__":
    sys.exit(not cross_check("pyperf", ROWS, prepare, goal=GOAL, seconds=SECONDS)[1])
