"""One launch: calibration, rounds, chunks and failures, with workers that make their times up."""

from itertools import pairwise
from pathlib import Path
from random import Random

import msgspec
import pytest

from serbench.measure import instructions
from serbench.measure.calibration import LONGEST_CHUNK_NS, Calibration
from serbench.measure.heap import count_heap
from serbench.measure.records import Failure, Overhead, Sample
from serbench.measure.turns import (
    LEAST_CHUNKS,
    MOST_CHUNKS,
    MOST_ROUNDS,
    OVERHEAD_CHUNKS,
    OVERHEAD_WARMUP,
    Launch,
)
from serbench.worker import process
from serbench.worker.process import Limits, WorkerFailure
from serbench.worker.records import Heap
from tests.measure.fakes import FakeClock, conditions, measured, requests

pytestmark = pytest.mark.usefixtures("no_leaks")


def launch(rows, seconds=0.1, calibration=None, clock=None, deadline=1000.0, seed=0, timeout=20.0):
    """The samples and failures of one launch."""
    records = everything(rows, seconds, calibration, clock, deadline, seed, timeout)
    return [record for record in records if not isinstance(record, Overhead)]


def everything(rows, seconds=0.1, calibration=None, clock=None, deadline=1000.0, seed=0, timeout=20.0):
    """What one launch emits."""
    clock = clock or FakeClock()
    emitted: list[Sample | Overhead | Failure] = []

    def emit(record):
        clock.pass_sample(record)
        emitted.append(record)

    given = conditions(clock, deadline, timeout)
    Launch(0, rows, calibration or Calibration(), given, Random(seed), emit).run(seconds)
    return emitted


def test_what_the_harness_does_is_timed_last_in_chunks_of_a_millisecond():
    rows = [measured(0, "own=0.25"), measured(1, "own=0.01", ns=5e6)]
    records = everything(rows, seconds=0.1)
    own = records[-2:]
    assert not any(isinstance(record, Overhead) for record in records[:-2])
    assert {each.row: min(each.wall) / each.iterations for each in own} == {0: 250.0, 1: 50_000.0}
    assert all(min(each.wall) >= 1_000_000 and len(each.wall) == OVERHEAD_CHUNKS for each in own)


def test_a_harness_that_cannot_be_timed_fails_its_row_only():
    records = everything([measured(0, "overhead=refuse"), measured(1)])
    (failure,) = [record for record in records if isinstance(record, Failure)]
    assert failure.row == 0 and "out of cheese" in failure.reason
    assert {record.row for record in records if isinstance(record, Overhead)} == {1}


def test_a_compiler_at_run_time_has_done_with_the_harness_before_it_counts(tmp_path: Path):
    log = tmp_path / "log"
    row = msgspec.structs.replace(measured(0, f"log={log}"), warmup_seconds=0.1)
    everything([row], seconds=0.01)
    asked = [request for request in requests(log) if request["do"] == "overhead"]
    # In ns, of those that do not count; an iteration is 1 % of 1,000.
    untimed = sum(request["iterations"] * request["chunks"] * 10 for request in asked[:-1])
    assert untimed >= OVERHEAD_WARMUP * 0.1 * 1e9 and asked[-1]["chunks"] == OVERHEAD_CHUNKS


def test_chunks_last_as_long_for_every_row_and_are_as_many():
    rows = [measured(0, ns=100.0), measured(1, ns=7_000.0), measured(2, ns=900_000.0)]
    samples = launch(rows, seconds=0.09)
    assert {len(s.wall) for s in samples} == {LEAST_CHUNKS}
    assert {s.row: s.iterations for s in samples} == {0: 10_000, 1: 143, 2: 1}
    assert all(0.85e6 <= wall <= 1.1e6 for s in samples for wall in s.wall)
    # 90 ms over three rows of about 1 ms a chunk: with 5 ms before them, three rounds of three.
    assert sorted((s.round, s.row) for s in samples) == [(r, row) for r in range(3) for row in range(3)]


