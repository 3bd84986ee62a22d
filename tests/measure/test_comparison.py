"""Ratios against scipy and against known answers, Holm's procedure, and the verdicts."""

import math
import random

import numpy as np
import pytest
from scipy import stats

from serbench.measure.comparison import (
    geometric_mean,
    holm,
    judge,
    time_ratio,
    unpaired,
)
from serbench.measure.statistics import LogRatio, RowFigures, paired, ratio_interval


def launches(center: float, spread: float, count: int, seed: int) -> dict[int, float]:
    source = random.Random(seed)
    return {n: center * math.exp(source.gauss(0, spread)) for n in range(count)}


def test_holm_steps_down_and_stops_at_the_first_that_stands() -> None:
    assert holm([], 0.05) == []
    assert holm([0.01, 0.04, 0.03, 0.005], 0.05) == [True, False, False, True]
    # 0.02 alone would fall at 0.05, but not as the smallest of three.
    assert holm([0.02, 0.9, 0.9], 0.05) == [False, False, False]
    # The second is compared with level / 1 only because the first fell.
    assert holm([0.02, 0.04], 0.05) == [True, True]


def test_paired_is_the_interval_of_the_tables_and_scipy_s_probability() -> None:
    a, b = launches(120, 0.02, 8, 1), launches(100, 0.02, 8, 2)
    ratio = paired(a, b)
    assert ratio is not None
    assert ratio.interval == pytest.approx(ratio_interval(a, b))
    logs = [math.log(a[n] / b[n]) for n in a]
    expected = stats.ttest_1samp(logs, math.log(1.1), alternative="greater").pvalue
    assert ratio.above(1.1) == pytest.approx(float(expected))


@pytest.mark.filterwarnings("ignore:Precision loss")
@pytest.mark.parametrize("count", [10, 14, 36])
def test_of_ten_launches_or_more_the_extreme_ones_do_not_count(count: int) -> None:
    a, b = launches(120, 0.02, count, 1), launches(100, 0.02, count, 2)
    a[3] *= 1.9  # a launch that was disturbed as a whole
    logs = [math.log(a[n] / b[n]) for n in a]
    ratio = paired(a, b)
    assert ratio is not None
    assert ratio.interval == pytest.approx(ratio_interval(a, b))
    assert ratio.interval.value == pytest.approx(math.exp(stats.trim_mean(logs, 0.15)))
    # Yuen's test of two samples, the other of which has no scatter.
    for limit in (1.1, 1.19, 1.25):
        other = [math.log(limit)] * count
        expected = stats.ttest_ind(logs, other, equal_var=False, trim=0.15, alternative="greater").pvalue
        assert ratio.above(limit) == pytest.approx(float(expected))
    assert ratio.error < stats.sem(logs)


def test_unpaired_is_welch() -> None:
    a, b = launches(120, 0.05, 9, 3), launches(100, 0.01, 5, 4)
    ratio = unpaired(a, b)
    assert ratio is not None
    expected = stats.ttest_ind(
        np.log(list(a.values())), np.log(list(b.values())), equal_var=False, alternative="greater"
    )
    assert ratio.above(1.0) == pytest.approx(float(expected.pvalue))
    low, high = stats.ttest_ind(
        np.log(list(a.values())), np.log(list(b.values())), equal_var=False
    ).confidence_interval(0.95)
    assert ratio.interval[1:] == pytest.approx((math.exp(low), math.exp(high)))


@pytest.mark.parametrize("figures", [{0: 10.0}, {}, {0: 10.0, 1: 0.0}])
def test_too_few_launches_or_impossible_times_prove_nothing(figures: dict[int, float]) -> None:
    assert paired(figures, {0: 1.0, 1: 1.0}) is None
    assert unpaired(figures, {0: 1.0, 1: 1.0}) is None


def test_a_row_at_the_floor_is_compared_by_its_raw_time() -> None:
    raw = {0: 100.0, 1: 101.0, 2: 99.0}
    clear, floor = RowFigures(raw, {0: 50.0, 1: 51.0, 2: 49.0}), RowFigures(raw, {0: 1.0, 1: 9.0, 2: 0.1})
    both, one = time_ratio(clear, clear), time_ratio(clear, floor)
    assert both is not None and both.basis == "net"
    assert one is not None and one.basis == "raw"
    assert one.log.interval.value == pytest.approx(1)


def test_the_four_verdicts() -> None:
    ratios = [
        LogRatio(math.log(1.10), 0.005, 9),
        LogRatio(math.log(0.90), 0.005, 9),
        LogRatio(math.log(1.001), 0.002, 9),
        LogRatio(math.log(1.03), 0.01, 9),
        None,
        LogRatio(math.log(2.0), 0.0, 9),
    ]
    assert judge(ratios, 0.03) == ["slower", "faster", "no difference", "undecided", "undecided", "slower"]


def test_many_rows_need_more_proof_than_one() -> None:
    suspect = LogRatio(math.log(1.08), 0.02, 9)  # alone: its interval's lower bound is 1.032
    assert suspect.interval.low > 1.03
    assert judge([suspect], 0.03) == ["slower"]
    same = LogRatio(0.0, 0.02, 9)
    assert judge([suspect, *[same] * 9], 0.03) == ["undecided"] * 10


def test_of_equal_programs_few_are_called_slower() -> None:
    source = random.Random(5)
    wrong = 0
    for _ in range(1000):
        ratios = [
            paired(
                {n: 100 * math.exp(source.gauss(0, 0.01)) for n in range(6)}, dict.fromkeys(range(6), 100.0)
            )
            for _ in range(4)
        ]
        wrong += "slower" in judge(ratios, 0.0)
    # 2.5 % expected; 5 standard deviations of that many trials are another 2.5 %.
    assert wrong <= 50
    assert wrong > 5  # a test that never fires would prove nothing


def test_a_geometric_mean_of_independent_ratios() -> None:
    mean = geometric_mean([LogRatio(math.log(2), 0.1, 9), LogRatio(math.log(8), 0.1, 9)])
    assert mean.interval.value == pytest.approx(4)
    assert mean.error == pytest.approx(math.hypot(0.05, 0.05))
    assert mean.freedom == pytest.approx(18)
    assert geometric_mean([LogRatio(0.0, 0.0, 4)] * 3).interval == (1, 1, 1)
