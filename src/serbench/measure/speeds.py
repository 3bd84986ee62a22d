"""Launches of a row that fall into separate groups: a program that has two speeds from start to start."""

import math
from collections.abc import Iterable
from itertools import pairwise

LEAST_LAUNCHES = 5
"""With fewer, any two pairs look like groups by chance."""
LEAST_IN_GROUP = 2
"""A launch that is alone may have been disturbed."""
LEAST_GAP = math.log(1.05)
"""Between two groups: less is the difference of memory layouts that every program has."""
WIDTHS = 3.0
"""How many times as wide as the widest group the narrowest gap between two groups is, at the least."""


def speeds(figures: Iterable[float]) -> list[float]:
    """Return the times, shortest first, about which a row's launches lie in groups; empty if they are one.

    `figures` has one time a launch; each speed is the geometric mean of a group, in their unit. This is a gap
    test on the logarithms: they are cut at the widest gaps, as many as can be, so that each group has two
    launches or more, and each gap is three times as wide as any group. How often it finds groups
    where there are none, and misses those that there are: docs/results/2026-11-23-two-speeds.md.
    """
    times = sorted(figures)
    if len(times) < LEAST_LAUNCHES or times[0] <= 0:
        return []
    logs = [math.log(ns) for ns in times]
    gaps = sorted(((after - before, n) for n, (before, after) in enumerate(pairwise(logs), 1)), reverse=True)
    for count in range(len(logs) // LEAST_IN_GROUP - 1, 0, -1):
        places = [0, *sorted(place for _, place in gaps[:count]), len(logs)]
        groups = [logs[start:end] for start, end in pairwise(places)]
        widest = max(group[-1] - group[0] for group in groups)
        if min(map(len, groups)) >= LEAST_IN_GROUP and gaps[count - 1][0] >= max(LEAST_GAP, WIDTHS * widest):
            return [math.exp(math.fsum(group) / len(group)) for group in groups]
    return []
