"""The schedule: blocks, budget, stop reasons, failures and interruptions, with made-up times."""

from collections import Counter
from random import Random

import msgspec
import pytest

from serbench.measure.plan import LEAST_SHARE, MEAN_SECONDS, Group, Pair, ratio_known
from serbench.measure.records import Comparing, Failure, Sample, Stop
from serbench.measure.schedule import Schedule, blocks
from serbench.measure.statistics import RowFigures, net_figures
from serbench.worker.bounds import FREE_SHARE
from tests.measure.fakes import FakeClock, conditions, measured, settings

pytestmark = pytest.mark.usefixtures("no_leaks")

GIB = 1 << 30


def group(rows, test="tree", dataset="generated:2"):
    return Group(test=test, dataset=dataset, profile="speed", rows=rows)


def schedule(groups, clock=None, deadline=1000.0, memory=GIB, on_record=lambda _r: None, **changes):
    """What a whole schedule emits, by kind, and the shares of its progress."""
    clock = clock or FakeClock()
    emitted: list[Sample | Failure | Stop] = []
    shares: list[float] = []

    def emit(record):
        clock.pass_sample(record)
        emitted.append(record)
        on_record(record)

    plan = Schedule(
        groups,
        settings(**changes),
        conditions(clock, deadline),
        memory,
        emit,
        lambda share, _what: shares.append(share),
    )
    try:
        plan.run()
    except KeyboardInterrupt:
        shares.append(-1.0)
    kinds = [[r for r in emitted if isinstance(r, kind)] for kind in (Sample, Failure, Stop)]
    return (*kinds, shares)


def launches(samples) -> int:
    return len({s.launch for s in samples})


@pytest.mark.parametrize("room", [10, 35, 50, 100, 1000])
def test_blocks_hold_every_row_once_and_the_baseline_each(room: int):
    baseline = measured(99, role="baseline", memory=5)
    rows = [measured(n, memory=5 + 3 * n) for n in range(8)] + [baseline]
    made = blocks(rows, room, Random(1))
    assert sorted(r.id for block in made for r in block if r is not baseline) == list(range(8))
    for block in made:
        assert block[0] is baseline and block.count(baseline) == 1
        others = [r for r in block if r is not baseline]
        # Within memory, unless a row alone is beyond it.
        assert sum(r.memory for r in block) <= room or len(others) == 1
    sizes = [len(block) for block in made]
    assert max(sizes) - min(sizes) <= 1
    assert len(made) == 1 if room == 1000 else len(made) > 1


def together(samples, launch):
    """The blocks of a launch, as sets of rows; in each of them the rounds are counted from 0."""
    found, number = [], -1
    for sample in (s for s in samples if s.launch == launch):
        if sample.round < number or number < 0:
            found.append(set())
        number = sample.round
        found[-1].add(sample.row)
    return map(frozenset, found)


def test_blocks_are_dealt_anew_each_launch():
    rows = [measured(n, memory=100) for n in range(6)]
    rows.append(measured(9, role="baseline", memory=100))
    samples, _, _, _ = schedule([group(rows)], memory=int(310 / FREE_SHARE), target=-1.0)
    company = set()
    for launch in range(5):
        company.add(frozenset(together(samples, launch)))
    assert len(company) > 1


def test_precise_rows_stop_at_the_least_number_of_launches():
    samples, failures, stops, shares = schedule([group([measured(0), measured(1, ns=2000)])])
    assert [(s.launches, s.reason) for s in stops] == [(3, "precise enough")]
    assert launches(samples) == 3 and not failures
    assert shares[-1] == 1.0 and shares == sorted(shares)


def test_scattered_rows_go_on_to_the_most_launches():
    # No interval is narrower than this target.
    samples, _, stops, _ = schedule([group([measured(0), measured(1)])], target=-1.0)
    assert [(s.launches, s.reason) for s in stops] == [(5, "most launches")]
    assert launches(samples) == 5


def sampled_in(samples) -> dict[int, int]:
    """In how many launches each row was sampled."""
    return {row: launches(s for s in samples if s.row == row) for row in {s.row for s in samples}}


def test_launches_beyond_those_asked_for_are_of_rows_that_are_not_decided(tmp_path):
    swinging = measured(0, f"starts={tmp_path / 'starts'}", ns=1000)
    close, far = measured(1, ns=1100), measured(2, ns=9000)
    baseline = measured(3, role="baseline", ns=10)
    samples, _, stops, _ = schedule([group([swinging, close, far, baseline])], launches=3, max_launches=7)
    # The second row is neither proved faster than the first one nor slower, and the third is.
    assert sampled_in(samples) == {0: 7, 1: 7, 2: 3, 3: 7}
    assert [(s.launches, s.reason) for s in stops] == [(7, "most launches")]


