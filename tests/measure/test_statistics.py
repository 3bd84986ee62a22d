import math

import numpy as np
import pytest
from scipy import stats

from serbench.measure.records import Sample
from serbench.measure.short_runs import Spread, divide, short_runs, subtract
from serbench.measure.statistics import (
    Interval,
    RowFigures,
    below_resolution,
    net_figures,
    precise_enough,
    ratio_interval,
    reaches_zero,
    t_interval,
    time_interval,
)


def sample(wall, iterations=10, launch=0, number=0):
    return Sample(
        row=0,
        launch=launch,
        round=number,
        position=0,
        started=0.0,
        iterations=iterations,
        wall=wall,
        cpu=wall,
    )


def figures(*values):
    return dict(enumerate(map(float, values)))


def row(*net, baseline=100.0):
    return RowFigures(figures(*(n + baseline for n in net)), figures(*net))


# ---------------------------------------------------------------- intervals


@pytest.mark.parametrize("values", [[1.0, 2.0], [5.5, 5.1, 4.9, 5.7, 5.2], list(np.geomspace(1, 50, 12))])
def test_t_interval_is_scipys(values):
    low, high = stats.t.interval(0.95, len(values) - 1, loc=np.mean(values), scale=stats.sem(values))
    assert t_interval(values) == pytest.approx((np.mean(values), low, high), rel=1e-12)


def test_t_interval_by_hand():
    # mean 12, s = 2, t(0.975, 2) = 4.302653 (tables), half width 4.302653 * 2 / sqrt(3)
    assert t_interval([10, 12, 14]) == pytest.approx((12, 12 - 4.968276, 12 + 4.968276), abs=1e-5)


def test_one_value_says_nothing_of_its_precision():
    assert t_interval([3.0]) == (3.0, -math.inf, math.inf)
    with pytest.raises(ValueError, match="no values"):
        t_interval([])


def test_ratio_interval_is_the_exponential_of_scipys_for_log_ratios():
    a, b = [10.0, 11.0, 9.5, 10.4], [5.0, 5.6, 4.6, 5.3]
    logs = np.log(a) - np.log(b)
    low, high = stats.t.interval(0.95, 3, loc=logs.mean(), scale=stats.sem(logs))
    assert ratio_interval(figures(*a), figures(*b)) == pytest.approx(np.exp([logs.mean(), low, high]))


def test_ratio_is_paired_within_launches():
    a = {0: 10.0, 1: 20.0, 2: 40.0, 7: 1.0}
    b = {0: 5.0, 1: 10.0, 2: 20.0, 8: 1.0}
    assert ratio_interval(a, b) == pytest.approx((2, 2, 2))


def test_ratio_without_common_launches_or_of_nothing_is_none():
    assert ratio_interval({0: 1.0}, {1: 1.0}) is None
    assert ratio_interval(figures(1, 0), figures(1, 1)) is None
    assert ratio_interval(figures(1, 1), figures(1, -1)) is None


def test_ratio_of_wild_figures_does_not_overflow():
    wild = ratio_interval(figures(1e-9, 1e18), figures(1e18, 1e-9))
    assert wild is not None and wild.value == pytest.approx(1) and wild.high == math.inf and wild.low == 0


@pytest.mark.parametrize("interval", [t_interval, time_interval])
@pytest.mark.parametrize("launches", [5, 10])
def test_interval_covers_the_truth_in_95_percent_of_normal_samples(launches, interval):
    source = np.random.default_rng(20160112)
    drawn = source.normal(100, 3, size=(4000, launches))
    hit = sum(i.low <= 100 <= i.high for i in map(interval, drawn))
    assert 0.93 <= hit / 4000 <= 0.97


