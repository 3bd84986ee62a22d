"""Is one faster than the other? Ratios of times, their probabilities, and the verdicts on them.

A ratio is a / b of two rows. Its logarithm has a mean and a standard error over launches, from which
come the 95 % interval and one-sided probabilities, both by Student's t. Within one run the launches are
paired, and of ten or more the extreme ones do not count; between two runs they are not, and Welch's
formulas hold. Every test is made at 2.5 % on its side, which for a single row is the same as looking
whether the printed interval is clear of the limit.
"""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from serbench.measure.statistics import (
    CONFIDENCE,
    LEAST_LAUNCHES,
    Figures,
    LogRatio,
    RowFigures,
    paired,
    reaches_zero,
    time_interval,
)

LEVEL = (1 - CONFIDENCE) / 2
Basis = Literal["net", "raw"]
Verdict = Literal["slower", "faster", "no difference", "undecided"]


class TimeRatio(NamedTuple):
    """A ratio of times, and which times it is of."""

    log: LogRatio
    basis: Basis


def _logs(figures: Sequence[float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.log(np.asarray(figures, dtype=np.float64))


def unpaired(a: Figures, b: Figures) -> LogRatio | None:
    """Return a / b of launches that have nothing in common; None where either has fewer than two."""
    if min(len(a), len(b)) < LEAST_LAUNCHES or any(ns <= 0 for ns in [*a.values(), *b.values()]):
        return None
    sides = [_logs(list(figures.values())) for figures in (a, b)]
    difference = float(sides[0].mean() - sides[1].mean())
    return _welch(difference, [(float(s.var(ddof=1)) / s.size, s.size - 1) for s in sides])


def _welch(mean: float, parts: Sequence[tuple[float, float]]) -> LogRatio:
    """A mean whose variance is the sum of `parts`, each a variance and its degrees of freedom."""
    variance = sum(part for part, _ in parts)
    if variance == 0:
        return LogRatio(mean, 0.0, sum(freedom for _, freedom in parts))
    freedom = variance**2 / sum(part**2 / freedom for part, freedom in parts)
    return LogRatio(mean, math.sqrt(variance), freedom)


def geometric_mean(ratios: Sequence[LogRatio]) -> LogRatio:
    """Return the geometric mean of independent ratios, each of a group of launches of its own."""
    count = len(ratios)
    parts = [((ratio.error / count) ** 2, ratio.freedom) for ratio in ratios]
    return _welch(sum(ratio.mean for ratio in ratios) / count, parts)


def time_ratio(a: RowFigures, b: RowFigures, *, same_launches: bool = True) -> TimeRatio | None:
    """Return a / b of net times, or of raw ones where a net time is missing or may be 0.

    None with too few launches.
    """
    ratio = paired if same_launches else unpaired
    basis: Basis = "net" if _has_net(a) and _has_net(b) else "raw"
    found = ratio(a.net, b.net) if basis == "net" else ratio(a.raw, b.raw)
    return None if found is None else TimeRatio(found, basis)


def _has_net(row: RowFigures) -> bool:
    # The interval tells more than the least figure only of fewer than five launches.
    return (
        len(row.net) >= LEAST_LAUNCHES
        and min(row.net.values()) > 0
        and not reaches_zero(time_interval(row.net.values()))
    )


def holm(probabilities: Sequence[float], level: float) -> list[bool]:
    """Return which of several hypotheses fall, at most one wrongly with the probability `level`.

    Holm's step-down procedure (1979): the smallest of m `probabilities` is compared with level / m, the
    next against level / (m - 1), and so on until one stands, and with it all larger ones.
    """
    fallen = [False] * len(probabilities)
    order = sorted(range(len(probabilities)), key=probabilities.__getitem__)
    for passed, index in enumerate(order):
        if probabilities[index] > level / (len(probabilities) - passed):
            break
        fallen[index] = True
    return fallen


def judge(ratios: Sequence[LogRatio | None], threshold: float) -> list[Verdict]:
    """Return the verdict on each of `ratios` (new / old), by more than `threshold`, a part such as 0.03.

    "slower" and "faster" are proved: corrected by Holm over all rows, the bound of the interval lies beyond
    1 + threshold, or below its inverse. "no difference": the whole interval lies between the two.
    """
    limit = 1 + threshold
    known = [index for index, ratio in enumerate(ratios) if ratio is not None]
    slower = holm([ratio.above(limit) for ratio in ratios if ratio is not None], LEVEL)
    faster = holm([ratio.inverse.above(limit) for ratio in ratios if ratio is not None], LEVEL)
    verdicts: list[Verdict] = ["undecided"] * len(ratios)
    for index, is_slower, is_faster in zip(known, slower, faster, strict=True):
        ratio = ratios[index]
        assert ratio is not None
        if is_slower or is_faster:
            verdicts[index] = "slower" if is_slower else "faster"
        elif ratio.interval.low >= 1 / limit and ratio.interval.high <= limit:
            verdicts[index] = "no difference"
    return verdicts
