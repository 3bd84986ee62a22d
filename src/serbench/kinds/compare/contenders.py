"""Compare two contenders of one run: pure functions."""

from collections.abc import Mapping

from serbench.measure.comparison import time_ratio
from serbench.report.compare import LAYOUT, compared_row, names_of, settle
from serbench.report.compare_counts import calls_of
from serbench.report.compared import Comparison
from serbench.report.differences import Key, key_of
from serbench.report.view import STOPS
from serbench.results.analysis import analyse, figures_of
from serbench.results.schema import RowRecord, Run


def compare_contenders(run: Run, new: str, old: str, threshold: float) -> Comparison:
    """Compare the contenders with the ids `new` and `old`, measured in the same launches of `run`."""
    figures = figures_of(analyse(run))
    sides = [{key_of(row): row for row in run.rows if row.contender_id == name} for name in (old, new)]
    keys = [key for key in sides[0] if key in sides[1]]
    rows, ratios = [], []
    for key, name in zip(keys, names_of(keys), strict=True):
        before, after = sides[0][key], sides[1][key]
        counts = calls_of(before, "").get(key[0], {}), calls_of(after, "").get(key[0], {})
        row = compared_row(before, after, name, (run, run), counts)
        rows.append(row)
        ratios.append(None if row.reason else time_ratio(figures[after.id], figures[before.id]))
    settle(rows, ratios, threshold)
    alone = [key for side in sides for key in side if key not in keys]
    notes = [f"Only one of the two has {', '.join(names_of(alone))}."] if alone else []
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


def _title(rows: Mapping[Key, RowRecord], name: str) -> str:
    """Return a contender's name with version and origin as its rows know them."""
    row = next((row for row in rows.values() if row.library_version or row.origin), None)
    if row is None:
        return name
    version = f" {row.library_version}" if row.library_version else ""
    return f"{row.contender}{version}" + (f" ({row.origin})" if row.origin else "")
