"""Growth as tables for a terminal and in Markdown."""

from collections.abc import Callable, Iterable, Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from serbench.report import text
from serbench.report.growth import Chapter, Curve, Point, Value, growth
from serbench.report.parts import grid, indented, plain
from serbench.results.schema import Run

DIGITS = 3
CELL, WIDE_CELL = 7, 20
"""Columns of a ratio and of one with its interval, with the space after them."""
NAME = 24
SAYS = (
    "Ratios to the time of JSON in the same launches (below 1 is faster) by megabytes of JSON, with 95 % "
    "intervals where there is room; JSON's own line has its time. Times are net of the baseline's."
)


def _time(value: Value | None, digits: int = DIGITS) -> str:
    if value is None:
        return text.NONE
    unit, scale = text.unit_for([value.value])
    return f"{text.significant(value.value / scale, digits)} {unit}"


def _ratio(value: Value | None) -> str:
    return text.NONE if value is None else text.significant(value.value, DIGITS)


def _bound(bound: float) -> str:
    """Return a bound of an interval, no finer than hundredths."""
    return text.significant(bound, DIGITS) if bound >= 1 else f"{bound:.2f}"


def _with_interval(value: Value | None) -> str:
    if value is None or value.low is None or value.high is None:
        return _ratio(value)
    low, high = (_bound(bound) for bound in (value.low, value.high))
    return f"{_ratio(value)} ({low}-{high})"


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
    if wide:
        return _cells(chapter, curve, lambda point: _with_interval(point.ratio))
    return _cells(chapter, curve, lambda point: _ratio(point.ratio))


def growth_parts(run: Run, width: int) -> Iterable[RenderableType]:
    """Yield what a terminal of `width` columns shows of a growth run."""
    chapters = growth(run)
    if not chapters:
        yield plain("There are not two sizes yet, so nothing has grown.")
    for chapter in chapters:
        yield Text()
        yield plain(chapter.title, "bold")
        first = 2 + min(NAME, max((cell_len(curve.name) for curve in chapter.curves), default=0))
        wide = first + WIDE_CELL * len(chapter.sizes) <= width
        most = max(1, (width - first) // (WIDE_CELL if wide else CELL))
        for start in range(0, len(chapter.sizes), most):
            yield _part(chapter, slice(start, start + most), wide)
        for name, reason in chapter.without:
            yield indented("-", f"{name}: {reason}")
    if chapters:
        yield Text()
        yield plain(SAYS, "dim")


def _part(chapter: Chapter, columns: slice, wide: bool) -> Table:
    """Return the table of some of a chapter's sizes, as many as there is room for."""
    table = grid()
    table.add_column("MB", overflow="fold", max_width=NAME)
    for size in chapter.sizes[columns]:
        table.add_column(f"{size:g}", justify="right", no_wrap=True)
    for curve in chapter.curves:
        cells = [curve.name, *_ratio_cells(chapter, curve, wide)[columns]]
        table.add_row(*(Text(text.visible(cell)) for cell in cells))
    return table


def growth_markdown(run: Run, escaped: Callable[[object], str]) -> str:
    """Return the tables of a growth run in Markdown: ratios, and times; empty if nothing has grown."""
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
        if chapter.without:
            parts.append("\n".join(f"- {escaped(name)}: {escaped(why)}" for name, why in chapter.without))
    return "\n\n".join([*parts, SAYS] if chapters else [])


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
