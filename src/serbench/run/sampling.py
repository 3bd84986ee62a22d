"""Taking the samples of a run: on a processor of its own, while what else the machine does is watched."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from serbench.measure.calibration import Conditions
from serbench.measure.noise import (
    Activity,
    activity,
    disturbances,
    disturbed_sentence,
    governor_warning,
    processors,
)
from serbench.measure.plan import Group
from serbench.measure.records import Failure, Overhead, Period, Sample, Stop
from serbench.measure.schedule import Schedule
from serbench.measure.watch import Watch
from serbench.run.session import RunSession, now
from serbench.worker.bounds import free_memory
from serbench.worker.process import Limits


def begin(session: RunSession, budget: float) -> float:
    """Note that `budget` seconds of measuring begin; returns their end on the session's clock."""
    began = session.clock()
    samples = len(session.run.samples)
    session.keep(Period(began=round(began, 6), started=now(), budget_seconds=budget, samples=samples))
    return began + budget


def sample(
    session: RunSession,
    groups: Sequence[Group],
    deadline: float,
    limits: Limits,
    emit: Callable[[Sample | Overhead | Failure | Stop], None],
    progress: Callable[[float, str], None],
) -> float | None:
    """Sample `groups` until `deadline` on the session's clock; of an interrupted run, what is missing.

    Returns how many seconds all rows would need; None if they had them.
    """
    settings, run = session.run.settings, session.run
    cpu, rest = processors()
    with _kept_to(rest):
        conditions = Conditions(
            limits=limits,
            cpu=cpu,
            fragment=settings.fragment,
            chunk_ns=settings.chunk_ns,
            warmup_ns=settings.warmup_ns,
            clock=session.clock,
            deadline=deadline,
            watch=Watch(cpu),
        )
        schedule = Schedule(groups, settings, conditions, free_memory(), emit, progress)
        if session.interrupted is not None:
            order = f"after {len(run.samples)} samples"
            schedule.take_up(run.samples, run.overheads, run.failures, list(run.stops), order)
        schedule.run()
    return schedule.seconds_for_all()


@contextmanager
def watching(session: RunSession) -> Iterator[None]:
    """Note what else the machine did during the block, also if it is interrupted."""
    before = activity()
    try:
        yield
    except KeyboardInterrupt:
        _note_disturbances(session, before)
        raise
    _note_disturbances(session, before)


def _note_disturbances(session: RunSession, before: Activity | None) -> None:
    """Note what else went on since `before`, and what that means for the samples taken since then."""
    taken = session.run.samples[session.run.periods[-1].samples :]
    for sentence in [*disturbances(before, activity()), disturbed_sentence(taken), governor_warning()]:
        if sentence is not None:
            session.note(sentence)


@contextmanager
def _kept_to(processors_left: set[int]) -> Iterator[None]:
    """While measuring, this process stays off the processor that the workers are pinned to."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors_left)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
