"""Injected faults, drawn from a seed: no hang, no lost finished sample, no wrong row.

Whole runs with fake contenders, as `run` makes them: schedule, recorder, journal, run file, analysis. Some
contenders are sound; the others stall, die, leave, flood, speak nonsense, yield wrong hashes or are
killed from outside, in any request. Every few runs the disk fills up in the middle of a record and the
run is resumed. ./check injects 40 faults, ./check --all 200, the nightly run a thousand (SERBENCH_FAULTS).
"""

import errno
import os
import random
import signal
from pathlib import Path

import pytest

from serbench.datasets.records import DatasetRecord
from serbench.errors import UserError
from serbench.measure import turns
from serbench.measure.plan import Group
from serbench.measure.records import Failure, Sample
from serbench.measure.schedule import Schedule
from serbench.results import journal as journal_module
from serbench.results.analysis import analyse
from serbench.results.journal import Journal, complete, journal_path
from serbench.results.load import load_run
from serbench.results.schema import Run
from serbench.worker import conversation, process
from serbench.worker.process import Worker
from tests.measure.fakes import FakeClock, conditions, measured, settings
from tests.results.builder import MACHINE, row
from tests.tiers import ALL

pytestmark = pytest.mark.usefixtures("no_leaks")

FAULTS = int(os.environ.get("SERBENCH_FAULTS") or (200 if ALL else 40))
ROWS, SOUND = 12, 2
TIMEOUT = 100.0
PATIENCE = 0.1
WAYS = {
    "silent": "did not answer within",
    "half": "ended in the middle of an answer",
    "garbage": "answered garbage",
    "binary": "answered garbage",
    "shape": "answered garbage",
    "listed": "answered garbage",
    "refuse": "out of cheese",
    "refuse_silently": "refused without a reason",
    "flood": "flooded its standard output",
    "flood_errors": "flooded its standard error",
    "leave": "ended without an answer, with status 3",
    "crash": "was ended by SIGSEGV",
    "close_output": "closed its standard output",
    "offspring": "ended without an answer",
}
OF_SAMPLES = {
    "negative": "reported a negative time",
    "few_chunks": "timed 1 chunks",
    "other_hash": "gave the hash deadbeef",
    "extra_line": "wrote an answer without a request",
}
KILLED = "killed"
"""From outside, after one of its samples."""


class Impatient(Worker):
    """Waits only for a moment for an answer that will not come."""

    def __init__(self, command, **options):
        super().__init__(command, **options)
        self.left = next((int(word[6:]) for word in command if word.startswith("after=")), 0)

    def ask(self, kind, timeout=None, /, **message):
        if f"{message['do']}=silent" in self.command:
            self.left -= 1
            timeout = PATIENCE if self.left < 0 else timeout
        return super().ask(kind, timeout, **message)


class Plan:
    """A fake run: its rows, and which of them has what fault."""

    def __init__(self, seed: int, faults: int) -> None:
        self.source = random.Random(seed)
        self.ns = {number: 500.0 + 97 * number for number in range(faults + SOUND + 1)}
        self.baseline = faults + SOUND
        faulty = self.source.sample(range(faults + SOUND), faults)
        self.faults = {number: self._fault() for number in faulty}
        self.rows = [self._row(number) for number in self.ns]

    def _fault(self) -> tuple[str, str, int]:
        """The request, the way, and how many such requests pass before."""
        request = self.source.choice(["prepare", "sample", "sample", "sample"])
        ways = [*WAYS, *OF_SAMPLES, KILLED]
        if request == "prepare":  # which asks for nothing that could have another shape
            ways = [way for way in WAYS if way != "shape"]
        way = self.source.choice(ways)
        if way == "few_chunks":  # three requests calibrate, by one chunk each
            return request, way, 3
        return request, way, self.source.randrange(4) if request == "sample" else 0

    def _row(self, number: int):
        options = []
        if number in self.faults:
            request, way, after = self.faults[number]
            options = [] if way == KILLED else [f"{request}={way}", f"after={after}"]
        role = "baseline" if number == self.baseline else "contender"
        return measured(number, *options, role=role, ns=self.ns[number])

    @property
    def run(self) -> Run:
        records = [
            row(item.id, f"fake {item.id}", role=item.role, format="" if item.role == "baseline" else "json")
            for item in self.rows
        ]
        tape = {"tape_sha256": "ab" * 32, "content_hash": "00" * 4, "exact_hash": "00" * 4}
        data = DatasetRecord(name="generated:2", nodes=1, depth=1, encodings={}, **tape)
        given = settings(launches=2, max_launches=2, seconds_per_launch=0.05)
        return Run(
            serbench="0",
            id="faults",
            started="2026-01-01T00:00:00Z",
            machine=MACHINE,
            settings=given,
            datasets=[data],
            rows=records,
        )


class Killer:
    """Kills the workers of some rows after some sample of theirs."""

    def __init__(self, plan: Plan) -> None:
        self.left = {n: after for n, (_, way, after) in plan.faults.items() if way == KILLED}
        self.killed: set[int] = set()

    def after(self, sample: Sample) -> None:
        if self.left.get(sample.row) == 0:
            # Its command says whose a worker is: its times are its own.
            wanted = f"ns={500.0 + 97 * sample.row}".encode()
            for worker in list(process._live):
                words = Path(f"/proc/{worker._child.pid}/cmdline")
                if worker._status is None and wanted in words.read_bytes().split(b"\0"):
                    os.kill(worker._child.pid, signal.SIGKILL)
                    self.killed.add(sample.row)
        if sample.row in self.left:
            self.left[sample.row] -= 1


