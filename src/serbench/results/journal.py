"""Writing a run: a journal that grows line by line, and the run file that replaces it at the end.

A journal's line is `{"kind": ..., "data": ...}`, the data being a record of schema.py: first one
`header` (a Run without its lists), then `dataset`, `row`, `period`, `sample`, `failure`, `stop`,
`fidelity` and `note` in any order, at last `end`. A later row of the same id, dataset of the same name or
stop of the same group replaces the earlier one; a period after an end says that the run was resumed. A
half-written last line does not count.
"""

import contextlib
import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import msgspec

from serbench.datasets.records import DatasetRecord
from serbench.errors import UserError
from serbench.measure.records import Failure, Period, Sample, Stop
from serbench.probe.records import Fidelity
from serbench.records import Record
from serbench.results.schema import RowRecord, Run
from serbench.results.summary import summarise

Kind = Literal["header", "dataset", "row", "sample", "failure", "stop", "fidelity", "note", "period", "end"]
LISTS = ("datasets", "rows", "samples", "failures", "stops", "fidelity", "payloads", "notes", "periods")


class End(Record, omit_defaults=False):
    """How a run ended."""

    finished: str
    """ISO 8601, UTC."""
    seconds: float
    complete: bool
    """False when it was interrupted."""


def journal_path(run_path: Path) -> Path:
    """Return where the journal of the run file `run_path` stands: beside it.

    Raises UserError when `run_path` is a folder, rather than after hours of measuring.
    """
    if run_path.is_dir():
        raise UserError(f"cannot write {run_path}: it is a folder")
    return run_path.with_name(run_path.name + ".journal")


def failure_to_write(path: Path, error: OSError) -> UserError:
    """Return the message for a file at `path` that cannot be written."""
    return UserError(f"cannot write {path}: {error.strerror or error}")


def _line(kind: Kind, data: Any) -> bytes:
    return msgspec.json.encode({"kind": kind, "data": data}) + b"\n"


def _bare(run: Run) -> Run:
    return msgspec.structs.replace(run, summary=None, **{name: [] for name in LISTS})


def _make_folder(path: Path) -> None:
    """Make the folder that the file `path` stands in. Raises UserError when that cannot be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise UserError(f"cannot write {path}: {path.parent} is not a folder") from error
    except OSError as error:
        raise failure_to_write(path, error) from error


class Journal:
    """A journal open for appending. One thread writes; every record is one write of one line.

    A write that fails raises UserError and leaves the file as it was before that record.
    """

    def __init__(self, path: Path) -> None:
        """Start a new journal at `path`, making its folder if need be.

        Raises UserError when it cannot be written or when an unfinished run's journal is there.
        """
        self.path = path
        _make_folder(path)
        try:
            self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except FileExistsError as error:
            raise UserError(
                f"{path} is there already: the journal of a run that was not finished; to finish it: "
                f"./serbench run --resume {shlex.quote(str(path))}"
            ) from error
        except OSError as error:
            raise failure_to_write(path, error) from error
        self._size = 0

    @classmethod
    def resume(cls, path: Path) -> Self:
        """Open the journal at `path` to append to it; a half-written last line is cut off.

        Raises UserError when it is not there or cannot be written. What it holds, load_run tells.
        """
        self = cls.__new__(cls)
        self.path = path
        try:
            data = path.read_bytes()
            self._size = data.rfind(b"\n") + 1
            self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
            os.ftruncate(self._fd, self._size)
        except OSError as error:
            raise failure_to_write(path, error) from error
        return self

    @classmethod
    def of(cls, run: Run, path: Path) -> Self:
        """Open a journal at `path` that holds all of `run`, put there in one step, to append to it.

        Raises UserError when it cannot be written.
        """
        lines = [_line("header", _bare(run))]
        parts: list[tuple[Kind, Sequence[object]]] = [
            *(("fidelity", run.fidelity), ("dataset", run.datasets), ("row", run.rows)),
            ("period", run.periods),
            *(("sample", run.samples), ("failure", run.failures), ("stop", run.stops), ("note", run.notes)),
        ]
        lines += [_line(kind, record) for kind, records in parts for record in records]
        replace_file(path, b"".join(lines))
        return cls.resume(path)

    def _append(self, kind: Kind, data: Any) -> None:
        line = _line(kind, data)
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

    def header(self, run: Run) -> None:
        """Write what `run` says of itself; its lists are left out. Comes first, once."""
        self._append("header", _bare(run))
        self.sync()

    def dataset(self, record: DatasetRecord) -> None:
        """Append a dataset; it replaces an earlier one of its name."""
        self._append("dataset", record)

    def row(self, record: RowRecord) -> None:
        """Append a row; it replaces an earlier one of its id."""
        self._append("row", record)

    def sample(self, record: Sample) -> None:
        """Append a sample."""
        self._append("sample", record)

    def failure(self, record: Failure) -> None:
        """Append a failure."""
        self._append("failure", record)

    def stop(self, record: Stop) -> None:
        """Append why a group ended; it replaces an earlier reason. Reaches the disk."""
        self._append("stop", record)
        self.sync()

    def period(self, record: Period) -> None:
        """Append that measuring begins, or goes on. Reaches the disk."""
        self._append("period", record)
        self.sync()

    def fidelity(self, record: Fidelity) -> None:
        """Append what was found out about a library's fidelity."""
        self._append("fidelity", record)

    def note(self, sentence: str) -> None:
        """Append a note."""
        self._append("note", sentence)

    def end(self, finished: str, seconds: float, complete: bool) -> None:
        """Append how the run ended. Reaches the disk."""
        self._append("end", End(finished=finished, seconds=seconds, complete=complete))
        self.sync()

    def sync(self) -> None:
        """Bring everything to the disk; worth its time at the end of a launch."""
        try:
            os.fsync(self._fd)
        except OSError as error:
            raise failure_to_write(self.path, error) from error

    def close(self) -> None:
        """Close the file, which stays. Nothing happens the second time."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def replace_file(path: Path, data: bytes) -> None:
    """Put `data` at `path` in one step: afterwards it holds all of it, or what it held before.

    Raises UserError when that cannot be done; the temporary file beside it is then gone again.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    _make_folder(path)
    try:
        try:
            with temporary.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise failure_to_write(path, error) from error


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
