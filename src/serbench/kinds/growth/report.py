"""Growth as tables: ratios to the reference, times and sizes, a column for each size of the data."""

from collections.abc import Callable, Sequence

from serbench import text
from serbench.kinds.growth.curves import Curve, CurveTable, Point, Value, growth, sizes
from serbench.report.document import Column, Item, List, Paragraph, Section, Table, TableRow
from serbench.report.encodings import shown_share
from serbench.results.analysis import RowSummary
from serbench.results.schema import Run

DIGITS = 3
RAW = "*"
SAYS = (
    "Ratios to the time of JSON in the same launches (below 1 is faster) by megabytes of JSON, with 95 % "
    "intervals where there is room; JSON's own line has its time. Times are net of what the harness does."
)
SAYS_SIZES = (
    " Sizes are those of the encodings as parts of JSON's, which has no white space; those of unmapped data "
    "as parts of the JSON that has the same records as maps, if it was measured too."
)
SAYS_RAW = (
    f" {RAW} marks ratios of raw times, with nothing subtracted: one of the two has no net time above 0 in "
    "every launch, or one whose interval reaches 0."
)


def growth_tables(run: Run, rows: Sequence[RowSummary], detailed: bool) -> list[Section]:
    """Return the tables of `run`, and in a run of growth what is said in their place."""
    sections = growth_sections(growth(run, rows), detailed)
    if run.settings.growth and not sections and not (detailed and run.datasets):
        sections.append(Section(blocks=[Paragraph("No size has any row yet.")]))
    return sections


def growth_sections(tables: Sequence[CurveTable], detailed: bool) -> list[Section]:
    """Return the tables of `tables`: ratios and sizes, and times, too, if it is `detailed`."""
    if not tables:
        return []
    prefix = "Growth: " if detailed else ""
    made = [_section(table, prefix, detailed) for table in tables]
    for table in sizes(tables):
        title = f"{prefix}{table.title}, as a part of JSON's"
        rows = [TableRow(_cells(table, curve, lambda p: p.size)) for curve in table.curves]
        made.append(Section(title, [_table(table, rows, shown_share)], level=3))
    curves = [curve for table in tables for curve in table.curves if not curve.is_reference]
    has_raw = any(point.basis == "raw" for curve in curves for point in curve.points)
    says = SAYS + (SAYS_RAW if has_raw else "") + (SAYS_SIZES if sizes(tables) else "")
    return [*made, Section(blocks=[Paragraph(says, "dim")])]


def _section(table: CurveTable, prefix: str, detailed: bool) -> Section:
    ratios = [
        TableRow(_cells(table, curve, (lambda p: p.time) if curve.is_reference else (lambda p: p)))
        for curve in table.curves
    ]
    section = Section(prefix + table.title, level=3)
    section.blocks = [_table(table, ratios, _ratio_with_interval, _ratio)]
    if detailed:
        times = [TableRow(_cells(table, curve, lambda p: p.time)) for curve in table.curves]
        section.blocks.insert(0, Paragraph("Ratio to JSON, by megabytes:"))
        section.blocks += [Paragraph("Time, by megabytes:"), _table(table, times, _time_with_interval)]
    for title, lines in (("notes", table.notes), ("not measured", table.without)):
        if lines:
            section.blocks.append(List([Item(what, said) for what, said in lines], title))
    return section


def _cells(table: CurveTable, curve: Curve, value: Callable[[Point], object]) -> list[object]:
    """Return a line of a table: the curve's name, and the value of its point at each size."""
    points = [curve.at(size) for size in table.sizes]
    return [curve.name, *(None if point is None else value(point) for point in points)]


def _table(
    table: CurveTable, rows: list[TableRow], show: Callable[..., str], brief: Callable[..., str] | None = None
) -> Table:
    columns = [Column(f"{size:g}", align="right", show=show, brief=brief) for size in table.sizes]
    return Table([Column("MB", name="contender", most=24), *columns], rows, split=True)


def _time(value: Value, digits: int = DIGITS) -> str:
    unit, scale = text.unit_for([value.value])
    return f"{text.significant(value.value / scale, digits)} {unit}"


def _time_with_interval(value: Value | None) -> str:
    if value is None:
        return text.NONE
    if value.low is None or value.high is None:
        return _time(value)
    return f"{_time(value)} ±{text.half_width(value.value, value.low, value.high)}"


def _ratio(cell: Point | Value | None) -> str:
    """Return a ratio, or the reference's time, without space that a narrow terminal has not."""
    if isinstance(cell, Value):
        return _time(cell, 2).replace(" ", "")
    if cell is None or cell.ratio is None:
        return text.NONE
    return text.significant(cell.ratio.value, DIGITS) + (RAW if cell.basis == "raw" else "")


def _ratio_with_interval(cell: Point | Value | None) -> str:
    if isinstance(cell, Value):
        return _time(cell)
    if cell is None or cell.ratio is None or cell.ratio.low is None or cell.ratio.high is None:
        return _ratio(cell)
    return f"{_ratio(cell)} ({_bound(cell.ratio.low)}-{_bound(cell.ratio.high)})"


def _bound(bound: float) -> str:
    """Return a bound of an interval, no finer than hundredths."""
    return text.significant(bound, DIGITS) if bound >= 1 else f"{bound:.2f}"