def measure(plan: Plan, run: Run, journal: Journal, killer: Killer, taken: list, again: bool = False) -> None:
    """Measure what `run` lacks; `taken` gets what has reached the journal."""
    clock = FakeClock()
    if run.samples:
        clock.now = run.samples[-1].started + 1

    def emit(record):
        clock.pass_sample(record)
        journal.keep(record)
        taken.append(record)
        if isinstance(record, Sample):
            killer.after(record)

    group = Group(test="tree", dataset="generated:2", profile="speed", rows=list(plan.rows))
    schedule = Schedule([group], run.settings, conditions(clock, timeout=TIMEOUT), 1 << 30, emit)
    if again:
        schedule.take_up(run.samples, run.overheads, run.failures, list(run.stops), "again")
    schedule.run()


def check(plan: Plan, run: Run, taken: list, killer: Killer) -> None:
    """The run has every sample that was taken, nothing that is wrong, and the reason of every fault."""
    assert run.samples == [record for record in taken if isinstance(record, Sample)]
    assert run.failures == [record for record in taken if isinstance(record, Failure)]
    for sample in run.samples:
        expected = [round(plan.ns[sample.row] * sample.iterations)] * len(sample.wall)
        assert sample.wall == sample.cpu == expected
    reasons = {failure.row: failure.reason for failure in run.failures}
    assert len(reasons) == len(run.failures)
    rows = {summary.result.id: summary for summary in analyse(run)}
    for number in plan.ns:
        if number not in plan.faults:
            assert number not in reasons
            assert len({s.launch for s in run.samples if s.row == number}) >= 2
            assert rows[number].result.status == "ok"
            assert rows[number].result.raw_ns == pytest.approx(plan.ns[number], rel=1e-3)
            continue
        _, way, _ = plan.faults[number]
        told = "was ended by SIGKILL" if way == KILLED else {**WAYS, **OF_SAMPLES}[way]
        assert told in reasons.get(number, ""), f"{plan.faults[number]}: {reasons.get(number)}"
        assert rows[number].result.status == "failed" and told in rows[number].result.reason
        assert rows[number].result.raw_ns is None and rows[number].result.rank is None
    # What sampled together has as many chunks.
    for launch in {s.launch for s in run.samples}:
        assert len({len(s.wall) for s in run.samples if s.launch == launch}) == 1


class FullDisk:
    """Writes until a number of records has been written, then half a record, and then nothing."""

    def __init__(self, records: int) -> None:
        self.records = records
        self.half = True

    def __call__(self, descriptor: int, data: bytes) -> int:
        if self.records > 0:
            self.records -= 1
            return WRITE(descriptor, data)
        if self.half:
            self.half = False
            return WRITE(descriptor, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


WRITE = os.write


class DiskFillsUp:
    """The system's functions as the journal sees them, with a full disk."""

    def __init__(self, records: int) -> None:
        self.write = FullDisk(records)

    def __getattr__(self, name: str):
        return getattr(os, name)


@pytest.mark.first
def test_faults_cost_their_own_row_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(turns, "Worker", Impatient)
    monkeypatch.setattr(conversation, "MAX_REPLY", 1 << 20)
    monkeypatch.setattr(conversation, "MAX_NOISE", 1 << 20)
    injected, seed, full = 0, 0, 0
    while injected < FAULTS:
        seed += 1
        plan = Plan(seed, ROWS - SOUND)
        output = tmp_path / f"{seed}.json"
        run, killer, taken = plan.run, Killer(plan), []
        journal = Journal.of(run, journal_path(output))
        if seed % 4 == 0:
            with monkeypatch.context() as patch:
                patch.setattr(journal_module, "os", DiskFillsUp(plan.source.randrange(1, 20)))
                with pytest.raises(UserError, match="No space left"):
                    measure(plan, run, journal, killer, taken)
            journal.close()
            full += 1
            run = load_run(journal_path(output))
            # What was told to be written is there, and not half a record more.
            assert [*run.samples, *run.failures] == sorted(
                taken, key=lambda record: isinstance(record, Failure)
            )
            for number in killer.killed - {failure.row for failure in run.failures}:
                killer.left[number] = 0  # nobody had noticed yet, so once more
            journal = Journal.of(run, journal_path(output))
            measure(plan, run, journal, killer, taken, again=True)
        else:
            measure(plan, run, journal, killer, taken)
        assert load_run(journal_path(output)).samples == run.samples
        if seed % 5 == 0:
            with monkeypatch.context() as patch:
                patch.setattr(journal_module, "replace_file", no_room)
                with pytest.raises(UserError, match="No space left"):
                    complete(run, output, journal)
            full += 1
            assert not output.exists()
        complete(run, output, journal)
        check(plan, load_run(output), taken, killer)
        assert killer.killed == {n for n, (_, way, _) in plan.faults.items() if way == KILLED}
        injected += len(plan.faults)
    print(f"{injected} faults of workers and {full} full disks, in {seed} runs")
    assert injected >= FAULTS and full >= FAULTS // 50


def no_room(path: Path, _data: bytes) -> None:
    raise journal_module.failure_to_write(path, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
