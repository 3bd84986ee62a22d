"""Three rows in Java, timed by serbench and by JMH: python -m benchmarks.jmh [LAUNCHES].

JMH has the clock, the loop and the warm-up, in a process with the machine and the options of the worker
(Timed.java). Printed is the ratio of the means with its 95 % interval over launches; the goal is 5 % at most.
From the clone, with PYTHONPATH=src, on a machine that does nothing else; Maven fetches JMH by the lock beside
this file. The exit status is 1 if a ratio misses the goal.
"""

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.crosscheck import Launch, cross_check, request
from harness.java.build import RELEASE

from serbench.catalog.records import Row
from serbench.catalog.tests import Test
from serbench.errors import UserError
from serbench.measure.calibration import MeasurementTask
from serbench.project import CACHE, ROOT
from serbench.provision.providers.maven import fetch, jars

ROWS: tuple[tuple[str, Test, str], ...] = (
    ("java/jackson", "tree", ""),
    ("java/gson", "incremental", ""),
    ("java/msgpack-core", "write", ""),
)
GOAL = 0.05
SECONDS = 2.0
"""For a row in a launch of serbench, after its warm-up."""
HERE = Path(__file__).resolve().parent


def _compile(java: str, path: str, folder: Path) -> Path:
    """The classes of Timed.java and of what JMH generates for it."""
    compiler, processor = jars(ROOT / "harness" / "java", CACHE), ":".join(map(str, jars(HERE, CACHE)))
    made, sources = folder / "classes", folder / "sources"
    sources.mkdir(exist_ok=True)
    words = [java, "-jar", *map(str, compiler), f"-{RELEASE}", "-nowarn", "-encoding", "UTF-8"]
    words += ["-cp", f"{path}:{processor}", "-processorpath", processor]
    words += ["-d", str(made), "-s", str(sources)]
    subprocess.run([*words, str(HERE / "serbench")], check=True)
    return made


def prepare(row: Row, proven: MeasurementTask, folder: Path) -> Launch:
    """JMH's program of a row; its mean over the measured iterations is what a launch gives."""
    command = list(proven.command)
    place = command.index("-cp")
    path, main = command[place + 1], command.index("Main")
    fetch(HERE, CACHE)
    made = _compile(command[0], path, folder)
    command[place + 1] = ":".join([str(made), path, *map(str, jars(HERE, CACHE))])
    output = folder / "jmh.json"
    words = [*command[:main], "serbench.Timed", row.test, request(proven), proven.expected, str(output)]

    def launch() -> tuple[float, None]:
        output.unlink(missing_ok=True)
        done = subprocess.run(words, capture_output=True, check=False)
        if done.returncode != 0:
            raise UserError(f"JMH failed: {done.stderr.decode('utf-8', 'replace').strip()[-300:]}")
        (benchmark,) = json.loads(output.read_bytes())
        return float(benchmark["primaryMetric"]["score"]), None

    return launch


if __name__ == "__main__":
    sys.exit(not cross_check("JMH", ROWS, prepare, goal=GOAL, seconds=SECONDS)[1])
