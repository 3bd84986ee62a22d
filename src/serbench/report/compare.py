"""Compare two contenders of one run, or two runs: pure functions."""

import math
from collections.abc import Collection, Mapping, Sequence

from serbench.measure.comparison import TimeRatio, judge, time_ratio, unpaired
from serbench.measure.statistics import RowFigures
from serbench.report.compare_counts import compare_counts, settle_instructions
from serbench.report.compared import FEW, Compared, Comparison, Number
from serbench.report.differences import Key, differences, key_of, machine_differences
from serbench.report.view import STOPS
from serbench.results.analysis import row_figures
from serbench.results.counts import is_roundtrip
from serbench.results.schema import RowRecord, Run

LAYOUT = (
    "Where a linker happens to put code and data can alone move times by a few percent: a small difference "
    "need not be the change's own."
)


def compare_contenders(run: Run, new: str, old: str, threshold: float) -> Comparison:
    """Compare the contenders with the ids `new` and `old`, measured in the same launches of `run`."""
    figures = row_figures(run)
    sides = [{key_of(row): row for row in run.rows if row.contender_id == name} for name in (old, new)]
    keys = [key for key in sides[0] if key in sides[1]]
    rows = [
        _compared(sides[0][key], sides[1][key], name, run, run)
        for key, name in zip(keys, _names(keys), strict=True)
    ]
    ratios = [
        time_ratio(figures[sides[1][key].id], figures[sides[0][key].id]) if not row.reason else None
        for row, key in zip(rows, keys, strict=True)
    ]
    _settle(rows, ratios, threshold)
    alone = [key for side in sides for key in side if key not in keys]
    notes = [f"Only one of the two has {', '.join(_names(alone))}."] if alone else []
    return Comparison(
        kind="contenders",
        old=_title(sides[0], old),
        new=_title(sides[1], new),
        threshold=threshold,
        differences=[],
        rows=rows,
        notes=[*notes, *_ended(run), LAYOUT],
    )


def _ended(run: Run) -> list[str]:
    """Return how many launches each group had, and why there were no more."""
    several = len({stop.profile for stop in run.stops}) > 1
    found: dict[str, list[str]] = {}
    for stop in run.stops:
        name = f"{stop.test} {stop.dataset}" + (f" · {stop.profile}" if several else "")
        found.setdefault(STOPS[stop.reason], []).append(f"{stop.launches} of {name}")
    return [f"Launches: {', '.join(groups)}; ended as {reason}." for reason, groups in found.items()]


def compare_runs(old: Run, new: Run, threshold: float) -> Comparison:
    """Compare the rows of the run `new` with the same rows of `old`, a run of another time.

    What is counted is compared exactly, and has a verdict where it is all that there is: on emulated
    platforms. Times are compared only where in the same group unchanged programs, the controls, took
    the same time in both runs within `threshold`.
    """
    sides = [
        {(row.contender_id, key_of(row)): row for row in run.rows if not is_roundtrip(row)}
        for run in (old, new)
    ]
    keys = [key for key in sides[0] if key in sides[1]]
    names = _names([key for _, key in keys])
    figures = row_figures(old), row_figures(new)
    moved = [name for name, what in machine_differences(old, new) if what]
    data = {d.name: d.tape_sha256 for d in old.datasets}
    changed_data = {d.name for d in new.datasets if data.get(d.name, d.tape_sha256) != d.tape_sha256}
    rows: list[Compared] = []
    ratios: list[TimeRatio | None] = []
    pairs = [(sides[0][key], sides[1][key]) for key in keys]
    formats: dict[str, set[str]] = {}
    for _, after in pairs:
        formats.setdefault(after.contender, set()).add(after.format_name)
    controls = _controls(pairs, figures, (old, new), changed_data, threshold)
    for (before, after), name in zip(pairs, names, strict=True):
        row = _compared(before, after, f"{_contender(after, formats[after.contender])} {name}", old, new)
        row.control = not after.platform and _unchanged(before, after, (old, new))
        if before.dataset in changed_data:
            row.reason, row.exact, row.same = "the data differ", {}, []
        elif not row.reason and moved and not after.platform:
            row.reason = f"the machines differ ({', '.join(moved)})"
        ratio = None
        if not row.reason and not after.platform:
            ratio = time_ratio(figures[1][after.id], figures[0][before.id], same_launches=False)
            row.reason = "" if row.control else controls[_group(after)]
        rows.append(row)
        ratios.append(ratio)
    judged = [None if row.control or row.reason else r for row, r in zip(rows, ratios, strict=True)]
    _settle(rows, judged, threshold, shown=ratios)
    settle_instructions([(row, *pair) for row, pair in zip(rows, pairs, strict=True)], old, new, threshold)
    counted = compare_counts(old, new, threshold)
    return Comparison(
        kind="runs",
        old=old.id,
        new=new.id,
        threshold=threshold,
        differences=differences(old, new),
        rows=[
            *(row for row, (_, after) in zip(rows, pairs, strict=True) if after.role == "contender"),
            *counted.rows,
        ],
        notes=[*_alone(sides), *counted.notes, *([LAYOUT] if old.samples or new.samples else [])],
    )


