"""Compare two runs, and what every comparison needs: pure functions."""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from serbench.measure.comparison import TimeRatio, judge, time_ratio, unpaired
from serbench.measure.statistics import RowFigures
from serbench.report.compare_counts import Counts, bases_of, calls_of, settle_counts
from serbench.report.compared import FEW, Compared, Comparison, Number
from serbench.report.differences import Key, data_of, differences, key_of, machine_differences
from serbench.results.analysis import analyse, figures_of
from serbench.results.schema import RowRecord, Run

LAYOUT = (
    "Where a linker happens to put code and data can alone move times by a few percent: a small difference "
    "need not be the change's own."
)


class _Part(NamedTuple):
    """What becomes a row of the comparison: a row of both runs, or a call of it, with its counts."""

    before: RowRecord
    after: RowRecord
    call: str
    counts: tuple[Counts, Counts]


def compare_runs(old: Run, new: Run, threshold: float) -> Comparison:
    """Compare the rows of the run `new` with the same rows of `old`, a run of another time.

    What is counted is compared exactly, and has a verdict where it is all that there is: on platforms. Times
    are compared only where in the same group unchanged programs, the controls, took the same time in both
    runs within `threshold`.
    """
    runs = old, new
    sides = [{(row.contender_id, key_of(row)): row for row in run.rows} for run in runs]
    units = {platform.name: platform.unit for run in runs for platform in run.platforms}
    pairs = [(before, sides[1][key]) for key, before in sides[0].items() if key in sides[1]]
    summaries = analyse(old), analyse(new)
    figures = figures_of(summaries[0]), figures_of(summaries[1])
    bases = [bases_of(rows) for rows in summaries]
    moved = [name for name, what in machine_differences(old, new) if what]
    data = {d.name: d.tape_sha256 for d in old.datasets}
    changed_data = {d.name for d in new.datasets if data.get(d.name, d.tape_sha256) != d.tape_sha256}
    formats: dict[str, set[str]] = {}
    for record in [*old.rows, *new.rows]:
        formats.setdefault(record.contender, set()).add(record.format_name)
    controls = _controls(pairs, figures, runs, changed_data, threshold)
    parts = [part for pair in pairs for part in _parts(*pair, units.get(pair[1].platform, "instructions"))]
    rows: list[Compared] = []
    timed: list[Compared] = []
    ratios: list[TimeRatio | None] = []
    for (before, after, _, counts), name in zip(parts, names_of([_key(part) for part in parts]), strict=True):
        row = compared_row(before, after, f"{_contender(after, formats)} {name}", runs, counts)
        rows.append(row)
        row.control = not after.platform and _unchanged(before, after, runs)
        if before.dataset in changed_data or (not row.reason and data_of(before) != data_of(after)):
            row.reason, row.exact, row.same = "the data differ", {}, []
        elif not row.reason and after.platform:
            unit = units.get(after.platform, "instructions")
            settle_counts(row, (before, after), counts, unit, bases, threshold)
        elif not row.reason and moved:
            row.reason = f"the machines differ ({', '.join(moved)})"
        if not after.platform:
            ratio = None
            if not row.reason:
                ratio = time_ratio(figures[1][after.id], figures[0][before.id], same_launches=False)
                row.reason = "" if row.control else controls[_group(after)]
            timed.append(row)
            ratios.append(ratio)
    judged = [None if row.control or row.reason else r for row, r in zip(timed, ratios, strict=True)]
    settle(timed, judged, threshold, shown=ratios)
    return Comparison(
        kind="runs",
        old=old.id,
        new=new.id,
        threshold=threshold,
        differences=differences(old, new),
        rows=[row for row, part in zip(rows, parts, strict=True) if part.after.role == "contender"],
        notes=[*_alone(sides, formats), *([LAYOUT] if old.samples or new.samples else [])],
    )


def _parts(before: RowRecord, after: RowRecord, unit: str) -> list[_Part]:
    """Return the calls that both rows have counts of; the whole row where they have none, or other data."""
    old, new = calls_of(before, unit), calls_of(after, unit)
    same = data_of(before) == data_of(after)
    calls = [call for call in old if call in new and same] or [after.test]
    return [_Part(before, after, call, (old.get(call, {}), new.get(call, {}))) for call in calls]


def _key(part: _Part) -> Key:
    """Return the key of a row, with the call in the place of its test."""
    after = part.after
    # A second format of a firmware contender is a variant of that name, which stands behind its name already.
    variant = "" if after.variant == after.format else after.variant
    return (part.call, variant, *key_of(after)[2:])


