"""Launches that fall into groups, and those that only differ."""

import random

import pytest

from serbench.measure.speeds import speeds

FAST, SLOW = (61.0, 60.5, 61.2), (94.0, 94.6)


def test_the_speeds_of_two_groups_are_told_shortest_first():
    figures = [*FAST, *SLOW]
    for order in range(5):
        random.Random(order).shuffle(figures)
        assert speeds(figures) == pytest.approx([60.9, 94.3], abs=0.01)


def test_three_groups_are_three_speeds():
    assert speeds([*FAST, *SLOW, 75.0, 75.2]) == pytest.approx([60.9, 75.1, 94.3], abs=0.01)


@pytest.mark.parametrize(
    "figures",
    [
        [*FAST, 60.8, 94.0],  # one launch may have been disturbed
        [*FAST[:2], *SLOW],  # of four launches any two pairs are groups
        [61.0, 62.5, 60.5, 66.0, 64.8],  # the gap is not three times as wide as the groups
        [100.0, 100.1, 100.2, 104.0, 104.1],  # and here it is less than a twentieth
        [5.0] * 6,
        [0.0, 0.0, 0.0, 1.0, 1.0],
        [],
    ],
)
def test_what_is_one_speed(figures):
    assert speeds(figures) == []


def test_the_unit_does_not_matter():
    figures = [*FAST, *SLOW]
    assert speeds(1e6 * ns for ns in figures) == pytest.approx([1e6 * ns for ns in speeds(figures)])
