"""Writing a run: a journal that grows line by line, and the run file that replaces it at the end.

A journal's line is `{"kind": ..., "at": ..., "data": ...}`, the data being a record of schema.py: first one
`header` (a Run without its lists), then RECORD_KINDS in any order, at last `end`. `at` is how long
the run had taken, in seconds. A record with the key of an earlier one of its kind replaces it; a period after
an end says that the run was resumed. A half-written last line does not count.
"""

import contextlib
import fcntl
import os
import shlex
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import msgspec

from serbench.datasets.records import DatasetRecord
from serbench.errors import UserError
from serbench.files import failure_to_write, make_folder_of, replace_file
from serbench.measure.records import Failure, Overhead, Period, Sample, Stop
from serbench.records import Record
from serbench.results.probes import Fidelity, Payload, Strict
from serbench.results.schema import Host, Measured, Platform, RowRecord, Run
from serbench.results.summary import summarise


class RecordKind(msgspec.Struct, frozen=True):
    """One kind of record: where a run keeps it, and how its journal does."""

    field: str
    """The list of Run that contains it."""
    type: type
    key: tuple[str, ...] = ()
    """The fields in which a record equals the earlier one that it replaces; none where all are kept."""
    durable: bool = False
    """Whether the journal is brought to the disk after it."""


RECORD_KINDS = {
    "platform": RecordKind("platforms", Platform, ("name",)),
    "fidelity": RecordKind("fidelity", Fidelity, ("contender_id", "variant")),
    "payload": RecordKind("payloads", Payload, ("contender_id", "direction"), durable=True),
    "strict": RecordKind("strict", Strict, ("row",)),
    "dataset": RecordKind("datasets", DatasetRecord, ("name",)),
    "row": RecordKind("rows", RowRecord, ("id",)),
    "period": RecordKind("periods", Period, durable=True),
    "sample": RecordKind("samples", Sample),
    "overhead": RecordKind("overheads", Overhead),
    "failure": RecordKind("failures", Failure),
    "stop": RecordKind("stops", Stop, ("test", "dataset", "profile"), durable=True),
    "host": RecordKind("hosts", Host, ("name",)),
    "unit": RecordKind("units", Measured, ("number",), durable=True),
    "note": RecordKind("notes", str),
}
"""Every kind of record, by the name that a journal's line has for it."""
_NAMES = {kind.type: name for name, kind in RECORD_KINDS.items()}

AnyRecord = (
    Platform
    | Fidelity
    | Payload
    | Strict
    | DatasetRecord
    | RowRecord
    | Period
    | Sample
    | Overhead
    | Failure
    | Stop
    | Host
    | Measured
    | str
)
"""A record of any kind; text is a note."""


class End(Record, omit_defaults=False):
    """How a run ended."""

    finished: str
    """ISO 8601, UTC."""
    seconds: float
    complete: bool
    """False when it was interrupted."""


class RunRecords:
    """Puts records into the lists of a run, which nothing else may change meanwhile."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._places: dict[tuple[object, ...], int] = {}
        for kind in RECORD_KINDS.values():
            for place, record in enumerate(getattr(run, kind.field) if kind.key else ()):
                self._places[self._key(kind, record)] = place

    @staticmethod
    def _key(kind: RecordKind, record: AnyRecord) -> tuple[object, ...]:
        return (kind.field, *(getattr(record, name) for name in kind.key))

    def put(self, record: AnyRecord) -> None:
        """Add `record`, or replace the one that has its key."""
        kind = RECORD_KINDS[_NAMES[type(record)]]
        records = getattr(self.run, kind.field)
        place = self._places.setdefault(self._key(kind, record), len(records)) if kind.key else len(records)
        records[place : place + 1] = [record]


def journal_path(run_path: Path) -> Path:
    """Return where the journal of the run file `run_path` stands: beside it.

    Raises UserError when `run_path` is a folder, rather than after hours of measuring.
    """
    if run_path.is_dir():
        raise UserError(f"cannot write {run_path}: it is a folder")
    return run_path.with_name(run_path.name + ".journal")


def lock_file(descriptor: int, path: Path) -> None:
    """Lock an open run file or journal until it is closed. Raises UserError if another process has it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UserError(f"{path} is in use by another serbench: wait until that has ended") from None
    except OSError:  # a file system without locks
        return


