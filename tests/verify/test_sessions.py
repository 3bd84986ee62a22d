"""The workers that prove several datasets: one for each row, and what becomes of it."""

import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from serbench.catalog.load import load_catalog
from serbench.project import CACHE, ROOT
from serbench.run.context import BuildContext
from serbench.run.proving import prove
from serbench.verify import sessions
from serbench.verify.sessions import Sessions
from serbench.worker.process import Limits, Worker, WorkerFailure
from serbench.worker.session import verify
from tests.conftest import CONTENDERS, LIMITS

FAKE = Path(__file__).parents[1] / "worker" / "fake_worker.py"
SPECS = ["generated:1", "generated:2", "generated:1:seed=7"]
CHOSEN = ("c/mpack:write", "c/mpack:tree", "c/msgpack-c:tree", "c/baseline:tree", "c/baseline:write")


@pytest.fixture
def started(monkeypatch):
    """The commands of all workers that are started."""
    commands = []
    start = Worker.__init__

    def counted(self, command, **options):
        commands.append(tuple(command))
        start(self, command, **options)

    monkeypatch.setattr(Worker, "__init__", counted)
    return commands


@pytest.fixture(scope="module")
def some():
    """Builds rows, those of the contender that goes wrong among them."""
    return BuildContext(load_catalog(ROOT, [CONTENDERS / "misbehaving"]), CACHE, jobs=2)


@pytest.fixture
def proven(some, generated, tmp_path):
    """The records of rows on the datasets of all SPECS, by row and in that order."""

    def run(*chosen: str) -> dict[str, list]:
        rows = [row for row in some.catalog.rows() if row.id in chosen]
        datasets = [generated(spec) for spec in SPECS]
        for made in datasets:
            some.canonical(made, "messagepack")
        items = prove(some, rows, datasets, tmp_path / "out", LIMITS)
        return {row.id: [r for item in items for r, _, _ in item.rows if r.row == row.id] for row in rows}

    return run


def test_a_row_proves_all_datasets_with_one_worker(proven, started, some):
    proven(*CHOSEN)  # what makes the encodings has been started
    started.clear()
    found = proven(*CHOSEN)
    assert {record.status for records in found.values() for record in records} == {"ok"}
    assert len({record.content_hash for record in found["c/mpack:tree"]}) == len(SPECS)
    made = some.build([row for row in some.catalog.rows() if row.id in CHOSEN])
    for row_id, ready in made.items():
        assert started.count(ready.subject.command) == 1, row_id


@pytest.mark.parametrize(
    ("variant", "reason"),
    [("crashes", "was ended by SIGSEGV"), ("refuses", "it will not do"), ("exits", "ended ")],
)
def test_who_fails_has_another_worker_for_each_dataset(variant, reason, proven, started, some):
    row_id = f"c/misbehaving:tree:{variant}"
    found = proven(row_id, "c/mpack:tree")
    assert [record.status for record in found["c/mpack:tree"]] == ["ok"] * len(SPECS)
    assert all(record.reason.startswith(reason) for record in found[row_id])
    ready = some.build([row for row in some.catalog.rows() if row.id == row_id])[row_id]
    assert started.count(ready.subject.command) == len(SPECS)


def test_who_keeps_something_of_another_document_is_found(proven):
    """By the document that comes after it."""
    found = proven("c/misbehaving:tree:remembers", "c/misbehaving:tree")
    assert [record.status for record in found["c/misbehaving:tree"]] == ["ok"] * len(SPECS)
    first, *later = found["c/misbehaving:tree:remembers"]
    assert (first.status, first.reason) == ("ok", "")
    for record in later:
        assert record.status == "failed" and record.reason.startswith("its exact_hash "), record.reason


def fake(*options: str):
    """A row whose worker is the fake one."""
    return SimpleNamespace(command=(sys.executable, "-S", "-E", str(FAKE), *options), preload=())


