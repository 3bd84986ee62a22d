"""Plots of growth: times over payload size and their ratios to those of JSON, by groups of curves."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from serbench import text
from serbench.kinds.growth.curves import Curve, CurveTable, Point, Value, growth
from serbench.report.drawing import Bar, Spec, drawn, left_out, safe_name
from serbench.results.schema import Run

COLUMNS = 4
"""Columns of the legend."""
MOST_CURVES = 24
"""As many as differ in colour or line."""
LEAST_OF_FORMAT = 3
"""Curves of one format, from which on it has plots of its own."""
MARGIN = 1.25
HEIGHT = 470
RATIO = "Time as a ratio to JSON's"


class Selection(NamedTuple):
    """Curves that are drawn together."""

    name: str
    title: str
    curves: list[Curve]


def selections(table: CurveTable) -> list[Selection]:
    """Return the groups of a table's curves.

    One has all of them on maps; one each format of which there are several; and one the libraries that
    were measured on more than one shape, with all their settings: the comparison's three. JSON is in each.
    """
    maps = [curve for curve in table.curves if not curve.setting]
    found = [Selection("full", "all libraries", maps or table.curves)]
    reference = [curve for curve in maps if curve.is_reference]
    for format_name in dict.fromkeys(curve.format for curve in maps):
        of_format = [c for c in maps if c.format == format_name and not c.is_reference]
        if LEAST_OF_FORMAT <= len(of_format) < len(maps) - len(reference):
            name = safe_name(format_name.lower())
            found.append(Selection(name, format_name, reference + of_format))
    shapes: dict[str, set[str]] = {}
    for curve in table.curves:
        shapes.setdefault(curve.origin, set()).add(curve.setting)
    several = [curve for curve in table.curves if len(shapes[curve.origin]) > 1]
    if several:
        found.append(Selection("settings", "libraries with their settings", several))
    return found


def growth_plots(run: Run) -> Iterator[tuple[str, Spec]]:
    """Yield file names without ending and Vega specifications: time and ratio for each group of curves.

    A single size has none, since nothing has grown.
    """
    for table in growth(run):
        if len(table.sizes) < 2:
            continue
        base = "" if table.base == "records" else f"-{table.base}"
        base += "" if table.profile == "speed" else f"-{safe_name(table.profile)}"
        for chosen in selections(table):
            name = f"growth{base}-{chosen.name}-{table.word}"
            times = [point.time for curve in chosen.curves for point in curve.points if point.time]
            if not times:
                continue
            unit, scale = text.unit_for(time.value for time in times)
            about = f"{table.word} · {table.base} · {chosen.title}"
            yield f"{name}-time", _spec(about, f"Time, {unit}", chosen.curves, lambda p: p.time, scale)
            if any(point.ratio for curve in chosen.curves for point in curve.points):
                yield f"{name}-ratio", _spec(about, RATIO, chosen.curves, lambda p: p.ratio)


def _spec(
    about: str,
    what: str,
    curves: Sequence[Curve],
    figure: Callable[[Point], Value | None],
    scale: float = 1.0,
) -> Spec:
    rows = [row for curve in curves[:MOST_CURVES] for row in _rows(curve, figure, scale)]
    values = [row["value"] for row in rows]
    more = left_out(len(curves), MOST_CURVES, "slower ones")
    spec = drawn(
        "growth",
        about,
        f"{what}, by the size of the payload; bands are 95 % intervals{more}",
        rows,
        title=what,
        columns=COLUMNS,
        least=min(values) / MARGIN,
        most=max(values) * MARGIN,
        level=1 if what == RATIO else 0,
    )
    spec["height"] = HEIGHT
    return spec


def _rows(curve: Curve, figure: Callable[[Point], Value | None], scale: float) -> list[Bar]:
    found = [(point.megabytes, figure(point)) for point in curve.points]
    return [
        {
            "label": text.visible(curve.name),
            "megabytes": megabytes,
            "value": value.value / scale,
            "low": _bound(value.low, scale),
            "high": _bound(value.high, scale),
        }
        for megabytes, value in found
        if value is not None and value.value > 0
    ]


def _bound(bound: float | None, scale: float) -> float | None:
    """Return a bound that a logarithmic axis can show: one at 0 or below becomes very small."""
    if bound is None or not math.isfinite(bound):
        return None
    return max(bound / scale, 1e-9)
