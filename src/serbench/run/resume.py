"""`run --resume RUN`: what an interrupted run had left to measure, on the same data by the same programs."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import msgspec

from serbench import __version__
from serbench.datasets.store import Dataset
from serbench.errors import UserError
from serbench.measure.records import Period, Sample
from serbench.project import ROOT
from serbench.results.journal import journal_path
from serbench.results.load import load_run
from serbench.results.machine import this_machine
from serbench.results.revision import name_of, own_revision
from serbench.results.schema import RowRecord, Run
from serbench.run.proving import VerifiedDataset

SUFFIX = ".journal"
REPEATED = ("--data", "--contender", "--use", "--prefix", "--timeout")
"""Options of a run that say where things are, which its file does not hold; they are to be given again."""
_MOST_TOLD = 5


class Interrupted(msgspec.Struct, frozen=True, kw_only=True):
    """A run that can be resumed."""

    run: Run
    target: Path
    """Where its file stands, or will."""
    journal: Path | None
    """Its journal, if there is one; otherwise the run file holds everything."""


def find_interrupted(path: Path) -> Interrupted:
    """The interrupted run whose run file or journal is `path`. Raises UserError if there is none."""
    target = path.with_name(path.name.removesuffix(SUFFIX)) if path.name.endswith(SUFFIX) else path
    journal = journal_path(target)
    # Where there are both, the run was resumed from its file and interrupted again: the journal has more.
    found = journal if journal.is_file() else None
    run = load_run(found or target)
    if run.complete and (found is None or target.is_file()):
        raise UserError(f"the run {target} is complete: nothing is left to measure; --like repeats it")
    if any(platform.kind == "board" for platform in run.platforms):
        raise UserError(f"{target} is of a real board, which begins anew: ./serbench collect")
    if run.platforms or run.counts:
        raise UserError(f"{target} counts on emulated platforms, which takes no long time: run it anew")
    if run.payloads:
        raise UserError(f"{target} is of payload limits, which are not resumed: run ./serbench limits anew")
    if run.settings.growth:
        first = f"remove {shlex.quote(str(found))} and " if found else ""
        raise UserError(
            f"{found or target} is of growth, which is not resumed: {first}run ./serbench growth anew; "
            "./serbench report shows what it has"
        )
    # Where measuring had not begun, the rows that are there need not be all.
    if not run.rows or not (run.periods or run.samples):
        raise UserError(
            f"nothing had been measured when the run {target} was interrupted: remove {journal} and begin "
            f"anew with ./serbench {shlex.join(run.settings.command)}"
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
    return Interrupted(run=run, target=target, journal=found)


def command_for(run: Run, target: Path) -> str:
    """The command that resumes `run`, with those options of its command that say where things are."""
    words, kept = list(run.settings.command), []
    while words:
        word = words.pop(0)
        if word in REPEATED and words:
            kept += [word, words.pop(0)]
        elif word.partition("=")[0] in REPEATED:
            kept.append(word)
    return shlex.join(["./serbench", "run", "--resume", str(target), *kept])


def data_differences(earlier: Run, datasets: Sequence[Dataset]) -> list[str]:
    """A sentence for each dataset that has not the content that it had in the run `earlier`."""
    before = {dataset.name: dataset for dataset in earlier.datasets}
    return [
        f"{made.name} is not the data that the run {earlier.id} measured: its tape has another SHA-256."
        for made in datasets
        if made.record({}).tape_sha256 != before[made.name].tape_sha256
    ]


def refuse_other_data(run: Run, datasets: Sequence[Dataset]) -> None:
    """Raise UserError if a dataset is not what it was, or if this is another machine than `run`'s."""
    machine = this_machine({})
    for name in ("cpu", "architecture", "cores", "system"):
        before, now = getattr(run.machine, name), getattr(machine, name)
        if before != now:
            raise UserError(f"the run was measured on another machine ({name}: {before}, here {now})")
    _refuse(data_differences(run, datasets))


def refuse_other_rows(run: Run, proven: Sequence[VerifiedDataset]) -> None:
    """Raise UserError if what was built and proved now is not what `run` measured."""
    now = {record.id: record for item in proven for record, _, _ in item.rows}
    if now.keys() != {row.id for row in run.rows}:
        raise UserError(f"the run {run.id} cannot be resumed: it has other rows than there are now")
    differences = []
    for item in proven:
        before = next(dataset for dataset in run.datasets if dataset.name == item.record.name)
        for format_id, encoding in item.record.encodings.items():
            known = before.encodings.get(format_id)
            if known is not None and (known.bytes, known.hash) != (encoding.bytes, encoding.hash):
                differences.append(f"{item.record.name} has another encoding in {format_id}.")
    for row in run.rows:
        differences += _row_differences(row, now[row.id])
    _refuse(differences)


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


def _refuse(differences: Sequence[str]) -> None:
    if differences:
        more = len(differences) - _MOST_TOLD
        told = " ".join(differences[:_MOST_TOLD]) + (f" And {more} more." if more > 0 else "")
        raise UserError(f"the run cannot be resumed, as what it measured has changed: {told}")


def shown_by_clock(run: Run) -> float:
    """Seconds since `run` began at its last sign of life."""
    return max([run.seconds, *(_end(sample) for sample in run.samples), *(p.began for p in run.periods)])


def budget_left(run: Run) -> float | None:
    """Seconds of measuring that `run` has left; None if it had not begun to measure."""
    if not run.periods:
        return None
    last: Period = run.periods[-1]
    ends = [_end(sample) for sample in run.samples if sample.started >= last.began]
    return max(0.0, last.budget_seconds - (max(ends, default=last.began) - last.began))


def _end(sample: Sample) -> float:
    return sample.started + sum(sample.wall) / 1e9
