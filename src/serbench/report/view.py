"""What reports say of rows in words: names that tell them apart, notes, and why some were not measured."""

from collections import Counter
from collections.abc import Iterable

from serbench import text
from serbench.results.analysis import RowSummary
from serbench.results.schema import RowRecord, RowResult

STOPS = {
    "precise enough": "the intervals were narrow enough",
    "most launches": "the most launches were reached",
    "time used up": "the time was used up",
    "interrupted": "it was interrupted",
    "no rows": "there was no row to measure",
}


def notes_on_times(row: RowSummary, asked: int) -> list[str]:
    """Return what must be known about a measured row's times: its labels, and what its samples lack."""
    notes = list(row.result.labels)
    return notes + few_samples(row.result, asked)


def few_samples(result: RowResult, asked: int) -> list[str]:
    """Return the note on a row that had fewer launches than the `asked` ones; none for another row."""
    return [f"few samples: {result.launches} of {asked} launches"] if result.few_samples else []


def notes_of(row: RowSummary, asked: int) -> list[str]:
    """Return what must be known about a measured row, its counts included."""
    notes = notes_on_times(row, asked)
    if row.record.role == "floor":
        notes.append("a lower bound, not a contender")
    if row.record.role == "baseline" and row.record.variant:
        notes.append("a further baseline, which is not subtracted here")
    if row.result.code_size is None and row.result.bundle_size is None and row.record.code_size_reason:
        notes.append(f"no code size: {row.record.code_size_reason}")
    if row.result.instructions is None and row.record.instructions_reason:
        notes.append(f"instructions were not counted: {row.record.instructions_reason}")
    return notes


def reason_of(record: RowRecord, result: RowResult) -> str:
    """Return why a row was not measured, or on a platform not counted, in one line."""
    reason = " ".join((result.reason or record.instructions_reason).split())
    without = "there is no count of a baseline to subtract" if record.instructions is not None else ""
    return reason or without or "no reason is recorded"


def why(result: RowResult) -> str:
    """Return why a row has no figures: its status, the reason, the last line of its error output."""
    status = "" if result.status == "ok" else result.status
    reason = " ".join(result.reason.split())
    said = ": ".join(part for part in (status, reason) if part) or "no reason is recorded"
    output = text.last_line(result.output)
    counted = [f"{text.significant(result.instructions)} instructions"] * (result.instructions is not None)
    counted += [f"code size {text.count(result.code_size)}"] * (result.code_size is not None)
    counted += [f"bundle {text.count(result.bundle_size)}"] * (result.bundle_size is not None)
    said += f" (counted: {', '.join(counted)})" if counted else ""
    return f"{said} (it wrote: {output})" if output else said


def rank_of(result: RowResult) -> str | None:
    """Return the ranks that a row may have as they are shown, `3` or `3-5`; None for a row without any."""
    first, last = result.rank, result.rank_last
    return None if first is None else f"{first}" if first == last else f"{first}-{last}"


def per_message(messages: int) -> str:
    """Return the end of a title over figures that are shared among `messages` messages."""
    return f" · per message, {text.count(messages)} messages" if messages > 1 else ""


def distinct_names(rows: Iterable[RowSummary]) -> dict[int, str]:
    """Return the names of rows of a group, by their ids; with the format where rows of several share one."""
    found = {result.id: (result.name, record.format_name) for record, result in rows}
    shared = Counter(name for name, _ in set(found.values()))
    return {key: f"{name} [{form}]" if shared[name] > 1 else name for key, (name, form) in found.items()}
