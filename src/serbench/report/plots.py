"""Plots for documents: the charts of the page as SVG and PNG, one pair of files for each group of a run."""

import math
from collections.abc import Iterator
from pathlib import Path

from serbench import text
from serbench.report.compare import compare_runs
from serbench.report.compared import Compared
from serbench.report.counted_plots import counted_plots
from serbench.report.drawing import Bar, Spec, drawn, formats_of, labels_of, safe_name
from serbench.report.groups import BELOW_RESOLUTION
from serbench.report.growth_plots import growth_plots
from serbench.report.page.library import png, svg
from serbench.report.platform_plots import platform_plots
from serbench.results.analysis import Group, RowSummary, analyse
from serbench.results.journal import replace_file
from serbench.results.schema import Run

MOST_BARS = 40
LOGARITHMIC = 12
"""The ratio of the slowest to the fastest from which an axis is logarithmic."""
COMPARED = 0.03
"""The least relative difference that counts between two runs, as in `serbench compare`."""

FRONT_LABELS = {
    "type": "text",
    "from": {"data": "front"},
    "encode": {
        "update": {
            "x": {"scale": "x", "field": "bytes"},
            "y": {"scale": "y", "field": "value"},
            "dx": {"value": 8},
            "dy": {"value": -8},
            "text": {"field": "label"},
            "fill": {"signal": "ink"},
            "fontWeight": {"value": 600},
        }
    },
}
"""In place of the page's labels of all points, which Vega can only place with a browser's canvas."""


def plots(run: Run, old: Run | None = None) -> Iterator[tuple[str, Spec]]:
    """Yield file names without ending and Vega specifications: for each group ranking and Pareto front.

    A run on microcontrollers has those of platform_plots.py, one on an emulated Linux those of
    counted_plots.py. A growth run has its curves in place of these;
    another with records of several sizes has them too. With an `old` run, also the improvement of `run`
    on it for each group. A group that was not measured has none.
    """
    yield from platform_plots(run)
    yield from counted_plots(run)
    yield from growth_plots(run)
    groups: dict[Group, list[RowSummary]] = {}
    summaries = analyse(run)
    formats = formats_of(summaries)
    for row in [] if run.settings.growth else summaries:
        groups.setdefault(row.group, []).append(row)
    for group, rows in groups.items():
        shown = [r for r in rows if r.role == "contender" and r.net_ns is not None]
        if not shown:
            continue
        name = file_name(group)
        names = {row.id: row.name for row in rows}
        yield f"{name}-ranking", _ranking(group, shown, names, formats)
        placed = [r for r in shown if r.bytes is not None and not r.at_floor and r.net_ns and r.net_ns > 0]
        if placed:
            yield f"{name}-pareto", _pareto(group, placed, names, formats)
    if old is not None:
        compared = [row for row in compare_runs(old, run, COMPARED).rows if row.low is not None]
        if compared:
            yield "improvement", _improvement(old, run, compared)


def write_plots(run: Run, folder: Path, old: Run | None = None) -> list[Path]:
    """Write the plots of `run` as SVG and PNG into `folder`, and return the files. Raises UserError."""
    written = []
    for name, spec in plots(run, old):
        for ending, picture in (("svg", svg(spec).encode()), ("png", png(spec))):
            path = folder / f"{name}.{ending}"
            replace_file(path, picture)
            written.append(path)
    return written


def file_name(group: Group) -> str:
    """Return a name for the files of a group that any system takes."""
    return safe_name("-".join(group[:3])) or "group"


def _unit(rows: list[RowSummary]) -> tuple[str, float]:
    return text.unit_for(row.net_ns for row in rows)


def _bars(rows: list[RowSummary], names: dict[int, str], scale: float) -> list[Bar]:
    made = []
    labels = labels_of(rows, names)
    for row in rows:
        assert row.net_ns is not None
        half = ""
        if row.net_low_ns is not None and row.net_high_ns is not None:
            half = f" ±{text.relative((row.net_high_ns - row.net_low_ns) / 2, row.net_ns)}"
        number = text.significant(row.net_ns / scale, 3)
        made.append(
            {
                "label": labels[row.id],
                "format": text.visible(row.format_name),
                "bytes": row.bytes,
                "value": max(0.0, row.net_ns / scale),
                "low": None if row.net_low_ns is None else max(0.0, row.net_low_ns / scale),
                "high": None if row.net_high_ns is None else row.net_high_ns / scale,
                "text": BELOW_RESOLUTION if row.at_floor else number + half,
            }
        )
    return made


