"""A worker may do anything: each misbehaviour has its reason, ends, and leaves nothing behind."""

import json
import os
import signal
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from serbench.worker import conversation
from serbench.worker.process import Described, Limits, Reply, Worker, WorkerFailure
from serbench.worker.session import describe, heap, prepare, sample, verify
from tests.conftest import children

pytestmark = pytest.mark.usefixtures("no_leaks")

SCRIPT = Path(__file__).with_name("fake_worker.py")
NOWHERE = Path("no.tape")


def fake(*options: str, timeout: float = 20.0, memory: int | None = None) -> Worker:
    command = [sys.executable, "-S", "-E", str(SCRIPT), *options]
    return Worker(command, limits=Limits(timeout=timeout, memory_bytes=memory))


def failure_of(*options: str, timeout: float = 20.0) -> WorkerFailure:
    """What comes of a whole conversation with such a worker."""
    with pytest.raises(WorkerFailure) as caught, fake(*options, timeout=timeout) as worker:
        describe(worker)
        prepare(worker, NOWHERE, None, 1)
        verify(worker)
        sample(worker, 10, 3, 1)
    return caught.value


def test_a_good_worker_is_understood():
    with fake("ns=500", "hash=12345678") as worker:
        assert describe(worker).library_version == "9"
        prepare(worker, NOWHERE, Path("in"), 4)
        assert verify(worker).exact_hash == "12345678"
        sampled = sample(worker, 10, 3, 1)
        assert (sampled.wall, sampled.cpu, sampled.hash) == ([5000] * 3, [5000] * 3, "12345678")
        assert heap(worker).peak == 60
    assert worker.close() == 0
    assert worker.max_rss > 1 << 20


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("describe=half", "ended in the middle of an answer, with status 0"),
        ("describe=garbage", "answered garbage: 'hello from the library'"),
        ("describe=binary", "answered garbage: '��\\x00'"),
        ("describe=shape", 'answered garbage: \'{"ok": true, "wall": "soon", '),
        ("describe=listed", "answered garbage: '[1, 2, 3]'"),
        ("describe=deep", 'answered garbage: \'{"ok":true,"more":[[['),
        ("describe=version", "speaks protocol 7, not 1"),
        ("describe=leave", "ended without an answer, with status 3"),
        ("describe=crash", "was ended by SIGSEGV"),
        ("describe=offspring", "ended without an answer, with status 0"),
        ("describe=close_output", "closed its standard output or input, but kept running"),
        ("prepare=refuse", "out of cheese"),
        ("prepare=refuse_silently", "refused without a reason"),
        ("verify=refuse", "out of cheese"),
        ("verify=shape", "answered garbage"),
        ("sample=shape", "answered garbage"),
        ("sample=huge", "answered garbage"),
        ("sample=negative", "reported a negative time"),
        ("sample=few_chunks", "timed 1 chunks where 3 were asked for"),
        ("sample=crash", "was ended by SIGSEGV"),
    ],
)
def test_every_misbehaviour_has_its_reason(options: str, reason: str):
    assert failure_of(options).reason.startswith(reason)


def test_a_silent_worker_is_ended_in_time():
    failure = failure_of("verify=silent", timeout=0.5)
    assert failure.reason == "did not answer within 0.5 s"


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch):
    """A worker that is waited for, by a clock and a use of the processor that the test sets."""
    worker = SimpleNamespace(limits=Limits(patience=10), processor_seconds=1.0, clock=100.0)
    monkeypatch.setattr(conversation, "time", SimpleNamespace(monotonic=lambda: worker.clock))
    return worker


def test_a_worker_that_has_the_processor_is_given_its_time_and_no_more(waiting):
    patience = conversation._Patience(waiting, 0.5, waiting.limits.patience)
    assert patience.left() == pytest.approx(0.5)
    waiting.clock, waiting.processor_seconds = 100.5, 1.5
    assert patience.left() <= 0


def test_one_that_waits_for_the_processor_is_given_longer(waiting):
    patience = conversation._Patience(waiting, 0.5, waiting.limits.patience)
    waiting.clock, waiting.processor_seconds = 100.5, 1.1
    assert patience.left() == pytest.approx(0.4)
    waiting.clock, waiting.processor_seconds = 104.9, 1.1
    assert 0 < patience.left() == pytest.approx(0.1)
    waiting.clock = 105.0
    assert patience.left() <= 0


def test_nobody_is_given_longer_without_patience(waiting):
    waiting.limits = Limits(patience=1)
    patience = conversation._Patience(waiting, 0.5, waiting.limits.patience)
    waiting.clock = 100.5
    assert patience.left() <= 0


def test_a_busy_worker_is_ended_although_patience_is_left():
    script = "import sys\nfor line in sys.stdin:\n while True: pass"
    limits = Limits(timeout=0.2, patience=100)
    with (
        Worker([sys.executable, "-S", "-c", script], limits=limits) as worker,
        pytest.raises(WorkerFailure, match=r"^did not answer within 0\.2 s$"),
    ):
        worker.ask(Reply, do="anything")


