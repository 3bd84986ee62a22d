"""`serbench run`: from rows and datasets to a complete run file."""

import os
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from serbench import __version__
from serbench.catalog.records import Row
from serbench.datasets.store import Dataset
from serbench.measure.calibration import Conditions, expected_seconds
from serbench.measure.noise import (
    Activity,
    activity,
    disturbances,
    disturbed_sentence,
    governor_warning,
    processors,
)
from serbench.measure.plan import Group, Pair, sampling_seconds
from serbench.measure.precision import budget_sentence, usual_budget
from serbench.measure.records import Failure, Period, Sample, Settings, Stop
from serbench.measure.schedule import Schedule
from serbench.measure.turns import wall_clock
from serbench.measure.watch import Watch
from serbench.project import ROOT
from serbench.results.analysis import family_of
from serbench.results.journal import Journal, complete, journal_path
from serbench.results.machine import this_machine
from serbench.results.recorder import Recorder
from serbench.results.revision import own_revision
from serbench.results.schema import RowRecord, Run
from serbench.run.context import BuildContext
from serbench.run.counting import Counter, groups_of
from serbench.run.probing import fidelity_of
from serbench.run.proving import VerifiedDataset, prove
from serbench.run.resume import Interrupted, budget_left, refuse_other_rows, shown_by_clock
from serbench.verify.proof_cache import ProofCache
from serbench.worker.bounds import free_memory
from serbench.worker.process import Limits

