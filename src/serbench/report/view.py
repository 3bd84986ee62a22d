"""What reports say of rows in words: names that tell them apart, notes, and why some were not measured."""

from collections import Counter
from collections.abc import Iterable

from serbench import text
from serbench.results.analysis import RowSummary

STOPS = {
    "precise enough": "the intervals were narrow enough",
    "most launches": "the most launches were reached",
    "time used up": "the time was used up",
    "interrupted": "it was interrupted",
    "no rows": "there was no row to measure",
}


def notes_on_times(row: RowSummary, asked: int) -> list[str]:
    """Return what must be known about a measured row's times: its labels, and what its samples lack."""
    notes = list(row.labels)
    if row.few_samples:
        notes.append(f"few samples: {row.launches} of {asked} launches")
    return notes


def notes_of(row: RowSummary, asked: int) -> list[str]:
    """Return what must be known about a measured row, its counts included."""
    notes = notes_on_times(row, asked)
    if row.role == "floor":
        notes.append("a lower bound, not a contender")
    if row.role == "baseline" and row.variant:
        notes.append("a further baseline, which is not subtracted here")
    if row.code_size is None and row.bundle_size is None and row.code_size_reason:
        notes.append(f"no code size: {row.code_size_reason}")
    if row.instructions is None and row.instructions_reason:
        notes.append(f"instructions were not counted: {row.instructions_reason}")
    return notes


def why(row: RowSummary) -> str:
    """Return why a row has no figures: its status, the reason, the last line of its error output."""
    status = "" if row.status == "ok" else row.status
    reason = " ".join(row.reason.split())
    said = ": ".join(part for part in (status, reason) if part) or "no reason is recorded"
    output = text.last_line(row.output)
    counted = [f"{text.significant(row.instructions)} instructions"] if row.instructions is not None else []
    counted += [f"code size {text.count(row.code_size)}"] if row.code_size is not None else []
    counted += [f"bundle {text.count(row.bundle_size)}"] if row.bundle_size is not None else []
    said += f" (counted: {', '.join(counted)})" if counted else ""
    return f"{said} (it wrote: {output})" if output else said


def per_message(messages: int) -> str:
    """Return the end of a title over figures that are shared among so many messages."""
    return f" · per message, {text.count(messages)} messages" if messages > 1 else ""


def told_apart(rows: Iterable[RowSummary]) -> dict[int, str]:
    """Return the names of rows of a group, by their ids; with the format where rows of several share one."""
    found = list(rows)
    shared = Counter(name for name, _ in {(row.name, row.format_name) for row in found})
    return {row.id: f"{row.name} [{row.format_name}]" if shared[row.name] > 1 else row.name for row in found}
