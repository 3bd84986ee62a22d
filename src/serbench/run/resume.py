"""`resume RUN`: what an interrupted run had left to measure, on the same data by the same programs."""

import contextlib
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from serbench import __version__, kinds
from serbench.datasets.records import DatasetRecord, Encoding
from serbench.errors import UserError, readable
from serbench.project import ROOT
from serbench.results.journal import journal_path, lock_file
from serbench.results.load import load_run
from serbench.results.machine import this_machine
from serbench.results.revision import name_of, own_revision
from serbench.results.schema import Platform, RowRecord, Run
from serbench.run.proving import VerifiedDataset

SUFFIX = ".journal"
_MOST_TOLD = 5


Files = tuple[tuple[int, int, int] | None, ...]


def _files(target: Path) -> Files:
    """Inode, size and time of the file `target` and of its journal; None for one that is not there."""
    found: list[tuple[int, int, int] | None] = []
    for path in (target, journal_path(target)):
        try:
            stat = path.stat()
            found.append((stat.st_ino, stat.st_size, stat.st_mtime_ns))
        except OSError:
            found.append(None)
    return tuple(found)


class Resumption(msgspec.Struct, frozen=True, kw_only=True):
    """How an interrupted run of a kind is finished."""

    kind: str = ""
    command: tuple[str, ...] = ("resume",)
    options: tuple[str, ...] = (
        *("--data", "--contender", "--use", "--prefix", "--timeout", "--on", "--certificates"),
    )
    """Those that say where things are, which the run's file does not hold; they are to be given again."""
    needed: tuple[str, ...] = ()
    """An option without which it cannot be, with a word for its value."""


def resumption_of(run: Run) -> Resumption:
    """How the run is finished if it is interrupted."""
    kind = run.settings.plan.kind if run.settings.plan is not None else ""
    return next((each for each in kinds.found(Resumption) if each.kind == kind), Resumption())


