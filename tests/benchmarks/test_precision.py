"""The pure parts of the proof of the measurement, on made-up launches whose truth is known."""

import os
import random
import re
import subprocess
from functools import partial

import msgspec
import numpy as np
import pytest
from benchmarks.precision import coverage, google, known, old, same, slowed, twice
from benchmarks.precision.__main__ import SHARES, TITLES, carry_out, chosen_parts, seconds_of
from benchmarks.precision.counting import among, disjoint, share, verdict_of
from benchmarks.precision.ground import CONTENDERS, Ground, Stored, catalog_with, copies, deviation
from benchmarks.precision.records import Finding, Outcome, Report, table
from benchmarks.precision.steps import build_calibrator, step_ns
from scipy.special import betainc

from serbench.errors import UserError
from serbench.measure.calibration import WARMUP_NS
from serbench.measure.machine_lock import machine_lock, other_run
from serbench.measure.records import Overhead, Sample
from serbench.measure.statistics import RowFigures, paired
from serbench.worker.session import sample
from tests.measure.fakes import FakeClock, conditions, measured, requests

NOISE = 0.01


def row(noise: np.random.Generator, launches: int, ns: float = 1000.0, baseline: float = 100.0) -> RowFigures:
    net = {n: ns * float(np.exp(NOISE * noise.standard_normal())) for n in range(launches)}
    return RowFigures({n: value + baseline for n, value in net.items()}, net)


# ---------------------------------------------------------------- shares


def test_a_shares_interval_is_clopper_and_pearsons():
    found = share(95, 100)
    # By definition: at the lower bound 95 or more, at the upper 95 or fewer, have a probability of 2.5 %.
    assert betainc(95, 6, found.low) == pytest.approx(0.025, rel=1e-6)
    assert 1 - betainc(96, 5, found.high) == pytest.approx(0.025, rel=1e-6)
    assert found.value == 0.95
    assert str(found) == "95 of 100 = 95.0 % [88.7 %, 98.4 %]"


def test_a_share_of_all_or_of_nothing_has_an_interval_to_its_end():
    assert (share(0, 50).low, share(50, 50).high) == (0.0, 1.0)
    assert 0 < share(0, 50).high < 0.1


# ---------------------------------------------------------------- disjoint launches


def test_sets_of_launches_share_nothing_and_leave_out_what_is_left_over():
    sets = [list(chosen) for chosen in disjoint(range(17), 5)]
    assert sets == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11, 12, 13, 14]]
    assert list(disjoint(range(4), 5)) == []


def test_a_comparison_sees_its_own_launches_only():
    noise = np.random.default_rng(1)
    a, b = row(noise, 20), row(noise, 20)
    for launch in range(10, 20):
        a.net[launch] *= 2
    assert verdict_of(a, b, range(10, 20), 0.5) == "slower"
    assert verdict_of(a, b, range(10), 0.5) == "no difference"
    assert among({1: 2.0, 5: 3.0}, [5, 6]) == {5: 3.0}


# ---------------------------------------------------------------- part b


def pairs_of(count: int, launches: int, ns: float = 1000.0) -> dict[str, same.Pair]:
    noise = np.random.default_rng(7)
    return {str(n): (row(noise, launches, ns), row(noise, launches)) for n in range(count)}


def test_a_program_is_called_different_from_itself_about_five_times_in_a_hundred():
    found = same.claims(pairs_of(10, 1000), range(1000), 5)
    assert len(found) == 2000
    assert share(sum(found), 2000).low < 0.05 < share(sum(found), 2000).high


def test_what_differs_by_little_is_called_different_more_often():
    found = same.claims(pairs_of(2, 500, ns=1010), range(500), 5)
    assert sum(found) / len(found) > 0.15


def test_a_thousand_disjoint_comparisons_are_judged_and_nothing_is_dealt_again():
    (made,) = same.findings(pairs_of(10, 1000), range(1000), 1000, random.Random(1))
    assert (made.goal, made.met) == ("3 to 7 %", True)
    (made,) = same.findings(pairs_of(10, 1000, ns=1050), range(1000), 1000, random.Random(1))
    assert made.met is False


def test_a_slowdown_that_came_out_beside_its_part_is_held_at_it():
    noise = np.random.default_rng(3)
    plain, slow = row(noise, 40), row(noise, 40, ns=1060.0)
    made = slowed.exactly(0.05, slow, plain)
    again = paired(made.net, plain.net)
    assert again is not None and again.interval.value == pytest.approx(1.05)
    assert {n: made.raw[n] - made.net[n] for n in made.net} == pytest.approx(
        {n: slow.raw[n] - slow.net[n] for n in slow.net}
    )


