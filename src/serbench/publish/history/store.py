"""What run files say, kept in SQLite: a file is read once, and two runs are compared once.

Everything in it is of files with certain digests, so it can be lost at any time and is made again.
"""

import hashlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import zstandard

from serbench.errors import UserError, readable
from serbench.files import read_regular
from serbench.publish.history.records import (
    Entry,
    Judgement,
    MachineKey,
    Point,
    Series,
    Timeline,
    machine_key_of,
    series_of,
)
from serbench.report.compare import compare_runs
from serbench.report.compared import THRESHOLD, Compared, changed_counts
from serbench.results.analysis import analyse
from serbench.results.load import LARGEST_FILE, read_run
from serbench.results.schema import SUMMARY_VERSION, Run
from serbench.results.summary import summary_of

MEANING = 2
"""Raised when what is kept changes its meaning."""
VERSION = 1000 * MEANING + SUMMARY_VERSION
SAME_PROGRAM = "same program"
"""The verdict on a row that is a control: it was not built anew."""
ENDINGS = (".json", ".json.zst")
RACY_NS = 2_000_000_000
"""A file that was changed so shortly before it was read may change again without a sign."""
TABLES = """
CREATE TABLE files (path TEXT PRIMARY KEY, size INTEGER, changed INTEGER, digest TEXT);
CREATE TABLE runs (
    digest TEXT PRIMARY KEY, id TEXT, started TEXT, serbench TEXT, machine TEXT, unfit TEXT, run BLOB
);
CREATE TABLE series (id INTEGER PRIMARY KEY, series TEXT UNIQUE);
CREATE TABLE points (
    run TEXT, series INTEGER, row INTEGER, version TEXT, status TEXT, reason TEXT, net REAL, net_low REAL,
    net_high REAL, raw REAL, raw_low REAL, raw_high REAL, at_floor INTEGER, bytes REAL, code_size REAL,
    instructions REAL, PRIMARY KEY (run, series)
) WITHOUT ROWID;
CREATE TABLE pairs (new TEXT, old TEXT, judgements BLOB, PRIMARY KEY (new, old)) WITHOUT ROWID;
CREATE TABLE timelines (folder TEXT PRIMARY KEY, runs TEXT, timelines BLOB);
"""
FIGURES = (
    *("net_ns", "net_low_ns", "net_high_ns", "raw_ns", "raw_low_ns", "raw_high_ns", "at_floor"),
    *("bytes", "code_size", "instructions"),
)
"""Fields of a RowResult, in the order of the columns of `points`."""
Judgements = dict[int, Judgement]
"""Judgements by the id of the new run's row."""


