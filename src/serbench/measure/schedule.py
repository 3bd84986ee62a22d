"""The schedule: launches of all groups in turn, until the intervals are narrow or the time is used up."""

import random
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from serbench.measure.comparison import time_ratio
from serbench.measure.launches import group_figures
from serbench.measure.records import Failure, Sample, Settings, Stop, StopReason
from serbench.measure.statistics import Figures, RowFigures, net_figures, precise_enough
from serbench.measure.turns import Calibration, Conditions, Launch, Measured

START_SECONDS = 0.08
"""A first guess of what starting one worker costs; measured launches replace it."""
MEMORY_SHARE = 0.6
LEAST_NS = 1e-3
"""No iteration takes less."""


class Pair(NamedTuple):
    """Two rows whose ratio is asked for, by their ids."""

    new: int
    old: int
    baseline: int | None
    """What is subtracted from both."""


class Group(msgspec.Struct, kw_only=True):
    """All rows of one test on one dataset in one profile."""

    test: str
    dataset: str
    profile: str
    rows: list[Measured]
    pairs: list[Pair] = []
    """Where there are any, the group is done when their ratios are known well enough."""


class _State:
    """A group while it is measured."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.calibration = Calibration()
        self.samples: dict[int, list[Sample]] = {row.id: [] for row in group.rows}
        self.failed: set[int] = set()
        self.number = 0
        """Of the next launch."""
        self.launches = 0
        """Those in which every row that has not failed was sampled."""
        self.disturbed = 0
        """How many of these count for less, as most of their samples were disturbed."""
        self.reason: StopReason | None = None
        self.overhead = START_SECONDS * len(group.rows)

    @property
    def live(self) -> list[Measured]:
        return [row for row in self.group.rows if row.id not in self.failed]

    def was_disturbed(self, launch: int) -> bool:
        """Whether more than half of a launch's samples were taken while something else went on."""
        found = [s for samples in self.samples.values() for s in samples if s.launch == launch]
        return 2 * sum(bool(sample.disturbed) for sample in found) > len(found)

    def take_up(self) -> None:
        """Learn from samples of before an interruption what the launches that yielded them had learned."""
        numbers = {row.id: {sample.launch for sample in self.samples[row.id]} for row in self.live}
        self.number = max((n + 1 for found in numbers.values() for n in found), default=0)
        whole = set[int].intersection(*numbers.values()) if numbers else set()
        self.launches = len(whole)
        self.disturbed = sum(self.was_disturbed(launch) for launch in whole)
        for row, samples in self.samples.items():
            if samples:
                times = [min(sample.wall) / sample.iterations for sample in samples]
                self.calibration.nanoseconds[row] = max(statistics.median(times), LEAST_NS)

    def precise(self, target: float) -> bool:
        """Whether the interval of every pair's ratio, or else of every contender's time, is narrow enough."""
        figures = group_figures(
            {row.id: self.samples[row.id] for row in self.live}, {row.id: row.statistic for row in self.live}
        )
        if self.group.pairs:
            return all(ratio_known(pair, figures, target) for pair in self.group.pairs)
        return precise_enough([figures[row.id] for row in self.live if row.role == "contender"], target)


def ratio_known(pair: Pair, figures: Mapping[int, Figures], target: float) -> bool:
    """Whether half the interval of a pair's ratio is `target` of it at most; a failed row's never will be."""
    if pair.new not in figures or pair.old not in figures:
        return True
    base = figures.get(pair.baseline, {}) if pair.baseline is not None else {}
    new, old = (RowFigures(raw, net_figures(raw, base)) for raw in (figures[pair.new], figures[pair.old]))
    ratio = time_ratio(new, old)
    return ratio is not None and ratio.log.interval.relative <= target