def test_too_few_launches_are_dealt_again_and_judged_only_if_not_too_often():
    pairs = pairs_of(1, 203)
    assert len(same.claims(pairs, range(203), 10)) == 20
    assert len(same.claims_again(pairs, range(203), 10, 50, random.Random(1))) == 50
    assert same.claims_again(pairs, range(9), 10, 50, random.Random(1)) == []
    apart, again = same.findings(pairs, range(203), 50, random.Random(1))
    assert (apart.goal, apart.met, again.goal) == ("", None, "3 to 7 %")
    assert "of 20 =" in apart.found
    assert " of 50 = " in again.found
    assert same.findings(pairs, range(203), 500, random.Random(1))[1].met is None


def test_sampling_gets_what_starting_leaves_of_the_time():
    assert same.seconds_per_row(80.0, 100, 10) == pytest.approx(0.08 - same.START_SECONDS)
    assert same.seconds_per_row(1.0, 100, 10) == same.LEAST_SECONDS
    assert same.seconds_per_row(1e6, 100, 10) == same.MOST_SECONDS


# ---------------------------------------------------------------- part c


QUICK = slowed.QUICK


def test_a_comparison_stops_when_its_ratio_is_known_and_not_before_the_least_launches():
    steady = RowFigures({n: 1000.0 + n for n in range(200)}, {})
    wild = RowFigures({n: 1000.0 * (1 + n % 2) for n in range(300)}, {})
    free, dear = [0.0] * 300, [slowed.BUDGET / 50.5] * 300
    assert slowed.stopped(steady, steady, range(200), free) == range(QUICK.launches)
    assert slowed.stopped(steady, wild, range(300), free) == range(QUICK.max_launches)
    assert slowed.stopped(steady, steady, range(QUICK.launches - 1), free) is None
    assert slowed.stopped(steady, wild, range(QUICK.max_launches - 1), free) is None
    # What the time has room for is all there is, even if it is less than was asked for.
    assert slowed.stopped(steady, wild, range(300), dear) == range(50)
    assert slowed.stopped(steady, wild, range(100, 300), dear) == range(100, 150)
    assert slowed.stopped(steady, wild, range(50), dear) is None
    assert slowed.stopped(steady, steady, range(200), [slowed.BUDGET / 4] * 200) == range(4)
    assert slowed.stopped(steady, steady, range(200), [2 * slowed.BUDGET] * 200) == range(1)
    # A ratio that scatters by 3 % needs some of both; what both sides share makes no difference to it.
    noise = np.random.default_rng(3)
    shared = noise.normal(1000, 200, 200)
    rough = [RowFigures(dict(enumerate(shared * noise.normal(1, 0.021, 200))), {}) for _ in range(2)]
    seen = slowed.stopped(*rough, range(200), free)
    assert seen is not None and QUICK.launches < len(seen) < QUICK.max_launches


def test_comparisons_share_no_launch_until_these_are_used_up():
    steady = RowFigures({n: 1000.0 + n for n in range(95)}, {})
    sets, apart = slowed.comparisons(steady, steady, [0.1] * 95, random.Random(1))
    assert (len(sets), apart) == (slowed.COMPARISONS, 9)
    assert [launch for each in sets[:9] for launch in each] == list(range(90))
    assert sets[9] != sets[0] and all(len(set(each)) == QUICK.launches for each in sets)
    assert slowed.comparisons(steady, steady, [0.1] * 9, random.Random(1)) == ([], 0)


def test_what_is_slower_by_more_than_the_threshold_is_found_and_what_is_not_is_not():
    noise = np.random.default_rng(11)
    plain, slow = row(noise, 280), row(noise, 280, ns=1100)
    sets = list(disjoint(range(280), 7))
    assert slowed.times_found(slow, plain, sets, 0.03)[:2] == (40, 40)
    assert slowed.times_found(plain, slow, sets, 0.03)[:2] == (0, 40)
    assert slowed.times_found(slow, plain, sets, 0.20)[:2] == (0, 40)