class Store:
    """The database; a context that closes it."""

    def __init__(self, path: Path | None) -> None:
        self._connection = _opened(path)

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.commit()
        self._connection.close()

    def read(self, folder: Path) -> tuple[list[Entry], list[tuple[str, str]]]:
        """Return the runs in the files of `folder` by time, and what is left out and why; new files are read.

        Raises UserError where there is no such folder.
        """
        entries: dict[str, Entry] = {}
        left_out = []
        for path in run_files(folder):
            try:
                digest = self._digest(path)
            except OSError as error:
                left_out.append((readable(path.name), error.strerror or str(error)))
                continue
            known = self._connection.execute(
                "SELECT id, started, serbench, machine, unfit FROM runs WHERE digest = ?", (digest,)
            ).fetchone()
            *told, machine, unfit = known
            if unfit:
                left_out.append((readable(path.name), unfit))
            elif digest in entries:
                left_out.append((readable(path.name), f"it is the same as {entries[digest].file}"))
            else:
                found = msgspec.json.decode(machine, type=MachineKey)
                entries[digest] = Entry(digest, readable(path.name), told[0], told[1], told[2], found)
        self._connection.commit()
        return sorted(entries.values(), key=lambda entry: (entry.started, entry.digest)), left_out

    def _digest(self, path: Path) -> str:
        """Return the digest of a file whose run is kept from then on. Raises OSError."""
        status = path.stat()
        state = (status.st_size, status.st_mtime_ns)
        name = _key(path)
        known = self._connection.execute(
            "SELECT digest FROM files WHERE path = ? AND size = ? AND changed = ?", (name, *state)
        ).fetchone()
        if known is not None:
            return str(known[0])
        data = read_regular(path, LARGEST_FILE)
        digest = hashlib.sha256(data).hexdigest()
        if self._connection.execute("SELECT 1 FROM runs WHERE digest = ?", (digest,)).fetchone() is None:
            self._add(digest, data, readable(path.name))
        if time.time_ns() - status.st_mtime_ns > RACY_NS:
            self._connection.execute(
                "INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", (name, *state, digest)
            )
        return digest

    def _add(self, digest: str, data: bytes, name: str) -> None:
        try:
            run = read_run(data, name)
            unfit = _unfit(run)
        except UserError as error:
            unfit = str(error).removeprefix(f"{name} ")
        if unfit:
            self._insert_run(digest, "", "", "", "", unfit, b"")
            return
        run.summary = summary_of(run)
        run.samples, run.overheads = [], []
        kept = zstandard.compress(msgspec.json.encode(run))
        machine = msgspec.json.encode(machine_key_of(run)).decode()
        told = (run.id, run.started, run.serbench)
        self._insert_run(digest, *told, machine, "", kept)
        self._connection.executemany(
            f"INSERT OR IGNORE INTO points VALUES ({', '.join('?' * 16)})",  # noqa: S608 - question marks
            self._values(digest, run),
        )

    def _insert_run(self, *values: str | bytes) -> None:
        self._connection.execute("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def _values(self, digest: str, run: Run) -> Iterator[tuple[object, ...]]:
        """Yield the rows of the table `points` for a run."""
        data = {dataset.name: dataset.tape_sha256 for dataset in run.datasets}
        for record, result in analyse(run):
            if record.role != "contender" or record.platform:
                continue
            series = msgspec.json.encode(series_of(record, data.get(record.dataset, ""))).decode()
            self._connection.execute("INSERT OR IGNORE INTO series (series) VALUES (?)", (series,))
            number = self._connection.execute("SELECT id FROM series WHERE series = ?", (series,)).fetchone()
            said = (record.library_version, result.status, result.reason)
            figures = [getattr(result, name) for name in FIGURES]
            counts = [None if each is None else float(each) for each in figures[-3:]]  # may be beyond 2^63
            yield (digest, *number, record.id, *said, *figures[:-3], *counts)

    def series(self) -> dict[int, Series]:
        """Return all series by their numbers."""
        rows = self._connection.execute("SELECT id, series FROM series")
        return {number: msgspec.json.decode(text, type=Series) for number, text in rows}

    def points(self, entry: Entry, place: int) -> list[tuple[int, Point]]:
        """Return the points of the run at a place of its timeline, each with the number of its series."""
        rows = self._connection.execute("SELECT * FROM points WHERE run = ?", (entry.digest,))
        return [
            (number, msgspec.convert([place, *values], Point, strict=False)) for _, number, *values in rows
        ]

    def timelines(self, folder: Path, runs: Sequence[Entry]) -> list[Timeline] | None:
        """Return the timelines that were kept for these runs of `folder`; None if none were."""
        known = self._connection.execute(
            "SELECT timelines FROM timelines WHERE folder = ? AND runs = ?", (_key(folder), _digest_of(runs))
        ).fetchone()
        return None if known is None else msgspec.msgpack.decode(known[0], type=list[Timeline])

    def keep(self, folder: Path, runs: Sequence[Entry], timelines: list[Timeline]) -> None:
        """Keep the timelines of these runs of `folder` in place of earlier ones."""
        kept = (_key(folder), _digest_of(runs), msgspec.msgpack.encode(timelines))
        self._connection.execute("INSERT OR REPLACE INTO timelines VALUES (?, ?, ?)", kept)

    def judgements(self, new: Entry, old: Entry) -> Judgements:
        """Return what `compare` says of the rows of `new` that are in `old`, too."""
        known = self._connection.execute(
            "SELECT judgements FROM pairs WHERE new = ? AND old = ?", (new.digest, old.digest)
        ).fetchone()
        if known is not None:
            return msgspec.msgpack.decode(known[0], type=Judgements)
        compared = compare_runs(self._run(old), self._run(new), THRESHOLD)
        found = {row.row: _judgement(row) for row in compared.rows}
        kept = msgspec.msgpack.encode(found)
        self._connection.execute("INSERT INTO pairs VALUES (?, ?, ?)", (new.digest, old.digest, kept))
        return found

    def _run(self, entry: Entry) -> Run:
        (kept,) = self._connection.execute(
            "SELECT run FROM runs WHERE digest = ?", (entry.digest,)
        ).fetchone()
        return msgspec.json.decode(zstandard.decompress(kept), type=Run)


def _key(path: Path) -> str:
    """Return a path as text, whatever bytes it has."""
    return str(path.absolute()).encode(errors="surrogateescape").hex()


def _digest_of(runs: Sequence[Entry]) -> str:
    return hashlib.sha256(msgspec.json.encode(runs)).hexdigest()


def run_files(folder: Path) -> list[Path]:
    """Return what may be run files in `folder`, by name. Raises UserError where there is no such folder."""
    try:
        return sorted(path for path in folder.iterdir() if path.name.endswith(ENDINGS))
    except OSError as error:
        raise UserError(f"cannot read the folder {folder}: {error.strerror or error}") from error


def _opened(path: Path | None) -> sqlite3.Connection:
    """Return the database at `path`, made anew if it is another version's; without one it is in memory only.

    Raises sqlite3.Error where it is damaged or cannot be written.
    """
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path or ":memory:", timeout=60)
    with connection:
        connection.execute("BEGIN IMMEDIATE")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version == VERSION:
            return connection
        for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            connection.execute(f'DROP TABLE "{name}"')
        for statement in filter(str.strip, TABLES.split(";")):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
    return connection


def _unfit(run: Run) -> str:
    """Return why a run is not part of a history; empty if it is."""
    if not run.complete:
        return "the run is not complete"
    if run.settings.comparing is not None:
        return "it is a comparison of two contenders"
    if run.settings.growth:
        return "it is a run of growing data"
    return "" if run.samples else "it has no times"


def _judgement(row: Compared) -> Judgement:
    return Judgement(
        verdict=SAME_PROGRAM if row.control else row.verdict,
        reason=row.reason,
        ratio=row.ratio,
        low=row.low,
        high=row.high,
        basis=row.basis or "",
        counts=changed_counts(row),
        broken=row.broken,
        possible=not row.reason,
    )
