"""Growth as tables for a terminal and in Markdown."""

from collections.abc import Callable, Iterable, Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from serbench.report import text
from serbench.report.encodings import part
from serbench.report.growth import Chapter, Curve, Point, Value, growth, sizes
from serbench.report.parts import grid, indented, plain
from serbench.results.schema import Run

DIGITS = 3
CELL, WIDE_CELL = 7, 21
"""Columns of a ratio and of one with its interval, with the space after them."""
NAME = 24
SAYS = (
    "Ratios to the time of JSON in the same launches (below 1 is faster) by megabytes of JSON, with 95 % "
    "intervals where there is room; JSON's own line has its time. Times are net of the baseline's."
)
SAYS_SIZES = (
    " Sizes are those of the encodings as parts of JSON's, which has no white space; those of unmapped data "
    "as parts of the JSON that has the same records as maps, if it was measured too."
)
RAW = "*"
SAYS_RAW = (
    f" {RAW} marks ratios of raw times, with nothing subtracted: one of the two has no net time above 0 in "
    "every launch, or one whose interval reaches 0."
)


def _time(value: Value | None, digits: int = DIGITS) -> str:
    if value is None:
        return text.NONE
    unit, scale = text.unit_for([value.value])
    return f"{text.significant(value.value / scale, digits)} {unit}"


def _ratio(point: Point) -> str:
    if point.ratio is None:
        return text.NONE
    return text.significant(point.ratio.value, DIGITS) + (RAW if point.basis == "raw" else "")


def _bound(bound: float) -> str:
    """Return a bound of an interval, no finer than hundredths."""
    return text.significant(bound, DIGITS) if bound >= 1 else f"{bound:.2f}"


def _with_interval(point: Point) -> str:
    value = point.ratio
    if value is None or value.low is None or value.high is None:
        return _ratio(point)
    low, high = (_bound(bound) for bound in (value.low, value.high))
    return f"{_ratio(point)} ({low}-{high})"


def _time_with_interval(value: Value | None) -> str:
    if value is None or value.low is None or value.high is None:
        return _time(value)
    return f"{_time(value)} ±{text.relative((value.high - value.low) / 2, value.value)}"


def _cells(chapter: Chapter, curve: Curve, cell: Callable[[Point], str]) -> list[str]:
    points = [curve.at(size) for size in chapter.sizes]
    return [text.NONE if point is None else cell(point) for point in points]


def _ratio_cells(chapter: Chapter, curve: Curve, wide: bool) -> list[str]:
    if curve.is_reference:
        times = _cells(chapter, curve, lambda point: _time(point.time, DIGITS if wide else 2))
        return times if wide else [time.replace(" ", "") for time in times]
    return _cells(chapter, curve, _with_interval if wide else _ratio)


def _says(chapters: Sequence[Chapter]) -> str:
    """Return what holds for all tables, and what marks in them mean if there are any."""
    curves = [curve for chapter in chapters for curve in chapter.curves if not curve.is_reference]
    has_raw = any(point.basis == "raw" for curve in curves for point in curve.points)
    return SAYS + (SAYS_RAW if has_raw else "") + (SAYS_SIZES if sizes(chapters) else "")


def growth_parts(run: Run, width: int) -> Iterable[RenderableType]:
    """Yield what a terminal of `width` columns shows of a growth run."""
    chapters = growth(run)
    if not chapters:
        yield plain("No size has any row yet.")
    for chapter in chapters:
        yield Text()
        yield plain(chapter.title, "bold")
        first = _name_width(chapter)
        wide = first + WIDE_CELL * len(chapter.sizes) <= width
        most = max(1, (width - first) // (WIDE_CELL if wide else CELL))
        for start in range(0, len(chapter.sizes), most):
            shown = slice(start, start + most)
            yield _part(chapter, shown, [_ratio_cells(chapter, curve, wide) for curve in chapter.curves])
        for title, lines in _lists(chapter):
            yield plain(title.lower(), "bold")
            for what, said in lines:
                yield indented("–", f"{what}: {said}")
    for chapter in sizes(chapters):
        yield Text()
        yield plain(f"{chapter.title}, as a part of JSON's", "bold")
        most = max(1, (width - _name_width(chapter)) // CELL)
        for start in range(0, len(chapter.sizes), most):
            cells = [_size_cells(chapter, curve) for curve in chapter.curves]
            yield _part(chapter, slice(start, start + most), cells)
    if chapters:
        yield Text()
        yield plain(_says(chapters), "dim")


def _lists(chapter: Chapter) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the lists below a chapter's tables that have anything in them, with their titles."""
    lists = [("Notes", chapter.notes), ("Without figures", chapter.without)]
    return [(title, lines) for title, lines in lists if lines]


def _name_width(chapter: Chapter) -> int:
    """Return the width of the names with the space after them."""
    return 2 + min(NAME, max((cell_len(curve.name) for curve in chapter.curves), default=0))


def _size_cells(chapter: Chapter, curve: Curve) -> list[str]:
    return _cells(chapter, curve, lambda point: part(point.size))


def _part(chapter: Chapter, columns: slice, lines: Sequence[Sequence[str]]) -> Table:
    """Return the table of some of a chapter's sizes, as many as there is room for; `lines` are the cells."""
    table = grid()
    table.add_column("MB", overflow="fold", max_width=NAME)
    for size in chapter.sizes[columns]:
        table.add_column(f"{size:g}", justify="right", no_wrap=True)
    for curve, line in zip(chapter.curves, lines, strict=True):
        cells = [curve.name, *line[columns]]
        table.add_row(*(Text(text.visible(cell)) for cell in cells))
    return table


def growth_markdown(run: Run, escaped: Callable[[object], str], escaped_line: Callable[[object], str]) -> str:
    """Return the tables of a growth run in Markdown: ratios, and times; empty if nothing has grown.

    `escaped` makes text safe within a line, `escaped_line` where it begins one.
    """
    parts: list[str] = []
    chapters = growth(run)
    for chapter in chapters:
        parts += [f"### Growth: {escaped(chapter.title)}", "Ratio to JSON, by megabytes:"]
        parts.append(_table(chapter, escaped, lambda c, curve: _ratio_cells(c, curve, wide=True)))
        parts.append("Time, by megabytes:")
        parts.append(
            _table(
                chapter,
                escaped,
                lambda c, curve: _cells(c, curve, lambda point: _time_with_interval(point.time)),
            )
        )
        for title, lines in _lists(chapter):
            parts.append(f"{title}:")
            parts.append("\n".join(f"- {escaped_line(what)}: {escaped(said)}" for what, said in lines))
    for chapter in sizes(chapters):
        parts += [f"### Growth: {escaped(chapter.title)}", "Size as a part of JSON's, by megabytes:"]
        parts.append(_table(chapter, escaped, _size_cells))
    return "\n\n".join([*parts, escaped(_says(chapters))] if chapters else [])


def _table(
    chapter: Chapter, escaped: Callable[[object], str], cells: Callable[[Chapter, Curve], Sequence[str]]
) -> str:
    lines = [
        f"| Contender | {' | '.join(f'{size:g}' for size in chapter.sizes)} |",
        f"|---|{'--:|' * len(chapter.sizes)}",
    ]
    for curve in chapter.curves:
        lines.append(f"| {' | '.join(escaped(cell) for cell in [curve.name, *cells(chapter, curve)])} |")
    return "\n".join(lines)