def test_only_the_slowdown_that_must_be_found_is_judged_and_at_compares_own_threshold():
    noise = np.random.default_rng(11)
    plain, slow = row(noise, 700), row(noise, 700, ns=1000)
    costs = [0.3] * 700
    found = slowed.found_by_compare(slowed.SURE, slow, plain, costs, random.Random(1))
    judged = [finding for finding in found if finding.goal]
    assert [finding.what for finding in judged] == [
        "5 %: found at the threshold 3 %",
        "5 %: what a comparison takes",
    ]
    assert judged[0].met is False and judged[0].found.startswith("0 of 100")
    assert judged[1].met is True
    typical, longest = re.findall(r"([0-9.]+) s and (\d+)", judged[1].found)
    for seconds, launches in (typical, longest):
        assert QUICK.launches < int(launches) <= QUICK.max_launches
        # A median may lie half a launch beside the whole number that is shown.
        assert float(seconds) == pytest.approx(0.3 * int(launches), abs=0.3 / 2 + 0.1)
    assert float(typical[0]) <= float(longest[0]) <= 0.3 * QUICK.max_launches
    assert not any(f.goal for f in slowed.found_by_compare(0.10, slow, plain, costs, random.Random(1)))
    # Where the ratio is known at once, every comparison takes the least number of launches.
    steady = RowFigures(dict.fromkeys(range(1000), 1000.0), {})
    takes = slowed.found_by_compare(slowed.SURE, steady, steady, [0.25] * 1000, random.Random(1))[-1]
    least = f"{0.25 * QUICK.launches:.1f} s and {QUICK.launches}"
    assert takes.found == f"{least} launches in the median, {least} at most" and takes.met is True
    # Ten launches, dealt a hundred times, prove nothing.
    few = slowed.found_by_compare(slowed.SURE, slow, plain, [0.3] * 10, random.Random(1))
    assert not any(finding.goal for finding in few)
    (none,) = slowed.found_by_compare(slowed.SURE, slow, plain, [0.3] * 9, random.Random(1))
    assert none.what == "5 %: the launches suffice for no comparison"


# ---------------------------------------------------------------- parts a, e, f


def test_a_deviation_is_relative_and_paired():
    found = deviation([101.0, 202.0, 404.0], [100.0, 200.0, 400.0])
    assert found.value == pytest.approx(0.01)
    assert found.low == pytest.approx(0.01)
    with pytest.raises(UserError, match="no time at all"):
        deviation([0.0, 1.0], [1.0, 1.0])


def test_a_launch_that_lies_far_out_decides_no_deviation():
    measured = [100.5] * 9 + [400.0]
    assert deviation(measured, [100.0] * 10).value == pytest.approx(0.005)


def test_durations_are_written_with_their_unit():
    assert [known.in_words(ns) for ns in (100.0, 1e3, 1e5, 1e8)] == ["100 ns", "1 µs", "100 µs", "100 ms"]


def test_the_2016_procedure_drops_the_best_and_the_worst():
    assert old.middle([7.0, 1.0, 3.0, 2.0, 9.0, 4.0, 5.0]) == [2.0, 3.0, 4.0, 5.0, 7.0]


def test_precision_of_rows_and_of_their_ratio():
    names = {0: "a", 1: "b"}
    runs = {0: [100.0, 110.0, 90.0, 105.0, 95.0, 102.0, 98.0], 1: [10.0, 11.0, 9.0, 10.5, 9.5, 10.2, 9.8]}
    ours = {
        0: {n: 100.0 * (1 + n / 1000) for n in range(10)},
        1: {n: 10.0 * (1 + n / 1000) for n in range(10)},
    }
    found = old.precisions(names, runs, ours)
    assert list(found) == ["a", "b", "a / b"]
    assert all(new < then for then, new in found.values())
    # What moves both rows of a launch alike is no part of a paired ratio.
    assert found["a / b"][1] < 1e-9 < found["a"][1]


def test_googles_repetitions_are_read_in_any_unit_and_its_means_left_out():
    printed = (
        b'{"benchmarks": [{"run_type": "iteration", "real_time": 2.5, "time_unit": "us", "hash": 4096.0},'
        b'{"run_type": "aggregate", "real_time": 9.0, "time_unit": "us"}]}'
    )
    assert google.repetitions_ns(printed, "00001000") == [2500.0]
    with pytest.raises(UserError, match="do not give the hash 00001001"):
        google.repetitions_ns(printed, "00001001")
    with pytest.raises(UserError, match="it timed nothing"):
        google.repetitions_ns(b'{"benchmarks": []}', "0")
    with pytest.raises(UserError, match="no memory"):
        google.repetitions_ns(
            b'{"benchmarks": [{"run_type": "iteration", "real_time": 0, "time_unit": "ns",'
            b'"error_occurred": true, "error_message": "no memory"}]}',
            "0",
        )


