"""From the figures of launches to intervals and ratios: pure functions over plain numbers.

Words and units. A *figure* is a time per iteration in nanoseconds; `Figures` maps the number of a
launch to the row's figure in it. A *ratio* has no unit. Every interval is a two-sided 95 % interval over
launches, since launches are what is independent: chunks of one launch share a memory layout and a moment.
That of a time supposes independent launches but no distribution, since some are far slower than the others
(with five of them it has 93.75 %); that of a ratio, in which what both sides share cancels, is Student's t.
"""

import math
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

CONFIDENCE = 0.95
LEAST_LAUNCHES = 2
"""Fewer give no interval, and so prove nothing."""
TRIMMED_FROM = 10
"""With this many launches or more, those with the most extreme ratios do not count."""
TRIM = 0.15
"""The part of them that does not, at each end."""
MEDIAN_FROM = 5
"""The median of all launches that could be made lies within the range of this many in 93.75 % of cases."""

Figures = Mapping[int, float]


class Interval(NamedTuple):
    """A central value and its 95 % interval; the bounds are infinite where nothing is known."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the interval's width, in the unit of the value."""
        return (self.high - self.low) / 2

    @property
    def relative(self) -> float:
        """Half the width as a part of the value; infinite for a value of 0."""
        return abs(self.half_width / self.value) if self.value else math.inf


class RowFigures(NamedTuple):
    """A row's figures by launch: raw, and net where it is known what is to be subtracted."""

    raw: Figures
    net: Figures


# ---------------------------------------------------------------- intervals over launches


@cache
def _t_quantile(freedom: float) -> float:
    from scipy.special import stdtrit  # which takes longer to load than all of serbench

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))


def t_interval(values: Iterable[float]) -> Interval:
    """Return the mean of `values`, one a launch, and its 95 % t-interval; of one value it is infinite.

    Source: mean +- t(0.975, n - 1) * s / sqrt(n), with s the n - 1 standard deviation (any textbook;
    scipy.stats.t.interval gives the same numbers). Raises ValueError without any value.
    """
    array = np.asarray(list(values), dtype=np.float64)
    if not array.size:
        raise ValueError("no values")
    mean = float(array.mean())
    if array.size < LEAST_LAUNCHES:
        return Interval(mean, -math.inf, math.inf)
    half = _t_quantile(array.size - 1) * float(array.std(ddof=1)) / math.sqrt(array.size)
    return Interval(mean, mean - half, mean + half)


@cache
def _bounds_of_median(size: int) -> tuple[int, float]:
    """Return k and w: the interval begins the part w of the way from the k-th smallest value to the next one.

    The median of what `size` values are drawn from lies between the k-th smallest and the k-th largest of
    them with the confidence 1 - 2 P(B < k), B binomial. The largest k for which that is at least 95 % is
    taken, or 1, and interpolated to the next. Source: T. P. Hettmansperger and S. J. Sheather, Confidence
    intervals based on interpolated order statistics, Statistics & Probability Letters 4 (1986).
    """
    from scipy.special import bdtr  # see above

    def confidence(k: int) -> float:
        return 1 - 2 * float(bdtr(k - 1, size, 0.5))

    k = 1
    while confidence(k + 1) >= CONFIDENCE:
        k += 1
    # The range of five values has less than 95 %.
    spare = max(0.0, (confidence(k) - CONFIDENCE) / (confidence(k) - confidence(k + 1)))
    return k, (size - k) * spare / (k + (size - 2 * k) * spare)


def time_interval(values: Iterable[float]) -> Interval:
    """Return the 95 % interval of the median of what `values`, one a launch, are drawn from.

    No distribution is supposed. The value is the mean of `values` strictly inside. Fewer than five cannot
    tell so much by themselves: they give their mean and the t-interval, which is infinite for one value.
    Raises ValueError without any value.
    """
    ordered = np.sort(np.asarray(list(values), dtype=np.float64))
    if ordered.size < MEDIAN_FROM:
        return t_interval(ordered)
    k, way = _bounds_of_median(ordered.size)
    low = (1 - way) * ordered[k - 1] + way * ordered[k]
    high = (1 - way) * ordered[-k] + way * ordered[-k - 1]
    return Interval(float(ordered[k:-k].mean()), float(low), float(high))