def test_a_row_that_all_are_compared_with_is_in_every_launch(tmp_path):
    swinging = measured(0, f"starts={tmp_path / 'starts'}", ns=1000)
    anchor = msgspec.structs.replace(measured(1, ns=9000), anchor=True)
    samples, _, _, _ = schedule([group([swinging, anchor, measured(2, ns=99)])], launches=3, max_launches=7)
    assert sampled_in(samples) == {0: 7, 1: 7, 2: 3}


def test_a_comparison_ends_when_its_ratio_is_known_however_its_times_scatter():
    pair = Pair(new=0, old=1)
    launches = range(6)
    swinging = {n: 1000.0 * 2 ** (n % 3) for n in launches}
    rows = {0: RowFigures({n: 1.1 * ns for n, ns in swinging.items()}, {}), 1: RowFigures(swinging, {})}
    assert ratio_known(pair, rows, 0.001)
    rows[0] = RowFigures({n: 1000.0 + 500 * (n % 2) for n in launches}, {})
    assert not ratio_known(pair, rows, 0.001)
    # A row that failed has no ratio, and holds up nothing.
    assert ratio_known(pair, {1: RowFigures(swinging, {})}, 0.001)
    once = RowFigures({0: 1.0}, {})
    assert not ratio_known(pair, {0: once, 1: once}, 0.001)


def test_a_comparison_subtracts_what_the_harness_does():
    raws = {0: {n: 1000.0 + n % 2 for n in range(9)}, 1: dict.fromkeys(range(9), 1000.0)}
    own = {n: 999.0 - 4 * (n % 2) for n in range(9)}
    assert ratio_known(Pair(new=0, old=1), {n: RowFigures(raw, {}) for n, raw in raws.items()}, 0.01)
    rows = {n: RowFigures(raw, net_figures(raw, own)) for n, raw in raws.items()}
    assert not ratio_known(Pair(new=0, old=1), rows, 0.01)


def test_only_the_pairs_of_a_comparison_are_waited_for():
    # No interval of a time is as narrow as this, but the pair's ratio is of two rows that take the same.
    rows = [measured(0), measured(1), measured(2)]
    both = Group(test="tree", dataset="d", profile="speed", rows=rows, pairs=[Pair(new=0, old=1)])
    asked = Comparing(new="c/new", old="c/old", threshold=0.15)
    _, _, stops, _ = schedule([both], target=0.05, comparing=asked)
    assert [(s.launches, s.reason) for s in stops] == [(3, "precise enough")]
    _, _, stops, _ = schedule([both], target=-1.0, comparing=asked)
    assert [(s.launches, s.reason) for s in stops] == [(5, "most launches")]


def test_a_comparison_that_stays_unclear_ends_with_its_time_and_lacks_nothing():
    pair = [Pair(new=0, old=1)]
    rows = [measured(0), measured(1), measured(2, role="baseline")]
    both = Group(test="tree", dataset="d", profile="speed", rows=rows, pairs=pair)
    emitted: list[Sample | Failure | Stop] = []
    clock = FakeClock()

    def emit(record):
        clock.pass_sample(record)
        emitted.append(record)

    given = settings(
        target=-1.0,
        max_launches=50,
        seconds_per_launch=0.05,
        comparing=Comparing(new="c/new", old="c/old", threshold=0.15),
    )
    plan = Schedule([both], given, conditions(clock, deadline=1.7), GIB, emit)
    plan.run()
    (stop,) = (record for record in emitted if isinstance(record, Stop))
    taken = [record for record in emitted if isinstance(record, Sample)]
    assert stop.reason == "time used up" and 3 < stop.launches < 50
    assert clock.now < 1.7 + 0.05
    assert {launches([s for s in taken if s.row == row]) for row in (0, 1, 2)} <= {
        stop.launches,
        stop.launches - 1,
    }
    assert plan.seconds_for_all() is None  # so no larger budget is asked for


def test_every_row_of_a_group_has_the_same_chunks_in_a_launch():
    # Memory for two rows at a time, one row with chunks of 5 ms in one of the blocks only.
    rows = [measured(n, memory=100, ns=5e6 if n == 3 else 1e3) for n in range(4)]
    rows.append(measured(9, role="baseline", memory=100))
    samples, _, _, _ = schedule([group(rows)], memory=int(310 / FREE_SHARE), seconds_per_launch=0.05)
    assert {s.row for s in samples} == {0, 1, 2, 3, 9}
    for launch in range(3):
        assert len({len(s.wall) for s in samples if s.launch == launch}) == 1
    blocks_of_baseline = Counter((s.launch, s.round) for s in samples if s.row == 9)
    assert blocks_of_baseline[(0, 0)] == 2


