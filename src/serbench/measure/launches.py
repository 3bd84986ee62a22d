"""From the samples of a group to each row's figure in each launch: pure functions.

A *figure* is a time per iteration in nanoseconds. A *turn* is a round as it really happened: every row of
a block sampled once, one after the other. A machine shared with others can change its speed within a
launch, by more than rows differ; since all rows of a turn see about the same speed, what they share of it
is taken out before a row's turns are summed up.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from serbench.measure.records import Sample

ENOUGH = 3
"""Undisturbed samples of a row in a launch that leave the disturbed ones out."""
SWEEPS = 2
"""Of the median polish; after two the figures of real launches hardly move any more."""

TELLING = 0.75
"""A row that was sampled in more of a launch's turns than this part of them tells how fast they were."""

Statistic = Literal["shortest-chunk", "mean"]


def chunk_times(samples: Iterable[Sample]) -> NDArray[np.float64]:
    """Return all chunks of `samples` in their order, as a vector of wall nanoseconds per iteration."""
    parts = [np.asarray(s.wall, dtype=np.float64) / s.iterations for s in samples]
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.float64)


def typical(samples: Iterable[Sample]) -> float:
    """Return the plain median of all chunks of `samples`, in ns per iteration; NaN without any."""
    times = chunk_times(samples)
    return float(np.median(times)) if times.size else math.nan


def undisturbed(samples: Sequence[Sample]) -> Sequence[Sample]:
    """Return those of one row's `samples` of one launch that count: the undisturbed ones, if they are enough.

    Enough are half of them, or three. Whether one is disturbed was never judged by its time.
    """
    calm = [sample for sample in samples if not sample.disturbed]
    return calm if calm and len(calm) >= min(ENOUGH, len(samples) / 2) else samples


def group_figures(
    samples: Mapping[int, Iterable[Sample]], statistics: Mapping[int, Statistic]
) -> dict[int, dict[int, float]]:
    """Return, by row and launch, the figures in ns per iteration of rows that were measured together.

    `samples` has all samples of each row of one group, `statistics` how its launches are summed up:

    `shortest-chunk`: the median over the rounds of the round's shortest chunk, each divided by the factor
    of its turn. This is Tukey's median polish of the logarithms, rows by turns: a turn's factor is the
    median over its rows (where there are several blocks, over those in all of them) of how far each is
    from its own median; all medians are of logarithms. (J. W. Tukey, Exploratory Data Analysis, 1977,
    chapter 11.) A row alone keeps the median of its rounds.

    `mean`: the mean over all chunks, each weighing as many iterations as it has.

    Of disturbed samples see `undisturbed`.
    """
    figures: dict[int, dict[int, float]] = {row: {} for row in samples}
    for launch, taken in _by_launch(samples):
        counted = {row: undisturbed(of_row) for row, of_row in taken.items()}
        polished = [row for row in taken if statistics[row] == "shortest-chunk"]
        middles = _polished({row: taken[row] for row in polished}, {row: counted[row] for row in polished})
        for row, of_row in counted.items():
            figures[row][launch] = middles[row] if row in middles else _mean(of_row)
    return figures


def launch_figures(samples: Iterable[Sample], statistic: Statistic) -> dict[int, float]:
    """Return `group_figures` of a row that is looked at alone, by launch."""
    return group_figures({0: samples}, {0: statistic})[0]


def _by_launch(samples: Mapping[int, Iterable[Sample]]) -> Iterator[tuple[int, dict[int, list[Sample]]]]:
    launches: dict[int, dict[int, list[Sample]]] = {}
    for row, of_row in samples.items():
        for sample in of_row:
            launches.setdefault(sample.launch, {}).setdefault(row, []).append(sample)
    for launch in sorted(launches):
        yield launch, launches[launch]


def _mean(samples: Sequence[Sample]) -> float:
    wall = sum(sum(s.wall) for s in samples)
    return wall / sum(s.iterations * len(s.wall) for s in samples)


def _turns(samples: Mapping[int, Sequence[Sample]]) -> list[dict[int, float]]:
    """Return the logarithm of each sample's shortest chunk, by row, turn by turn.

    Blocks of rows that do not fit into memory together number their rounds alike, but follow one another.
    """
    turns: list[dict[int, float]] = []
    last = position = -1
    everyone = [
        (sample.started, sample.round, row, sample) for row, taken in samples.items() for sample in taken
    ]
    for _, number, row, sample in sorted(everyone, key=itemgetter(0, 1)):
        if number != last or row in turns[-1] or sample.position < position:
            turns.append({})
        last, position = number, sample.position
        # What took no time at all is below any clock, and the least that one shows.
        turns[-1][row] = math.log(max(1, min(sample.wall)) / sample.iterations)
    return turns


def _polished(
    taken: Mapping[int, Sequence[Sample]], counted: Mapping[int, Sequence[Sample]]
) -> dict[int, float]:
    turns = _turns(counted)
    # Rows of one block cannot tell how fast the other blocks' turns were.
    most = TELLING * len(_turns(taken))
    telling = {row for row, of_row in taken.items() if len(of_row) > most}
    factors = [0.0] * len(turns)
    middles = _row_medians(turns, factors)
    for _ in range(SWEEPS if turns else 0):
        factors = [
            _median([log - middles[row] for row, log in turn.items() if row in telling] or [0.0])
            for turn in turns
        ]
        usual = _median(factors)  # so that the rows keep the level of the launch
        middles = _row_medians(turns, [factor - usual for factor in factors])
    return {row: math.exp(middle) for row, middle in middles.items()}


def _row_medians(turns: Sequence[Mapping[int, float]], factors: Sequence[float]) -> dict[int, float]:
    by_row: dict[int, list[float]] = {}
    for turn, factor in zip(turns, factors, strict=True):
        for row, log in turn.items():
            by_row.setdefault(row, []).append(log - factor)
    return {row: _median(logs) for row, logs in by_row.items()}


def _median(values: Sequence[float]) -> float:
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