@pytest.mark.parametrize(("launches", "judged"), [(199, [True, False, False]), (200, [True, True, False])])
def test_the_worker_is_judged_by_google_benchmark_only_where_launches_are_enough(launches, judged):
    worker, own, theirs = ([ns + n % 5 for n in range(launches)] for ns in (1030, 1010, 1000))
    found = google.findings("c/mpack", worker, own, theirs)
    assert [bool(finding.goal) for finding in found] == judged
    assert [finding.met for finding in found] == [True, False if launches == 200 else None, None]


@pytest.mark.parametrize(
    ("nanoseconds", "steps", "seconds", "expected"),
    [
        (100.0, 64, 0.15, (700_000, 19)),
        (1e7, 6_000_000, 0.15, (6_000_000, 5)),
        (1e7, 6_000_000, 0.12, (6_000_000, 5)),
        (1e8, 60_000_000, 0.15, (60_000_000, 1)),
    ],
)
def test_a_step_is_found_by_batches_like_the_harness_s_chunks(nanoseconds, steps, seconds, expected):
    assert known.batches(nanoseconds, steps, seconds) == expected


def test_the_calibrating_program_says_what_a_step_takes(tmp_path):
    program = build_calibrator(tmp_path)
    assert step_ns(program, None, 1000, 3) > 0
    assert subprocess.run([program], check=False, capture_output=True).returncode == 2


def test_the_harness_s_chunks_in_google_s_process_are_proved_too():
    printed = b"***WARNING*** CPU scaling is enabled\nhash 00001000\nchunk 5000\nchunk 6000\n"
    assert google.chunks_ns(printed, 10, "00001000") == [500.0, 600.0]
    with pytest.raises(UserError, match="does not give the hash 00001001"):
        google.chunks_ns(printed, 10, "00001001")


# ---------------------------------------------------------------- part g


def test_made_up_launches_have_the_truth_that_they_were_made_with():
    noise = np.random.default_rng(3)
    for model in coverage.MODELS:
        figures = coverage.simulate(model, 5000.0, 4000, noise)
        # The shortest of a round's chunks, and layouts of one sign in one model, lie a little above.
        assert 1.0 < np.mean(list(figures.values())) / 5000.0 < 1.02, model
        assert 0.5 < np.std(list(figures.values())) / 5000.0 / coverage.LAYOUT < 2, model


def test_intervals_of_ratios_cover_the_truth_and_not_what_lies_beside_it():
    noise = np.random.default_rng(3)
    a, b = (coverage.simulate("normal", ns, 5000, noise) for ns in (1200.0, 1000.0))
    found = share(*coverage.covered_ratios(a, b, 5, 1.2))
    assert found.trials == 1000
    assert found.low < 0.95 < found.high
    assert share(*coverage.covered_ratios(a, b, 5, 1.25)).value < 0.3


def test_the_rule_for_stopping_takes_the_least_number_when_that_is_precise():
    flat = {n: 1.0 + (n % 7 >= 5) for n in range(70)}
    assert coverage.covered_times(flat, 5, 7, 0.01, 1.0) == (10, 10)
    assert coverage.covered_times(flat, 7, 7, 0.01, 1.0)[0] == 10  # a wide interval has it too
    assert coverage.covered_times(flat, 5, 7, 0.01, 1.5) == (0, 10)


def test_real_ratios_of_a_program_to_itself_are_held_against_1():
    noise = np.random.default_rng(3)
    ratios = np.exp(0.01 * noise.standard_normal(2000))
    found = share(coverage.have_one(coverage.draw(ratios.tolist(), 5, 1000, noise)), 1000)
    assert found.low < 0.95 < found.high
    assert coverage.have_one(coverage.draw((1.05 * ratios).tolist(), 5, 1000, noise)) < 100


def test_real_times_are_held_against_the_median():
    noise = np.random.default_rng(3)
    times = noise.lognormal(0, 1, 2000).tolist()
    drawn = list(coverage.draw(times, 10, 1000, noise))
    found = share(coverage.have(float(np.median(times)), drawn), 1000)
    assert found.low < 0.95 < found.high
    assert coverage.have(3 * float(np.median(times)), drawn) < 300


