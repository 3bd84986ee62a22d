"""The schedule: launches of all groups in turn, until the intervals are narrow or the time is used up."""

import random
from collections.abc import Callable, Sequence

import msgspec

from serbench.measure.records import Failure, Sample, Settings, Stop, StopReason
from serbench.measure.statistics import launch_figures, precise_enough
from serbench.measure.turns import Calibration, Conditions, Launch, Measured

START_SECONDS = 0.08
"""A first guess of what starting one worker costs; measured launches replace it."""
MEMORY_SHARE = 0.6


class Group(msgspec.Struct, kw_only=True):
    """All rows of one test on one dataset in one profile."""

    test: str
    dataset: str
    profile: str
    rows: list[Measured]


class _State:
    """A group while it is measured."""

    def __init__(self, group: Group) -> None:
        self.group = group
        self.calibration = Calibration()
        self.samples: dict[int, list[Sample]] = {row.id: [] for row in group.rows}
        self.failed: set[int] = set()
        self.launches = 0
        self.reason: StopReason | None = None
        self.overhead = START_SECONDS * len(group.rows)

    @property
    def live(self) -> list[Measured]:
        return [row for row in self.group.rows if row.id not in self.failed]

    def precise(self, target: float) -> bool:
        """Whether every contender's interval is narrow enough (see statistics.precise_enough)."""
        return precise_enough(
            [
                launch_figures(self.samples[row.id], row.statistic)
                for row in self.live
                if row.role == "contender"
            ],
            target,
        )


def blocks(rows: Sequence[Measured], memory: int) -> list[list[Measured]]:
    """The rows in as few blocks as `memory` bytes allow, balanced, each with baselines and anchors.

    Workers of a block are alive together; a row that alone needs more than there is gets its own block.
    """
    baselines = [row for row in rows if row.role == "baseline" or row.anchor]
    others = [row for row in rows if row not in baselines]
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
            for launch in range(self.settings.max_launches):
                open_states = [state for state in self._states if not state.reason]
                if not open_states:
                    break
                for state in open_states:
                    self._launch(launch, state)
        except KeyboardInterrupt:
            self._finish("interrupted")
            raise
        self._finish("most launches")

    def _finish(self, reason: StopReason) -> None:
        for state in self._states:
            if not state.reason:
                self._stop(state, reason)

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

    def _allowance(self, state: _State) -> float:
        """Seconds of sampling for this launch: the plan's, or a fair share of the time that is left."""
        planned = self.settings.seconds_per_launch * len(state.live)
        open_states = [other for other in self._states if not other.reason]
        rows_to_come = sum(
            len(other.live) * max(1, self.settings.launches - other.launches) for other in open_states
        )
        costs = sum(other.overhead * max(1, self.settings.launches - other.launches) for other in open_states)
        share = (self._left() - costs) * len(state.live) / max(1, rows_to_come)
        return min(planned, max(0.0, share))

    def _launch(self, launch: int, state: _State) -> None:
        if not any(row.role == "contender" for row in state.live):
            self._stop(state, "no rows")
            return
        if self._left() <= 0 or (state.launches and self._left() < state.overhead):
            self._stop(state, "time used up")
            return
        self._show(state)
        allowance = self._allowance(state)
        before = self.conditions.clock()
        chunks: int | None = None  # the same for all blocks: a minimum over more chunks is a smaller minimum
        once = 0.0
        for block in blocks(state.live, self.memory):
            rows = [row for row in block if row.id not in state.failed]
            share = allowance * len(rows) / max(1, len(state.live))
            part = Launch(
                launch, rows, state.calibration, self.conditions, self._order, lambda r: self._keep(state, r)
            )
            part.chunks = chunks
            part.run(share)
            chunks = part.chunks
            once += part.calibrating
        spent = self.conditions.clock() - before
        state.overhead = max(0.0, spent - allowance - once) or state.overhead
        state.launches += 1
        if state.launches >= self.settings.launches and state.precise(self.settings.target):
            self._stop(state, "precise enough")
        elif self._left() <= 0:
            self._stop(state, "time used up")
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
