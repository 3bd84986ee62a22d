"""`serbench run`: from rows and datasets to a complete run file."""

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from serbench import __version__
from serbench.catalog.records import Row
from serbench.counting import Counter, groups_of
from serbench.datasets.store import Dataset
from serbench.errors import readable
from serbench.measure.noise import activity, disturbances, free_memory, governor_warning, processors
from serbench.measure.records import Failure, Sample, Settings, Stop
from serbench.measure.schedule import Group, Schedule
from serbench.measure.turns import Conditions, wall_clock
from serbench.probing import fidelity_of
from serbench.proving import Proven, prove
from serbench.results.journal import Journal, complete, journal_path
from serbench.results.machine import this_machine
from serbench.results.schema import Run
from serbench.verify.memory import Memory
from serbench.worker.process import Limits
from serbench.workshop import Workshop

Progress = Callable[[float, str], None]


class Precision(msgspec.Struct, frozen=True, kw_only=True):
    """What --quick and --full stand for."""

    launches: int
    max_launches: int
    seconds_per_launch: float
    target: float
    budget_per_row: float
    """Seconds of measuring per row, when the user gives no --budget."""
    most_budget: float
    """Seconds of measuring in all, however many rows there are, when the user gives no --budget."""


PRECISIONS = {
    "quick": Precision(
        launches=5,
        max_launches=7,
        seconds_per_launch=0.3,
        target=0.015,
        budget_per_row=2.6,
        most_budget=300.0,
    ),
    "full": Precision(
        launches=10,
        max_launches=20,
        seconds_per_launch=1.0,
        target=0.0075,
        budget_per_row=30.0,
        most_budget=3600.0,
    ),
}
LEAST_BUDGET = 60.0
CHUNK_NS = 1_000_000
THRESHOLD = 0.01


def settings_for(
    precision: str,
    command: Sequence[str],
    budget: float | None,
    profiles: Sequence[str],
    seed: int,
    fragment: bool,
    instructions: bool,
) -> Settings:
    """The settings that --quick or --full stands for, with the user's own options."""
    chosen = PRECISIONS[precision]
    return msgspec.convert(
        {
            "command": [readable(word) for word in command],
            "precision": precision,
            "launches": chosen.launches,
            "max_launches": chosen.max_launches,
            "seconds_per_launch": chosen.seconds_per_launch,
            "chunk_ns": CHUNK_NS,
            "target": chosen.target,
            "threshold": THRESHOLD,
            "budget_seconds": budget,
            "seed": seed,
            "profile": ",".join(profiles) or "speed",
            "fragment": fragment,
            "instructions": instructions,
        },
        Settings,
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Session:
    """One run. The caller shows progress and prints what comes out."""

    def __init__(self, workshop: Workshop, settings: Settings, limits: Limits, output: Path) -> None:
        """Open the journal beside `output`. Raises UserError if that cannot be written."""
        self.workshop = workshop
        self.settings = settings
        self.limits = limits
        self.output = output
        self.clock = wall_clock()
        self.memory = Memory(workshop.cache / "proofs")
        self.run = Run(
            serbench=__version__,
            id=output.stem,
            started=_now(),
            machine=this_machine(workshop.compilers()),
            settings=settings,
        )
        self.journal = Journal(journal_path(output))
        try:
            self.journal.header(self.run)
        except BaseException:  # Ctrl-C while the disk is waited for
            self.abandon_if_empty()
            raise

    def abandon_if_empty(self) -> None:
        """Leave no journal behind when it holds no sample."""
        self.journal.close()
        if not self.run.samples:
            self.journal.path.unlink(missing_ok=True)

    def note(self, sentence: str) -> None:
        """Keep a sentence that a reader of the run must know."""
        self.run.notes.append(sentence)
        self.journal.note(sentence)

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
        the run file cannot be written.
        """
        with tempfile.TemporaryDirectory(prefix="serbench-") as folder:
            try:
                proven = prove(
                    self.workshop,
                    rows,
                    datasets,
                    Path(folder),
                    self.limits,
                    verified,
                    self.memory,
                )
                self._take_counts(proven, Path(folder), counted)
                self._record(proven)
                before = activity()
                self._measure(groups_of(self.workshop.catalog, proven), progress)
                self.run.complete = True
                for sentence in [*disturbances(before, activity()), governor_warning()]:
                    if sentence is not None:
                        self.note(sentence)
            except KeyboardInterrupt:
                if not self.run.samples:
                    raise
        self.run.finished, self.run.seconds = _now(), round(self.clock(), 3)
        self.journal.end(self.run.finished, self.run.seconds, self.run.complete)
        complete(self.run, self.output, self.journal)
        return self.run

    def _take_counts(
        self, proven: Sequence[Proven], folder: Path, counted: Callable[[str, int], Callable[[], None]]
    ) -> None:
        """Everything that is counted and not timed, into the rows' records."""
        counter = Counter(self.workshop, proven, self.limits, self.memory)
        counter.heaps(folder, counted)
        counter.code_sizes(counted)
        counter.compressed(counted)
        if self.settings.instructions:
            counter.instructions(counted)
        rows = [ready.row for item in proven[:1] for _, ready, _ in item.rows]
        for record in fidelity_of(self.workshop, rows, self.memory, counted):
            self.run.fidelity.append(record)
            self.journal.fidelity(record)

    def _record(self, proven: Sequence[Proven]) -> None:
        for item in proven:
            self.run.datasets.append(item.record)
            self.journal.dataset(item.record)
            for record, _, _ in item.rows:
                self.run.rows.append(record)
                self.journal.row(record)

    def _emit(self, record: Sample | Failure | Stop) -> None:
        if isinstance(record, Sample):
            self.run.samples.append(record)
            self.journal.sample(record)
        elif isinstance(record, Failure):
            self.run.failures.append(record)
            self.journal.failure(record)
        else:
            self.run.stops.append(record)
            self.journal.stop(record)

    def _measure(self, groups: Sequence[Group], progress: Progress) -> None:
        rows = sum(len(group.rows) for group in groups)
        chosen = PRECISIONS[self.settings.precision]
        usual = min(max(LEAST_BUDGET, rows * chosen.budget_per_row), chosen.most_budget)
        budget = self.settings.budget_seconds or usual
        cpu, rest = processors()
        conditions = Conditions(
            limits=self.limits,
            cpu=cpu,
            fragment=self.settings.fragment,
            chunk_ns=self.settings.chunk_ns,
            clock=self.clock,
            deadline=self.clock() + budget,
        )
        with _kept_to(rest):
            Schedule(groups, self.settings, conditions, free_memory(), self._emit, progress).run()


@contextmanager
def _kept_to(processors_left: set[int]) -> Iterator[None]:
    """While measuring, this process stays off the processor that the workers are pinned to."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, processors_left)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
