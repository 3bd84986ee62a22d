"""Times over payload size, and their ratios to JSON's in the same launches: pure functions."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from serbench.measure.comparison import Basis, time_ratio
from serbench.report.relative import reference_of
from serbench.report.view import notes_on_times, why
from serbench.results.analysis import RowSummary, analyse, figures_of
from serbench.results.naming import names_of
from serbench.results.schema import Run

WORDS = {"write": "encode", "tree": "decode"}
NO_NET = "no net time above 0"
NOTHING = f"{NO_NET}, and no two launches in common with JSON"
"""Why a point that was measured has neither time nor ratio."""
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
    """To JSON's time."""
    basis: Basis | None
    """Which times the ratio is of: raw ones where time_ratio takes those. None without a ratio."""
    size: float | None
    """The bytes of its encoding, as a part of those of JSON's."""
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


class CurveTable(NamedTuple):
    """All curves of a test on one kind of records, JSON's first, then by ratio."""

    test: str
    base: str
    """records or records-distinct."""
    profile: str
    sizes: list[float]
    curves: list[Curve]
    notes: list[tuple[str, str]]
    """Names of curves, and what must be known about each."""
    without: list[tuple[str, str]]
    """Every point without any figure, as `name at 190 MB`, and why."""

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


def growth(run: Run, rows: Sequence[RowSummary] | None = None) -> list[CurveTable]:
    """Return the curves of `run`, a table for each test and kind of records that has two sizes or more.

    In a growth run one size is enough, since there are no other tables of it. `rows` are
    those of `run`, if they are known.
    """
    least = 1 if run.settings.growth else 2
    tables: dict[tuple[str, str, str], list[tuple[RowSummary, float, str]]] = {}
    rows = analyse(run) if rows is None else rows
    figures = figures_of(rows)
    reference = reference_of(run)
    for row in rows:
        place = place_of(row.record.dataset)
        if place is not None and row.record.role == "contender":
            found = tables.setdefault((row.record.test, place[0], row.record.profile), [])
            found.append((row, place[1], place[2]))
    made = []
    for (test, base, profile), found in tables.items():
        sizes = sorted({megabytes for _, megabytes, _ in found})
        if len(sizes) < least:
            continue
        jsons = {
            (megabytes, shape): row
            for row, megabytes, shape in found
            if row.record.contender_id == reference and not row.record.variant
        }
        references = {key: row for key, row in jsons.items() if row.measured}
        series: dict[tuple[str, str], list[Point]] = {}
        for row, megabytes, shape in found:
            # Everything is compared with JSON on maps; where there are none, on the same shape.
            against = references.get((megabytes, "")) or references.get((megabytes, shape))
            ratio = None
            if against is not None and row.measured:
                ratio = time_ratio(figures[row.result.id], figures[against.result.id])
            point = Point(
                megabytes,
                _time(row),
                Value(*ratio.log.interval) if ratio else None,
                ratio.basis if ratio else None,
                _size(row, jsons.get((megabytes, "")) or jsons.get((megabytes, shape))),
                row,
            )
            series.setdefault((row.record.row, shape), []).append(point)
        made_of = ((points, shape) for (_, shape), points in series.items())
        curves = sorted((_curve(points, shape, reference) for points, shape in made_of), key=_order)
        made.append(
            CurveTable(
                test,
                base,
                profile,
                sizes,
                [curve for curve in curves if any(_is_known(point) for point in curve.points)],
                [(curve.name, said) for curve in curves if (said := _note(curve, run.settings.launches))],
                [point for curve in curves for point in _without(curve)],
            )
        )
    return made


def _time(row: RowSummary) -> Value | None:
    if row.result.net_ns is not None and row.result.net_ns > 0:
        return Value(row.result.net_ns, row.result.net_low_ns, row.result.net_high_ns)
    return None


def _size(row: RowSummary, json: RowSummary | None) -> float | None:
    if json is None or not json.result.bytes or row.result.bytes is None:
        return None
    return row.result.bytes / json.result.bytes


def sizes(tables: Sequence[CurveTable]) -> list[CurveTable]:
    """Return a table about sizes for each kind of records: smallest encodings first, JSON's before them.

    Its curves are those of a table of `tables`, of one on writing where there is one.
    """
    made: dict[tuple[str, str], CurveTable] = {}
    for table in sorted(tables, key=lambda table: table.test != "write"):
        made.setdefault((table.base, table.profile), table)
    return [
        table._replace(test="size", curves=sorted(table.curves, key=_by_size), notes=[], without=[])
        for table in made.values()
        if any(point.size is not None for curve in table.curves for point in curve.points)
    ]


def _by_size(curve: Curve) -> tuple[bool, float]:
    known = [point.size for point in curve.points if point.size is not None]
    return (not curve.is_reference, known[-1] if known else float("inf"))


def _is_known(point: Point) -> bool:
    return point.time is not None or point.ratio is not None


def _note(curve: Curve, asked: int) -> str:
    """Return what must be known about a curve, with the sizes of what does not hold at all of them."""
    sizes: dict[str, list[float]] = {}
    measured = [point for point in curve.points if point.row.measured]
    for point in measured:
        lacking = [NO_NET] if point.time is None and point.ratio is not None else []
        for note in [*notes_on_times(point.row, asked), *lacking]:
            sizes.setdefault(note, []).append(point.megabytes)
    return "; ".join(
        note if len(found) == len(measured) else f"{note} (at {_listed(found)} MB)"
        for note, found in sizes.items()
    )


def _without(curve: Curve) -> Iterator[tuple[str, str]]:
    """Yield the points of a curve that have no figure, those with the same reason together, and why."""
    sizes: dict[str, list[float]] = {}
    for point in curve.points:
        if not _is_known(point):
            reason = NOTHING if point.row.measured else why(point.row.result)
            sizes.setdefault(reason, []).append(point.megabytes)
    for reason, found in sizes.items():
        yield f"{curve.name} at {_listed(found)} MB", reason


def _listed(sizes: Sequence[float]) -> str:
    return ", ".join(f"{megabytes:g}" for megabytes in sizes)


def _curve(points: Sequence[Point], shape: str, reference: str) -> Curve:
    row = points[0].row
    name = names_of([row.record])[row.result.id]
    # A contender may be named after the shape already: avsc unmapped.
    shown = f"{name} {shape}" if shape and shape not in name else name
    is_reference = row.record.contender_id == reference and not row.record.variant and not shape
    ordered = sorted(points, key=lambda point: point.megabytes)
    return Curve(
        shown,
        shape,
        row.record.contender_id,
        row.record.origin,
        row.record.format_name,
        is_reference,
        ordered,
    )


def _order(curve: Curve) -> tuple[bool, float]:
    """JSON first, then by the ratio in the middle of the curve."""
    ratios = [point.ratio.value for point in curve.points if point.ratio]
    return (not curve.is_reference, ratios[len(ratios) // 2] if ratios else float("inf"))