def stored(launches: int, drift: float = 0.0) -> Outcome:
    noise = np.random.default_rng(3)
    speed = 1 + drift * np.sin(np.arange(launches) / 100)
    sides = [((1000 + 10 * noise.standard_normal(launches)) * speed).tolist() for _ in range(4)]
    return Outcome(part="b", title="", figures={"x": sides[:2], "y": sides[2:]})


def test_part_bs_launches_are_used_only_where_they_are_many():
    made = coverage.real(stored(600), 2000, np.random.default_rng(3))
    assert [finding.what.partition(" ")[0] for finding in made] == ["ratios,", "times,"] * 4
    assert [finding.met for finding in made] == [True, True, None, None] * 2
    drawn, in_order = (made[n].found.partition(" =")[0].partition(" of ")[2] for n in (1, 3))
    assert (drawn, in_order) == ("2000", "480")
    assert coverage.real(stored(299), 2000, np.random.default_rng(3)) == []


def test_launches_in_their_order_show_that_the_machine_drifts():
    def shares(drift: float) -> list[float]:
        found = coverage.real(stored(600, drift), 2000, np.random.default_rng(3))
        return [float(each.found.partition("= ")[2].partition(" %")[0]) for each in found[:4]]

    steady, drifting = shares(0.0), shares(0.1)
    assert min(steady) > 90
    assert min(drifting[:3]) > 90 and drifting[3] < 50


def test_stored_ratios_leave_out_what_has_no_net_time():
    assert coverage.stored_ratios({"a": [[2.0, None, 3.0, 4.0], [1.0, 5.0, None, -1.0]]}) == [[2.0]]


# ---------------------------------------------------------------- the ground and the program


def test_launches_become_figures_net_of_their_rows_own_harness():
    rows = [measured(0), measured(1)]
    samples = [
        Sample(
            row=number, launch=launch, round=0, position=0, started=0.0, iterations=10, wall=wall, cpu=wall
        )
        for launch, number, wall in ((0, 0, [100, 120]), (0, 1, [900, 300]), (1, 0, [50]), (1, 1, [250]))
    ]
    overheads = [
        Overhead(row=number, launch=launch, iterations=10, wall=wall, cpu=wall)
        for launch, number, wall in ((0, 0, [10]), (0, 1, [100, 110]), (1, 0, [10]), (1, 1, [60, 50]))
    ]
    figures = Stored(rows, samples, overheads, [1.0, 1.0]).figures()
    assert figures[1].raw == pytest.approx({0: 30.0, 1: 25.0})
    assert figures[1].net == pytest.approx({0: 20.0, 1: 20.0})
    assert figures[0].net == pytest.approx({0: 9.0, 1: 4.0})


@pytest.fixture
def ground(tmp_path, monkeypatch):
    """One whose workers may make up their times."""
    made = Ground(0, tmp_path)

    def made_up(warmup_ns=WARMUP_NS):
        return msgspec.structs.replace(conditions(FakeClock()), warmup_ns=warmup_ns)

    monkeypatch.setattr(made, "conditions", made_up)
    return made


def test_stored_launches_are_a_runs_own(ground):
    rows = [measured(0, ns=1000), measured(1, "own=0.25", ns=3000)]
    before = os.sched_getaffinity(0)
    stored = ground.store(rows, most=3, seconds_per_row=0.02, within=60.0)
    assert os.sched_getaffinity(0) == before
    assert len(stored.seconds) == 3
    assert {(sample.row, sample.launch) for sample in stored.samples} == {
        (row, launch) for row in (0, 1) for launch in range(3)
    }
    assert stored.figures()[1].net == pytest.approx({0: 2250.0, 1: 2250.0, 2: 2250.0}, rel=0.01)


def test_launches_of_a_comparison_have_its_short_turns(ground, tmp_path):
    for warmup, iterations in ((WARMUP_NS, 5000), (QUICK.warmup_ns, 1000)):
        log = tmp_path / str(warmup)
        ground.store([measured(0, f"log={log}")], 2, 0.02, 60.0, warmup)
        sampled = [request for request in requests(log) if request["do"] == "sample"]
        assert sampled[-1]["warmup"] == iterations


def test_launches_end_with_their_time_and_are_never_fewer_than_two(ground):
    assert len(ground.store([measured(0)], most=50, seconds_per_row=0.02, within=0.0).seconds) == 2


