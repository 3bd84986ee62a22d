"""`serbench run`: from rows and datasets to a complete run file."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from serbench import __version__
from serbench.catalog.records import Catalog, Row
from serbench.datasets.store import Dataset
from serbench.errors import readable
from serbench.measure.heap import count_heap
from serbench.measure.noise import activity, disturbances, free_memory, governor_warning, processors
from serbench.measure.records import Failure, Sample, Settings, Stop
from serbench.measure.schedule import Group, Schedule
from serbench.measure.turns import Conditions, Measured, wall_clock
from serbench.proving import Proven, prove
from serbench.results.journal import Journal, complete, journal_path
from serbench.results.machine import this_machine
from serbench.results.schema import RowRecord, Run
from serbench.verify.records import Verdict
from serbench.worker.process import Limits
from serbench.workshop import Ready, Workshop

Progress = Callable[[float, str], None]


class Precision(msgspec.Struct, frozen=True, kw_only=True):
    """What --quick and --full stand for."""

    launches: int
    max_launches: int
    seconds_per_launch: float
    target: float
    budget_per_row: float
    """Seconds of measuring per row, when the user gives no --budget."""


PRECISIONS = {
    "quick": Precision(launches=5, max_launches=7, seconds_per_launch=0.35, target=0.015, budget_per_row=3.5),
    "full": Precision(
        launches=10, max_launches=20, seconds_per_launch=1.0, target=0.0075, budget_per_row=30.0
    ),
}
LEAST_BUDGET = 60.0
CHUNK_NS = 1_000_000
THRESHOLD = 0.01
MEMORY_MARGIN = 32 * 1024 * 1024


def settings_for(
    precision: str,
    command: Sequence[str],
    budget: float | None,
    profiles: Sequence[str],
    seed: int,
    fragment: bool,
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
        },
        Settings,
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _measured(
    catalog: Catalog, proven: Proven, record: RowRecord, ready: Ready, verdict: Verdict
) -> Measured:
    assert ready.built is not None
    harness = catalog.harnesses[record.harness]
    return Measured(
        id=record.id,
        command=tuple(ready.built.command),
        tape=proven.dataset.tape,
        input=verdict.input,
        padding=ready.row.contender.manifest.padding,
        expected=verdict.exact_hash if record.test != "write" else verdict.hash,
        memory=verdict.max_rss + MEMORY_MARGIN,
        role=record.role,
        statistic=record.statistic,
        harness=record.harness,
        warmup_seconds=harness.warmup_seconds,
        warmup_calls=harness.warmup_calls,
        chunk_ns=round(harness.chunk_ms * 1e6),
        heap_command=tuple(ready.built.heap_command),
        preload=ready.preload,
    )


def groups_of(catalog: Catalog, proven: Sequence[Proven]) -> list[Group]:
    """The rows that passed the gate, by test, dataset and profile; groups need a contender."""
    groups: dict[tuple[str, str, str], Group] = {}
    for item in proven:
        for record, ready, verdict in item.rows:
            if record.status != "ok":
                continue
            key = (record.test, record.dataset, record.profile)
            group = groups.setdefault(
                key, Group(test=record.test, dataset=record.dataset, profile=record.profile, rows=[])
            )
            group.rows.append(_measured(catalog, item, record, ready, verdict))
    return [group for group in groups.values() if any(row.role == "contender" for row in group.rows)]


class Session:
    """One run. The caller shows progress and prints what comes out."""

    def __init__(self, workshop: Workshop, settings: Settings, limits: Limits, output: Path) -> None:
        """Open the journal beside `output`. Raises UserError if that cannot be written."""
        self.workshop = workshop
        self.settings = settings
        self.limits = limits
        self.output = output
        self.clock = wall_clock()
        self.run = Run(
            serbench=__version__,
            id=output.stem,
            started=_now(),
            machine=this_machine(workshop.compilers()),
            settings=settings,
        )
        self.journal = Journal(journal_path(output))
        self.journal.header(self.run)

    def abandon_if_empty(self) -> None:
        """Leave no journal behind when it holds no sample."""
        self.journal.close()
        if not self.run.samples:
            self.journal.path.unlink(missing_ok=True)

    def execute(
        self,
        rows: Sequence[Row],
        datasets: Sequence[Dataset],
        verified: Callable[[], None],
        progress: Progress,
    ) -> Run:
        """Prove and measure `rows` on `datasets`, and complete the run file.

        `verified` is called for each verdict, `progress` with the share of the measuring that is done.
        An interruption ends the measuring; what was measured until then is kept. Raises UserError when
        the run file cannot be written.
        """
        with tempfile.TemporaryDirectory(prefix="serbench-") as folder:
            try:
                proven = prove(self.workshop, rows, datasets, Path(folder), self.limits, verified)
                self._count_heaps(proven, folder)
                self._record(proven)
                before = activity()
                self._measure(groups_of(self.workshop.catalog, proven), progress)
                self.run.complete = True
                for sentence in [*disturbances(before, activity()), governor_warning()]:
                    if sentence is not None:
                        self.run.notes.append(sentence)
                        self.journal.note(sentence)
            except KeyboardInterrupt:
                if not self.run.samples:
                    raise
        self.run.finished, self.run.seconds = _now(), round(self.clock(), 3)
        self.journal.end(self.run.finished, self.run.seconds, self.run.complete)
        complete(self.run, self.output, self.journal)
        return self.run

    def _count_heaps(self, proven: Sequence[Proven], folder: str) -> None:
        # A loader's list of libraries can have no space or colon in it, which the clone's path may have.
        counter = Path(shutil.copy(self.workshop.tool("heap"), folder))
        jobs = [(item, *row) for item in proven for row in item.rows if row[0].status == "ok"]
        with ThreadPoolExecutor(self.workshop.jobs) as pool:
            catalog = self.workshop.catalog
            counts = pool.map(lambda job: count_heap(_measured(catalog, *job), counter, self.limits), jobs)
            for job, heap in zip(jobs, counts, strict=True):
                job[1].heap = heap

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
        per_row = PRECISIONS[self.settings.precision].budget_per_row
        budget = self.settings.budget_seconds or max(LEAST_BUDGET, rows * per_row)
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