class LogRatio(NamedTuple):
    """The logarithm of a ratio: its mean, its standard error, and the error's degrees of freedom."""

    mean: float
    error: float
    freedom: float

    @property
    def interval(self) -> Interval:
        """The ratio with its 95 % interval."""
        half = _t_quantile(self.freedom) * self.error
        with np.errstate(over="ignore"):
            value, low, high = (float(np.exp(self.mean + part)) for part in (0.0, -half, half))
        return Interval(value, low, high)

    def above(self, limit: float) -> float:
        """How probable such figures would be at most, were the true ratio `limit` or less."""
        from scipy.special import stdtr  # see _t_quantile

        distance = self.mean - math.log(limit)
        if self.error == 0:
            return 0.0 if distance > 0 else 1.0
        return float(stdtr(self.freedom, -distance / self.error))

    @property
    def inverse(self) -> "LogRatio":
        """The ratio b / a."""
        return self._replace(mean=-self.mean)


def mean_of_logs(logs: Iterable[float]) -> LogRatio:
    """Return the mean of two `logs` of ratios or more, one a launch; with ten or more it is a trimmed one.

    Then 15 % at each end, rounded down, do not count: single launches lie far out, and would widen the
    interval by more than they tell. Source: Yuen's trimmed mean with the error of the Winsorized deviation
    (Biometrika 61, 1974; scipy.stats.ttest_ind with `trim` makes the same test).
    """
    ordered = np.sort(np.asarray(list(logs), dtype=np.float64))
    size = ordered.size
    cut = int(TRIM * size) if size >= TRIMMED_FROM else 0
    kept = ordered[cut : size - cut]
    winsorized = np.clip(ordered, kept[0], kept[-1])
    # With nothing cut this is s / sqrt(n).
    error = float(winsorized.std(ddof=1)) * math.sqrt((size - 1) / (kept.size * (kept.size - 1)))
    return LogRatio(float(kept.mean()), error, kept.size - 1)


def _paired_logs(a: Figures, b: Figures) -> list[float]:
    """Return log(a) - log(b) of each launch that both have; empty if a figure in one is not positive."""
    common = sorted(a.keys() & b.keys())
    if any(a[n] <= 0 or b[n] <= 0 for n in common):
        return []
    return [math.log(a[n]) - math.log(b[n]) for n in common]


def paired(a: Figures, b: Figures) -> LogRatio | None:
    """Return a / b within launches; None with fewer than two common ones, or for a time not positive."""
    logs = _paired_logs(a, b)
    return mean_of_logs(logs) if len(logs) >= LEAST_LAUNCHES else None


def ratio_interval(a: Figures, b: Figures) -> Interval | None:
    """Return a / b, paired within launches: the geometric mean of the ratios and its 95 % interval.

    The t-interval is that of log(a) - log(b), of ten launches or more without the extreme ones, taken back
    by the exponential, so that a / b and b / a say the same. None without a common launch, or when a figure
    in one is not positive.
    """
    logs = _paired_logs(a, b)
    if len(logs) >= LEAST_LAUNCHES:
        return mean_of_logs(logs).interval
    return Interval(math.exp(logs[0]), 0.0, math.inf) if logs else None


def net_figures(raw: Figures, harness: Figures) -> dict[int, float]:
    """Return raw - harness within each launch that has both.

    `harness` holds what the harness itself does of the same row's iteration.
    """
    return {n: raw[n] - harness[n] for n in sorted(raw.keys() & harness.keys())}


def reaches_zero(net: Interval) -> bool:
    """Tell whether a net time is not proved to be above 0: its interval, where there is one, reaches 0."""
    return net.value <= 0 or (math.isfinite(net.low) and net.low <= 0)


def below_resolution(row: RowFigures) -> bool:
    """Tell whether a net time is "below resolution": it may be 0, and is less than the harness's own.

    A row that takes many times as long as its harness has a net time, with a wide interval, however much its
    launches differ.
    """
    if not row.net:
        return False
    net, raw = time_interval(row.net.values()), time_interval(row.raw[launch] for launch in row.net)
    return reaches_zero(net) and 2 * net.value < raw.value


def precise_enough(rows: Iterable[Figures], target: float) -> bool:
    """Tell whether a group can stop: no row's raw interval has a relative half width above `target`.

    `rows` holds each row's raw figures by launch. A row with fewer than two launches is not precise.
    """
    return all(
        len(figures) >= LEAST_LAUNCHES and time_interval(figures.values()).relative <= target
        for figures in rows
    )