def test_a_slow_row_sets_the_chunk_of_its_group_up_to_a_bound():
    samples = launch([measured(0, ns=1e3), measured(1, ns=5e6)], seconds=0.1)
    assert {s.row: s.iterations for s in samples} == {0: 5000, 1: 1}
    samples = launch([measured(0, ns=1e3), measured(1, ns=3e8)], seconds=1.0)
    assert {s.row: s.iterations for s in samples} == {0: LONGEST_CHUNK_NS // 1000, 1: 1}


def test_every_row_is_sampled_once_however_short_the_time():
    samples = launch([measured(n) for n in range(3)], seconds=0.0)
    assert sorted(s.row for s in samples) == [0, 1, 2]
    assert {len(s.wall) for s in samples} == {1}


def test_rounds_are_bounded():
    samples = launch([measured(0, ns=1e6)], seconds=1000.0)
    assert len(samples) == MOST_ROUNDS
    assert {len(s.wall) for s in samples} == {MOST_CHUNKS}


def test_the_order_changes_between_rounds_and_repeats_with_the_seed():
    rows = [measured(n) for n in range(4)]

    def orders(seed):
        samples = launch(rows, seconds=0.3, seed=seed)
        assert [s.position for s in samples] == [n % 4 for n in range(len(samples))]
        return [s.row for s in samples]

    first = orders(1)
    assert first == orders(1) != orders(2)
    rounds = {tuple(first[n : n + 4]) for n in range(0, len(first), 4)}
    assert len(rounds) > 1 and all(sorted(one) == [0, 1, 2, 3] for one in rounds)


def test_every_sample_begins_with_untimed_iterations(tmp_path: Path):
    log = tmp_path / "log"
    launch([measured(0, f"log={log}")], seconds=0.01)
    asked = [request for request in requests(log) if request["do"] == "sample"]
    assert all(request["warmup"] >= 1 for request in asked)
    assert asked[-1] == {"do": "sample", "iterations": 1000, "chunks": 3, "warmup": 5000}


def test_untimed_iterations_are_as_many_as_the_settings_say_but_not_of_means(tmp_path: Path):
    log, clock = tmp_path / "log", FakeClock()
    short = msgspec.structs.replace(conditions(clock), warmup_ns=1_000_000)
    mean = msgspec.structs.replace(measured(1, f"log={log}.1"), statistic="mean")
    rows = [measured(0, f"log={log}.0"), mean, measured(2, f"log={log}.2", ns=4e6)]
    Launch(0, rows, Calibration(), short, Random(1), clock.pass_sample).run(0.5)
    logs = [requests(log.with_name(f"log.{n}")) for n in range(3)]
    asked = [[each for each in of_row if each["do"] == "sample"][-1]["warmup"] for of_row in logs]
    assert asked == [1000, 5000, 1]


def test_calibration_is_done_once_for_all_launches(tmp_path: Path):
    log, calibration = tmp_path / "log", Calibration()
    row = measured(0, f"log={log}")
    launch([row], seconds=0.0, calibration=calibration)
    first = sum(each["do"] != "overhead" for each in requests(log))
    assert calibration.nanoseconds[0] == pytest.approx(1000.0)
    launch([row], seconds=0.0, calibration=calibration)
    both = sum(each["do"] != "overhead" for each in requests(log))
    assert both - first == 2  # prepare, and one sample


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["prepare=refuse"], "out of cheese"),
        (["prepare=crash"], "was ended by SIGSEGV"),
        (["sample=crash", "after=4"], "was ended by SIGSEGV"),
        (["sample=leave", "after=4"], "ended without an answer, with status 3"),
        (["sample=other_hash"], "a timed iteration gave the hash deadbeef where 0075ff81 is right"),
        (
            ["sample=other_hash", "after=4"],
            "a timed iteration gave the hash deadbeef where 0075ff81 is right",
        ),
        (["sample=negative", "after=4"], "reported a negative time"),
        (["sample=few_chunks", "after=4"], "timed 1 chunks where 3 were asked for"),
        (["sample=no_time"], "timed 1000000000000 iterations in 0 ns, which cannot be"),
        (["sample=garbage", "after=4"], "answered garbage: 'hello from the library'"),
    ],
)
def test_a_failing_row_costs_itself_only(options: list[str], reason: str):
    emitted = launch([measured(0), measured(1, *options), measured(2)], seconds=0.09)
    failures = [record for record in emitted if isinstance(record, Failure)]
    assert [(f.row, f.reason) for f in failures] == [(1, reason)]
    alone = [s for s in emitted if isinstance(s, Sample) and s.row != 1]
    assert {(s.row, s.round) for s in alone} >= {(row, number) for row in (0, 2) for number in range(3)}
    assert {len(s.wall) for s in alone} == {LEAST_CHUNKS}


def test_the_last_words_of_a_failing_row_are_kept():
    (failure,) = launch([measured(0, "sample=leave")])
    assert failure.output == "these are my last words"


def test_a_hanging_row_costs_its_timeout_only():
    clock = FakeClock()
    emitted = launch([measured(0, "prepare=silent"), measured(1)], clock=clock, timeout=0.5)
    assert [r.reason for r in emitted if isinstance(r, Failure)] == ["did not answer within 0.5 s"]
    assert any(isinstance(r, Sample) and r.row == 1 for r in emitted)


def test_large_data_have_more_time(monkeypatch):
    monkeypatch.setattr(process, "TIMEOUT_PER_MB", 0.25)
    slow = msgspec.structs.replace(measured(0, "prepare=silent"), data_bytes=1_000_000)
    emitted = launch([slow, measured(1)], timeout=0.5)
    assert [r.reason for r in emitted if isinstance(r, Failure)] == ["did not answer within 0.75 s"]


def test_no_sample_begins_after_the_deadline():
    emitted = launch([measured(n) for n in range(2)], seconds=10.0, deadline=0.055)
    assert emitted and all(s.started < 0.055 for s in emitted)
    assert launch([measured(0)], deadline=0.0) == []


