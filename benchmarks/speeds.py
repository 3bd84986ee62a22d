"""Rows with two speeds, by simulation: how often they are found, and how often two runs contradict another.

    PYTHONPATH=src .venv/bin/python benchmarks/speeds.py [--experiments N]

Nothing is timed: the figures of launches are drawn with known speeds, and go through the same functions as
those of a run. Printed are how often a row of one speed is said to have several, how often one of two speeds
is, and for pairs of runs how their proofs and ranks agree with each other and with the truth. The engine of
a language that compiles while it runs has such rows: which functions it compiles when, and with what it knew
by then, is decided anew in each process.
"""

import argparse
import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from serbench.measure.precision import PRECISIONS, THRESHOLD
from serbench.measure.ranks import proved_slower, ranks, undecided
from serbench.measure.speeds import speeds
from serbench.measure.statistics import RowFigures, time_interval

Array = NDArray[np.float64]
LAUNCHES = (5, 6, 7, 10, 20)
DEVIATIONS = (0.01, 0.03, 0.1)
"""The deviation of the logarithms of a row's launches."""
ROWS = 33
"""Rows of a group: about as many as JavaScript has libraries."""
FACTOR = 20.0
"""From the fastest row of a group to the slowest."""
SPREADS = (0.005, 0.05)
"""Between these a row's launches deviate."""
SLOWER = (0.05, 0.5)
"""Between these lie the logarithms of what the second speed of a row is slower."""
RUN_LAUNCHES = ((3, 3), (4, 4), (5, 5), (5, 10), (7, 7), (10, 10))
"""Launches of all rows, and of those that are undecided after them."""
SHARES = (0.0, 0.3, 0.6)
"""The share of a group's rows that have two speeds."""
MODELS = ("normal", "skewed", "heavy tails", "uniform", "outliers")


def scatter(model: str, shape: tuple[int, int], noise: np.random.Generator) -> Array:
    """Return deviations of launches, about 1 wide in most models: rows of one speed by launches."""
    if model == "skewed":
        return noise.gamma(2.0, size=shape) / math.sqrt(2)
    if model == "heavy tails":
        return noise.standard_t(3, size=shape)
    if model == "uniform":
        return noise.uniform(-math.sqrt(3), math.sqrt(3), size=shape)
    if model == "outliers":
        return noise.standard_normal(shape) + 5 * (noise.random(shape) < 0.1)
    return noise.standard_normal(shape)


def alarms(model: str, deviation: float, launches: int, rows: int, noise: np.random.Generator) -> int:
    """Return how many of so many rows of one speed are said to have several."""
    drawn = np.exp(deviation * scatter(model, (rows, launches), noise))
    return sum(bool(speeds(row)) for row in drawn.tolist())


def found(slower: float, deviation: float, launches: int, rows: int, noise: np.random.Generator) -> int:
    """Return how many of so many rows are found to have two speeds: a third of their launches is slow."""
    drawn = deviation * noise.standard_normal((rows, launches))
    drawn += math.log(1 + slower) * (noise.random((rows, launches)) < 1 / 3)
    return sum(len(speeds(row)) == 2 for row in np.exp(drawn).tolist())


class Truth(NamedTuple):
    """The rows of a group as they are, each value one a row; times are logarithms."""

    time: Array
    spread: Array
    slower: Array
    often: Array
    """The part of the launches that has the second speed."""


def truth(two: float, noise: np.random.Generator) -> Truth:
    """Draw a group of which the part `two` has two speeds."""
    has_two = noise.random(ROWS) < two
    return Truth(
        np.sort(noise.uniform(0, math.log(FACTOR), ROWS)),
        np.exp(noise.uniform(*np.log(SPREADS), ROWS)),
        np.where(has_two, noise.uniform(*SLOWER, ROWS), 0.0),
        np.where(has_two, noise.uniform(0.1, 0.9, ROWS), 0.0),
    )


def run_of(of: Truth, least: int, most: int, noise: np.random.Generator) -> dict[int, RowFigures]:
    """Return the figures of a run by row: `least` launches, and up to `most` of rows that are undecided."""
    shape = (ROWS, most)
    slow = noise.random(shape) < of.often[:, None]
    logs = of.time[:, None] + of.spread[:, None] * noise.standard_normal(shape) + of.slower[:, None] * slow
    drawn = np.exp(logs).tolist()
    figures = {row: dict(enumerate(times[:least])) for row, times in enumerate(drawn)}
    for launch in range(least, most):
        for row in undecided(figures, PRECISIONS["quick"].target, THRESHOLD):
            figures[row][launch] = drawn[row][launch]
    return {row: RowFigures(raw, {}) for row, raw in figures.items()}