def _settle(
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


def _compared(before: RowRecord, after: RowRecord, name: str, old: Run, new: Run) -> Compared:
    exact: dict[str, tuple[Number, Number]] = {}
    same: list[str] = []
    for what in ("bytes", "code_size", "instructions"):
        numbers = getattr(before, what), getattr(after, what)
        if None in numbers:
            continue
        bundled = what == "code_size" and after.code_size_kind == "bundle"
        measure = "bundle" if bundled else what.replace("_", " ")
        if numbers[0] == numbers[1]:
            same.append(measure)
        else:
            exact[measure] = numbers
    states = _state(before, old), _state(after, new)
    reasons = [
        f"{side}: {status}{': ' + reason if reason else ''}"
        for side, (status, reason) in zip(("old", "new"), states, strict=True)
        if status != "ok"
    ]
    return Compared(
        name=name,
        verdict="undecided",
        reason="; ".join(reasons),
        exact=exact,
        same=same,
        broken=states[0][0] == "ok" and states[1][0] != "ok",
    )


def _state(row: RowRecord, run: Run) -> tuple[str, str]:
    failure = next((failure for failure in run.failures if failure.row == row.id), None)
    return ("failed", failure.reason) if failure and row.status == "ok" else (row.status, row.reason)


def _contender(row: RowRecord, formats: Collection[str]) -> str:
    """Return the name of a row's library, with the format if it has rows of several."""
    return f"{row.contender} [{row.format_name}]" if len(formats) > 1 else row.contender


def _names(keys: Sequence[Key]) -> list[str]:
    """Return names of rows; profile, compiler and allocator where they are not all the same; platforms."""
    several = [len({key[part] for key in keys}) > 1 for part in range(7)]
    return [
        " ".join([key[0], key[2], *([f"({key[1]})"] if key[1] else [])])
        + "".join(f" · {key[part]}" for part in (3, 4, 5, 6) if key[part] and (several[part] or part == 6))
        for key in keys
    ]


def _title(rows: Mapping[Key, RowRecord], name: str) -> str:
    """Return a contender's name with version and origin as its rows know them."""
    row = next((row for row in rows.values() if row.library_version or row.origin), None)
    if row is None:
        return name
    version = f" {row.library_version}" if row.library_version else ""
    return f"{row.contender}{version}" + (f" ({row.origin})" if row.origin else "")


# ---------------------------------------------------------------- two runs


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
        if before.dataset in changed_data or not _unchanged(before, after, runs):
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


def _alone(sides: Sequence[Mapping[tuple[str, Key], RowRecord]]) -> list[str]:
    said = []
    for side, other, which in ((sides[0], sides[1], "old"), (sides[1], sides[0], "new")):
        alone = sorted(
            {
                f"{row.contender} {row.test} {row.dataset}" + (f" · {row.platform}" if row.platform else "")
                for key, row in side.items()
                if key not in other and row.role == "contender"
            }
        )
        if alone:
            said.append(f"Rows in the {which} run only: {', '.join(alone)}.")
    return said
