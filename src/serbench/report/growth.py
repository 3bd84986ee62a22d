"""Times over payload size, and their ratios to JSON's in the same launches: pure functions."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from serbench.measure.comparison import time_ratio
from serbench.report.view import names_of, why
from serbench.results.analysis import RowSummary, analyse, row_figures
from serbench.results.schema import Run

REFERENCE = "javascript/json"
WORDS = {"write": "encode", "tree": "decode"}
_NAME = re.compile(r"(records(?:-distinct)?):([0-9.]+)(?::([a-z]+))?")


class Value(NamedTuple):
    """A figure with its 95 % interval, whose bounds are None with fewer than two launches."""

    value: float
    low: float | None
    high: float | None


class Point(NamedTuple):
    """A row at one size."""

    megabytes: float
    time: Value | None
    """Net, in ns; None where the row has no figure, or one that is not positive."""
    ratio: Value | None
    """To JSON's net time, or of raw ones where one of the two has no net time."""
    row: RowSummary


class Curve(NamedTuple):
    """A row over the sizes, in ascending order."""

    name: str
    setting: str
    """The shape of the data, such as `unmapped`; empty for maps."""
    contender_id: str
    origin: str
    format: str
    is_reference: bool
    points: list[Point]

    def at(self, megabytes: float) -> Point | None:
        """The point at a size."""
        return next((point for point in self.points if point.megabytes == megabytes), None)


class Chapter(NamedTuple):
    """All curves of a test on one kind of records, JSON's first, then by ratio."""

    test: str
    base: str
    """records or records-distinct."""
    profile: str
    sizes: list[float]
    curves: list[Curve]
    without: list[tuple[str, str]]
    """Names of rows that have no figure at any size, and why."""

    @property
    def word(self) -> str:
        """What the test is called in this report."""
        return WORDS.get(self.test, self.test)

    @property
    def title(self) -> str:
        """The heading of a table."""
        return f"{self.word} · {self.base}" + (f" · {self.profile}" if self.profile != "speed" else "")


def place_of(dataset: str) -> tuple[str, float, str] | None:
    """Return kind, megabytes and shape of a dataset's name; None for data that do not grow."""
    found = _NAME.fullmatch(dataset)
    try:
        return (found[1], float(found[2]), found[3] or "") if found else None
    except ValueError:
        return None


def growth(run: Run) -> list[Chapter]:
    """Return the curves of `run`, a chapter for each test and kind of records that has two sizes or more."""
    figures = row_figures(run)
    chapters: dict[tuple[str, str, str], list[tuple[RowSummary, float, str]]] = {}
    for row in analyse(run):
        place = place_of(row.dataset)
        if place is not None and row.role == "contender":
            found = chapters.setdefault((row.test, place[0], row.profile), [])
            found.append((row, place[1], place[2]))
    made = []
    for (test, base, profile), found in chapters.items():
        sizes = sorted({megabytes for _, megabytes, _ in found})
        if len(sizes) < 2:
            continue
        references = {
            (megabytes, shape): row
            for row, megabytes, shape in found
            if row.contender_id == REFERENCE and not row.variant and row.measured
        }
        series: dict[tuple[str, str], list[Point]] = {}
        for row, megabytes, shape in found:
            # Maps are what the comparison held everything against; where there are none, the same shape.
            reference = references.get((megabytes, "")) or references.get((megabytes, shape))
            ratio = None
            if reference is not None and row.measured:
                ratio = time_ratio(figures[row.id], figures[reference.id])
            point = Point(megabytes, _time(row), Value(*ratio.log.interval) if ratio else None, row)
            series.setdefault((row.row, shape), []).append(point)
        curves = [_curve(points, shape) for (_, shape), points in series.items()]
        made.append(
            Chapter(
                test,
                base,
                profile,
                sizes,
                sorted((curve for curve in curves if _is_known(curve)), key=_order),
                [(c.name, why(c.points[0].row)) for c in curves if not _is_known(c)],
            )
        )
    return made


def _time(row: RowSummary) -> Value | None:
    if row.net_ns is not None and row.net_ns > 0:
        return Value(row.net_ns, row.net_low_ns, row.net_high_ns)
    return None


def _is_known(curve: Curve) -> bool:
    return any(point.time or point.ratio for point in curve.points)


def _curve(points: Sequence[Point], shape: str) -> Curve:
    row = points[0].row
    name = names_of([row])[row.id]
    # A contender may be named after the shape already: avsc unmapped.
    shown = f"{name} {shape}" if shape and shape not in name else name
    is_reference = row.contender_id == REFERENCE and not row.variant and not shape
    ordered = sorted(points, key=lambda point: point.megabytes)
    return Curve(shown, shape, row.contender_id, row.origin, row.format_name, is_reference, ordered)


def _order(curve: Curve) -> tuple[bool, float]:
    """JSON first, then by the ratio in the middle of the curve."""
    ratios = [point.ratio.value for point in curve.points if point.ratio]
    return (not curve.is_reference, ratios[len(ratios) // 2] if ratios else float("inf"))
