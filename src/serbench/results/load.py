"""Reading a run file, or the journal of a run that was interrupted. Both may come from anywhere."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
import zstandard

from serbench.build.processor import LEVELS
from serbench.catalog.records import PROFILES
from serbench.errors import UserError
from serbench.files import read_regular
from serbench.results.counts import Count, rows_of
from serbench.results.journal import RECORD_KINDS, End, RunRecords
from serbench.results.schema import SCHEMA_VERSION, Run
from serbench.results.summary import summary_of

T = TypeVar("T")
LARGEST_FILE = 1 << 30
LONGEST_TEXT = 1 << 16
LARGEST = 2**63
LONGEST_CHUNK_NS = 2**62


class _Probe(msgspec.Struct):
    """What tells a run file from other JSON."""

    schema: Any = msgspec.UNSET
    serbench: Any = msgspec.UNSET
    counts: msgspec.Raw = msgspec.Raw(b"[]")


class _Line(msgspec.Struct):
    """A journal's line."""

    kind: str = ""
    at: Annotated[float, msgspec.Meta(ge=0.0)] = 0.0
    data: msgspec.Raw = msgspec.Raw()


def _decode(data: bytes | msgspec.Raw, kind: type[T]) -> T:
    """Return `data` as a `kind`. Raises msgspec.ValidationError, or DecodeError for what is not JSON."""
    try:
        return msgspec.json.decode(data, type=kind)
    except UnicodeDecodeError as error:
        raise msgspec.DecodeError("it is not UTF-8") from error
    except RecursionError as error:
        raise msgspec.DecodeError("it is nested too deeply") from error


def _decode_run(data: bytes | msgspec.Raw, where: str) -> Run:
    """Return the run in `data`. Raises UserError for other JSON, a newer schema, missing or wrong fields."""
    try:
        probe = _decode(data, _Probe)
    except msgspec.ValidationError as error:
        raise UserError(f"{where} is not a run file of serbench") from error
    except msgspec.DecodeError as error:
        raise UserError(f"{where} is not JSON, so not a run file: {error}") from error
    if type(probe.schema) is not int or not isinstance(probe.serbench, str):
        raise UserError(f"{where} is not a run file of serbench")
    if probe.schema > SCHEMA_VERSION:
        raise UserError(
            f"{where} has version {probe.schema} of the run file's schema, written by a newer serbench; "
            f"this one reads versions up to {SCHEMA_VERSION}: update serbench"
        )
    if probe.schema < 1:
        raise UserError(f"{where} has version {probe.schema} of the run file's schema, which never was")
    try:
        run = _decode(data, Run)
        if probe.schema == 1:
            first = max((row.id for row in run.rows), default=-1) + 1
            run.rows += rows_of(_decode(probe.counts, list[Count]), first)
        if run.summary is not None and not run.summary.rows:
            run.summary = None  # rows of microcontrollers were not in it at first
        return run
    except msgspec.MsgspecError as error:
        raise UserError(f"{where} is a damaged run file: {error}") from error


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the numbered whole lines; what follows the last line's end was never written completely."""
    for number, line in enumerate(data.split(b"\n")[:-1], start=1):
        if line:
            yield number, line


def _read_journal(data: bytes, where: str) -> Run:
    run: Run | None = None
    for number, line in _lines(data):
        place = f"{where}, line {number}"
        try:
            probe = _decode(line, _Line)
            if run is None:
                run = _decode_run(probe.data, place)
                run.summary = None
                records = RunRecords(run)
            elif probe.kind == "end":
                end = _decode(probe.data, End)
                run.finished, run.seconds, run.complete = end.finished, end.seconds, end.complete
            elif probe.kind in RECORD_KINDS:
                records.put(_decode(probe.data, RECORD_KINDS[probe.kind].type))
                if probe.kind == "period":
                    run.finished, run.complete = "", False
            run.seconds = max(run.seconds, probe.at)
        except msgspec.MsgspecError as error:
            raise UserError(f"{place}: damaged journal: {error}") from error
    if run is None:
        raise UserError(f"{where} is a journal without a complete line: nothing was measured")
    return run


def _is_journal(data: bytes) -> bool:
    # Read by its first bytes, as even the first line may be cut off.
    return data.lstrip().startswith(b'{"kind":"header"')


def _values(record: msgspec.Struct | Run) -> Iterator[Any]:
    """Yield every text and number in a record and the records below it; of a list of numbers the extremes."""
    waiting: list[Any] = [record]
    while waiting:
        value = waiting.pop()
        if isinstance(value, msgspec.Struct):
            waiting += [getattr(value, name) for name in value.__struct_fields__]
        elif isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list | tuple):
            numbers = bool(value) and all(type(each) is int for each in value)
            waiting += (min(value), max(value)) if numbers else value
        else:
            yield value


