"""The schedule: launches of all groups in turn, until the intervals are narrow or the time is used up."""

import math
import random
from collections.abc import Callable, Iterable, Sequence

from serbench.measure.calibration import Conditions, MeasurementTask
from serbench.measure.plan import Group, StartupFactor, State
from serbench.measure.records import Failure, Overhead, Sample, Settings, Stop, StopReason
from serbench.measure.statistics import LEAST_LAUNCHES
from serbench.measure.turns import Launch
from serbench.worker.bounds import FREE_SHARE


def blocks(rows: Sequence[MeasurementTask], memory: int, order: random.Random) -> list[list[MeasurementTask]]:
    """The rows in as few blocks as `memory` bytes allow, balanced, each with baselines and anchors.

    Workers of a block are alive together; a row that alone needs more than there is gets its own block.
    Blocks are drawn at random with `order`, so that a row does not always run beside the same rows.
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
    """Measures groups. `emit` gets every record; `progress` the share that is done."""

    def __init__(
        self,
        groups: Sequence[Group],
        settings: Settings,
        conditions: Conditions,
        memory: int,
        emit: Callable[[Sample | Overhead | Failure | Stop], None],
        progress: Callable[[float, str], None] = lambda _share, _what: None,
    ) -> None:
        self.settings = settings
        self.conditions = conditions
        self.memory = int(memory * FREE_SHARE)
        self.emit = emit
        self.progress = progress
        factor = StartupFactor()
        self._states = [State(group, settings, factor) for group in groups]
        self._order = random.Random(settings.seed)  # noqa: S311 - an order to repeat, not a secret
        self._begun = conditions.clock()

    def run(self) -> None:
        """Measure everything. An interruption (KeyboardInterrupt) leaves what was emitted valid."""
        try:
            while open_states := [state for state in self._states if not state.reason]:
                for state in open_states:
                    self._launch(state)
            if self._states:
                self._show(self._states[-1])
        except KeyboardInterrupt:
            for state in self._states:
                if not state.reason:
                    self._stop(state, "interrupted")
            raise

    def take_up(
        self,
        samples: Iterable[Sample],
        overheads: Iterable[Overhead],
        failures: Iterable[Failure],
        stops: Iterable[Stop],
        order: str,
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
        for overhead in overheads:
            if overhead.row in states:
                states[overhead.row].overheads[overhead.row].append(overhead)
        for state in self._states:
            state.take_up()
        for stop in stops:
            for state in self._states:
                group = state.group
                if (group.test, group.dataset, group.profile) == stop.group and stop.reason != "interrupted":
                    state.reason = stop.reason
        self._order.seed(f"{self.settings.seed} {order}")

    def seconds_for_all(self) -> float | None:
        """How long measuring would take in which every row gets as many launches as were asked for.

        Reckoned from what the launches so far have cost; None if no row lacks any for want of time.
        """
        if not any(s.reason == "time used up" and not self._has_enough(s) for s in self._states):
            return None
        return sum(
            self.settings.launches * state.whole() + 2 * state.once(state.live) for state in self._states
        )

    def _stop_at_most(self, state: State) -> None:
        """The most launches were made; some only of rows for which there was time, if others lack any."""
        self._stop(state, "most launches" if self._has_enough(state) else "time used up")

    def _has_enough(self, state: State) -> bool:
        """Whether every row of a group has as many launches as were asked for."""
        return all(state.count(row) >= self.settings.launches for row in state.live)

    def _stop(self, state: State, reason: StopReason) -> None:
        state.reason = reason
        group = state.group
        self.emit(
            Stop(
                test=group.test,
                dataset=group.dataset,
                profile=group.profile,
                launches=state.begun,
                reason=reason,
            )
        )

    def _left(self) -> float:
        return self.conditions.deadline - self.conditions.clock()

    @property
    def _open(self) -> list[State]:
        return [state for state in self._states if not state.reason]

    def _allowance(self, state: State, rows: Sequence[MeasurementTask]) -> tuple[float, float]:
        """Seconds of sampling `rows` once more: the plan's, or a fair share of the time that is left.

        But what getting them ready is worth, even if that leaves fewer launches. And how many more seconds
        there are for what was disturbed.
        """
        planned = state.planned(rows)
        to_come = {id(other): max(1, self.settings.launches - other.launches) for other in self._open}
        rows_to_come = sum(len(other.live) * to_come[id(other)] for other in self._open)
        costs = sum(to_come[id(other)] * (other.whole() - other.planned(other.live)) for other in self._open)
        share = (self._left() - costs) * len(rows) / max(1, rows_to_come)
        # What a launch costs is known after a group's first one: until then nothing is to spare.
        known = all(other.launches for other in self._open)
        spare = (share - planned) / 2 if known else 0.0
        return max(state.worthwhile(rows), min(planned, share)), max(0.0, min(planned, spare))

    def _choose(self, state: State) -> tuple[list[MeasurementTask], float]:
        """The rows that the group's next turn is for, all that its launch lacks or what there is time for.

        And when this turn should be over, on the conditions' clock.

        While rows lack launches that were asked for, the time that is left is shared by all groups that
        had no more turns than this one, as what their launches still need, so that none takes all. Once all
        groups have launches enough for intervals, a launch is begun only if all of its rows should fit, as
        times of different launches are of different moments; the groups whose launches are shorter come
        first. Empty if there is no time.
        """
        left = self._left()
        while left > 0:
            rows = state.missing or state.wanted
            if state.launches >= self.settings.launches:
                return rows if state.least(rows) <= left else [], math.inf
            if not state.visited and all(other.launches >= LEAST_LAUNCHES for other in self._open):
                return rows if self._fits_whole(state, left) else [], self.conditions.deadline
            peers = [other for other in self._open if other.served <= state.served]
            need = sum(other.least(other.missing or other.live) for other in peers)
            share = left * state.least(rows) / max(need, 1e-9)
            chosen = state.fitting(rows, share) or state.fitting(rows, left, one=True)
            if chosen or not state.visited:
                return chosen, self.conditions.deadline - left + max(share, state.least(chosen))
            # What this launch lacks is too dear: other rows may get another one.
            state.next_launch()
            if state.begun >= self.settings.max_launches:
                break
        return [], math.inf

    def _fits_whole(self, state: State, left: float) -> bool:
        """Whether a launch of all rows of a group leaves time for those of groups that must not wait for it.

        They are those that had no more turns and whose launches are shorter.
        """
        own = state.least(state.live)
        shorter = [
            least
            for other in self._open
            if other is not state and other.served <= state.served
            if (least := other.least(other.live)) < own
        ]
        return own + sum(shorter) <= left

    def _launch(self, state: State) -> None:
        if not any(row.role == "contender" for row in state.live):
            self._stop(state, "no rows")
            return
        if state.begun >= self.settings.max_launches:
            self._stop_at_most(state)
            return
        chosen, until = self._choose(state)
        if not chosen:
            self._stop(state, "time used up")
            return
        self._show(state)
        self._sample(state, chosen, until)
        if state.missing and self._left() > 0:
            return
        state.next_launch()
        if state.enough and state.precise():
            self._stop(state, "precise enough")
        elif self._left() <= 0:
            self._stop(state, "time used up")
        elif state.begun >= self.settings.max_launches:
            self._stop_at_most(state)

    def _sample(self, state: State, chosen: Sequence[MeasurementTask], until: float) -> None:
        """Let `chosen` rows take part in the launch under way, as far as there is time."""
        allowance, spare = self._allowance(state, chosen)
        before = self.conditions.clock()
        known, sampling = 0.0, 0.0
        started: list[MeasurementTask] = []
        made = blocks(chosen, self.memory, self._order)
        for number, block in enumerate(made):
            rows = [row for row in block if row.id not in state.failed]
            share = len(rows) / max(1, len(chosen))
            launch = Launch(
                *(state.number, rows, state.calibration, self.conditions, self._order),
                lambda record: self._keep(state, record),
                *(state.chunks, state.startup_factor),
            )
            now = self.conditions.clock()
            outcome = launch.run(allowance * share, spare * share, now + (until - now) / (len(made) - number))
            state.took_part(outcome)
            known += outcome.calibrating + outcome.repeating
            sampling += max(allowance * share, state.once(outcome.started))
            started += outcome.started
        state.learn(started, self.conditions.clock() - before - known - sampling)

    def _keep(self, state: State, record: Sample | Overhead | Failure) -> None:
        if isinstance(record, Failure):
            state.failed.add(record.row)
        elif isinstance(record, Overhead):
            state.overheads[record.row].append(record)
        else:
            state.samples[record.row].append(record)
        self.emit(record)

    def _show(self, state: State) -> None:
        """Progress is the launches that are done of those that must be, or the time that is used."""
        wanted = self.settings.launches * len(self._states)
        done = sum(
            self.settings.launches if other.reason else min(other.launches, self.settings.launches)
            for other in self._states
        )
        now = self.conditions.clock()
        used = (now - self._begun) / max(self.conditions.deadline - self._begun, 1e-9)
        share = max(done / max(1, wanted), min(used, 1.0))
        self.progress(share, f"{state.group.test} {state.group.dataset}")
