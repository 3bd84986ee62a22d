"""Which rows are proved faster, and the ranks that this leaves open."""

import random

import pytest

from serbench.measure.ranks import Rank, proved_faster, proved_slower, ranks
from serbench.measure.statistics import RowFigures


def figures(*values):
    return dict(enumerate(map(float, values)))


def row(*net, baseline=100.0):
    return RowFigures(figures(*(n + baseline for n in net)), figures(*net))


def test_faster_is_proved_beyond_the_threshold_only():
    a, b = row(100, 101, 99, 100), row(103, 104, 102, 103)
    assert proved_faster(a, b, 0.0) and not proved_faster(b, a, 0.0)
    assert proved_faster(a, b, 0.02)
    assert not proved_faster(a, b, 0.03)


def test_nothing_is_proved_by_noise_or_by_itself():
    a, b = row(100, 130, 90, 110), row(120, 100, 110, 125)
    assert not proved_faster(a, b, 0.0) and not proved_faster(b, a, 0.0)
    assert not proved_faster(a, a, 0.0)


def test_nothing_is_proved_with_fewer_than_two_common_launches():
    a = RowFigures({0: 110.0, 1: 110.1}, {0: 10.0, 1: 10.1})
    assert not proved_faster(a, RowFigures({1: 900.0, 2: 901.0}, {1: 800.0, 2: 801.0}), 0.0)
    assert not proved_faster(a, RowFigures({}, {}), 0.0)
    assert proved_faster(a, RowFigures({0: 900.0, 1: 901.0}, {0: 800.0, 1: 801.0}), 0.0)


def test_raw_is_compared_when_a_net_figure_is_not_positive():
    # Net they differ five times; raw by 4 %.
    near, far = row(1, 1.1, 0.9), row(5, 5.1, 4.9)
    assert proved_faster(near, far, 1.0)
    floor = row(1, -0.1, 0.9)
    assert proved_faster(floor, far, 0.02) and not proved_faster(floor, far, 0.1)


def test_raw_is_compared_when_there_is_no_baseline():
    a, b = RowFigures(figures(100, 101), {}), RowFigures(figures(300, 303), {})
    assert proved_faster(a, b, 0.02) and not proved_faster(b, a, 0.02)


def test_a_rare_speed_is_not_left_out():
    # The trimmed mean of twenty launches leaves three at each end out.
    source = random.Random(1)
    fast = [60 * source.gauss(1, 0.01) for _ in range(18)]
    two_speeds = RowFigures(figures(*fast, 94.0, 94.5), {})
    for other, proved in ((80.0, False), (99.0, True)):
        steady = RowFigures(figures(*(other * source.gauss(1, 0.01) for _ in range(20))), {})
        assert proved_faster(two_speeds, steady, 0.01) is proved
        one_slow = RowFigures(figures(*fast, 60.0, 94.5), {})
        assert proved_faster(one_slow, steady, 0.01)
    below = RowFigures(figures(*(50 * source.gauss(1, 0.01) for _ in range(20))), {})
    assert proved_faster(below, two_speeds, 0.01)


def test_tied_rows_share_the_places_that_others_leave():
    rows = {1: row(100, 101, 99), 2: row(100.5, 100, 100), 3: row(150, 151, 149), 4: row(90, 91, 90.5)}
    assert ranks(rows, 0.02) == {4: (1, 1), 1: (2, 3), 2: (2, 3), 3: (4, 4)}


def test_a_noisy_row_may_have_the_places_of_two_that_are_told_apart():
    rows = {1: row(100, 101, 99, 100), 2: row(80, 130, 95, 120), 3: row(110, 111, 109, 110)}
    assert ranks(rows, 0.02) == {1: (1, 2), 2: (1, 3), 3: (2, 3)}


def test_a_row_of_one_launch_has_no_rank_and_moves_nobody():
    rows = {1: row(100, 101, 99), 2: row(1), 3: row(200, 201, 199), 4: RowFigures({}, {})}
    assert ranks(rows, 0.02) == {1: (1, 1), 2: None, 3: (2, 2), 4: None}


def test_no_rows_have_no_ranks():
    assert ranks({}, 0.02) == {} == proved_slower({}, 0.02)


def random_rows(source):
    """Rows 3 % apart, whose launches differ by one to twelve per cent, some of which lack launches."""
    made = {}
    for n in range(20):
        spread = source.choice([0.01, 0.03, 0.12])
        nets = [100 * 1.03**n * source.gauss(1, spread) for _ in range(source.randint(3, 6))]
        made[n] = row(*nets)
    return made


@pytest.mark.parametrize("seed", range(5))
def test_who_is_proved_faster_stands_before_and_has_better_places(seed):
    rows = random_rows(random.Random(seed))
    slower, found = proved_slower(rows, 0.0), ranks(rows, 0.0)
    direct = {(a, b) for a in rows for b in rows if proved_faster(rows[a], rows[b], 0.0)}
    assert {(a, b) for a, below in slower.items() for b in below} >= direct
    for a, below in slower.items():
        assert all(slower[b] < below for b in below)  # what it beats, it beats, too
        assert all(found[a].first < found[b].first and found[a].last < found[b].last for b in below)
    assert all(1 <= rank.first <= rank.last <= len(rows) for rank in found.values())
    assert sum(len(below) for below in slower.values()) > 50


def raw_only(**launches):
    return RowFigures({int(name[1:]): float(ns) for name, ns in launches.items()}, {})


def test_what_is_faster_than_a_faster_row_is_faster():
    # The first and the last have no launch in common.
    rows = {
        1: raw_only(n0=100, n1=101),
        2: raw_only(n0=200, n1=202, n2=100, n3=101),
        3: raw_only(n2=200, n3=202),
    }
    assert not proved_faster(rows[1], rows[3], 0.0)
    assert ranks(rows, 0.0) == {1: Rank(1, 1), 2: Rank(2, 2), 3: Rank(3, 3)}


def test_rows_that_contradict_each_other_in_a_circle_prove_nothing():
    rows = {
        1: raw_only(n0=100, n1=101, n4=200, n5=202),
        2: raw_only(n0=200, n1=202, n2=100, n3=101),
        3: raw_only(n2=200, n3=202, n4=100, n5=101),
        4: raw_only(n0=900, n1=902, n2=900, n3=901, n4=900, n5=902),
    }
    assert all(proved_faster(rows[a], rows[b], 0.0) for a, b in ((1, 2), (2, 3), (3, 1)))
    assert ranks(rows, 0.0) == {1: (1, 3), 2: (1, 3), 3: (1, 3), 4: (4, 4)}


def test_ranks_do_not_depend_on_the_order_of_rows():
    source = random.Random(5)
    rows = random_rows(source)
    shuffled = dict(sorted(rows.items(), key=lambda _: source.random()))
    assert ranks(rows, 0.01) == ranks(shuffled, 0.01)