def test_a_worker_is_kept_for_its_own_program_and_limits(started):
    other = Limits(memory_bytes=2 << 30)
    with Sessions() as kept:
        seen = []
        for subject, limits in [(fake(), LIMITS), (fake("ns=2"), LIMITS), (fake(), other), (fake(), LIMITS)]:
            with kept.of(subject, limits) as session:
                assert session.library_version == "9" and session.worker.limits is limits
                seen.append(session.worker)
        assert seen[3] is seen[0] and len(set(map(id, seen))) == len(started) == 3
        slower = Limits(memory_bytes=LIMITS.memory_bytes, timeout=99.0)
        with kept.of(fake(), slower) as session:
            assert session.worker is seen[0] and session.worker.limits is slower
    assert all(worker.has_ended for worker in seen)


def test_two_threads_never_have_the_same_worker():
    with Sessions() as kept:
        with kept.of(fake(), LIMITS) as one, kept.of(fake(), LIMITS) as two:
            assert one.worker is not two.worker
        with kept.of(fake(), LIMITS) as again:
            assert again.worker in (one.worker, two.worker)


def test_what_failed_or_ended_or_grew_is_not_kept(monkeypatch):
    with Sessions() as kept:
        with (
            pytest.raises(WorkerFailure, match="out of cheese"),
            kept.of(fake("verify=refuse"), LIMITS) as one,
        ):
            verify(one.worker)
        assert one.worker.has_ended
        with kept.of(fake(), LIMITS) as two:
            two.worker.kill()
            while not two.worker.has_ended:
                time.sleep(0.01)
        with kept.of(fake(), LIMITS) as three:
            assert three.worker is not two.worker
            verify(three.worker)
            monkeypatch.setattr(sessions, "GROWTH", -1)
        assert three.worker.has_ended


def test_no_more_are_kept_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(sessions, "IDLE", 2)
    with Sessions() as kept:
        seen = []
        for number in (1, 2, 1, 3):
            with kept.of(fake(f"ns={number}"), LIMITS) as session:
                seen.append(session.worker)
        assert seen[2] is seen[0]
        assert [worker.has_ended for worker in seen] == [False, True, False, False]
    monkeypatch.setattr("serbench.worker.bounds.free_memory", lambda: 0)
    with Sessions() as kept:
        for number in (1, 2):
            with kept.of(fake(f"ns={number}"), LIMITS) as session:
                seen.append(session.worker)
        assert [worker.has_ended for worker in seen[-2:]] == [True, False]


def test_what_a_worker_said_of_one_document_is_not_told_of_the_next():
    with Sessions() as kept:
        with pytest.raises(WorkerFailure) as failed, kept.of(fake("verify=noise"), LIMITS) as session:
            verify(session.worker)
            raise session.worker.failure("of this one")
        assert failed.value.output == "of the document"
        with kept.of(fake("verify=noise"), LIMITS) as session:
            verify(session.worker)
        with pytest.raises(WorkerFailure) as failed, kept.of(fake("verify=noise"), LIMITS) as session:
            raise session.worker.failure("of the next one")
        assert failed.value.output == ""


def test_all_end_with_the_block(no_leaks):
    workers = []
    with pytest.raises(KeyboardInterrupt), Sessions() as kept:
        for number in (1, 2):
            with kept.of(fake(f"ns={number}"), LIMITS) as session:
                workers.append(session.worker)
        raise KeyboardInterrupt
    assert all(worker.has_ended for worker in workers)
    with pytest.raises(WorkerFailure), Sessions() as kept, kept.of(fake("describe=version"), LIMITS):
        pass


def test_a_later_proof_costs_its_own_document_and_the_start():
    """What the documents before it took is not counted again."""
    with Sessions() as kept:
        with kept.of(fake(), LIMITS) as first:
            verify(first.worker)
        with kept.of(fake(), LIMITS) as second:
            assert second is first and second.start_seconds <= second.worker.processor_seconds
            assert 0 < second.start_peak <= second.worker.peak
