"""A worker may do anything: each misbehaviour has its reason, ends, and leaves nothing behind."""

import contextlib
import json
import os
import signal
import sys
from pathlib import Path

import pytest

from serbench.worker import conversation
from serbench.worker.process import Described, Limits, Reply, Worker, WorkerFailure
from serbench.worker.session import describe, heap, prepare, sample, verify
from tests.conftest import LIMITS, children

pytestmark = pytest.mark.usefixtures("no_leaks")

SCRIPT = Path(__file__).with_name("fake_worker.py")
NOWHERE = Path("no.tape")


def fake(*options: str) -> Worker:
    return Worker([sys.executable, "-S", "-E", str(SCRIPT), *options], limits=LIMITS)


def failure_of(*options: str) -> WorkerFailure:
    """What comes of a whole conversation with such a worker."""
    with pytest.raises(WorkerFailure) as caught, fake(*options) as worker:
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
def test_every_misbehaviour_has_its_reason(options: str, reason: str, monkeypatch: pytest.MonkeyPatch):
    if "kept running" in reason:
        monkeypatch.setattr(conversation, "ENDING", 0.2)
    assert failure_of(options).reason.startswith(reason)


def hanging(*options: str) -> Worker:
    """Such a worker after `describe`, of which nobody will wait long for another answer."""
    worker = fake(*options)
    describe(worker)
    worker.limits = Limits(timeout=0.2)
    return worker


def test_a_silent_worker_is_ended_in_time():
    with hanging("verify=silent") as worker, pytest.raises(WorkerFailure) as caught:
        verify(worker)
    assert caught.value.reason == "did not answer within 0.2 s"


def test_a_busy_worker_is_ended_too():
    script = "import sys\nfor line in sys.stdin:\n while True: pass"
    with (
        Worker([sys.executable, "-S", "-c", script], limits=Limits(timeout=0.2)) as worker,
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


def wait_for_group(group: int) -> None:
    """Return once no process of the group is left alive: a killed one may take a moment to go."""
    with contextlib.suppress(ProcessLookupError):
        while True:
            os.killpg(group, 0)
            os.sched_yield()


@pytest.mark.parametrize("options", ["verify=offspring", "verify=silent", "verify=close_output"])
def test_no_descendant_survives(options: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(conversation, "ENDING", 0.2)
    worker = hanging(options)
    group = worker._child.pid
    with pytest.raises(WorkerFailure), worker:
        verify(worker)
    assert group not in children()
    wait_for_group(group)


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
    wait_for_group(worker._child.pid)


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
