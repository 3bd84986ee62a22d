"""Plots of a run on an emulated Linux: rankings by instructions and by code size, in the place of times."""

from collections.abc import Callable, Iterator, Sequence

from serbench import text
from serbench.report.drawing import Bar, Spec, drawn, formats_of, labels_of, safe_name
from serbench.results.analysis import Group, RowSummary, analyse
from serbench.results.schema import Run

MOST_BARS = 40
NO_TIME = "a count on an emulated processor, no time"


def counted_plots(run: Run) -> Iterator[tuple[str, Spec]]:
    """Yield file names without ending and specifications: of each group on each emulated Linux of `run`."""
    groups: dict[Group, list[RowSummary]] = {}
    summaries = analyse(run)
    formats = formats_of(summaries)
    for row in summaries:
        if row.platform:
            groups.setdefault(row.group, []).append(row)
    for group, rows in groups.items():
        bases = [r.instructions for r in rows if r.role == "baseline" and not r.variant and r.instructions]
        words = [group.platform, *group[:3]]
        name, title = safe_name("-".join(words)) or "group", " · ".join(words)

        def net(row: RowSummary, bases: Sequence[float] = tuple(bases)) -> float | None:
            return row.instructions - bases[0] if row.instructions is not None and bases else None

        for what, axis, value in (
            ("instructions", "Net instructions", net),
            ("code-size", "Code size, bytes", lambda row: row.code_size),
        ):
            bars = _bars(rows, value)
            if bars:
                told = f"{axis}: {NO_TIME}" if what == "instructions" else axis
                told += _left(bars)
                yield (
                    f"{name}-{what}",
                    drawn("ranking", title, told, bars[:MOST_BARS], title=axis, formats=formats),
                )


def _left(bars: Sequence[Bar]) -> str:
    left = len(bars) - MOST_BARS
    return f"; {left} larger ones are not shown" if left > 0 else ""


def _bars(rows: Sequence[RowSummary], value: Callable[[RowSummary], float | None]) -> list[Bar]:
    """A bar for each contender that has a value, the smallest first."""
    names = {row.id: row.name for row in rows}
    found = [(value(row), row) for row in rows if row.role == "contender"]
    known = sorted((number, row.id, row) for number, row in found if number is not None)
    labels = labels_of([row for _, _, row in known], names)
    made: list[Bar] = []
    for number, _, row in known:
        bar = {
            "label": labels[row.id],
            "format": text.visible(row.format_name),
            "bytes": row.bytes,
            "low": None,
        }
        made.append(bar | {"high": None, "value": max(0.0, number), "text": f"{number:,.0f}"})
    return made
