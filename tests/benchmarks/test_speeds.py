"""The simulation of rows with two speeds, whose seeds make its figures the same everywhere."""

import numpy as np
import pytest
from benchmarks.speeds import MODELS, alarms, all_compared, compared, found, run_of, truth

from serbench.measure.ranks import Rank, ranks


@pytest.mark.parametrize("model", MODELS)
def test_groups_are_seldom_found_where_there_are_none(model):
    noise = np.random.default_rng(7)
    assert alarms(model, 0.01, 5, 1000, noise) < 20
    assert alarms(model, 0.1, 5, 1000, noise) < 120
    assert alarms(model, 0.1, 20, 1000, noise) < 10


def test_two_speeds_are_found_once_both_were_seen_twice():
    noise = np.random.default_rng(7)
    shares = [found(0.5, 0.01, launches, 1000, noise) / 1000 for launches in (5, 10, 20)]
    assert shares == sorted(shares) and 0.4 < shares[0] < 0.6 and shares[-1] > 0.95


def test_two_runs_seldom_contradict_each_other_and_their_ranks_contain_the_truth():
    sums = all_compared(0.5, 5, 5, 5, 7).agreement
    assert sums.contradicting <= 0.002 * sums.pairs < sums.decided
    assert sums.covered >= 0.95 * sums.rows


def test_launches_of_undecided_rows_make_ratios_repeat_as_launches_of_all_rows_do():
    few, chosen, many = (all_compared(0.3, least, most, 5, 7) for least, most in ((5, 5), (5, 10), (10, 10)))
    assert few.agreement.launches < chosen.agreement.launches < many.agreement.launches
    ends = [float(np.quantile(each.differences, 0.9)) for each in (few, chosen, many)]
    assert ends[1] < ends[0] and ends[1] < 1.5 * ends[2]
    assert chosen.agreement.contradicting <= few.agreement.contradicting


def test_the_truth_is_that_of_the_rows():
    noise = np.random.default_rng(7)
    of = truth(0.0, noise)._replace(spread=np.full(33, 1e-6))
    apart = of._replace(time=np.linspace(0, 3, 33))
    assert ranks(run_of(apart, 5, 5, noise), 0.01) == {n: Rank(n + 1, n + 1) for n in range(33)}
    same = compared(apart, 5, 5, noise).agreement
    assert (same.decided, same.contradicting, same.turned) == (same.pairs, 0, 0)
    assert same.covered == same.rows