def test_an_interruption_ends_all_workers():
    clock = FakeClock()

    def interrupt(_record):
        raise KeyboardInterrupt

    rows = [measured(n) for n in range(3)]
    with pytest.raises(KeyboardInterrupt):
        Launch(0, rows, Calibration(), conditions(clock), Random(0), interrupt).run(1.0)
    # The fixture no_leaks looks for processes that are left.


def test_the_heap_is_counted_or_the_reason_is_known(tmp_path: Path):
    counter = tmp_path / "none.so"
    assert count_heap(measured(0), counter, Limits()) == Heap(allocations=3, bytes=100, peak=60)
    with pytest.raises(WorkerFailure, match="was ended by SIGSEGV"):
        count_heap(measured(0, "heap=crash"), counter, Limits())


def test_a_new_worker_warms_up_as_long_as_its_language_needs(tmp_path):
    log = tmp_path / "log"
    row = msgspec.structs.replace(
        measured(0, f"log={log}", ns=1e5), warmup_seconds=0.01, warmup_calls=30, chunk_ns=5_000_000
    )
    samples = launch([row], seconds=0.2)
    asked = [request for request in requests(log) if request["do"] == "sample"]
    warming = asked[: next(i for i, request in enumerate(asked) if request["warmup"] > 0)]
    # 0.01 s are 100 iterations of 0.1 ms, in batches that grow fourfold; then 5 ms a chunk are 50.
    assert 100 <= sum(request["iterations"] for request in warming) <= 130
    assert all(b["iterations"] <= 4 * a["iterations"] for a, b in pairwise(warming))
    assert {s.iterations for s in samples} == {50}


def test_a_new_worker_warms_up_until_its_compiler_is_quiet_and_later_work_is_told(tmp_path):
    log = tmp_path / "log"
    row = msgspec.structs.replace(
        measured(0, f"log={log}", "compiles=9", ns=1e5), warmup_seconds=0.01, most_warmup_seconds=0.1
    )
    (first, *others) = launch([row], seconds=0.05)
    asked = [request for request in requests(log) if request["do"] == "sample"]
    warming = asked[: next(i for i, request in enumerate(asked) if request["warmup"] > 0)]
    # 1, 4, 16, 64 and 25 iterations, which last a quarter of 0.01 s, until the tenth says that it was quiet.
    assert [request["iterations"] for request in warming] == [1, 4, 16, 64, 25, 25, 25, 25, 25, 25]
    assert not any(sample.disturbed for sample in (first, *others))
    busy = msgspec.structs.replace(row, command=(*row.command, "compiles=1000"))
    assert {sample.disturbed for sample in launch([busy], seconds=0.05)} == {"compiled"}


def test_means_are_of_single_long_chunks_and_the_rows_beside_them_keep_their_short_ones(catalog):
    means = [harness for harness in catalog.harnesses.values() if harness.statistic == "mean"]
    assert means
    for harness in means:
        assert harness.chunk_ms >= 15  # a collection comes every few tens of milliseconds
    chunk = round(means[0].chunk_ms * 1e6)
    rows = [
        measured(0, ns=1e5),
        msgspec.structs.replace(measured(1, ns=1e5), statistic="mean", chunk_ns=chunk),
    ]
    samples = launch(rows, seconds=1.0)
    assert {s.iterations for s in samples if s.row == 0} == {10}
    assert {s.iterations for s in samples if s.row == 1} == {chunk // 100_000}
    assert {len(s.wall) for s in samples if s.row == 1} == {1}
    assert all(len(s.wall) >= LEAST_CHUNKS for s in samples if s.row == 0)


def test_a_slow_first_iteration_is_no_measure_of_what_has_warmed_up():
    rows = [
        msgspec.structs.replace(measured(n), iteration_seconds=0.5, warmup_calls=calls)
        for n, calls in enumerate((30, 0))
    ]
    samples = launch(rows[:1], seconds=0.01)
    assert {s.iterations for s in samples} == {1000}
    assert launch(rows[1:], seconds=0.01)[0].iterations == 1  # there is nothing better than what the gate saw


def test_a_slow_row_warms_up_by_calls(tmp_path):
    log = tmp_path / "log"
    row = msgspec.structs.replace(measured(0, f"log={log}", ns=1e9), warmup_seconds=0.4, warmup_calls=30)
    launch([row], seconds=0.0)
    asked = [request for request in requests(log) if request["do"] == "sample" and request["warmup"] == 0]
    assert 30 <= sum(request["iterations"] for request in asked) <= 33


def test_what_is_counted_under_callgrind_has_its_limit_of_memory(monkeypatch, tmp_path):
    seen = []
    seed = tmp_path / "seed"
    seed.touch()

    def refuse(command, *, limits, preload):
        seen.append(("valgrind" in command, limits, [Path(library).name for library in preload]))
        raise WorkerFailure("enough")

    monkeypatch.setattr(instructions, "Worker", refuse)
    with pytest.raises(instructions.NotCountable):
        instructions.count_instructions(measured(0), seed, Limits(memory_bytes=12345, timeout=2.0))
    assert seen == [(True, Limits(memory_bytes=12345, timeout=2.0 * instructions.SLOWDOWN), ["seed"])]