def test_a_row_that_fails_ends_its_part_with_the_reason(ground):
    with pytest.raises(UserError, match="while it was measured: answered garbage"):
        ground.store([measured(0), measured(1, "sample=garbage")], 2, 0.02, 60.0)


def test_the_2016_procedures_run_gives_the_mean_of_an_iteration(ground, monkeypatch):
    monkeypatch.setattr(old, "sample", partial(sample, believe=True))
    assert old._as_2016(ground, measured(0, ns=2000), 0.01, 0.1) == pytest.approx(2000.0)
    with pytest.raises(UserError, match="a row failed"):
        old._as_2016(ground, measured(0, "prepare=garbage"), 0.01, 0.1)


def test_copies_are_one_program_under_several_names():
    made = copies(measured(3), 3, first=10)
    assert [each.id for each in made] == [10, 11, 12]
    assert len({each.command for each in made}) == 1


def test_variants_of_the_proofs_contenders_take_the_steps_asked_for():
    assert [folder.name for folder in CONTENDERS] == ["busy", "slowed"]
    catalog = catalog_with({"c/slowed": {"plain": 0, "slow": 77}})
    rows = {row.variant: row for row in catalog.rows() if row.contender.id == "c/slowed"}
    assert sorted(rows) == ["", "plain", "slow"]
    assert "STEPS=77" in rows["slow"].defines
    # An included file that changes makes another program.
    assert any(define.startswith("MADE_FROM=0x") for define in rows["slow"].defines)


def test_parts_are_run_in_their_order_and_unknown_ones_refused():
    assert chosen_parts([]) == list("abcdefg") == list(TITLES)
    assert chosen_parts(["g", "b"]) == ["b", "g"]
    assert sum(SHARES.values()) == pytest.approx(1) and list(SHARES) == list(TITLES)
    with pytest.raises(UserError, match="there is no part 'z'"):
        chosen_parts(["z"])


def test_the_time_is_shared_among_the_parts_that_are_run():
    assert seconds_of(["b"], 17) == {"b": 17 * 60}
    pair = seconds_of(["d", "e"], 2)
    assert pair == {"d": pytest.approx(60), "e": pytest.approx(60)}
    whole = seconds_of(list(TITLES), 60)
    assert sum(whole.values()) == pytest.approx(3600) and whole["e"] == 300
    assert whole["b"] == pytest.approx(SHARES["b"] * 3600 + SHARES["e"] * 3600 - 300)
    assert seconds_of(["e"], 20) == {"e": 300}
    assert seconds_of(list(TITLES), 10)["e"] == pytest.approx(600 * SHARES["e"])


def test_a_part_waits_for_no_other_run_and_disturbs_none(monkeypatch, tmp_path):
    locks = tmp_path / "locks"
    locks.mkdir()
    locks.chmod(0o1777)
    monkeypatch.setattr("serbench.measure.machine_lock.FOLDERS", (locks,))
    taken = []
    monkeypatch.setattr(known, "run", lambda *_: taken.append(other_run()) or Outcome(part="a", title="t"))
    report = Report(serbench="", started="", machine={})
    carry_out(["a"], 1, 0, report, None)
    assert taken != [None] and not report.parts[0].not_run  # it has the lock itself
    with machine_lock(False):
        carry_out(["a"], 1, 0, report, None)
    assert len(taken) == 1 and "another run of serbench is active" in report.parts[1].not_run


def test_two_runs_are_whole_where_there_is_time():
    assert "--budget" not in twice.options_for(500, 45)
    assert twice.options_for(200, 45)[-2:] == ["--budget", "80"]
    assert twice.options_for(10, 45)[-2:] == ["--budget", "10"]
    assert "--budget" not in twice.options_for(160, 3)


def test_the_table_shows_verdicts_and_what_was_not_run():
    outcome = Outcome(
        part="b",
        title="t",
        findings=[
            Finding(what="x|y", found="1", goal="2", met=False),
            Finding(what="z", found="3", goal="3", met=True),
            Finding(what="u", found="4"),
        ],
    )
    lines = table([outcome, Outcome(part="f", title="google", not_run="it is not here")]).splitlines()
    assert lines[2:] == [
        "| b | x\\|y | 1 | 2 | miss |",
        "| b | z | 3 | 3 | pass |",
        "| b | u | 4 | - | - |",
        "| f | google | not run: it is not here | - | - |",
    ]
