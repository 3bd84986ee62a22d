"""Part g: how often an interval contains the truth, where the truth is known because it is made up.

Launches are simulated chunk by chunk and go through the same functions as real ones: the shortest chunk of
each round, the median over rounds, and the intervals over launches.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from benchmarks.precision.counting import disjoint, share
from benchmarks.precision.ground import Ground
from benchmarks.precision.records import Finding, Outcome
from numpy.typing import NDArray

from serbench.measure.launches import launch_figures
from serbench.measure.precision import PRECISIONS
from serbench.measure.records import Sample
from serbench.measure.statistics import Figures, precise_enough, ratio_interval, t_interval, time_interval

TITLE = "how often the interval contains the truth"
TRUE_RATIO = 1.2
NANOSECONDS = 1e5
LAYOUT = 0.01
"""How far launches differ: the standard deviation of a launch's factor."""
JITTER = 0.01
ROUNDS, CHUNKS, ITERATIONS = 3, 5, 10
EXPERIMENTS = 6000
"""The range of five has 93.75 %: with fewer sets chance alone would put some of them below 93 %."""
DRAWS = 20_000
LEAST_STORED = 300
"""With fewer launches the ratios of a program to itself are not 1 in the mean, and times have few values."""
LOW, HIGH = 0.93, 0.97
MODELS = {
    "normal": "launches differ normally",
    "skewed": "launches differ by a skewed (gamma) distribution",
    "two layouts": "a third of the launches is slower by three deviations",
    "disturbed": "launches differ normally, and a tenth of the chunks takes half as long again",
}

Array = NDArray[np.float64]


def layouts(model: str, count: int, noise: np.random.Generator) -> Array:
    """Return the factors, about 1, by which `count` launches differ."""
    if model == "skewed":
        return 1 + LAYOUT * (noise.gamma(2.0, size=count) - 2) / math.sqrt(2)
    if model == "two layouts":
        return 1 + LAYOUT * (3 * (noise.random(count) < 1 / 3) + 0.5 * noise.standard_normal(count))
    return 1 + LAYOUT * noise.standard_normal(count)


def simulate(model: str, nanoseconds: float, launches: int, noise: np.random.Generator) -> dict[int, float]:
    """Return the figures of so many made-up launches of a row, by the functions that real ones go through."""
    factors = layouts(model, launches, noise)
    chunks = 1 + JITTER * noise.exponential(size=(launches, ROUNDS, CHUNKS))
    if model == "disturbed":
        chunks *= np.where(noise.random(chunks.shape) < 0.1, 1.5, 1.0)
    wall = np.rint(nanoseconds * ITERATIONS * factors[:, None, None] * chunks).astype(np.int64)
    samples = [
        Sample(
            row=0,
            launch=launch,
            round=number,
            position=0,
            started=0.0,
            iterations=ITERATIONS,
            wall=wall[launch, number].tolist(),
            cpu=[],
        )
        for launch in range(launches)
        for number in range(ROUNDS)
    ]
    return launch_figures(samples, "shortest-chunk")


def _chosen(figures: Figures, launches: Sequence[int]) -> dict[int, float]:
    return {launch: figures[launch] for launch in launches}


def covered_ratios(a: Figures, b: Figures, size: int, truth: float) -> tuple[int, int]:
    """Return in how many disjoint sets of `size` launches a / b's interval has the `truth`; of how many."""
    intervals = [
        ratio_interval(_chosen(a, chosen), _chosen(b, chosen)) for chosen in disjoint(sorted(a), size)
    ]
    return sum(i is not None and i.low <= truth <= i.high for i in intervals), len(intervals)


def covered_times(figures: Figures, least: int, most: int, target: float, truth: float) -> tuple[int, int]:
    """The same for the interval of a time over `least` to `most` launches, by the rule for stopping."""
    times = trials = 0
    for chosen in disjoint(sorted(figures), most):
        count = least
        while count < most and not precise_enough([_chosen(figures, chosen[:count])], target):
            count += 1
        interval = time_interval(_chosen(figures, chosen[:count]).values())
        times += interval.low <= truth <= interval.high
        trials += 1
    return times, trials


def covered_means(figures: Figures, size: int) -> tuple[int, int]:
    """The same for Student's interval of a mean, which is not ours: the mean of all is the truth."""
    truth = float(np.mean(list(figures.values())))
    intervals = [t_interval(_chosen(figures, chosen).values()) for chosen in disjoint(sorted(figures), size)]
    return sum(i.low <= truth <= i.high for i in intervals), len(intervals)


def have_one(sets: Iterable[Sequence[float]]) -> int:
    """Return how many of these sets of ratios have 1 in their interval."""
    times = 0
    for ratios in sets:
        interval = ratio_interval(dict(enumerate(ratios)), dict.fromkeys(range(len(ratios)), 1.0))
        times += interval is not None and interval.low <= 1 <= interval.high
    return times


def have(truth: float, sets: Iterable[Sequence[float]]) -> int:
    """Return how many of these sets of times have the `truth` in their interval."""
    return sum(i.low <= truth <= i.high for i in map(time_interval, sets))


