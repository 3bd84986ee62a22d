"""Whatever a worker starts ends with it, however it hides."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from serbench.project import ROOT
from serbench.worker import child
from serbench.worker.process import WorkerFailure
from serbench.worker.session import describe, prepare, verify
from tests.conftest import command_environment
from tests.worker.test_process import NOWHERE, fake


def is_gone_now(process: int) -> bool:
    """Whether a process has ended; one that nobody has waited for yet has, too."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def is_gone(process: int) -> bool:
    """That a process has ended, which may take a moment after it was killed."""
    while not is_gone_now(process):
        time.sleep(0.01)
    return True


@pytest.mark.usefixtures("no_leaks")
@pytest.mark.parametrize("way", ["daemon", "family"])
def test_no_child_can_hide(way: str, tmp_path: Path):
    found, spared = tmp_path / "pid", tmp_path / "other"
    with (
        fake(f"prepare={way}", f"daemon={found}") as worker,
        fake("prepare=daemon", f"daemon={spared}") as other,
    ):
        for each in (worker, other):
            prepare(each, NOWHERE, None, 1)
        daemon = int(found.read_text())
        worker.close()
        assert is_gone(daemon)
        assert not is_gone_now(int(spared.read_text())) and describe(other).ok
    assert is_gone_now(int(spared.read_text()))


def test_a_child_of_a_worker_that_ended_by_itself_is_ended_too(tmp_path: Path):
    found = tmp_path / "pid"
    with fake("verify=daemon_and_leave", f"daemon={found}") as worker:
        verify(worker)
        assert worker.close(grace=10.0) == 0
    assert is_gone_now(int(found.read_text()))


ORCHESTRATOR = """import sys, time
from tests.worker.test_reaper import NOWHERE, fake, prepare
worker = fake("prepare=daemon", f"daemon={sys.argv[1]}")
prepare(worker, NOWHERE, None, 1)
print(worker._child.pid, flush=True)
time.sleep(600)
"""


def test_no_child_outlives_a_killed_orchestrator(tmp_path: Path):
    found = tmp_path / "pid"
    with subprocess.Popen(
        [sys.executable, "-c", ORCHESTRATOR, found],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=command_environment(),
    ) as orchestrator:
        worker = int(orchestrator.stdout.readline())
        daemon = int(found.read_text())
        assert not Path(f"/proc/{daemon}/environ").read_bytes()
        orchestrator.kill()
    assert is_gone(worker) and is_gone(daemon)


def test_after_the_reaper_was_killed_workers_are_gone_and_others_can_be_started():
    with fake() as worker:
        describe(worker)
        (reaper, _), *_ = child._reapers
        reaper.kill()
        reaper.wait()
        with pytest.raises(WorkerFailure):
            describe(worker)
        assert is_gone(worker._child.pid)
    with fake() as worker:
        assert describe(worker).ok
