"""What launches cost, and which rows of a group fit into the time that there is for one."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from serbench.measure.calibration import Calibration, MeasurementTask
from serbench.measure.comparison import time_ratio
from serbench.measure.launches import group_figures, overhead_figures
from serbench.measure.ranks import undecided
from serbench.measure.records import Overhead, Sample, Settings, StopReason
from serbench.measure.statistics import RowFigures, net_figures, precise_enough
from serbench.measure.turns import Outcome

LEAST_SHARE = 0.25
"""The least sampling time, as a share of the time that starting the launch's workers takes."""
MEAN_SECONDS = 0.45
"""The least sampling time of a row whose figure is a mean, in a launch, so that such rows alone have about
ten rounds: the means of fewer scatter by more than launches differ."""
MOST_FACTOR = 100.0
"""A startup factor is at most this, and at least the inverse."""


class Pair(NamedTuple):
    """Two rows whose ratio is asked for, by their ids."""

    new: int
    old: int


class Group(msgspec.Struct, kw_only=True):
    """All rows of one test on one dataset in one profile."""

    test: str
    dataset: str
    profile: str
    rows: list[MeasurementTask]
    pairs: list[Pair] = []
    """The pairs of a comparison: the group is done when their ratios are known well enough."""


def accompanies(row: MeasurementTask) -> bool:
    """Whether the row is measured with whatever others: a baseline, or one that all are compared with."""
    return row.role == "baseline" or row.anchor


def sampling_seconds(row: MeasurementTask, settings: Settings) -> float:
    """How long a row is planned to be sampled in a launch, where an iteration of it is shorter."""
    asked = settings.seconds_per_launch
    return max(asked, MEAN_SECONDS) if row.statistic == "mean" else asked


def ratio_known(pair: Pair, rows: Mapping[int, RowFigures], target: float) -> bool:
    """Whether half the interval of a pair's ratio is `target` of it at most; failed rows are let go."""
    if pair.new not in rows or pair.old not in rows:
        return True
    ratio = time_ratio(rows[pair.new], rows[pair.old])
    return ratio is not None and ratio.log.interval.relative <= target


class StartupFactor(msgspec.Struct):
    """How many times as long as expected getting workers ready took, in the group that was measured last."""

    value: float = 1.0