def draw(values: Sequence[float], size: int, sets: int, noise: np.random.Generator) -> Iterator[list[float]]:
    """Draw so many sets of `values`, of `size` each; within a set a value can come again."""
    array = np.asarray(values)
    for _ in range(sets):
        yield noise.choice(array, size, replace=True).tolist()


def _finding(what: str, times: int, trials: int, judged: bool = True) -> Finding:
    found = share(times, trials)
    return Finding(
        what=what,
        found=str(found),
        goal="93 to 97 %" if judged else "",
        met=_met(found.value) if judged else None,
    )


def _met(value: float) -> bool:
    return LOW <= value <= HIGH


def simulated(seed: int, experiments: int = EXPERIMENTS) -> list[Finding]:
    """Return the coverage of ratios and times in all models, for quick and full runs.

    Held to the goal are intervals over a fixed number of launches. The rule for stopping looks at the same
    launches as the interval does, and so costs it a part of its coverage, which is shown.
    """
    findings = []
    noise = np.random.default_rng(seed)
    for model, words in MODELS.items():
        for name, precision in PRECISIONS.items():
            launches = experiments * precision.max_launches
            a = simulate(model, TRUE_RATIO * NANOSECONDS, launches, noise)
            b = simulate(model, NANOSECONDS, launches, noise)
            findings.append(
                _finding(
                    f"ratios, {precision.launches} launches ({name}); {words}",
                    *covered_ratios(a, b, precision.launches, TRUE_RATIO),
                )
            )
            truth = float(np.median(list(b.values())))
            findings.append(
                _finding(
                    f"times, {precision.launches} to {precision.max_launches} launches by the rule for "
                    f"stopping ({name}); {words}",
                    *covered_times(b, precision.launches, precision.max_launches, precision.target, truth),
                    judged=False,
                )
            )
            same = precision.launches
            findings.append(
                _finding(
                    f"times, {same} launches ({name}); {words}",
                    *covered_times(b, same, same, precision.target, truth),
                )
            )
            what = f"the same by Student's t, of the mean over {same} launches; {words}"
            findings.append(_finding(what, *covered_means(b, same), judged=False))
    return findings


def stored_ratios(figures: Mapping[str, Sequence[Sequence[float | None]]]) -> list[list[float]]:
    """Return the ratios within launches of every pair of part b's `figures`, of positive net times."""
    return [
        [a / b for a, b in zip(new, old, strict=True) if a is not None and b is not None and min(a, b) > 0]
        for new, old in figures.values()
    ]


def stored_times(figures: Mapping[str, Sequence[Sequence[float | None]]]) -> list[list[float]]:
    """Return the net times of every process of part b's `figures`, launch by launch."""
    return [[ns for ns in side if ns is not None] for pair in figures.values() for side in pair]


def real(same: Outcome, draws: int, noise: np.random.Generator) -> list[Finding]:
    """Return the coverage of intervals over part b's launches; nothing where these are few.

    Ratios of a program to itself are compared with 1, times with the median of all launches. Judged are
    launches drawn at random. As they came, one after the other, they also show how far the machine's
    speed drifts in the minutes that part b takes.
    """
    ratios, rows = stored_ratios(same.figures), stored_times(same.figures)
    if min(map(len, [*ratios, *rows])) < LEAST_STORED:
        return []
    findings = []
    for precision in PRECISIONS.values():
        size = precision.launches
        by_ratio, by_row = (-(-draws // len(each)) for each in (ratios, rows))
        found = sum(have_one(draw(values, size, by_ratio, noise)) for values in ratios)
        what = f"ratios, {size} launches drawn from part b's"
        findings.append(_finding(what, found, by_ratio * len(ratios)))
        found = sum(have(float(np.median(row)), draw(row, size, by_row, noise)) for row in rows)
        what = f"times, {size} launches drawn from part b's"
        findings.append(_finding(what, found, by_row * len(rows)))
        what = f"{size} launches of part b one after the other"
        cut = [list(disjoint(values, size)) for values in ratios]
        found, trials = sum(map(have_one, cut)), sum(map(len, cut))
        findings.append(_finding(f"ratios, {what}", found, trials, judged=False))
        cut = [list(disjoint(row, size)) for row in rows]
        found = sum(have(float(np.median(row)), sets) for row, sets in zip(rows, cut, strict=True))
        findings.append(_finding(f"times, {what}", found, sum(map(len, cut)), judged=False))
    return findings


def run(ground: Ground, same: Outcome | None, experiments: int = EXPERIMENTS) -> Outcome:
    """Simulate; and where part b has just stored real launches, draw from these as well."""
    seed = ground.order.getrandbits(32)
    outcome = Outcome(
        part="g",
        title=TITLE,
        settings={
            "experiments": experiments,
            "launches_differ_by": LAYOUT,
            "chunks_differ_by": JITTER,
            "true_ratio": TRUE_RATIO,
            "seed": seed,
        },
        findings=simulated(seed, experiments),
    )
    if same is not None:
        outcome.findings += real(same, DRAWS, np.random.default_rng(seed))
    return outcome
