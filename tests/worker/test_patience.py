"""A timeout counts what a process does with its time, and not what it waits for a processor."""

import os
import subprocess
import sys

import pytest

from serbench.worker import patience
from serbench.worker.patience import Patience, queued


class Machine:
    """A clock, and how long the threads of a process have waited for a processor, which the test sets."""

    def __init__(self) -> None:
        self.now = 100.0
        self.threads: dict[str, float] = {"1": 7.0, "2": 3.0}

    def monotonic(self) -> float:
        return self.now

    def queued(self, _process: int) -> dict[str, int]:
        return {name: round(seconds * 1e9) for name, seconds in self.threads.items()}


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine()
    monkeypatch.setattr(patience, "time", made)
    monkeypatch.setattr(patience, "queued", made.queued)
    return made


def passed(machine: Machine, waiting: Patience) -> float:
    """The seconds until the time is up, if nothing changes."""
    start = machine.now
    while (left := waiting.left()) > 0:
        machine.now += left
    return machine.now - start


def test_without_waiting_a_timeout_is_one_of_the_clock(machine: Machine):
    assert passed(machine, Patience(1, 5.0)) == pytest.approx(5.0)


def test_what_a_thread_waits_for_a_processor_does_not_count(machine: Machine):
    waiting = Patience(1, 5.0)
    machine.now += waiting.left()
    assert waiting.left() > 0  # the first look
    machine.threads = {"1": 8.0, "2": 5.0, "3": 0.5}  # two at the same time count once, and new ones from 0
    assert passed(machine, waiting) == pytest.approx(4.5 + 2.0)


def test_one_that_hardly_gets_a_processor_is_waited_for_until_it_had_its_time(machine: Machine):
    waiting, start = Patience(1, 5.0), machine.now
    while (left := waiting.left()) > 0:
        machine.now += left
        machine.threads["1"] += 0.9 * left
    assert 40.0 < machine.now - start < 51.0


def test_threads_that_have_ended_are_nothing(machine: Machine):
    waiting = Patience(1, 5.0)
    machine.now += waiting.left()
    assert waiting.left() > 0
    machine.threads = {}
    assert passed(machine, waiting) == pytest.approx(4.5)


def test_linux_says_how_long_threads_wait():
    """Two that want the same processor all the time wait for each other."""
    cpu = str(min(os.sched_getaffinity(0)))
    script = f"import os\nos.sched_setaffinity(0, [{cpu}])\nprint(flush=True)\nwhile True: pass"
    busy = [subprocess.Popen([sys.executable, "-S", "-c", script], stdout=subprocess.PIPE) for _ in range(2)]
    try:
        for process in busy:
            process.stdout.readline()
        before = [queued(process.pid) for process in busy]
        assert all(str(process.pid) in told for process, told in zip(busy, before, strict=True))
        while any(
            queued(p.pid)[str(p.pid)] <= told[str(p.pid)] for p, told in zip(busy, before, strict=True)
        ):
            os.sched_yield()
    finally:
        for process in busy:
            process.kill()
            process.communicate()
    assert queued(busy[0].pid) == {}
