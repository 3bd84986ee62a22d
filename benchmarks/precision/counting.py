"""How often something happened: a share with its binomial interval, and a comparison's disjoint launches."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from scipy.stats import binomtest

from serbench.measure.comparison import judge, time_ratio
from serbench.measure.statistics import CONFIDENCE, Figures, RowFigures

T = TypeVar("T")


class Share(NamedTuple):
    """`times` out of `trials`, and the 95 % interval of Clopper and Pearson for the probability behind it."""

    times: int
    trials: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The share itself."""
        return self.times / self.trials

    def __str__(self) -> str:
        return f"{self.times} of {self.trials} = {self.value:.1%} [{self.low:.1%}, {self.high:.1%}]".replace(
            "%", " %"
        )


def share(times: int, trials: int) -> Share:
    """Return `times` out of `trials` with its exact binomial interval. Raises ValueError without a trial."""
    bounds = binomtest(times, trials).proportion_ci(confidence_level=CONFIDENCE, method="exact")
    return Share(times, trials, float(bounds.low), float(bounds.high))


def disjoint(things: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield sets of `size` of `things` of which none shares a thing; what is left over is left out."""
    for start in range(0, len(things) - size + 1, size):
        yield things[start : start + size]


def among(figures: Figures, launches: Sequence[int]) -> dict[int, float]:
    """Return the figures of those of `launches` that have one."""
    return {launch: figures[launch] for launch in launches if launch in figures}


def verdict_of(new: RowFigures, old: RowFigures, launches: Sequence[int], threshold: float) -> str:
    """Return what `serbench compare` says of two rows measured together in `launches`, and in no others."""
    sides = [RowFigures(among(row.raw, launches), among(row.net, launches)) for row in (new, old)]
    ratio = time_ratio(*sides)
    return judge([ratio.log if ratio else None], threshold)[0]


def differs(said: str) -> bool:
    """Tell whether a verdict claims a difference."""
    return said in ("slower", "faster")