def test_the_budget_is_shared_and_kept():
    clock = FakeClock()
    slow = [[measured(n, ns=5e6), measured(n + 1, ns=4e6)] for n in (0, 2)]
    groups = [group(slow[0], test="tree"), group(slow[1], test="write")]
    samples, _, stops, shares = schedule(
        groups, clock, deadline=12.0, seconds_per_launch=5.0, target=-1.0, max_launches=50
    )
    assert {s.reason for s in stops} == {"time used up"}
    assert all(s.started < 12.0 for s in samples)
    assert 9.0 < clock.now < 12.0 + 0.06  # used up, and only the last sample may end after it
    spent = Counter()
    for s in samples:
        spent[s.row] += sum(s.wall)
    assert set(spent) == {0, 1, 2, 3}
    assert max(spent.values()) < 2 * min(spent.values())
    assert all(launches([s for s in samples if s.row == row]) >= 3 for row in range(4))
    assert shares[-1] == 1.0


def test_what_it_takes_to_start_is_not_wasted_on_a_single_chunk():
    # Three launches would leave a hundredth of this for sampling.
    rows = [msgspec.structs.replace(measured(n), start_seconds=1.0) for n in (0, 1)]
    samples, _, _, _ = schedule([group(rows)], deadline=6.1, seconds_per_launch=0.3)
    first = sum(sum(s.wall) for s in samples if s.launch == 0) / 1e9
    assert 0.3 * LEAST_SHARE * 2.0 < first < 0.6


@pytest.mark.parametrize(("statistic", "least"), [("mean", MEAN_SECONDS), ("shortest-chunk", 0.05)])
def test_rows_whose_figure_is_a_mean_are_sampled_for_longer(statistic, least):
    rows = [msgspec.structs.replace(measured(n), statistic=statistic, chunk_ns=15_000_000) for n in (0, 1)]
    samples, _, _, _ = schedule([group(rows)], deadline=30.0, seconds_per_launch=0.05)
    # The first 5 ms of a turn of 20 ms are not timed.
    first = sum(sum(s.wall) for s in samples if s.launch == 0) / 1e9
    assert 0.6 * 2 * least < first < 2 * least


def test_no_time_at_all():
    samples, failures, stops, _ = schedule([group([measured(0)])], deadline=0.0)
    assert (samples, failures) == ([], [])
    assert [(s.launches, s.reason) for s in stops] == [(0, "time used up")]


def test_a_failed_row_is_not_started_again():
    rows = [measured(0), measured(1, "sample=crash", "after=4"), measured(2, role="baseline")]
    samples, failures, stops, _ = schedule([group(rows)])
    assert [(f.row, f.launch, f.reason) for f in failures] == [(1, 0, "was ended by SIGSEGV")]
    assert [s.reason for s in stops] == ["precise enough"]
    assert {launches([s for s in samples if s.row == row]) for row in (0, 2)} == {3}


def test_a_group_without_contenders_ends():
    rows = [measured(0, "sample=crash"), measured(1, role="baseline")]
    _, failures, stops, _ = schedule([group(rows)])
    assert len(failures) == 1
    assert [(s.launches, s.reason) for s in stops] == [(1, "no rows")]


def test_a_baseline_that_fails_does_so_once():
    rows = [measured(n, memory=100) for n in range(4)]
    rows.append(measured(9, "prepare=refuse", role="baseline", memory=100))
    _, failures, stops, _ = schedule([group(rows)], memory=int(310 / FREE_SHARE))
    assert [(f.row, f.launch) for f in failures] == [(9, 0)]
    assert [s.reason for s in stops] == ["precise enough"]


def test_an_interruption_keeps_what_there_is():
    seen = []

    def interrupt(record):
        seen.append(record)
        if len(seen) == 4:
            raise KeyboardInterrupt

    groups = [group([measured(0), measured(1)]), group([measured(2)], test="write")]
    samples, _, stops, shares = schedule(groups, on_record=interrupt)
    assert shares[-1] == -1.0
    assert len(samples) == 4
    assert [(s.test, s.reason) for s in stops] == [("tree", "interrupted"), ("write", "interrupted")]


def test_the_seed_decides_the_order():
    rows = [measured(n) for n in range(4)]
    orders = [[s.row for s in schedule([group(rows)], seed=seed)[0]] for seed in (5, 5, 6)]
    assert orders[0] == orders[1] != orders[2]