class State:
    """A group while it is measured: what it has, and what it costs."""

    def __init__(self, group: Group, settings: Settings, last: StartupFactor | None = None) -> None:
        """Begin with nothing measured; all groups of a schedule share the factor that they found `last`."""
        self.group = group
        self.settings = settings
        self.calibration = Calibration()
        self.samples: dict[int, list[Sample]] = {row.id: [] for row in group.rows}
        self.failed: set[int] = set()
        self.number = 0
        """The number of the launch that is under way, or of the next one."""
        self.figures: dict[int, dict[int, float]] = {row.id: {} for row in group.rows}
        """The figures of the launches that have ended, by row."""
        self.overheads: dict[int, list[Overhead]] = {row.id: [] for row in group.rows}
        self.visited: set[int] = set()
        """Rows that were in this launch."""
        self.settled: frozenset[int] = frozenset()
        """Rows that this launch is not for."""
        self.chunks: int | None = None
        """The chunks of every sample of this launch: a minimum over more chunks is a smaller minimum."""
        self.launches = 0
        """Those in which every row that has not failed was sampled."""
        self.begun = 0
        """Those and the ones of some rows only."""
        self.disturbed = 0
        """How many of the whole ones count for less, as most of their samples were disturbed."""
        self.reason: StopReason | None = None
        self._last_factor = last or StartupFactor()
        self._own_factor: float | None = None
        self._spent = self._expected = 0.0

    @property
    def live(self) -> list[MeasurementTask]:
        """The rows that have not failed."""
        return [row for row in self.group.rows if row.id not in self.failed]

    @property
    def wanted(self) -> list[MeasurementTask]:
        """The rows that the launch under way is for."""
        return [row for row in self.live if row.id not in self.settled]

    @property
    def served(self) -> tuple[int, bool]:
        """How far the group has come: how many launches it began, and whether another is under way."""
        return (self.begun, bool(self.visited))

    @property
    def missing(self) -> list[MeasurementTask]:
        """The rows that the launch under way lacks, and the baselines that these need."""
        wanted = self.wanted
        rest = [row for row in wanted if row.id not in self.visited]
        if not any(row.role == "contender" for row in rest):
            return []
        harnesses = {row.harness for row in rest}
        return [
            row
            for row in wanted
            if row.id not in self.visited or (accompanies(row) and row.harness in harnesses)
        ]

    def was_disturbed(self, launch: int) -> bool:
        """Whether more than half of a launch's samples were taken while something else went on."""
        found = [s for samples in self.samples.values() for s in samples if s.launch == launch]
        return 2 * sum(bool(sample.disturbed) for sample in found) > len(found)

    def take_up(self) -> None:
        """Learn from samples of before an interruption what the launches that yielded them had learned."""
        numbers = {row.id: {sample.launch for sample in self.samples[row.id]} for row in self.live}
        begun = set[int]().union(*numbers.values())
        self.number = max(begun, default=-1) + 1
        whole = begun.intersection(*numbers.values())
        # The last one, if rows lack in it, counts as cut off: it takes no place among the most launches.
        self.launches, self.begun = len(whole), len(begun & (whole | set(range(self.number - 1))))
        self._sum_up(self.samples)
        self.disturbed = sum(self.was_disturbed(launch) for launch in whole)
        self.settled = self._find_settled()

    def next_launch(self) -> None:
        """End the launch under way, which is a whole one if every row was sampled in it."""
        taken = {row: [s for s in of_row if s.launch == self.number] for row, of_row in self.samples.items()}
        self._sum_up(taken)
        if all(taken[row.id] for row in self.live):
            self.launches += 1
            self.disturbed += self.was_disturbed(self.number)
        self.begun += 1
        self.number += 1
        self.visited, self.chunks = set(), None
        self.settled = self._find_settled()

    def _sum_up(self, samples: Mapping[int, Sequence[Sample]]) -> None:
        """Add the figures of launches, and let all of them decide how long chunks are from now on."""
        found = group_figures(samples, {row.id: row.statistic for row in self.group.rows})
        for row, figures in found.items():
            self.figures[row].update(figures)
        self.calibration.refine(self.figures)
        for pair in self.group.pairs:
            self.calibration.align(pair.new, pair.old)

    @property
    def enough(self) -> bool:
        """Whether as many launches as were asked for count in full."""
        return self.launches - self.disturbed >= self.settings.launches

    def _find_settled(self) -> frozenset[int]:
        """The rows of which another launch tells nothing; in a comparison there are none before all are."""
        if self.settings.comparing is not None or not self.enough:
            return frozenset()
        rows = {row.id: row for row in self.live if row.role == "contender"}
        figures = {key: self.figures[key] for key in rows}
        unsettled = undecided(figures, self.settings.target, self.settings.threshold)
        harnesses = {rows[key].harness for key in unsettled}
        return frozenset(
            row.id
            for row in self.live
            if row.id not in unsettled and not (accompanies(row) and row.harness in harnesses)
        )

    def precise(self) -> bool:
        """Whether the intervals are narrow enough: of all times, or in a comparison of the ratios."""
        target = self.settings.target
        if self.settings.comparing is not None:
            rows = {row.id: self._row_figures(row) for row in self.live}
            return all(ratio_known(pair, rows, target) for pair in self.group.pairs)
        return precise_enough([self.figures[row.id] for row in self.live if row.role == "contender"], target)

    def _row_figures(self, row: MeasurementTask) -> RowFigures:
        raw = self.figures[row.id]
        return RowFigures(raw, net_figures(raw, overhead_figures(self.overheads[row.id])))

    # ------------------------------------------------------------ costs, in seconds

    @property
    def startup_factor(self) -> float:
        """How many times as long as expected getting workers ready takes: by this group, or by another."""
        return self._own_factor or self._last_factor.value

    def ready(self, rows: Iterable[MeasurementTask]) -> float:
        """What getting the workers of `rows` ready takes."""
        return self.startup_factor * sum(map(self.calibration.ready, rows))

    def once(self, rows: Iterable[MeasurementTask]) -> float:
        """What one chunk of each of `rows` costs where that is a single iteration."""
        return sum(map(self.calibration.seconds, rows))

    def least(self, rows: Sequence[MeasurementTask]) -> float:
        """The least that sampling `rows` in a launch costs, if it is to be worth getting them ready."""
        return self.ready(rows) + max(self.once(rows), self.worthwhile(rows))

    def worthwhile(self, rows: Sequence[MeasurementTask]) -> float:
        """How long `rows` should be sampled at the least, once they are ready."""
        others = [row for row in rows if row.statistic != "mean"]
        asked = self.settings.seconds_per_launch * len(others)
        return min(asked, LEAST_SHARE * self.ready(others)) + MEAN_SECONDS * (len(rows) - len(others))

    def planned(self, rows: Sequence[MeasurementTask]) -> float:
        """What sampling `rows` in a launch is planned to take."""
        return sum(sampling_seconds(row, self.settings) for row in rows)

    def whole(self) -> float:
        """What a launch as it is planned costs."""
        return self.ready(self.live) + max(self.planned(self.live), self.once(self.live))

    def took_part(self, outcome: Outcome) -> None:
        """Note that some rows were in the launch under way."""
        self.chunks = outcome.chunks
        self.visited.update(row.id for row in outcome.started)

    def learn(self, rows: Sequence[MeasurementTask], seconds: float) -> None:
        """Note that it took so long to get the workers of `rows` ready."""
        self._spent += max(0.0, seconds)
        self._expected += sum(map(self.calibration.ready, rows))
        if self._expected > 0:
            found = self._spent / self._expected
            self._own_factor = min(MOST_FACTOR, max(1 / MOST_FACTOR, found))
        self._last_factor.value = self.startup_factor

    # ------------------------------------------------------------ choice

    def fitting(
        self, rows: Sequence[MeasurementTask], seconds: float, one: bool = False
    ) -> list[MeasurementTask]:
        """Those of `rows` that fit into `seconds`: the ones with the fewest launches, the cheapest first.

        Baselines come with the contenders that need them. Empty if no contender fits; where the group has
        no figure yet, the cheapest contender always does. With `one` it is one contender at the most.
        """
        if self.least(rows) <= seconds and not one:
            return list(rows)
        baselines = [row for row in rows if accompanies(row)]
        others = [row for row in rows if not accompanies(row)]
        if not any(row.role == "contender" for row in others):  # There is none that an anchor would go with.
            baselines = [row for row in rows if row.role == "baseline"]
            others = [row for row in rows if row.role != "baseline"]
        others.sort(key=lambda row: (row.role == "contender", self.count(row), self.least([row]), row.id))
        chosen: list[MeasurementTask] = []
        left = seconds
        for row in others:
            found = any(each.role == "contender" and not each.anchor for each in chosen)
            if found and one:
                break
            needed = [row, *(b for b in baselines if b.harness == row.harness and b not in chosen)]
            cost = self.least(needed)
            first = row.role == "contender" and not found and not any(self.samples.values())
            if cost <= left or first:
                chosen += needed
                left -= cost
        return chosen if any(row.role == "contender" for row in chosen) else []

    def count(self, row: MeasurementTask) -> int:
        """In how many launches the row was sampled."""
        return len({sample.launch for sample in self.samples[row.id]})