def blocks(rows: Sequence[Measured], memory: int, order: random.Random) -> list[list[Measured]]:
    """The rows in as few blocks as `memory` bytes allow, balanced, each with baselines and anchors.

    Workers of a block are alive together; a row that alone needs more than there is gets its own block.
    Who shares a block with whom is drawn from `order`, so that no row always has the same company.
    """
    baselines = [row for row in rows if row.role == "baseline" or row.anchor]
    others = [row for row in rows if row not in baselines]
    order.shuffle(others)
    room = memory - sum(row.memory for row in baselines)
    need = sum(row.memory for row in others)
    if not others:
        return [baselines]
    count = max(1, min(len(others), -(-need // max(1, room))))
    while True:
        dealt = [others[i::count] for i in range(count)]
        if count >= len(others) or all(sum(row.memory for row in block) <= room for block in dealt):
            return [baselines + block for block in dealt]
        count += 1


class Schedule:
    """Measures groups. `emit` gets samples, failures and stops; `progress` the share that is done."""

    def __init__(
        self,
        groups: Sequence[Group],
        settings: Settings,
        conditions: Conditions,
        memory: int,
        emit: Callable[[Sample | Failure | Stop], None],
        progress: Callable[[float, str], None] = lambda _share, _what: None,
    ) -> None:
        self.settings = settings
        self.conditions = conditions
        self.memory = int(memory * MEMORY_SHARE)
        self.emit = emit
        self.progress = progress
        self._states = [_State(group) for group in groups]
        self._order = random.Random(settings.seed)  # noqa: S311 - an order to repeat, not a secret

    def run(self) -> None:
        """Measure everything. An interruption (KeyboardInterrupt) leaves what was emitted valid."""
        try:
            while open_states := [state for state in self._states if not state.reason]:
                for state in open_states:
                    self._launch(state)
        except KeyboardInterrupt:
            for state in self._states:
                if not state.reason:
                    self._stop(state, "interrupted")
            raise

    def take_up(
        self, samples: Iterable[Sample], failures: Iterable[Failure], stops: Iterable[Stop], order: str
    ) -> None:
        """Go on after an interruption, with all that was emitted before it; nothing of it is emitted again.

        The last launch of a group may be half done. It keeps what it has, and counts only if every row
        was sampled in it. What is drawn from now on depends on the seed and on `order`.
        """
        states = {row.id: state for state in self._states for row in state.group.rows}
        for failure in failures:
            if failure.row in states:
                states[failure.row].failed.add(failure.row)
        for sample in samples:
            if sample.row in states:
                states[sample.row].samples[sample.row].append(sample)
        for state in self._states:
            state.take_up()
        for stop in stops:
            for state in self._states:
                group = state.group
                if (group.test, group.dataset, group.profile) == stop.group and stop.reason != "interrupted":
                    state.reason = stop.reason
        self._order.seed(f"{self.settings.seed} {order}")

    def _stop(self, state: _State, reason: StopReason) -> None:
        state.reason = reason
        group = state.group
        self.emit(
            Stop(
                test=group.test,
                dataset=group.dataset,
                profile=group.profile,
                launches=state.launches,
                reason=reason,
            )
        )

    def _left(self) -> float:
        return self.conditions.deadline - self.conditions.clock()

    def _allowance(self, state: _State) -> tuple[float, float]:
        """Seconds of sampling for this launch: the plan's, or a fair share of the time that is left.

        And how many more there are, for what was disturbed.
        """
        planned = self.settings.seconds_per_launch * len(state.live)
        open_states = [other for other in self._states if not other.reason]
        rows_to_come = sum(
            len(other.live) * max(1, self.settings.launches - other.launches) for other in open_states
        )
        costs = sum(other.overhead * max(1, self.settings.launches - other.launches) for other in open_states)
        share = (self._left() - costs) * len(state.live) / max(1, rows_to_come)
        # What a launch costs is known after a group's first one: until then nothing is to spare.
        known = all(other.launches for other in open_states)
        spare = (share - planned) / 2 if known else 0.0
        return min(planned, max(0.0, share)), max(0.0, min(planned, spare))

    def _launch(self, state: _State) -> None:
        if not any(row.role == "contender" for row in state.live):
            self._stop(state, "no rows")
            return
        if state.launches >= self.settings.max_launches:
            self._stop(state, "most launches")
            return
        if self._left() <= 0 or (state.launches and self._left() < state.overhead):
            self._stop(state, "time used up")
            return
        self._show(state)
        allowance, spare = self._allowance(state)
        before = self.conditions.clock()
        chunks: int | None = None  # the same for all blocks: a minimum over more chunks is a smaller minimum
        once = 0.0
        for block in blocks(state.live, self.memory, self._order):
            rows = [row for row in block if row.id not in state.failed]
            share = len(rows) / max(1, len(state.live))
            part = Launch(
                *(state.number, rows, state.calibration, self.conditions, self._order),
                lambda r: self._keep(state, r),
            )
            part.chunks = chunks
            part.run(allowance * share, spare * share)
            chunks = part.chunks
            once += part.calibrating + part.repeating
        spent = self.conditions.clock() - before
        state.overhead = max(0.0, spent - allowance - once) or state.overhead
        state.launches += 1
        state.disturbed += state.was_disturbed(state.number)
        state.number += 1
        if state.launches - state.disturbed >= self.settings.launches and state.precise(self.settings.target):
            self._stop(state, "precise enough")
        elif self._left() <= 0:
            self._stop(state, "time used up")
        elif state.launches >= self.settings.max_launches:
            self._stop(state, "most launches")
        self._show(state)

    def _keep(self, state: _State, record: Sample | Failure) -> None:
        if isinstance(record, Failure):
            state.failed.add(record.row)
        else:
            state.samples[record.row].append(record)
        self.emit(record)

    def _show(self, state: _State) -> None:
        """Progress is the launches that are done of those that must be, or the time that is used."""
        wanted = self.settings.launches * len(self._states)
        done = sum(
            self.settings.launches if other.reason else min(other.launches, self.settings.launches)
            for other in self._states
        )
        self.progress(done / max(1, wanted), f"{state.group.test} {state.group.dataset}")