class Interrupted(msgspec.Struct, frozen=True, kw_only=True):
    """A run that can be resumed."""

    run: Run
    """It is complete if all has been measured, and only its run file is not written."""
    target: Path
    """Where its file stands, or will."""
    files: Files
    """The run file and the journal as they were before they were read."""

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes from resuming it during the block.

        Raises UserError if one does so now, or if its files have changed since they were read.
        """
        source = self.target if self.files[1] is None else journal_path(self.target)
        with contextlib.ExitStack() as stack:
            with contextlib.suppress(FileNotFoundError):
                lock_file(stack.enter_context(source.open("rb")).fileno(), source)
            if _files(self.target) != self.files:
                raise UserError(f"{source} has changed since it was read: another serbench resumed the run")
            yield


def find_interrupted(path: Path) -> Interrupted:
    """The interrupted run whose run file or journal is `path`. Raises UserError if it cannot be resumed."""
    target = path.with_name(path.name.removesuffix(SUFFIX)) if path.name.endswith(SUFFIX) else path
    journal = journal_path(target)
    # Where there are both, the run was resumed from its file and interrupted again: the journal has more.
    files = _files(target)
    found = journal if files[1] is not None else None
    run = load_run(found or target)
    if run.complete and found is not None and not _is_written(run, target):
        return Interrupted(run=run, target=target, files=files)
    if run.complete:
        left = f", and its journal {found} can be removed" if found else ""
        raise UserError(
            f"the run {target} is complete{left}: nothing is left to measure; ./serbench repeat measures it "
            "again"
        )
    if run.serbench != __version__:
        raise UserError(
            f"the run was begun by serbench {run.serbench}, and this is {__version__}: finish it with the "
            "former"
        )
    own = own_revision(ROOT)
    if run.revision is not None and run.revision.sources != own.sources:
        raise UserError(
            f"the run was begun by another revision of serbench ({name_of(run.revision)}; this is "
            f"{name_of(own)}): finish it with the former"
        )
    if run.settings.plan is None:
        raise UserError(
            f"{found or target} does not say what was to be measured, so it cannot be resumed: remove it, "
            "and measure anew"
        )
    machine = run.machine if run.hosts else this_machine({})
    for name in ("cpu", "architecture", "cores", "system"):
        before, now = getattr(run.machine, name), getattr(machine, name)
        if before != now:
            raise UserError(f"the run was measured on another machine ({name}: {before}, here {now})")
    return Interrupted(run=run, target=target, files=files)


def _is_written(run: Run, target: Path) -> bool:
    """Whether the file `target` holds the whole of `run`, and no other run."""
    with contextlib.suppress(UserError):
        written = load_run(target)
        return written.complete and (written.id, written.started) == (run.id, run.started)
    return False


def command_for(run: Run, target: Path) -> str:
    """The command that resumes `run`, with those options of this command that say where things are.

    Those in the file of the run are not taken: it may be a stranger's.
    """
    how = resumption_of(run)
    words, kept = [readable(word) for word in sys.argv[1:]], []
    while words:
        word = words.pop(0)
        if word in how.options and words:
            kept += [word, words.pop(0)]
        elif word.partition("=")[0] in how.options:
            kept.append(word)
    if not any(word.startswith(how.needed[:1]) for word in kept):
        kept += how.needed
    return shlex.join(["./serbench", *how.command, str(target), *kept])


class Data(Protocol):
    """A dataset, or a document for microcontrollers."""

    @property
    def name(self) -> str:
        """The name by which a run knows it."""

    def record(self, encodings: dict[str, Encoding]) -> DatasetRecord:
        """What a run file says of it."""


def data_differences(earlier: Run, datasets: Sequence[Data]) -> list[str]:
    """A sentence for each dataset that has not the content that it had in the run `earlier`."""
    before = {dataset.name: dataset.tape_sha256 for dataset in earlier.datasets}
    return [
        f"{made.name} is not the data that the run {earlier.id} measured: its tape has another SHA-256."
        for made in datasets
        if made.record({}).tape_sha256 != before.get(made.name, made.record({}).tape_sha256)
    ]


def refuse_other_data(run: Run, datasets: Sequence[Data]) -> None:
    """Raise UserError if a dataset is not what it was in `run`."""
    refuse(data_differences(run, datasets))


def platform_differences(earlier: Run, now: Platform) -> list[str]:
    """A sentence for each way in which the platform `now` is not what it was in the run `earlier`."""
    before = next((known for known in earlier.platforms if known.name == now.name), now)
    return [
        f"{now.name} has another {name}: {getattr(now, name)}, which was {getattr(before, name)}."
        for name in ("compiler", "flags", "emulator")
        if getattr(now, name) != getattr(before, name)
    ]


def known_rows(run: Run, proven: Sequence[VerifiedDataset], platform: str = "") -> None:
    """Put the rows and datasets that `run` has instead of those `proven` now, which are the same.

    Raises UserError if what was built and proved now is not what `run` measured on these datasets.
    """
    names = {item.record.name for item in proven}
    rows = {row.id: row for row in run.rows if row.dataset in names and row.platform == platform}
    known = {dataset.name: dataset for dataset in run.datasets}
    now = {record.id for item in proven for record, _, _ in item.rows}
    if rows.keys() - now or (run.periods and rows.keys() != now):
        raise UserError(f"the run {run.id} cannot be resumed: it has other rows than there are now")
    differences = []
    for item in proven:
        before = known.get(item.record.name, item.record)
        for format_id, encoding in item.record.encodings.items():
            was = before.encodings.get(format_id, encoding)
            if (was.bytes, was.hash) != (encoding.bytes, encoding.hash):
                differences.append(f"{item.record.name} has another encoding in {format_id}.")
        for record, _, _ in item.rows:
            differences += _row_differences(rows.get(record.id, record), record)
    refuse(differences)
    for item in proven:
        item.record = known.get(item.record.name, item.record)
        item.rows = [(rows.get(record.id, record), ready, said) for record, ready, said in item.rows]


def _row_differences(before: RowRecord, now: RowRecord) -> list[str]:
    if before.status != "ok":  # it was not measured, and will not be
        return []
    if now.status != "ok":
        return [f"{before.row} cannot be measured now: {now.reason}."]
    for name, what in (
        ("row", "row"),
        ("dataset", "dataset"),
        ("profile", "profile"),
        ("toolchain", "compiler"),
        ("allocator", "allocator"),
        ("cpu", "level of the processor"),
        ("library_version", "library version"),
        ("origin", "library"),
        ("program", "program"),
        ("hash", "hash"),
        ("exact_hash", "hash"),
        ("bytes", "size of its encoding"),
    ):
        was, is_now = getattr(before, name), getattr(now, name)
        if was != is_now:
            told = " than the one that was measured" if name == "program" else f": {is_now}, which was {was}"
            return [f"{before.row} has another {what}{told}."]
    return []


def refuse(differences: Sequence[str]) -> None:
    """Raise UserError with the `differences`, if there are any, of what a run to be resumed measured."""
    if differences:
        more = len(differences) - _MOST_TOLD
        told = " ".join(differences[:_MOST_TOLD]) + (f" And {more} more." if more > 0 else "")
        raise UserError(f"the run cannot be resumed, as what it measured has changed: {told}")


def budget_left(run: Run) -> float | None:
    """Seconds of measuring that `run` has left; None if it had not begun to measure."""
    if not run.periods:
        return None
    last = run.periods[-1]
    return max(0.0, last.budget_seconds - max(0.0, run.seconds - last.began))