@pytest.mark.parametrize("launches", [5, 6, 7, 10, 20, 60])
def test_a_times_interval_covers_the_median_however_skewed_launches_are(launches):
    source = np.random.default_rng(4)
    drawn = source.lognormal(0, 1, size=(6000, launches))
    hit = sum(i.low <= 1 <= i.high for i in map(time_interval, drawn))
    assert 0.93 <= hit / 6000 <= 0.97
    of_mean = sum(i.low <= math.exp(0.5) <= i.high for i in map(t_interval, drawn))
    assert of_mean / 6000 < 0.93


def test_a_times_interval_by_hand():
    # Five: the range. Six: its confidence is 31/32 = 96.875 %, that of the next two 25/32 = 78.125 %; with
    # I = (31/32 - 0.95) / (6/32) = 0.1 the way to go is (6 - 1) * 0.1 / (1 + (6 - 2) * 0.1) = 0.5 / 1.4.
    # The value is the mean of those inside.
    assert time_interval([9, 1, 2, 7, 3]) == (4, 1, 9)
    way = 0.5 / 1.4
    expected = (4, 1 + way, 9 - 2 * way)
    assert time_interval([9, 1, 2, 7, 3, 4]) == pytest.approx(expected, abs=1e-12)
    assert time_interval([4.0] * 8) == (4, 4, 4)


@pytest.mark.parametrize("size", [5, 8, 13, 40, 480])
def test_a_times_interval_lies_between_the_ranks_that_scipy_finds(size):
    values = np.arange(1.0, size + 1)
    test = stats.quantile_test(values, q=(size + 1) / 2, p=0.5)
    outer = test.confidence_interval(confidence_level=0.93 if size == 5 else 0.95)
    found = time_interval(values)
    assert found.value == (size + 1) / 2 and found.low + found.high == pytest.approx(size + 1)
    assert outer.low <= found.low <= outer.low + 1 and outer.high - 1 <= found.high <= outer.high


def test_one_launch_far_out_moves_a_time_little():
    moved = time_interval([10, 11, 12, 13, 14, 15, 16, 17, 18, 900])
    assert moved.high < 18.1 and moved.value == 14.5


@pytest.mark.parametrize("launches", [5, 6, 7, 10, 20, 60, 480])
def test_a_time_lies_inside_its_interval(launches):
    source = np.random.default_rng(9)
    for drawn in source.lognormal(0, 2, size=(200, launches)):
        found = time_interval(drawn)
        assert found.low < found.value < found.high


@pytest.mark.parametrize("values", [[5.0], [5.0, 6.0], [5.0, 6.0, 9.0, 6.5]])
def test_fewer_than_five_launches_have_the_t_interval(values):
    assert time_interval(values) == t_interval(values)


def test_ratio_interval_covers_the_true_ratio_although_launches_differ():
    source = np.random.default_rng(19)
    hit = 0
    for _ in range(3000):
        launch = source.lognormal(4, 0.5, size=6)
        a = launch * 1.5 * source.lognormal(0, 0.02, size=6)
        b = launch * source.lognormal(0, 0.02, size=6)
        found = ratio_interval(figures(*a), figures(*b))
        # Unpaired, the interval would be some twenty times as wide.
        assert found is not None and found.high / found.low < 1.3
        hit += found.low <= 1.5 <= found.high
    assert 0.93 <= hit / 3000 <= 0.97


@pytest.mark.parametrize("launches", [10, 14, 20, 60])
def test_trimmed_ratios_cover_the_truth_with_two_kinds_of_launches(launches):
    source = np.random.default_rng(launches)
    hit = 0
    for _ in range(2000):
        logs = 3.0 * (source.random(launches) < 1 / 3) - 3.0 * (source.random(launches) < 1 / 3)
        ratios = np.exp((logs + 0.7 * source.standard_normal(launches)) / 100)
        found = ratio_interval(figures(*ratios), figures(*np.ones(launches)))
        assert found is not None
        hit += found.low <= 1 <= found.high
    assert 0.93 <= hit / 2000 <= 0.97


# ---------------------------------------------------------------- net and floor


