"""What is counted of two rows, and the verdict on it: counts are exact, so it needs no statistics."""

from collections.abc import Iterable, Mapping, Sequence

from serbench.measure.comparison import Verdict
from serbench.report.compared import Compared, Number
from serbench.results.analysis import RowSummary
from serbench.results.schema import RowRecord

Counts = dict[str, Number]
CALLS = ("deserialize", "serialize")
BOARD = "microseconds"
"""The unit of a real board: times of one build, by its own clock."""


def calls_of(row: RowRecord, unit: str) -> dict[str, Counts]:
    """Return what is counted of `row`, by the calls of a `roundtrip`, or under its test where it is none.

    On a platform the work is the count named `unit`. None is what was not counted.
    """
    get = row.metrics.get
    found: dict[str, Counts] = {
        call: {
            unit: get(call),
            f"{unit} of the first call": get(f"{call}_first"),
            "stack": get(f"{call}_stack"),
            "memory": get(f"{call}_memory"),
        }
        for call in CALLS
        if call in row.metrics
    }
    if found:  # what belongs to the whole row is said once
        found[max(found)] |= {"bytes": row.bytes, "flash": get("flash")}
        return found
    size = "bundle" if row.code_size_kind == "bundle" else "code size"
    return {row.test: {"bytes": row.bytes, size: row.code_size, "instructions": row.instructions}}


def bases_of(rows: Iterable[RowSummary]) -> dict[int, float]:
    """Return the instructions that are subtracted from those of each of a run's `rows`, by their ids."""
    found = {record.id: (record.instructions, result.baseline) for record, result in rows}
    bases = {key: found[base][0] for key, (_, base) in found.items() if base is not None}
    return {key: number for key, number in bases.items() if number is not None}


def verdict_of(before: float, after: float, threshold: float) -> Verdict:
    """Return the verdict on two exact counts, by more than `threshold`, a part such as 0.03."""
    if after > before * (1 + threshold):
        return "slower"
    return "faster" if before > after * (1 + threshold) else "no difference"


def settle_counts(
    row: Compared,
    records: tuple[RowRecord, RowRecord],
    counts: tuple[Counts, Counts],
    unit: str,
    bases: Sequence[Mapping[int, float]],
    threshold: float,
) -> None:
    """Write ratio and verdict on the work of two `records` of a platform, the count named `unit`, into `row`.

    The ratio is net of `bases`, where both runs have one; the work of a `roundtrip` is net already.
    """
    work = [side.get(unit) for side in counts]
    for which, record, number in zip(("old", "new"), records, work, strict=True):
        if number is None:
            row.reason = f"{which}: {record.instructions_reason or 'not counted'}"
            row.broken = which == "new"
            return
    raw = [number or 0 for number in work]
    if not records[1].metrics:
        found = [base.get(record.id, 0) for base, record in zip(bases, records, strict=True)]
        net = [number - base for number, base in zip(raw, found, strict=True)]
        row.basis = "net" if min(found) > 0 and min(net) > 0 else "raw"
        raw = net if row.basis == "net" else raw
    before, after = raw
    row.ratio = after / before if before > 0 else None
    if unit == BOARD:
        row.reason = "times of a real board have no interval"
    else:
        row.counted, row.verdict = True, verdict_of(before, after, threshold)
