"""A budget that is too small for all rows: who is measured, with whom, and what the rest would need."""

from pathlib import Path

import msgspec
import pytest

from serbench.measure import calibration, turns
from serbench.measure.plan import Group, Pair, State
from serbench.measure.precision import budget_sentence, settings_for, usual_budget
from serbench.measure.records import Comparing, Failure, Sample, Stop
from serbench.measure.schedule import Schedule
from tests.measure.fakes import FakeClock, conditions, measured, requests, settings

pytestmark = pytest.mark.usefixtures("no_leaks")


def large(number: int, *options: str, start=2.0, once=1.0, real=None, role="contender", harness="c"):
    """A row of which the gate saw `start` and `once` seconds; really its worker takes `real` times that."""
    row = measured(number, *options, role=role, ns=once * (real or 1.0) * 1e9)
    return msgspec.structs.replace(
        row,
        tape=Path(f"{(start + once) * (real or 1.0)}.tape"),
        start_seconds=start,
        iteration_seconds=once,
        harness=harness,
    )


def table(first: int, contenders: int = 6, test: str = "tree", **costs):
    """A group of contenders with their baseline and the memcpy row."""
    rows = [large(first + n, **costs) for n in range(contenders)]
    rows.append(large(first + 50, role="baseline", start=0.5, once=0.1))
    rows.append(large(first + 51, role="floor", start=0.5, once=0.1))
    return Group(test=test, dataset="big", profile="speed", rows=rows)


@pytest.fixture
def schedule(monkeypatch):
    """Runs a schedule on a clock on which preparing a worker takes what the name of its tape says."""
    clock = FakeClock()
    prepare = turns.prepare

    def slow(worker, tape, *rest):
        clock.now += float(tape.stem)
        prepare(worker, tape, *rest)

    monkeypatch.setattr(turns, "prepare", slow)

    def run(groups, budget: float, **changes):
        emitted: list[Sample | Failure | Stop] = []

        def emit(record):
            clock.pass_sample(record)
            emitted.append(record)

        plan = Schedule(groups, settings(**changes), conditions(clock, budget), 1 << 30, emit)
        plan.run()
        samples = [record for record in emitted if isinstance(record, Sample)]
        stops = [record for record in emitted if isinstance(record, Stop)]
        return samples, stops, plan, clock

    return run


def sampled(samples, group, role="contender", launch=None) -> set[int]:
    ids = {row.id for row in group.rows if row.role == role}
    return {s.row for s in samples if s.row in ids and launch in (None, s.launch)}


def test_every_table_gets_its_share(schedule):
    groups = [table(0, test="write"), table(100, test="tree"), table(200, test="incremental")]
    # One launch of all takes 3 x (6 x 4 + 2 x 0.7) s, so this is half of one.
    samples, stops, _, clock = schedule(groups, budget=38.0)
    counts = [len(sampled(samples, group)) for group in groups]
    assert min(counts) >= 2 and max(counts) - min(counts) <= 1
    assert {stop.reason for stop in stops} == {"time used up"}
    assert clock.now < 38.0 + 4.0
    for group in groups:
        for launch in {s.launch for s in samples}:
            if sampled(samples, group, launch=launch):
                assert sampled(samples, group, "baseline", launch)
        assert sampled(samples, group, "floor")


def test_the_cheapest_rows_are_measured_and_the_dear_one_keeps_none_from_it(schedule):
    group = table(0, contenders=5)
    group.rows.append(large(30, start=60.0, once=40.0))
    samples, _, plan, _ = schedule([group], budget=70.0)
    assert sampled(samples, group) == {0, 1, 2, 3, 4}
    # The time that it would not have sufficed for went into further launches of the others.
    assert all(len({s.launch for s in samples if s.row == row}) >= 3 for row in range(5))
    # Three launches of it take three times 60 + 40 + 40 s, and the others are not for nothing either.
    assert 3 * 140 < plan.seconds_for_all() < 1.3 * (3 * 140 + 3 * (5 * 4 + 1.4))


def test_a_table_has_a_figure_however_small_the_budget(schedule):
    groups = [table(0, test="write"), table(100, test="tree")]
    samples, _, _, _ = schedule(groups, budget=14.0)
    for group in groups:
        assert len(sampled(samples, group)) >= 1 and sampled(samples, group, "baseline")


def test_what_is_found_takes_the_place_of_what_was_expected(schedule):
    # The gate was ten times as slow: by its word there is time for a tenth of the rows.
    groups = [
        table(n, test=test, start=20.0, once=10.0, real=0.1) for n, test in ((0, "write"), (100, "tree"))
    ]
    samples, _, _, clock = schedule(groups, budget=120.0)
    assert [len(sampled(samples, group)) for group in groups] == [6, 6]
    assert clock.now <= 120.0 + 4.0


