"""One run, whatever it measures: its journal, clock, machine lock, interruption, resumption and completion.

What is measured is a Step, which puts its records into the session one by one, as they come:

    class Counting:
        def run(self, session: RunSession) -> None:
            done = {(row.row, row.dataset) for row in session.run.rows}     # of a run that is resumed
            step = session.progress.counter("Counting", len(jobs))
            for job in jobs:
                if job.key not in done:
                    session.keep(count(job))    # a record of any of journal.RECORD_KINDS, from any thread
                step()

So a step needs no code for journals, Ctrl-C or completion: what it has kept is in the run file after an
interruption (KeyboardInterrupt passes through it), and in the journal after a kill. It looks at
`session.run` for what a resumed run has already, raises UserError (`resume.refuse`) before its first
`keep` where that no longer fits, and does the rest. The step of a kind of run is made from its Plan
(`run.settings.plan`) alone, so that `resume` can make it again: run/kind.py.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Protocol

import msgspec

from serbench import __version__
from serbench.catalog.records import Row
from serbench.errors import UserError, readable
from serbench.measure.machine_lock import machine_lock
from serbench.measure.records import Settings
from serbench.measure.turns import wall_clock
from serbench.project import ROOT
from serbench.results.journal import AnyRecord, Journal, complete, journal_path
from serbench.results.revision import own_revision
from serbench.results.schema import Machine, Run
from serbench.run.context import BuildContext, BuildResult
from serbench.run.resume import Interrupted, command_for

INTERRUPTIONS = (signal.SIGINT, signal.SIGTERM)


class Progress(Protocol):
    """Shows what a run is doing."""

    def build(self, context: BuildContext, rows: Sequence[Row]) -> dict[str, BuildResult]:
        """Provide and build `rows`."""

    def counter(self, what: str, total: int) -> Callable[[], None]:
        """Show that `total` things are to be done; the function returned is called after each."""

    def say(self, text: str) -> None:
        """Show a sentence that stays."""

    def measuring(self, run: Run | None = None) -> Callable[[float, str], None]:
        """Return what is told the share of the measuring of `run` that is done, and of what.

        It must be told that between launches only, since it may take its time.
        """


class Step(Protocol):
    """A part of a run."""

    def run(self, session: "RunSession") -> None:
        """Measure what the session's run does not have yet. Raises UserError."""


