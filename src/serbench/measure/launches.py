"""From the samples of a group to each row's figure in each launch: pure functions.

A *figure* is a time per iteration in nanoseconds. A *turn* is a round as it really happened: every row of
a block sampled once, one after the other. A machine shared with others can change its speed within a
launch, by more than rows differ; since all rows of a turn see about the same speed, what they share of it
is taken out before a row's turns are summed up.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from statistics import median
from typing import Literal

from serbench.measure.records import Overhead, Sample

ENOUGH = 3
"""Undisturbed samples of a row in a launch that leave the disturbed ones out; of a mean one does."""
SWEEPS = 2
"""Sweeps of the median polish; after two the figures of real launches hardly change."""

TELLING = 0.75
"""A row that was sampled in more of a launch's turns than this part of them tells how fast they were."""
WITNESSES = 5
"""The fewest rows for a factor where means count, since a collection in one of them has to stay in."""

Statistic = Literal["shortest-chunk", "mean"]


def typical(samples: Iterable[Sample]) -> float:
    """Return the plain median of all chunks of `samples`, in ns per iteration; NaN without any."""
    times = [wall / sample.iterations for sample in samples for wall in sample.wall]
    return median(times) if times else math.nan


def page_faults(samples: Iterable[Sample]) -> float | None:
    """Return the median over `samples` of their minor page faults per iteration; None if not counted."""
    rates = [
        sample.page_faults / (sample.iterations * len(sample.wall))
        for sample in samples
        if sample.page_faults is not None
    ]
    return median(rates) if rates else None


def undisturbed(samples: Sequence[Sample], statistic: Statistic) -> Sequence[Sample]:
    """Return those of one row's `samples` of one launch that count: the undisturbed ones, if they are enough.

    Half of them, or three, are enough. For a mean, one is: a shortest chunk bears a disturbance, but a
    mean takes in the whole time for which a hypervisor stopped the machine, tens of times a chunk's own.
    Whether a sample is disturbed was never judged by its time.
    """
    calm = [sample for sample in samples if not sample.disturbed]
    enough = 1 if statistic == "mean" else min(ENOUGH, len(samples) / 2)
    return calm if calm and len(calm) >= enough else samples


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

    `mean`: the mean over all chunks, each weighing as many iterations as it has and divided by the factor of
    its turn, which is that of the samples' means. Turns of fewer than five rows have no factor.

    For disturbed samples see `undisturbed`.
    """
    figures: dict[int, dict[int, float]] = {row: {} for row in samples}
    for launch, taken in _by_launch(samples):
        for statistic in {statistics[row]: None for row in taken}:
            alike = {row: of_row for row, of_row in taken.items() if statistics[row] == statistic}
            counted = {row: undisturbed(of_row, statistic) for row, of_row in alike.items()}
            turns, factors = _turns(counted), _factors(alike, counted, statistic)
            found = (_means if statistic == "mean" else _middles)(turns, factors)
            for row, figure in found.items():
                figures[row][launch] = figure
    return figures


def overhead_figures(overheads: Iterable[Overhead]) -> dict[int, float]:
    """Return what the harness takes of one row's iteration in each launch, in ns.

    It is the shortest chunk, also where the row's figure is a mean: a hash allocates next to nothing, and
    what disturbs one of these few chunks must not be subtracted.
    """
    return {each.launch: min(each.wall) / each.iterations for each in overheads}


def launch_figures(samples: Iterable[Sample], statistic: Statistic) -> dict[int, float]:
    """Return `group_figures` of a single row, by launch."""
    return group_figures({0: samples}, {0: statistic})[0]


def _by_launch(samples: Mapping[int, Iterable[Sample]]) -> Iterator[tuple[int, dict[int, list[Sample]]]]:
    launches: dict[int, dict[int, list[Sample]]] = {}
    for row, of_row in samples.items():
        for sample in of_row:
            launches.setdefault(sample.launch, {}).setdefault(row, []).append(sample)
    for launch in sorted(launches):
        yield launch, launches[launch]


def _turns(samples: Mapping[int, Sequence[Sample]]) -> list[dict[int, Sample]]:
    """Return the samples by row, turn by turn.

    Blocks of rows that do not fit into memory together number their rounds alike, but follow one another.
    """
    turns: list[dict[int, Sample]] = []
    last = position = -1
    everyone = [
        (sample.started, sample.round, row, sample) for row, taken in samples.items() for sample in taken
    ]
    for _, number, row, sample in sorted(everyone, key=itemgetter(0, 1)):
        if number != last or row in turns[-1] or sample.position < position:
            turns.append({})
        last, position = number, sample.position
        turns[-1][row] = sample
    return turns


def _log(sample: Sample, statistic: Statistic) -> float:
    """Return the logarithm of a sample's time per iteration: of its shortest chunk, or of all."""
    time = min(sample.wall) if statistic == "shortest-chunk" else sum(sample.wall) / len(sample.wall)
    # What took no time at all is below any clock, and the least that one shows.
    return math.log(max(1.0, time) / sample.iterations)


def _factors(
    taken: Mapping[int, Sequence[Sample]], counted: Mapping[int, Sequence[Sample]], statistic: Statistic
) -> list[float]:
    """Return how slow the machine was in each of the turns of `counted`: logarithms whose median is 0."""
    turns = [{row: _log(sample, statistic) for row, sample in turn.items()} for turn in _turns(counted)]
    # Rows of one block cannot tell how fast the other blocks' turns were.
    most = TELLING * len(_turns(taken))
    telling = {row for row, of_row in taken.items() if len(of_row) > most}
    least = WITNESSES if statistic == "mean" else 1
    factors = [0.0] * len(turns)
    for _ in range(SWEEPS):
        middles = _row_medians(turns, factors)
        off = [[log - middles[row] for row, log in turn.items() if row in telling] for turn in turns]
        known = [median(each) for each in off if len(each) >= least]
        usual = median(known) if known else 0.0  # so that the rows keep the level of the launch
        factors = [median(each) - usual if len(each) >= least else 0.0 for each in off]
    return factors


def _middles(turns: Sequence[Mapping[int, Sample]], factors: Sequence[float]) -> dict[int, float]:
    logs = [{row: _log(sample, "shortest-chunk") for row, sample in turn.items()} for turn in turns]
    return {row: math.exp(middle) for row, middle in _row_medians(logs, factors).items()}


def _means(turns: Sequence[Mapping[int, Sample]], factors: Sequence[float]) -> dict[int, float]:
    wall: dict[int, float] = {}
    iterations: dict[int, int] = {}
    for turn, factor in zip(turns, factors, strict=True):
        for row, sample in turn.items():
            wall[row] = wall.get(row, 0.0) + sum(sample.wall) / math.exp(factor)
            iterations[row] = iterations.get(row, 0) + sample.iterations * len(sample.wall)
    return {row: time / iterations[row] for row, time in wall.items()}


def _row_medians(turns: Sequence[Mapping[int, float]], factors: Sequence[float]) -> dict[int, float]:
    by_row: dict[int, list[float]] = {}
    for turn, factor in zip(turns, factors, strict=True):
        for row, log in turn.items():
            by_row.setdefault(row, []).append(log - factor)
    return {row: median(logs) for row, logs in by_row.items()}
