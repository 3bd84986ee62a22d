"""Growth as tables for a terminal and in Markdown."""

from collections.abc import Callable, Iterable, Sequence

from rich.console import RenderableType
from rich.text import Text

from serbench.report import text
from serbench.report.growth import Chapter, Curve, Point, Value, growth
from serbench.report.parts import grid, indented, plain
from serbench.results.schema import Run

DIGITS = 2
WIDE_CELL = 17
"""Columns of a ratio with its interval, and of the space after it."""
NAME = 24
SAYS = (
    "Ratios to the time of JSON in the same launches (below 1 is faster) by megabytes of JSON, with 95 % "
    "intervals where there is room; JSON's own line has its time. Times are net of the baseline's."
)


def _time(value: Value | None) -> str:
    if value is None:
        return text.NONE
    unit, scale = text.unit_for([value.value])
    return f"{text.significant(value.value / scale, 3)} {unit}"


def _ratio(value: Value | None) -> str:
    return text.NONE if value is None else text.significant(value.value, DIGITS)


def _with_interval(value: Value | None) -> str:
    if value is None or value.low is None or value.high is None:
        return _ratio(value)
    low, high = (text.significant(bound, DIGITS) for bound in (value.low, value.high))
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
        return _cells(chapter, curve, lambda point: _time(point.time))
    if wide:
        return _cells(chapter, curve, lambda point: _with_interval(point.ratio))
    return _cells(chapter, curve, lambda point: _ratio(point.ratio))


def growth_parts(run: Run, width: int) -> Iterable[RenderableType]:
    """Yield what a terminal of `width` columns shows of a growth run."""
    chapters = growth(run)
    if not chapters:
        yield plain("There are not two sizes yet, so nothing has grown.")
    for chapter in chapters:
        wide = NAME + WIDE_CELL * len(chapter.sizes) <= width
        table = grid()
        table.add_column(f"{chapter.title}, MB", overflow="fold", min_width=14)
        for size in chapter.sizes:
            table.add_column(f"{size:g}", justify="right", no_wrap=True)
        for curve in chapter.curves:
            table.add_row(*(Text(text.visible(c)) for c in [curve.name, *_ratio_cells(chapter, curve, wide)]))
        yield Text()
        yield table
        for name, reason in chapter.without:
            yield indented("-", f"{name}: {reason}")
    if chapters:
        yield Text()
        yield plain(SAYS, "dim")


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