def now() -> str:
    """The time in ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@contextmanager
def interruptions_deferred() -> Iterator[None]:
    """Handle a Ctrl-C or SIGTERM of the block at its end.

    Blocking the signals would not do: the kernel then gives them to another thread of the process, and Python
    runs their handler in the main thread all the same.
    """
    if threading.current_thread() is not threading.main_thread():  # which alone is interrupted
        yield
        return
    arrived: list[int] = []
    handlers = {}

    def remember(number: int, _frame: FrameType | None) -> None:
        arrived.append(number)

    try:
        for number in INTERRUPTIONS:
            handlers[number] = signal.signal(number, remember)
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if arrived:
        signal.raise_signal(arrived[0])


class RunSession:
    """A run while it is made, fresh or resumed."""

    def __init__(
        self,
        settings: Settings,
        machine: Machine,
        output: Path,
        results: str,
        progress: Progress,
        interrupted: Interrupted | None = None,
    ) -> None:
        """`results` is the list of Run without which nothing has been measured; `settings` lack the command.

        The journal of an `interrupted` run is not touched before the first record is kept.
        """
        self.output = output
        self.results = results
        self.progress = progress
        self.whole = True
        self.interrupted = interrupted
        self._journal: Journal | None = None
        self._notes: list[str] = []
        self._lock = threading.RLock()
        if interrupted is not None:
            self.run = interrupted.run
        else:
            self.run = Run(
                serbench=__version__,
                revision=own_revision(ROOT),
                id=readable(output.stem),
                started=now(),
                machine=machine,
                settings=msgspec.structs.replace(settings, command=[readable(w) for w in sys.argv[1:]]),
            )
        self.clock = wall_clock(self.run.seconds)

    @contextmanager
    def running(
        self, ignore_lock: bool, counting: bool = False, locking: bool = True, waiting: bool = False
    ) -> Iterator[None]:
        """Hold the machine's lock and keep a journal while the block measures; then write the run file.

        Ctrl-C in the block ends the run, which is then not complete; without any results it goes on as
        KeyboardInterrupt, and a fresh run leaves no file. Raises UserError when a file cannot be written,
        or while another run holds the lock, unless `ignore_lock` or `waiting` for its end. A run that is
        `counting` takes no times; one that is not `locking` needs no lock.
        """
        nothing: AbstractContextManager[list[str]] = nullcontext([])
        lock = machine_lock(ignore_lock, counting=counting, waiting=waiting) if locking else nothing
        with lock as notes, self._held():
            try:
                if self.interrupted is None:
                    with interruptions_deferred():
                        self._journal = Journal(journal_path(self.output), self.run, self.clock)
                for sentence in notes:
                    self.note(sentence)
                yield
                self.run.complete = self.whole
            except KeyboardInterrupt:
                if not self._has_results or self._journal is None:
                    self._abandon()
                    raise
            except UserError as error:
                self._abandon()
                raise self._resumable(error) from error
            except BaseException:
                self._abandon()
                raise
            try:
                with interruptions_deferred():
                    self._complete()
            except UserError as error:
                raise self._resumable(error) from error

    def _held(self) -> AbstractContextManager[None]:
        return self.interrupted.held() if self.interrupted else nullcontext()

    def keep(self, record: AnyRecord) -> None:
        """Put a record into the run and its journal. Raises UserError when that cannot be written."""
        with self._lock:
            journal = self._journal or self._reopened()
        journal.keep(record)

    def miss_some(self) -> None:
        """Say that a step could not get all there is: the run is then not complete."""
        self.whole = False

    def note(self, sentence: str) -> None:
        """Keep a sentence that a reader of the run must know, once; of a resumed run when it goes on."""
        if self._journal is None:
            self._notes.append(sentence)
        elif sentence not in self.run.notes:
            self.keep(sentence)

    @property
    def _has_results(self) -> bool:
        counted = any(row.instructions is not None for row in self.run.rows)
        return counted or bool(getattr(self.run, self.results))

    def _reopened(self) -> Journal:
        """Open a journal with all that the interrupted run has."""
        self.run.complete, self.run.finished = False, ""
        with interruptions_deferred():
            self._journal = Journal.of(self.run, journal_path(self.output), self.clock)
        for sentence in self._notes:
            self.note(sentence)
        found = len(getattr(self.run, self.results))
        what = self.results if self.results in ("samples", "rows") else "results"
        self.note(
            f"Interrupted after {found:,} {what}, and resumed at {now()} on the same data with the same "
            "programs."
        )
        return self._journal

    def _abandon(self) -> None:
        """Close the journal, and remove that of a fresh run without results."""
        if self._journal is not None:
            self._journal.close()
            if self.interrupted is None and not self._has_results:
                self._journal.path.unlink(missing_ok=True)

    def _resumable(self, error: UserError) -> UserError:
        """The `error`, with the command that goes on where the journal has results."""
        if self._journal is None or not self._has_results:
            return error
        return UserError(
            f"{error}; what has been measured is kept in {self._journal.path}, and "
            f"{command_for(self.run, self.output)} goes on"
        )

    def _complete(self) -> None:
        """Write the run file: the one place in which a run is over."""
        whole = self.run.complete
        journal = self._journal or self._reopened()
        self.run.complete = whole  # also where a resumed run lacked nothing but its end
        self.run.rows.sort(key=lambda row: row.id)  # Rows that are counted at a time end in any order.
        journal.end(now(), round(self.clock(), 3), self.run.complete)
        complete(self.run, self.output, journal)