def test_rows_that_come_later_are_of_the_same_launch(schedule):
    groups = [table(0, start=20.0, once=10.0, real=0.1)]
    samples, _, _, _ = schedule(groups, budget=60.0)
    assert sampled(samples, groups[0], launch=0) == {0, 1, 2, 3, 4, 5}
    for launch in {s.launch for s in samples}:
        assert len({len(s.wall) for s in samples if s.launch == launch}) == 1


def test_what_others_are_compared_with_is_measured_alone_if_there_are_none(schedule):
    rows = [msgspec.structs.replace(large(0), anchor=True), large(1, role="baseline", start=0.5, once=0.1)]
    group = Group(test="tree", dataset="big", profile="speed", rows=rows)
    samples, _, _, _ = schedule([group], budget=4.5)  # a little less than a launch is expected to take
    assert sampled(samples, group) == {0}


def test_a_baseline_is_measured_for_its_own_language_only(schedule):
    group = table(0, contenders=3)
    group.rows.append(large(30, start=90.0, once=1.0, harness="javascript"))
    group.rows.append(large(31, role="baseline", start=8.0, once=0.1, harness="javascript"))
    samples, _, _, _ = schedule([group], budget=40.0)
    assert sampled(samples, group) == {0, 1, 2}
    assert sampled(samples, group, "baseline") == {50}


def test_where_all_fits_nothing_is_left_out_and_nothing_is_said(schedule):
    group = table(0)
    samples, stops, plan, _ = schedule([group], budget=1000.0)
    assert [(stop.launches, stop.reason) for stop in stops] == [(3, "precise enough")]
    assert all(sampled(samples, group, launch=launch) == {0, 1, 2, 3, 4, 5} for launch in range(3))
    assert plan.seconds_for_all() is None


def test_the_budget_that_is_named_is_enough(schedule):
    _, _, plan, clock = schedule([table(0), table(100, test="write")], budget=30.0)
    enough = plan.seconds_for_all()
    clock.now = 0.0
    groups = [table(0), table(100, test="write")]
    _, stops, plan, _ = schedule(groups, budget=enough)
    assert plan.seconds_for_all() is None
    assert [stop.launches for stop in stops] == [3, 3]


def test_rows_that_never_fitted_lacked_time_however_many_launches_the_others_had(schedule):
    # Five launches of the cheap row take less than a turn of the dear one.
    cheap, dear = large(0, start=0.5, once=0.5), large(1, start=90.0, once=40.0)
    group = Group(
        test="tree",
        dataset="big",
        profile="speed",
        rows=[cheap, dear, large(50, role="baseline", start=0.1, once=0.1)],
    )
    samples, stops, plan, _ = schedule([group], budget=100.0, target=-1.0)
    assert sampled(samples, group) == {0}
    assert [stop.reason for stop in stops] == ["time used up"]
    assert max(s.launch for s in samples) < 5
    assert plan.seconds_for_all() > 3 * 130


def test_a_launch_counts_as_whole_only_if_every_row_was_sampled():
    rows = [measured(0), measured(1)]
    state = State(Group(test="tree", dataset="d", profile="speed", rows=rows), settings())

    def took(row, launch):
        state.samples[row].append(
            Sample(row=row, launch=launch, round=0, position=0, started=0.0, iterations=1, wall=[9], cpu=[9])
        )

    took(0, 0)
    state.visited = {0, 1}  # the second was started, and then the time was up
    state.next_launch()
    took(0, 1)
    took(1, 1)
    state.next_launch()
    assert (state.launches, state.begun) == (1, 2)
    assert state.figures == {0: {0: pytest.approx(9), 1: pytest.approx(9)}, 1: {1: pytest.approx(9)}}
    # So it does when an interrupted run is taken up.
    again = State(state.group, settings())
    again.samples = state.samples
    again.take_up()
    assert (again.launches, again.begun, again.number) == (1, 2, 2)
    assert again.figures == state.figures


@pytest.mark.parametrize(
    ("sampled", "counts"),
    [
        (((0, 0), (1, 0), (0, 1)), (1, 1, 2)),
        # Earlier ones may have been of some rows only.
        (((0, 0), (0, 1), (1, 1)), (1, 2, 2)),
        (((0, 0), (0, 1), (1, 1), (1, 2)), (1, 2, 3)),
    ],
)
def test_a_launch_that_was_cut_off_is_none_of_the_most_launches(sampled, counts):
    rows = [measured(0), measured(1)]
    state = State(Group(test="tree", dataset="d", profile="speed", rows=rows), settings())
    for row, launch in sampled:
        state.samples[row].append(
            Sample(row=row, launch=launch, round=0, position=0, started=0.0, iterations=1, wall=[9], cpu=[9])
        )
    state.take_up()
    assert (state.launches, state.begun, state.number) == counts