def _faults(run: Run) -> Iterator[str]:
    """Yield what cannot be in a run file, and on which arithmetic would stumble."""
    for value in _values(run):
        if isinstance(value, str) and len(value) > LONGEST_TEXT:
            yield f"a text in it has {len(value):,} characters"
        if isinstance(value, int | float) and not -LARGEST <= value <= LARGEST:
            yield "a number in it is beyond 2^63"
    ids = {row.id for row in run.rows}
    if len(ids) != len(run.rows):
        yield "two rows have the same id"
    for name, records in (("sample", run.samples), ("failure", run.failures)):
        for record in records:
            if record.row not in ids:
                yield f"a {name} of row {record.row}, which is not there"
    results = run.summary.rows if run.summary is not None else []
    if run.summary is not None and sorted(ids) != sorted(result.id for result in results):
        yield "its summary is of other rows"
    sampled: dict[int, set[int]] = {}
    for sample in run.samples:
        sampled.setdefault(sample.row, set()).add(sample.launch)
    for result in results:
        launches = {launch for launch, _ in result.launch_ns}
        timed = result.raw_ns is not None
        unknown = launches - sampled.get(result.id, set()) if run.complete else set()
        if unknown or (timed and result.id not in sampled):
            yield f"row {result.id} has times and no samples"
    hosts = {host.name for host in run.hosts}
    for unit in run.units:
        if unit.host not in hosts or not ids.issuperset(unit.rows):
            yield f"unit {unit.number} of a machine or of rows that are not there"
    plan = run.settings.plan
    if plan is not None and (
        any(len(words) < 3 or words[0] not in PROFILES for words in plan.configurations)
        or any(words[3:] and words[3:] not in [[level] for level in LEVELS] for words in plan.configurations)
        or (plan.kind == "times" and not plan.configurations)
    ):
        yield "its plan has no or impossible configurations"
    for sample in run.samples:
        if sample.iterations < 1 or not sample.wall:
            yield f"a sample of row {sample.row} has no iterations"
        elif min(sample.wall) < 0 or max(*sample.wall, sample.iterations) > LONGEST_CHUNK_NS:
            yield f"a sample of row {sample.row} has impossible times"


def load_run(path: Path) -> Run:
    """Return the run in the run file, or in the journal of an interrupted run, at `path`.

    Raises UserError when it is not there, cannot be read, or `read_run` refuses what it holds.
    """
    try:
        data = read_regular(path, LARGEST_FILE)
    except FileNotFoundError as error:
        raise UserError(f"there is no run file {path}") from error
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror or error}") from error
    return read_run(data, str(path))


def _unpacked(data: bytes, where: str) -> bytes:
    """Return what a file holds that may be compressed by zstd. Raises UserError for a damaged or huge one."""
    if not data.startswith(zstandard.FRAME_HEADER):
        return data
    try:
        with zstandard.ZstdDecompressor().stream_reader(data) as reader:
            found = reader.read(LARGEST_FILE + 1)
    except zstandard.ZstdError as error:
        raise UserError(f"{where} is damaged: {error}") from error
    if len(found) > LARGEST_FILE:
        raise UserError(f"{where} holds more than {LARGEST_FILE / 1e6:g} MB")
    return found


def read_run(data: bytes, where: str) -> Run:
    """Return the run that a run file or a journal holds, as it is or compressed by zstd.

    `where` names it in messages.

    A complete run has its summary, also where its file is older and has none.

    Raises UserError when it is not JSON, is some other JSON, has a newer schema, or lacks fields or
    contradicts itself. A journal's half-written last line is left out.
    """
    data = _unpacked(data, where)
    run = _read_journal(data, where) if _is_journal(data) else _decode_run(data, where)
    for fault in _faults(run):
        raise UserError(f"{where} is a damaged run file: {fault}")
    if run.complete:
        run.summary = summary_of(run)
    return run


def read_again(data: bytes, where: str) -> Run:
    """Return the run in a file that `read_run` has taken before, and found to be complete."""
    return _decode_run(_unpacked(data, where), where)


def newest_runs(folder: Path) -> Iterator[tuple[Path, Run]]:
    """Yield the run files in `folder` with their runs, the newest first; other files are skipped."""
    found: list[tuple[int, Path]] = []
    for path in folder.glob("*.json"):
        with contextlib.suppress(OSError):
            found.append((path.stat().st_mtime_ns, path))
    for _, path in sorted(found, reverse=True):
        with contextlib.suppress(UserError):
            yield path, load_run(path)