def _rank(row: RowSummary, rows: list[RowSummary]) -> str:
    if row.rank is None:
        return text.NONE
    shared = sum(other.rank == row.rank for other in rows) > 1
    return f"{row.rank}{'=' if shared else ''}"


def _unique(bars: list[Bar]) -> list[Bar]:
    """Return `bars` with labels that differ, for which the chart's axis asks, if only by what is not seen."""
    seen: dict[str, int] = {}
    for bar in bars:
        number = seen.get(bar["label"], 0)
        seen[bar["label"]] = number + 1
        bar["label"] += "\u200b" * number
    return bars


def _ranking(group: Group, rows: list[RowSummary], names: dict[int, str], formats: list[str]) -> Spec:
    unit, scale = _unit(rows)
    bars = _bars(rows[:MOST_BARS], names, scale)
    for bar, row in zip(bars, rows, strict=False):
        bar["label"] = f"{_rank(row, rows)}  {bar['label']}"
    left = len(rows) - len(bars)
    more = f"; {left} slower ones are not shown" if left > 0 else ""
    return drawn(
        "ranking",
        " · ".join(group[:3]),
        f"Net time with 95 % intervals; rows with = are tied{more}",
        _unique(bars),
        title=f"Net time, {unit}",
        formats=formats,
    )


def _front(rows: list[RowSummary]) -> set[int]:
    """Return the ids of the rows that no other beats in both size and time."""
    best = math.inf
    front = set()
    for row in sorted(rows, key=lambda r: (r.bytes, r.net_ns)):
        if row.net_ns is not None and row.net_ns < best:
            best = row.net_ns
            front.add(row.id)
    return front


def _pareto(group: Group, rows: list[RowSummary], names: dict[int, str], formats: list[str]) -> Spec:
    unit, scale = _unit(rows)
    front = _front(rows)
    points = _bars(rows, names, scale)
    for point, row in zip(points, rows, strict=True):
        point["front"] = row.id in front
    spec = drawn(
        "pareto",
        " · ".join(group[:3]),
        "Size against net time; no row beats those on the dashed line in both",
        points,
        title=f"Net time, {unit}",
        xtitle="bytes of the encoding",
        formats=formats,
    )
    spec["marks"][-1] = FRONT_LABELS
    values = [point["value"] for point in points]
    if max(values) > LOGARITHMIC * min(values):
        spec["scales"][1] |= {"type": "log", "nice": False}
    spec["height"] = 460
    return spec


def _finite(bound: float | None) -> float | None:
    return bound if bound is not None and math.isfinite(bound) and bound > 0 else None


def _improvement(old: Run, new: Run, rows: list[Compared]) -> Spec:
    bars = []
    # Where there is no room for all, what is proved comes first, then what moved most, to either side.
    proved = ("faster", "slower")
    chosen = sorted(rows, key=lambda r: (r.verdict not in proved, -abs(math.log(r.ratio or 1.0))))[:MOST_BARS]
    left = f"; {len(rows) - MOST_BARS} that moved less are not shown" if len(rows) > MOST_BARS else ""
    for row in sorted(chosen, key=lambda r: r.ratio or 0.0):
        assert row.ratio is not None
        low, high = _finite(row.low), _finite(row.high)
        half = f" ±{text.relative((high - low) / 2, row.ratio)}" if low and high else ""
        bars.append(
            {
                "label": text.visible(row.name),
                "value": row.ratio,
                "low": low,
                "high": high,
                "verdict": row.verdict,
                "text": f"{text.significant(row.ratio, 3)}×{half}",
            }
        )
    return drawn(
        "improvement",
        f"{new.id} over {old.id}",
        f"New time over old with 95 % intervals; left of 1 is faster now{left}",
        _unique(bars),
        title="new time / old time",
    )