def test_net_subtracts_within_common_launches_only():
    assert net_figures({0: 10.0, 1: 20.0, 3: 5.0}, {0: 4.0, 1: 6.0, 2: 1.0}) == {0: 6.0, 1: 14.0}


def test_whether_an_interval_reaches_zero():
    assert reaches_zero(Interval(1, -0.1, 2.1)) and reaches_zero(Interval(1, 0, 2))
    assert reaches_zero(Interval(-1, -math.inf, math.inf))
    assert not reaches_zero(Interval(1, 0.1, 1.9))
    assert not reaches_zero(Interval(1, -math.inf, math.inf))


@pytest.mark.parametrize(
    ("raws", "expected"),
    [
        ((101.0, 99.0, 102.0), True),  # nothing of its own that can be seen
        ((130.0, 101.0, 250.0), True),  # less than twice the baseline, and it may be nothing
        ((130.0, 131.0, 132.0), False),  # little, but proved
        ((220.0, 101.0, 400.0), False),  # more than the baseline itself: it may not be called nothing
        ((3000.0, 110.0, 9000.0), False),  # 40 times the baseline, however much launches differ
        ((101.0, 99.0, 101.0, 100.0, 103.0, 2000.0), True),  # what one launch has does not count
        ((220.0, 230.0, 240.0, 99.0, 235.0), False),
        ((99.0,), True),
        ((101.0,), False),
    ],
)
def test_at_the_floor(raws, expected):
    raw = figures(*raws)
    assert below_resolution(RowFigures(raw, net_figures(raw, figures(*[100.0] * 6)))) == expected


def test_without_a_baseline_nothing_is_at_the_floor():
    assert not below_resolution(RowFigures(figures(1.0, 2.0), {}))
    assert not below_resolution(RowFigures({}, {}))


def test_half_width_and_relative():
    assert Interval(10, 8, 12).half_width == 2 and Interval(10, 8, 12).relative == 0.2
    assert Interval(0, -1, 1).relative == math.inf


# ---------------------------------------------------------------- when a group can stop


def test_precise_enough_asks_every_row():
    # 100, 102: half width 12.706 * sqrt(2) / sqrt(2) = 12.7 of 101
    wide, narrow = figures(100, 102), figures(100, 100.1, 99.9)
    assert precise_enough([wide, narrow], 0.13) and not precise_enough([wide, narrow], 0.12)
    assert precise_enough([narrow], 0.01)
    assert not precise_enough([narrow, figures(100)], 0.5)


# ---------------------------------------------------------------- the 2016 statistic


def test_short_runs_drops_best_and_worst_of_seven():
    walls = [500, 100, 120, 110, 130, 140, 10]  # per iteration 50 10 12 11 13 14 1
    assert short_runs([sample([w]) for w in walls[:1]] + [sample(walls[1:])]) == pytest.approx(
        Spread(12, math.sqrt(2.5))
    )


def test_short_runs_cuts_in_time_order_and_leaves_the_earliest_over():
    order = [9999, 9999] + [w for pair in [(10, 30), (30, 50), (50, 70), (70, 90), (90, 110)] for w in pair]
    order += [0, 0, 1000, 1000]
    late_first = [sample(order[8:], number=1, launch=1), sample(order[:8], number=0, launch=1)]
    # groups 2 4 6 8 10 0 100 per iteration: 0 and 100 dropped
    assert short_runs(late_first) == pytest.approx(Spread(6, math.sqrt(10)))


def test_short_runs_needs_seven_chunks():
    assert short_runs([sample([100] * 6)]) is None
    assert short_runs([sample([100] * 7)]) == (10.0, 0.0)


def test_propagation_of_deviations():
    assert subtract(Spread(10, 3), Spread(4, 4)) == (6, 5)
    # 3 % and 4 % give 5 %
    assert divide(Spread(100, 3), Spread(50, 2)) == pytest.approx((2, 0.1))
    assert divide(Spread(1, 1), Spread(0, 1)) is None
