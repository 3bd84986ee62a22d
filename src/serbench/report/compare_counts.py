"""Compare the counts of two runs: they are exact, so a verdict needs no statistics."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from serbench.measure.comparison import Basis, Verdict
from serbench.report.compared import FEW, Compared, Number
from serbench.report.differences import data_of, key_of
from serbench.results.counts import roundtrips
from serbench.results.schema import RowRecord, Run

CALLS: tuple[Literal["deserialize", "serialize"], ...] = ("deserialize", "serialize")


class Counted(NamedTuple):
    """What was compared of the counts on microcontrollers."""

    rows: list[Compared]
    notes: list[str]


def verdict_of(before: float, after: float, threshold: float) -> Verdict:
    """Return the verdict on two exact counts, by more than `threshold`, a part such as 0.03."""
    if after > before * (1 + threshold):
        return "slower"
    return "faster" if before > after * (1 + threshold) else "no difference"


def settle_instructions(
    rows: Sequence[tuple[Compared, RowRecord, RowRecord]], old: Run, new: Run, threshold: float
) -> None:
    """Write ratio and verdict into those of `rows`, each with its records, that were counted on a platform.

    The ratio is net of the baseline of the same test, dataset and profile, where both runs have one.
    """
    bases = _bases(old), _bases(new)
    for row, before, after in rows:
        if not after.platform or before.status != "ok" or after.status != "ok":
            continue
        if row.reason not in ("", FEW):  # the data differ
            continue
        sides = [_instructions(record, base) for record, base in zip((before, after), bases, strict=True)]
        if before.instructions is None or after.instructions is None:
            which, record = ("old", before) if before.instructions is None else ("new", after)
            row.reason = f"{which}: {record.instructions_reason or 'not counted'}"
            row.broken = which == "new"
            continue
        basis: Basis = "net" if all(net is not None and net > 0 for _, net in sides) else "raw"
        numbers = [net if basis == "net" and net is not None else raw for raw, net in sides]
        _settle(row, numbers[0], numbers[1], threshold)
        row.basis = basis


def _bases(run: Run) -> dict[tuple[str, str, str, str], float]:
    return {
        (row.test, row.dataset, row.profile, row.platform): row.instructions
        for row in run.rows
        if row.role == "baseline" and not row.variant and row.instructions is not None
    }


def _instructions(
    row: RowRecord, bases: dict[tuple[str, str, str, str], float]
) -> tuple[float, float | None]:
    """Return all instructions of a row, and those less its baseline's."""
    raw = row.instructions or 0.0
    base = bases.get((row.test, row.dataset, row.profile, row.platform))
    return raw, None if base is None else raw - base


def _settle(row: Compared, before: float, after: float, threshold: float) -> None:
    row.counted, row.reason = True, ""
    row.verdict = verdict_of(before, after, threshold)
    row.ratio = after / before if before > 0 else None


def compare_counts(old: Run, new: Run, threshold: float) -> Counted:
    """Compare the counts on microcontrollers of `new` with those of `old`: a row for each kind of call."""
    sides = [{(row.contender_id, key_of(row)): row for row in roundtrips(run)} for run in (old, new)]
    units = {platform.name: platform.unit for run in (old, new) for platform in run.platforms}
    rows = [
        row
        for key, before in sides[0].items()
        if key in sides[1]
        for row in _rows(before, sides[1][key], units.get(before.platform, "instructions"), threshold)
    ]
    notes = []
    for which, own, other in (("old", sides[0], sides[1]), ("new", sides[1], sides[0])):
        alone = dict.fromkeys(_name(row) for key, row in own.items() if key not in other)
        if alone:
            notes.append(f"Counts in the {which} run only: {', '.join(alone)}.")
    return Counted(rows, notes)


def _name(row: RowRecord) -> str:
    return f"{row.contender} {row.format} {row.dataset} · {row.platform}"


def _rows(before: RowRecord, after: RowRecord, unit: str, threshold: float) -> list[Compared]:
    """Return the rows of deserializing and serializing; one alone where there is nothing to compare."""
    reasons = [
        f"{side}: {row.status}{': ' + row.reason if row.reason else ''}"
        for side, row in (("old", before), ("new", after))
        if row.status != "ok"
    ]
    if not reasons and data_of(before) != data_of(after):
        reasons = ["the data differ"]
    if reasons:
        broken = before.status == "ok" and after.status != "ok"
        return [Compared(name=_name(after), verdict="undecided", reason="; ".join(reasons), broken=broken)]
    return [_row(before, after, call, unit, threshold) for call in CALLS]


def _row(
    before: RowRecord,
    after: RowRecord,
    call: Literal["deserialize", "serialize"],
    unit: str,
    threshold: float,
) -> Compared:
    measures = {
        unit: call,
        f"{unit} of the first call": f"{call}_first",
        "stack": f"{call}_stack",
        "memory": f"{call}_memory",
    }
    if call == "serialize":  # what belongs to the whole row is said once
        measures |= {"bytes": "bytes", "flash": "flash"}
    row = Compared(name=f"{call} {_name(after)}", verdict="undecided", counted=unit != "microseconds")
    for what, name in measures.items():
        numbers = _figure(before, name), _figure(after, name)
        if numbers[0] is None or numbers[1] is None:
            continue
        if numbers[0] == numbers[1]:
            row.same.append(what)
        else:
            row.exact[what] = numbers[0], numbers[1]
    was, now = before.metrics.get(call), after.metrics.get(call)
    if was is None or now is None:
        row.reason = "not counted"
    elif unit == "microseconds":  # of one build, by the board's own clock
        row.ratio = now / was if was else None
        row.reason = "times of a real board have no interval"
    else:
        _settle(row, was, now, threshold)
    return row


def _figure(row: RowRecord, name: str) -> Number | None:
    return row.bytes if name == "bytes" else row.metrics.get(name)