Progress = Callable[[float, str], None]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@contextmanager
def _interruptions_held() -> Iterator[None]:
    """Let Ctrl-C wait while a file is made, so that whoever must remove it knows of it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Session:
    """One run. The caller shows progress and prints what comes out."""

    def __init__(
        self,
        context: BuildContext,
        settings: Settings,
        limits: Limits,
        output: Path,
        interrupted: Interrupted | None = None,
    ) -> None:
        """Open the journal beside `output`. Raises UserError if that cannot be written.

        The journal of an `interrupted` run is not touched before it is known that it can be resumed.
        """
        self.context = context
        self.settings = settings
        self.limits = limits
        self.output = output
        self.interrupted = interrupted
        self.memory = ProofCache(context.cache / "proofs")
        self._recorder: Recorder | None = None
        self._notes: list[str] = []
        if interrupted is not None:
            self.run = interrupted.run
            self.clock = wall_clock(shown_by_clock(self.run))
            return
        self.clock = wall_clock()
        self.run = Run(
            serbench=__version__,
            revision=own_revision(ROOT),
            id=output.stem,
            started=_now(),
            machine=this_machine(context.compilers(), context.allocators()),
            settings=settings,
        )
        try:
            with _interruptions_held():
                self._recorder = Recorder(self.run, Journal(journal_path(output)))
            self._recorder.journal.header(self.run)
        except BaseException:  # Ctrl-C while the disk is waited for
            self.abandon_if_empty()
            raise

    @property
    def recorder(self) -> Recorder:
        """What keeps all that is found out."""
        assert self._recorder is not None
        return self._recorder

    def abandon_if_empty(self) -> None:
        """Leave no journal behind when it holds no sample."""
        if self._recorder is not None:
            self._recorder.journal.close()
            if not self.run.samples:
                self._recorder.journal.path.unlink(missing_ok=True)

    def note(self, sentence: str) -> None:
        """Keep a sentence that a reader of the run must know; of a resumed run, once it goes on."""
        if self._recorder is None:
            self._notes.append(sentence)
        elif sentence not in self.run.notes:
            self._recorder.note(sentence)

    def execute(
        self,
        rows: Sequence[Row],
        datasets: Sequence[Dataset],
        verified: Callable[[], None],
        counted: Callable[[str, int], Callable[[], None]],
        progress: Progress,
    ) -> Run:
        """Prove and measure `rows` on `datasets`, and complete the run file.

        `verified` is called for each verdict; `counted` with the name and the number of things of each
        deterministic measure, and what it returns for each of them; `progress` with the share of the
        measuring that is done.
        An interruption ends the measuring; what was measured until then is kept. Raises UserError when
        the run file cannot be written, or when a run to be resumed has other rows than these.
        """
        began = self.clock()
        with tempfile.TemporaryDirectory(prefix="serbench-") as folder, self.keeping():
            proven = prove(
                self.context,
                rows,
                datasets,
                Path(folder),
                self.limits,
                verified,
                self.memory,
            )
            if self.interrupted is None:
                self._take_counts(proven, Path(folder), counted)
                self.record(proven)
            else:
                refuse_other_rows(self.run, proven)
                self._go_on(self.interrupted)
            self._measure(self._groups(proven), progress, self.clock() - began)
            self.run.complete = True
        return self.finish()

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """An interruption (KeyboardInterrupt) only ends the block, once there is a sample to be kept."""
        try:
            yield
        except KeyboardInterrupt:
            if not self.run.samples or self._recorder is None:
                raise

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Note what else the machine did during the block, also if it is interrupted."""
        before = activity()
        try:
            yield
        except KeyboardInterrupt:
            self._say_what_disturbed(before)
            raise
        self._say_what_disturbed(before)

    def finish(self) -> Run:
        """Complete the run file. Raises UserError when it cannot be written."""
        self.recorder.end(_now(), round(self.clock(), 3))
        complete(self.run, self.output, self.recorder.journal)
        return self.run

    def _go_on(self, interrupted: Interrupted) -> None:
        """Open the journal of the interrupted run again, or one with all that its file holds."""
        path = journal_path(self.output)
        journal = Journal.resume(path) if interrupted.journal else Journal.of(self.run, path)
        self._recorder = Recorder(self.run, journal)
        self.run.complete, self.run.finished = False, ""
        for sentence in self._notes:
            self.note(sentence)
        self.note(
            f"Interrupted after {len(self.run.samples):,} samples, and resumed at {_now()} on the same data "
            "with the same programs."
        )

    def _groups(self, proven: Sequence[VerifiedDataset]) -> list[Group]:
        """The groups to be measured: of a run that is resumed, the rows that it had proved."""
        usable = {row.id for row in self.run.rows if row.status == "ok"}
        groups = groups_of(self.context.catalog, proven)
        for group in groups:
            group.rows = [row for row in group.rows if row.id in usable]
            group.pairs = _pairs(self.run, group)
        return groups

    def _take_counts(
        self,
        proven: Sequence[VerifiedDataset],
        folder: Path,
        counted: Callable[[str, int], Callable[[], None]],
    ) -> None:
        """Everything that is counted and not timed, into the rows' records."""
        counter = Counter(self.context, proven, self.limits, self.memory)
        counter.heaps(folder, counted)
        counter.code_sizes(counted)
        counter.compressed(counted)
        if self.settings.instructions:
            counter.instructions(counted)
        self.probe([ready.row for item in proven[:1] for _, ready, _ in item.rows], counted)

    def probe(self, rows: Sequence[Row], counted: Callable[[str, int], Callable[[], None]]) -> None:
        """Put what the libraries of `rows` change and carry into the run and its journal."""
        for record in fidelity_of(self.context, rows, self.memory, counted, peers=False):
            self.recorder.fidelity(record)

    def record(self, proven: Sequence[VerifiedDataset]) -> None:
        """Put datasets and rows into the run and its journal."""
        for item in proven:
            self.recorder.dataset(item.record)
            for record, _, _ in item.rows:
                self.recorder.row(record)

    def _measure(self, groups: Sequence[Group], progress: Progress, spent: float) -> None:
        rows = [row for group in groups for row in group.rows]
        left = budget_left(self.run)
        known = self.context.catalog.harnesses
        harnesses = [known[name] for name in {row.harness for row in self.run.rows}]
        launch = sum(expected_seconds(row, sampling_seconds(row, self.settings)) for row in rows)
        usual = usual_budget(self.settings, len(rows), harnesses, spent, launch)
        budget = left if left is not None else self.settings.budget_seconds or usual
        deadline = self.begin(budget)
        with self.watching():
            enough = self.sample(groups, deadline, self.limits, self.recorder.emit, progress)
        if enough is not None:
            had = self.run.periods[0].budget_seconds
            self.note(budget_sentence(enough, self.settings.launches, had))

    def begin(self, budget: float) -> float:
        """Note that `budget` seconds of measuring begin; returns their end on the session's clock."""
        began = self.clock()
        self.recorder.emit(
            Period(
                began=round(began, 6),
                started=_now(),
                budget_seconds=budget,
                samples=len(self.run.samples),
            )
        )
        return began + budget

    def sample(
        self,
        groups: Sequence[Group],
        deadline: float,
        limits: Limits,
        emit: Callable[[Sample | Failure | Stop], None],
        progress: Progress,
    ) -> float | None:
        """Sample `groups` until `deadline` on the session's clock; of an interrupted run, what is missing.

        Returns how many seconds all rows would need; None if they had them.
        """
        cpu, rest = processors()
        with _kept_to(rest):
            conditions = Conditions(
                limits=limits,
                cpu=cpu,
                fragment=self.settings.fragment,
                chunk_ns=self.settings.chunk_ns,
                warmup_ns=self.settings.warmup_ns,
                clock=self.clock,
                deadline=deadline,
                watch=Watch(cpu),
            )
            schedule = Schedule(groups, self.settings, conditions, free_memory(), emit, progress)
            if self.interrupted is not None:
                run = self.run
                after = f"after {len(run.samples)} samples"
                schedule.take_up(run.samples, run.failures, list(run.stops), after)
            schedule.run()
        return schedule.seconds_for_all()

    def _say_what_disturbed(self, before: Activity | None) -> None:
        """Note what else went on since `before`, and what that means for the samples taken since then."""
        sentences = disturbances(before, activity())
        taken = self.run.samples[self.run.periods[-1].samples :]
        for sentence in [*sentences, disturbed_sentence(taken), governor_warning()]:
            if sentence is not None:
                self.note(sentence)


def _pairs(run: Run, group: Group) -> list[Pair]:
    """The rows of `group` whose ratio a comparison asks for, and what is subtracted from both."""
    comparing = run.settings.comparing
    if comparing is None:
        return []
    measured = {row.id for row in group.rows}
    rows = [row for row in run.rows if row.id in measured]
    sides: dict[tuple[str, ...], dict[str, RowRecord]] = {}
    for row in rows:
        sides.setdefault((row.variant, *family_of(row)), {})[row.contender_id] = row
    baselines = {family_of(row): row.id for row in rows if row.role == "baseline" and not row.variant}
    return [
        Pair(side[comparing.new].id, side[comparing.old].id, baselines.get(family_of(side[comparing.new])))
        for side in sides.values()
        if comparing.new in side and comparing.old in side
    ]


@contextmanager
def _kept_to(processors_left: set[int]) -> Iterator[None]:
    """While measuring, this process stays off the processor that the workers are pinned to."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors_left)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