def test_a_calibration_at_another_speed_is_put_right_by_the_first_launch():
    rows = [measured(0), measured(1)]
    state = State(Group(test="tree", dataset="d", profile="speed", rows=rows), settings())
    state.calibration.nanoseconds = {0: 1000.0, 1: 2300.0}  # the same program; the machine was slower
    assert state.calibration.iterations(0, 10**6) > 2 * state.calibration.iterations(1, 10**6)
    for row, ns in ((0, 1010), (1, 1020)):
        state.samples[row].append(
            Sample(row=row, launch=0, round=0, position=row, started=row, iterations=1, wall=[ns], cpu=[ns])
        )
    state.next_launch()
    chunks = [state.calibration.iterations(row, 10**6) for row in (0, 1)]
    assert chunks[0] == pytest.approx(chunks[1], rel=0.02)


@pytest.mark.parametrize(("new", "same"), [(160_000, True), (150_000, True), (500_000, False)])
def test_rows_that_are_compared_have_as_many_iterations_in_a_chunk(new: int, same: bool):
    rows = [measured(0), measured(1)]
    both = Group(test="tree", dataset="d", profile="speed", rows=rows, pairs=[Pair(0, 1)])
    state = State(both, settings())
    state.calibration.nanoseconds = {0: 1.0, 1: 1.0}
    for row, ns in ((0, new), (1, 153_000)):  # a chunk of 1 ms has 6.25 (or 6.7, or 2) and 6.54 of these
        state.samples[row].append(
            Sample(row=row, launch=0, round=0, position=row, started=row, iterations=1, wall=[ns], cpu=[ns])
        )
    state.next_launch()
    chunks = [state.calibration.iterations(row, 10**6) for row in (0, 1)]
    assert (chunks[0] == chunks[1]) is same
    # So they have when an interrupted comparison is taken up.
    again = State(both, settings())
    again.samples = state.samples
    again.take_up()
    assert [again.calibration.iterations(row, 10**6) for row in (0, 1)] == chunks


def test_a_comparison_without_a_pair_does_not_go_on_for_its_times():
    rows = [measured(0), measured(1)]
    asked = settings(comparing=Comparing(new="c/a", old="c/b", threshold=0.03), target=0.0)
    assert State(Group(test="tree", dataset="d", profile="speed", rows=rows), asked).precise()
    assert not State(Group(test="tree", dataset="d", profile="speed", rows=rows), settings()).precise()


def launches_of(samples, group) -> dict[int, set[int]]:
    return {row.id: {s.launch for s in samples if s.row == row.id} for row in group.rows}


@pytest.mark.parametrize(("budget", "made"), [(21.5, 2), (25.0, 2), (38.0, 4)])
def test_after_two_launches_all_rows_take_part_in_another_or_none(schedule, budget, made):
    group = table(0, start=1.0, once=0.1)
    samples, stops, _, clock = schedule([group], budget, launches=9, max_launches=9)
    launches = launches_of(samples, group)
    assert len(launches[0]) == made and all(each == launches[0] for each in launches.values())
    assert [stop.reason for stop in stops] == ["time used up"] and clock.now < budget


@pytest.mark.parametrize("dear_first", [True, False])
@pytest.mark.parametrize("budget", [66.0, 68.0, 70.0, 72.0])
def test_a_dear_group_leaves_the_others_as_many_launches(schedule, dear_first, budget):
    cheap = [table(n, contenders=1, start=0.2, once=0.01) for n in (100, 200)]
    dear = table(0, start=3.0, once=0.1)
    groups = [dear, *cheap] if dear_first else [*cheap, dear]
    samples, _, _, clock = schedule(groups, budget, launches=5, max_launches=5)
    made = [len(launches_of(samples, group)[group.rows[0].id]) for group in [dear, *cheap]]
    assert made[0] >= 2 and min(made[1:]) >= made[0] and clock.now < budget


def test_long_iterations_are_not_calibrated(schedule, tmp_path):
    log = tmp_path / "log"
    schedule([Group(test="tree", dataset="big", profile="speed", rows=[large(0, f"log={log}")])], 4.5)
    asked = [(r["iterations"], r["chunks"], r["warmup"]) for r in requests(log) if r["do"] == "sample"]
    assert asked == [(1, 1, 1)]


def test_short_iterations_are_calibrated_whatever_the_gate_saw(schedule, tmp_path):
    log = tmp_path / "log"
    row = msgspec.structs.replace(measured(0, f"log={log}"), tape=Path("0.tape"), iteration_seconds=0.1)
    schedule([Group(test="tree", dataset="big", profile="speed", rows=[row])], 50.0)
    assert [r["iterations"] for r in requests(log) if r["do"] == "sample"][-1] == 1000


