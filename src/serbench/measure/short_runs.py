"""The statistic of the 2016 suite, from the samples of today: for its published layout only."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from serbench.measure.records import Sample

SHORT_RUNS = 7


class Spread(NamedTuple):
    """A mean and its n - 1 standard deviation, as the 2016 suite printed them."""

    mean: float
    deviation: float


def short_run_means(samples: Iterable[Sample]) -> list[float]:
    """Return what stands for the 2016 suite's seven runs of a row: seven means, in ns per iteration.

    The chunks of `samples` in time order are cut into seven equal consecutive groups (the few earliest
    that are left over do not count). Empty with fewer than seven chunks.
    """
    ordered = sorted(samples, key=lambda s: (s.launch, s.round, s.started))
    wall = np.asarray([w for s in ordered for w in s.wall], dtype=np.float64)
    iterations = np.asarray([s.iterations for s in ordered for _ in s.wall], dtype=np.float64)
    size = wall.size // SHORT_RUNS
    if not size:
        return []
    kept = slice(wall.size - SHORT_RUNS * size, None)
    means = wall[kept].reshape(SHORT_RUNS, size).sum(axis=1)
    means /= iterations[kept].reshape(SHORT_RUNS, size).sum(axis=1)
    return [float(mean) for mean in means]


def short_runs(samples: Iterable[Sample]) -> Spread | None:
    """Return the 2016 suite's statistic of a row, in ns per iteration, from all its `samples`.

    The best and the worst of the seven `short_run_means` are dropped, and the mean and n - 1
    deviation of five remain. None with fewer than seven chunks.
    """
    means = short_run_means(samples)
    if not means:
        return None
    middle = np.sort(means)[1:-1]
    return Spread(float(middle.mean()), float(middle.std(ddof=1)))


def subtract(a: Spread, b: Spread) -> Spread:
    """Return a - b; the deviation is the root of the sum of the squares (independent errors)."""
    return Spread(a.mean - b.mean, math.hypot(a.deviation, b.deviation))


def divide(a: Spread, b: Spread) -> Spread | None:
    """Return a / b; the relative deviation is the root of the sum of squares. None when a mean is 0."""
    if a.mean == 0 or b.mean == 0:
        return None
    ratio = a.mean / b.mean
    return Spread(ratio, abs(ratio) * math.hypot(a.deviation / a.mean, b.deviation / b.mean))
