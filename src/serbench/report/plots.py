"""Plots for documents: the charts of the page as SVG and PNG, one pair of files for each group of a run."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from serbench import text
from serbench.kinds import found
from serbench.report.compare import compare_runs
from serbench.report.compared import THRESHOLD, Compared
from serbench.report.drawing import Bar, Spec, drawn, formats_of, left_out, safe_name, write_pictures
from serbench.report.pair_plots import pair_plots
from serbench.report.parts import TimeTables
from serbench.report.view import distinct_names, rank_of
from serbench.results.analysis import RowSummary, analyse, grouped
from serbench.results.candidates import BELOW_RESOLUTION
from serbench.results.schema import Run
from serbench.results.summary import Group

MOST_BARS = 40
LOGARITHMIC = 12
"""The ratio of the slowest to the fastest from which an axis is logarithmic."""

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


class Figure(NamedTuple):
    """A row in a chart, in the chart's unit."""

    row: RowSummary
    value: float
    text: str
    low: float | None = None
    high: float | None = None
    mark: str = ""
    """What stands in front of its name."""


def plots(run: Run, old: Run | None = None) -> Iterator[tuple[str, Spec]]:
    """Yield file names without ending and Vega specifications.

    A group that was timed has a ranking and a Pareto front; one that was counted on an emulated Linux has
    rankings by instructions and by code size; microcontrollers have those of pair_plots.py. A growth run has
    its curves in place of these; another with records of several sizes has them too. With an `old` run there
    is also the improvement of `run` on it.
    """
    yield from pair_plots(run)
    others = list(found(TimeTables))
    for tables in others:
        yield from tables.plots(run)
    summaries = analyse(run)
    formats = formats_of(summaries)
    for group, rows in grouped([] if run.settings.growth and others else summaries).items():
        yield from _counted(group, rows, formats) if group.platform else _timed(group, rows, formats)
    if old is not None:
        compared = [row for row in compare_runs(old, run, THRESHOLD).rows if row.low is not None]
        if compared:
            yield "improvement", _improvement(old, run, compared)


def write_plots(run: Run, folder: Path, old: Run | None = None, force: bool = False) -> list[Path]:
    """Write the plots of `run` as SVG and PNG into `folder`, and return the files.

    Raises UserError, also for a file that is there, unless `force`: then none is written.
    """
    made = {folder / name: spec for name, spec in plots(run, old)}
    return write_pictures(made, force)


def file_name(group: Group) -> str:
    """Return a name for the files of a group that any system takes."""
    return safe_name(*([group.platform] if group.platform else []), *group[:3]) or "group"


def _ranking(group: Group, figures: Sequence[Figure], subtitle: str, axis: str, formats: list[str]) -> Spec:
    title = " · ".join([*([group.platform] if group.platform else []), *group[:3]])
    return drawn("ranking", title, subtitle, _unique(_bars(figures)), title=axis, formats=formats)


def _bars(figures: Sequence[Figure]) -> list[Bar]:
    labels = distinct_names(figure.row for figure in figures)
    return [
        {
            "label": text.visible(figure.mark + labels[figure.row.result.id]),
            "format": text.visible(figure.row.record.format_name),
            "bytes": figure.row.result.bytes,
            "value": max(0.0, figure.value),
            "low": None if figure.low is None else max(0.0, figure.low),
            "high": figure.high,
            "text": figure.text,
        }
        for figure in figures
    ]


def _unique(bars: list[Bar]) -> list[Bar]:
    """Return `bars` with labels that differ, for which the chart's axis asks, if only by what is not seen."""
    seen: dict[str, int] = {}
    for bar in bars:
        number = seen.get(bar["label"], 0)
        seen[bar["label"]] = number + 1
        bar["label"] += "\u200b" * number
    return bars


def _counted(group: Group, rows: Sequence[RowSummary], formats: list[str]) -> Iterator[tuple[str, Spec]]:
    """Yield the rankings of a group that was counted on an emulated Linux, the smallest first."""
    base = next(
        (r.result.instructions for r in rows if r.record.role == "baseline" and not r.record.variant), None
    )
    contenders = [row for row in rows if row.record.role == "contender"]
    for what, axis, told, values in (
        (
            "instructions",
            "Net instructions",
            "Net instructions: a count on an emulated processor, no time",
            [
                r.result.instructions - base if r.result.instructions is not None and base else None
                for r in contenders
            ],
        ),
        ("code-size", "Code size, bytes", "Code size, bytes", [row.result.code_size for row in contenders]),
    ):
        known = [(value, row) for value, row in zip(values, contenders, strict=True) if value is not None]
        known.sort(key=lambda pair: (pair[0], pair[1].result.id))
        figures = [Figure(row, value, text.whole(value)) for value, row in known[:MOST_BARS]]
        if figures:
            told += left_out(len(known), MOST_BARS, "larger ones")
            yield f"{file_name(group)}-{what}", _ranking(group, figures, told, axis, formats)


def _timed(group: Group, rows: Sequence[RowSummary], formats: list[str]) -> Iterator[tuple[str, Spec]]:
    """Yield the ranking and the Pareto front of a group, as far as it was measured."""
    shown = [row for row in rows if row.record.role == "contender" and row.result.net_ns is not None]
    if not shown:
        return
    unit, scale = text.unit_for(row.result.net_ns for row in shown)
    figures = [_time(row, scale) for row in shown]
    marked = [
        figure._replace(mark=f"{rank_of(figure.row.result) or text.NONE}  ") for figure in figures[:MOST_BARS]
    ]
    told = "Net time with 95 % intervals; the ranks are those that the comparisons leave open"
    told += left_out(len(shown), MOST_BARS, "of later ranks")
    yield f"{file_name(group)}-ranking", _ranking(group, marked, told, f"Net time, {unit}", formats)
    placed = [
        f for f in figures if f.row.result.bytes is not None and not f.row.result.at_floor and f.value > 0
    ]
    if placed:
        yield f"{file_name(group)}-pareto", _pareto(group, placed, unit, formats)


def _time(row: RowSummary, scale: float) -> Figure:
    """Return the net time of a row, in a unit of `scale` ns."""
    net, low, high = row.result.net_ns or 0.0, row.result.net_low_ns, row.result.net_high_ns
    said = BELOW_RESOLUTION if row.result.at_floor else text.significant(net / scale, 3)
    if low is None or high is None:
        return Figure(row, net / scale, said)
    if not row.result.at_floor:
        said += f" ±{text.half_width(net, low, high)}"
    return Figure(row, net / scale, said, low / scale, high / scale)


def _pareto(group: Group, figures: Sequence[Figure], unit: str, formats: list[str]) -> Spec:
    points = _bars(figures)
    best = math.inf
    for point in sorted(points, key=lambda point: (point["bytes"], point["value"])):
        point["front"] = point["value"] < best
        best = min(best, point["value"])
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
    left = left_out(len(rows), MOST_BARS, "that moved less")
    for row in sorted(chosen, key=lambda r: r.ratio or 0.0):
        assert row.ratio is not None
        low, high = _finite(row.low), _finite(row.high)
        half = f" ±{text.half_width(row.ratio, low, high)}" if low and high else ""
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