class Agreement(NamedTuple):
    """How two runs of the same rows agree, as sums over experiments."""

    pairs: int
    decided: int
    """Pairs for which both runs prove the same row faster."""
    contradicting: int
    """Pairs for which they prove different rows faster."""
    turned: int
    """Pairs whose first ranks, 1 + the number of faster rows, have opposite orders, whether proved or not."""
    covered: int
    """Ranks that contain the true one, of twice as many as there are rows: by the mean of the logarithms."""
    rows: int
    launches: int
    """Launches of all rows of both runs."""


class Compared(NamedTuple):
    """Two runs of the same rows."""

    agreement: Agreement
    differences: Array
    """|ratio in one run / ratio in the other - 1| of each pair."""


def compared(of: Truth, least: int, most: int, noise: np.random.Generator) -> Compared:
    """Make two runs and compare them with each other and with the truth."""
    runs = [run_of(of, least, most, noise) for _ in range(2)]
    times = [np.array([time_interval(run[row].raw.values()).value for row in range(ROWS)]) for run in runs]
    between = times[0] / times[1]
    proofs = [{(a, b) for a, below in proved_slower(run, THRESHOLD).items() for b in below} for run in runs]
    found = [{row: rank for row, rank in ranks(run, THRESHOLD).items() if rank is not None} for run in runs]
    pairs = [(a, b) for a in range(ROWS) for b in range(a)]
    true_rank = dict(
        zip(np.argsort(of.time + of.often * of.slower).tolist(), range(1, ROWS + 1), strict=True)
    )
    first, second = ({row: rank.first for row, rank in of_run.items()} for of_run in found)
    found_both = Agreement(
        pairs=len(pairs),
        decided=len(proofs[0] & proofs[1]),
        contradicting=sum((b, a) in proofs[1] for a, b in proofs[0]),
        turned=sum((first[a] - first[b]) * (second[a] - second[b]) < 0 for a, b in pairs),
        covered=sum(rank.first <= true_rank[row] <= rank.last for run in found for row, rank in run.items()),
        rows=2 * ROWS,
        launches=sum(len(row.raw) for run in runs for row in run.values()),
    )
    return Compared(found_both, np.array([abs(between[a] / between[b] - 1) for a, b in pairs]))


def all_compared(two: float, least: int, most: int, experiments: int, seed: int) -> Compared:
    """Return the sums over so many experiments, and the differences of all; the groups depend on the seed."""
    made = []
    for number in range(experiments):
        noise = np.random.default_rng((seed, number))
        made.append(compared(truth(two, noise), least, most, noise))
    sums = (sum(each) for each in zip(*(one.agreement for one in made), strict=True))
    return Compared(Agreement(*sums), np.concatenate([one.differences for one in made]))


def _table(title: str, heads: list[str], lines: list[list[str]]) -> None:
    print(f"\n{title}\n\n| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for line in lines:
        print(f"| {' | '.join(line)} |")


def main() -> None:
    """Print three tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--experiments", type=int, default=30, help="pairs of runs (default: 30)")
    experiments = parser.parse_args().experiments
    noise = np.random.default_rng(1)
    rows = 100 * experiments
    lines = []
    for model in MODELS:
        for deviation in DEVIATIONS:
            shares = [alarms(model, deviation, n, rows, noise) / rows for n in LAUNCHES]
            lines.append([model, f"{deviation:.0%}", *(f"{each:.2%}" for each in shares)])
    heads = ["launches differ", "by", *(f"{n} launches" for n in LAUNCHES)]
    _table("Rows of one speed that are said to have several", heads, lines)
    lines = []
    for slower in (0.1, 0.2, 0.5):
        for deviation in DEVIATIONS:
            shares = [found(slower, deviation, n, rows, noise) / rows for n in LAUNCHES]
            lines.append([f"{slower:.0%}", f"{deviation:.0%}", *(f"{each:.0%}" for each in shares)])
    heads = ["slower", "launches differ by", *heads[2:]]
    _table("Rows of two speeds, slow in a third of the launches, that are found", heads, lines)
    lines = []
    for two in SHARES:
        for least, most in RUN_LAUNCHES:
            sums, differences = all_compared(two, least, most, experiments, 1)
            per_thousand = (1000 * part / sums.pairs for part in (sums.contradicting, sums.turned))
            lines.append(
                [
                    *(f"{two:.0%}", f"{least} to {most}" if most > least else f"{most}"),
                    *(f"{sums.launches / sums.rows:.1f}", f"{sums.decided / sums.pairs:.0%}"),
                    *(f"{each:.2f}" for each in per_thousand),
                    f"{sums.covered / sums.rows:.1%}",
                    *(f"{np.quantile(differences, part):.1%}" for part in (0.5, 0.9)),
                ]
            )
    heads = ["rows of two speeds", "launches", "on average", "pairs decided by both runs"]
    heads += ["contradicting, per 1,000 pairs", "first ranks in opposite orders, per 1,000"]
    heads += ["ranks that contain the true one", "ratios differ by, in the median", "at the 90th percentile"]
    _table(f"Two runs of {ROWS} rows", heads, lines)


if __name__ == "__main__":
    main()