def test_a_long_warm_up_ends(schedule, tmp_path):
    log = tmp_path / "log"
    row = msgspec.structs.replace(
        large(0, f"log={log}"), warmup_seconds=0.4, warmup_calls=30, most_warmup_seconds=4.0
    )
    schedule([Group(test="tree", dataset="big", profile="speed", rows=[row])], 8.5)
    before = [r["iterations"] for r in requests(log) if r["do"] == "sample"][:-1]
    assert before == [1, 3, 1, 1, 3]  # warm-up, sample, and the next launch's


@pytest.mark.parametrize(
    ("seconds", "budget"), [(40.0, 44), (100.0, 110), (841.3, 930), (1234.0, 1400), (0.5, 1)]
)
def test_the_sentence(seconds: float, budget: int):
    assert f"about --budget {budget} would" in budget_sentence(seconds, 5)
    assert "before every row had 5 launches" in budget_sentence(seconds, 5)
    # What a run had did not do, however little its launches were reckoned to need.
    assert "about --budget 440 would" in budget_sentence(min(seconds, 300.0), 5, had=400.0)


def test_on_a_machine_that_is_much_slower_than_at_the_gate_every_table_has_figures(schedule):
    # By the word of the gate there is time for 3 launches of all; really a row takes 11 s and 6 s more.
    groups = [
        table(n, test=test, start=0.25, once=0.3, real=20.0) for n, test in ((0, "write"), (100, "tree"))
    ]
    samples, _, plan, clock = schedule(groups, budget=90.0)
    counts = [len(sampled(samples, group)) for group in groups]
    assert min(counts) >= 1 and sum(counts) >= 3
    for group in groups:
        assert sampled(samples, group, "baseline")
    assert clock.now < 90.0 + 17.0
    assert plan.seconds_for_all() > 3 * 2 * 6 * 17.0


def test_a_language_alone_may_state_its_usual_budget(catalog):
    native, javascript = catalog.harnesses["c"], catalog.harnesses["javascript"]
    quick, full = (settings_for(name, [], None, [], 0, True, False) for name in ("quick", "full"))
    most = javascript.quick_seconds
    assert 60 < most < 300 and native.quick_seconds == 0
    assert usual_budget(quick, 1000, [javascript]) == most
    assert usual_budget(quick, 1000, [javascript], spent=70) == most - 70
    assert usual_budget(quick, 1000, [javascript], spent=500) == 60
    assert usual_budget(quick, 50, [javascript], spent=70) == most - 70
    assert usual_budget(quick, 50) == pytest.approx(200)
    for harnesses in ([native], [native, javascript], []):
        assert usual_budget(quick, 1000, harnesses, spent=40) == 300
        assert usual_budget(quick, 1000, harnesses, spent=70) == 290  # proofs and measuring: six minutes
        assert usual_budget(quick, 1000, harnesses, spent=500) == 60
    assert usual_budget(full, 1000, [javascript]) == 3600
    comparing = settings_for(
        "quick", [], None, [], 0, True, False, Comparing(new="a", old="b", threshold=0.03)
    )
    assert usual_budget(comparing, 1000, [javascript]) == 600


def test_a_comparison_of_one_test_ends_within_20_seconds_unless_its_launches_are_dear():
    asked = Comparing(new="a", old="b", threshold=0.03)
    quick, full = (settings_for(name, [], None, [], 0, True, False, asked) for name in ("quick", "full"))
    # Both versions and the baseline, where a launch of all takes a third of a second.
    assert 15 < usual_budget(quick, 3, launch_seconds=0.35) < 20
    assert usual_budget(full, 3, launch_seconds=0.35) > 4 * usual_budget(quick, 3)
    assert quick.launches * 5 * 1.5 < usual_budget(quick, 3, launch_seconds=5.0) < quick.launches * 5 * 3
    assert usual_budget(quick, 3, launch_seconds=500.0) == 600
    # A run has its least budget, however much or little a launch takes.
    plain = settings_for("quick", [], None, [], 0, True, False)
    assert usual_budget(plain, 3, launch_seconds=500.0) == usual_budget(plain, 3) == 60
    # Its turns are shorter than a run's.
    assert 0 < quick.warmup_ns == full.warmup_ns < plain.warmup_ns


def test_what_a_launch_is_expected_to_take():
    row = msgspec.structs.replace(measured(0), start_seconds=0.5, iteration_seconds=0.1)
    assert calibration.expected_seconds(row, 0.3) == pytest.approx(0.5 + 0.1 + 0.3)
    assert calibration.expected_seconds(
        msgspec.structs.replace(row, iteration_seconds=4.0), 0.3
    ) == pytest.approx(8.5)
    warmed = msgspec.structs.replace(row, warmup_seconds=0.4, warmup_calls=30, most_warmup_seconds=2.0)
    assert calibration.expected_seconds(warmed, 0.3) == pytest.approx(0.5 + 2.0 + 0.1 + 0.3)