def settle(
    rows: Sequence[Compared],
    judged: Sequence[TimeRatio | None],
    threshold: float,
    shown: Sequence[TimeRatio | None] | None = None,
) -> None:
    """Write ratios and verdicts into `rows`; only the ratios in `judged` are tests to be corrected for."""
    verdicts = judge([ratio.log if ratio else None for ratio in judged], threshold)
    for row, ratio, verdict in zip(rows, shown or judged, verdicts, strict=True):
        row.verdict = verdict
        if ratio is None:
            row.reason = row.reason or FEW
            continue
        row.ratio, row.low, row.high = ratio.log.interval
        row.basis = ratio.basis


def compared_row(
    before: RowRecord, after: RowRecord, name: str, runs: tuple[Run, Run], counts: tuple[Counts, Counts]
) -> Compared:
    """Return a row with what is counted in both, and why it has no figures if it has none."""
    exact: dict[str, tuple[Number, Number]] = {}
    same: list[str] = []
    for what, was in counts[0].items():
        now = counts[1].get(what)
        if was is None or now is None:
            continue
        if was == now:
            same.append(what)
        else:
            exact[what] = was, now
    states = _state(before, runs[0]), _state(after, runs[1])
    reasons = [
        f"{side}: {status}{': ' + reason if reason else ''}"
        for side, (status, reason) in zip(("old", "new"), states, strict=True)
        if status != "ok"
    ]
    return Compared(
        name=name,
        row=after.id,
        verdict="undecided",
        reason="; ".join(reasons),
        exact=exact,
        same=same,
        broken=states[0][0] == "ok" and states[1][0] != "ok",
    )


def _state(row: RowRecord, run: Run) -> tuple[str, str]:
    failure = next((failure for failure in run.failures if failure.row == row.id), None)
    return ("failed", failure.reason) if failure and row.status == "ok" else (row.status, row.reason)


def _contender(row: RowRecord, formats: Mapping[str, Collection[str]]) -> str:
    """Return the name of a row's library, with the format if it has rows of several."""
    return f"{row.contender} [{row.format_name}]" if len(formats[row.contender]) > 1 else row.contender


def names_of(keys: Sequence[Key]) -> list[str]:
    """Return names of rows: profile, compiler, allocator if they are not all the same; platform and level."""
    several = [len({key[part] for key in keys}) > 1 for part in range(6)] + [True, True]
    return [
        " ".join([key[0], key[2], *([f"({key[1]})"] if key[1] else [])])
        + "".join(f" · {key[part]}" for part in (3, 4, 5, 6, 7) if key[part] and several[part])
        for key in keys
    ]


def _group(row: RowRecord) -> tuple[str, str, str]:
    return (row.test, row.dataset, row.profile)


def _unchanged(before: RowRecord, after: RowRecord, runs: tuple[Run, Run]) -> bool:
    """Tell whether two rows are the same program, as far as the files tell."""
    if before.program and after.program:
        return before.program == after.program
    told = [(r.library_version, r.origin, r.compiler, r.flags) for r in (before, after)]
    return told[0] == told[1] and bool(before.compiler) and runs[0].serbench == runs[1].serbench


def _controls(
    pairs: Sequence[tuple[RowRecord, RowRecord]],
    figures: tuple[dict[int, RowFigures], dict[int, RowFigures]],
    runs: tuple[Run, Run],
    changed_data: set[str],
    threshold: float,
) -> dict[tuple[str, str, str], str]:
    """Return, for each group, why its times cannot be compared; empty where the controls agree."""
    found: dict[tuple[str, str, str], list[tuple[str, float]]] = {_group(after): [] for _, after in pairs}
    for before, after in pairs:
        if after.platform or before.dataset in changed_data or not _unchanged(before, after, runs):
            continue
        ratio = unpaired(figures[1][after.id].raw, figures[0][before.id].raw)
        if ratio is not None:
            found[_group(after)].append((after.contender, ratio.mean))
    verdicts = {}
    for group, ratios in found.items():
        worst = max(ratios, key=lambda pair: abs(pair[1]), default=None)
        if worst is None:
            verdicts[group] = "no unchanged program was measured beside it in both runs"
        elif abs(worst[1]) > math.log1p(threshold):
            verdicts[group] = f"the unchanged {worst[0]} took {math.exp(worst[1]):.3f} times as long"
        else:
            verdicts[group] = ""
    return verdicts


def _alone(
    sides: Sequence[Mapping[tuple[str, Key], RowRecord]], formats: Mapping[str, Collection[str]]
) -> list[str]:
    said = []
    for side, other, which in ((sides[0], sides[1], "old"), (sides[1], sides[0], "new")):
        alone = sorted(
            {
                " · ".join(
                    filter(
                        None,
                        (f"{_contender(row, formats)} {row.test} {row.dataset}", row.level, row.platform),
                    )
                )
                for key, row in side.items()
                if key not in other and row.role == "contender"
            }
        )
        if alone:
            said.append(f"Rows in the {which} run only: {', '.join(alone)}.")
    return said
