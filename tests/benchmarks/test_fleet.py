"""The fault trial in short: processes are really killed, and every unit counts once in its run file."""

import re
import subprocess
import sys

import pytest
from benchmarks.fleet_scale import time_to_finish

from serbench.fleet.wire import PART
from serbench.project import CACHE, ROOT
from serbench.provision.parts import find_part, is_present
from tests.conftest import command_environment

needs_part = pytest.mark.skipif(
    not is_present(ROOT, CACHE, find_part(ROOT, PART)), reason="Dask's library is not here"
)


def run(*words):
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.fleet", *words],
        env=command_environment(),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@needs_part
def test_no_unit_is_lost_or_counts_twice():
    said = run("faults", "--count", "16", "--seconds", "0.05", "--seed", "3")
    assert re.match(r"16 faults in \d+ s", said)
    assert re.search(r"^(\d+) runs with (\d+) units: all complete, each unit counted once$", said, re.M)


def test_units_go_to_the_first_machine_that_is_free():
    assert [time_to_finish([3.0, 1.0, 1.0, 1.0, 2.0], machines) for machines in (1, 2, 5, 50)] == [8, 5, 3, 3]