def test_the_last_words_are_kept():
    assert failure_of("verify=leave").output == "these are my last words"
    assert failure_of("verify=crash").output == "about to crash"


def test_whatever_a_worker_says_of_itself_is_cut():
    with fake("describe=long_version") as worker:
        said = describe(worker).library_version
    assert said.startswith("1.2.3 1.2.3") and said.endswith("characters more") and len(said) < 2050


def test_a_long_reason_is_cut():
    reason = failure_of("prepare=long_refusal").reason
    assert reason.startswith("cheese cheese") and reason.endswith("characters more")
    assert len(reason) < 2050


def test_floods_are_stopped(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(conversation, "MAX_REPLY", 1 << 20)
    monkeypatch.setattr(conversation, "MAX_NOISE", 1 << 20)
    assert failure_of("verify=flood").reason == "flooded its standard output"
    noisy = failure_of("verify=flood_errors")
    assert noisy.reason == "flooded its standard error"
    assert noisy.output == "y" * conversation.KEPT_NOISE


def test_noise_within_bounds_is_no_failure():
    script = (
        "import sys\nfor line in sys.stdin:\n sys.stderr.write('w' * 300000)\n"
        " print('{\"ok\":true}', flush=True)"
    )
    with Worker([sys.executable, "-S", "-c", script]) as worker:
        for _ in range(3):
            worker.ask(Reply, do="anything")
    assert worker.noise == "w" * conversation.KEPT_NOISE


def test_a_program_that_is_not_there():
    with pytest.raises(WorkerFailure) as caught, Worker(["/no/such/program"]) as worker:
        describe(worker)
    assert "/no/such/program" in caught.value.reason + caught.value.output


def _group_is_gone(group: int) -> bool:
    """Whether no process of the group is left alive; a killed one may take a moment to go."""
    for _ in range(500):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("options", ["verify=offspring", "verify=silent", "verify=close_output"])
def test_no_descendant_survives(options: str):
    worker = fake(options, timeout=0.5)
    group = worker._child.pid
    with pytest.raises(WorkerFailure), worker:
        describe(worker)
        verify(worker)
    assert group not in children()
    assert _group_is_gone(group)


def test_limits_hold():
    script = (
        "import json, resource, sys, time\nfor line in sys.stdin: print(json.dumps({'ok': True, 'language': "
        "json.dumps([resource.getrlimit(getattr(resource, 'RLIMIT_' + name)) for name in "
        "('CORE', 'DATA', 'FSIZE')])}), flush=True)"
    )
    limits = Limits(memory_bytes=800 << 20)
    with Worker([sys.executable, "-S", "-c", script], limits=limits) as worker:
        core, data, size = json.loads(worker.ask(Described, do="describe").language)
    assert (core, data, size) == ([0, 0], [800 << 20] * 2, [8 << 30] * 2)


def test_leaving_the_block_on_an_error_ends_the_worker():
    worker = fake("verify=silent")
    with pytest.raises(ZeroDivisionError), worker:
        describe(worker)
        raise ZeroDivisionError
    assert worker.close() in (0, -signal.SIGKILL)  # its input has ended too, so it may be quicker
    assert _group_is_gone(worker._child.pid)


def test_a_child_that_left_the_group_cannot_hold_the_orchestrator_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(conversation, "MAX_NOISE", 1 << 20)
    with pytest.raises(WorkerFailure) as caught, fake("describe=noisy_daemon") as worker:
        describe(worker)
    assert "ended" in caught.value.reason or "flooded" in caught.value.reason


def test_the_memory_limit_holds():
    script = "import sys\nsys.stdin.readline()\nx = bytearray(400 << 20)\nprint('{\"ok\":true}', flush=True)"
    command = [sys.executable, "-S", "-c", script]
    with pytest.raises(WorkerFailure) as caught, Worker(command, limits=Limits(memory_bytes=200 << 20)) as w:
        w.ask(Reply, do="anything")
    assert caught.value.reason == "ended without an answer, with status 1"
    assert "MemoryError" in caught.value.output
    with Worker(command, limits=Limits(memory_bytes=800 << 20)) as worker:
        worker.ask(Reply, do="anything")


def test_a_worker_is_pinned_and_knows_nothing_of_the_environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SECRET", "x" * 100)
    cpu = max(os.sched_getaffinity(0))
    script = (
        "import json, os, sys\nfor line in sys.stdin: print(json.dumps({'ok': True, 'language': "
        "json.dumps([sorted(os.environ), sorted(os.sched_getaffinity(0))])}), flush=True)"
    )
    with Worker([sys.executable, "-S", "-c", script], cpu=cpu) as worker:
        said = worker.ask(Described, do="describe").language
    assert said == f'[["LC_ALL", "PATH"], [{cpu}]]'


def test_many_workers_leave_no_file_open():
    # The fixture counts open files and children before and after.
    for number in range(50):
        options = [["describe=crash"], ["describe=half"], []][number % 3]
        with fake(*options) as worker:
            if options:
                with pytest.raises(WorkerFailure):
                    describe(worker)
            else:
                describe(worker)