def _line(kind: str, seconds: float, data: Any) -> bytes:
    return msgspec.json.encode({"kind": kind, "at": round(seconds, 3), "data": data}) + b"\n"


def _header(run: Run) -> bytes:
    empty: dict[str, Any] = {kind.field: [] for kind in RECORD_KINDS.values()}
    return _line("header", run.seconds, msgspec.structs.replace(run, summary=None, **empty))


class Journal:
    """A run with its journal: each record goes into both, as one write of one line. For several threads.

    A write that fails raises UserError and leaves the file as it was before that record.
    """

    def __init__(self, path: Path, run: Run, clock: Callable[[], float] | None = None) -> None:
        """Start a new journal at `path` with what `run` says of itself, making its folder if need be.

        `clock` shows the seconds that the run has taken; without one they are `run.seconds`. Raises UserError
        when it cannot be written, and then leaves none behind, or when the journal of an unfinished run is
        there.
        """
        make_folder_of(path)
        self._open(path, run, clock, os.O_CREAT | os.O_EXCL)
        try:
            self._write(_header(run))
            self._sync()
        except BaseException:
            self.close()
            path.unlink(missing_ok=True)
            raise

    @classmethod
    def of(cls, run: Run, path: Path, clock: Callable[[], float] | None = None) -> Self:
        """Open a journal at `path` that holds all of `run`, put there in one step, to append to it.

        `clock` is as for a new one. Raises UserError when it cannot be written.
        """
        lines = [
            _line(name, run.seconds, record)
            for name, kind in RECORD_KINDS.items()
            for record in getattr(run, kind.field)
        ]
        replace_file(path, b"".join([_header(run), *lines]))
        self = cls.__new__(cls)
        self._open(path, run, clock, 0)
        return self

    def _open(self, path: Path, run: Run, clock: Callable[[], float] | None, flags: int) -> None:
        self.path, self.run = path, run
        self._clock = clock or (lambda: run.seconds)
        self._records = RunRecords(run)
        self._lock = threading.Lock()
        try:
            self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | flags, 0o644)
            lock_file(self._fd, path)
            self._size = os.fstat(self._fd).st_size
        except FileExistsError as error:
            raise UserError(
                f"{path} exists: it is the journal of an unfinished run. Finish it with "
                f"./serbench resume {shlex.quote(str(path))}"
            ) from error
        except OSError as error:
            raise failure_to_write(path, error) from error

    def _write(self, line: bytes) -> None:
        try:
            written = os.write(self._fd, line)
            while written < len(line):
                written += os.write(self._fd, line[written:])
        except OSError as error:
            # The next record, if the disk has room again, must not be glued to half of this one.
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, self._size)
            raise failure_to_write(self.path, error) from error
        self._size += len(line)

    def _sync(self) -> None:
        try:
            os.fsync(self._fd)
        except OSError as error:
            raise failure_to_write(self.path, error) from error

    def keep(self, record: AnyRecord) -> None:
        """Keep a record. Raises UserError when the journal cannot be written; the run holds it then, too."""
        name = _NAMES[type(record)]
        with self._lock:
            self._records.put(record)
            self._write(_line(name, self._clock(), record))
            if RECORD_KINDS[name].durable:
                self._sync()

    def end(self, finished: str, seconds: float, complete: bool) -> None:
        """Keep how the run ended. Reaches the disk."""
        self.run.finished, self.run.seconds, self.run.complete = finished, seconds, complete
        self._write(_line("end", seconds, End(finished=finished, seconds=seconds, complete=complete)))
        self._sync()

    def close(self) -> None:
        """Close the file, which stays. Nothing happens the second time."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def complete(run: Run, path: Path, journal: Journal | None = None) -> None:
    """Write `run` with its summary as the run file `path` in one step, then remove its `journal`.

    Raises UserError when it cannot be written; the journal and an earlier file then stay.
    """
    run.summary = summarise(run)
    replace_file(path, msgspec.json.encode(run) + b"\n")
    if journal is not None:
        journal.close()
        try:
            journal.path.unlink(missing_ok=True)
        except OSError as error:
            raise UserError(f"cannot remove {journal.path}: {error.strerror or error}") from error
