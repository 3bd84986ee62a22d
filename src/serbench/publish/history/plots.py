"""The history as charts: a library's times in a test, on a dataset, over the days of its runs."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from serbench import text
from serbench.publish.history.records import Line, Timeline
from serbench.report.drawing import Bar, Spec, drawn, safe_name, write_pictures

MARGIN = 0.08
"""The distance of the least and the largest time from the chart's edges, so that noise looks like noise."""
HEIGHT = 320
SMALL = (346, 250)
"""Width and height of a chart on a page, as wide as a telephone shows."""
MOST_CURVES = 11
"""As many as there are colours."""


class Chart(NamedTuple):
    """The lines of a chart."""

    name: str
    """A file's name without ending, of its library, test and data."""
    title: str
    lines: list[Line]


def charts(lines: Sequence[Line]) -> list[Chart]:
    """Return the charts of the `lines` with times: one for each library, test, dataset and profile."""
    groups: dict[tuple[str, ...], list[Line]] = {}
    for line in lines:
        series = line.series
        key = (series.contender_id, series.test, series.dataset, series.profile, series.data)
        if any(point.time for point in line.points):
            groups.setdefault(key, []).append(line)
    found: dict[str, Chart] = {}
    for (contender, test, dataset, profile, _), chosen in groups.items():
        told = (test, dataset, *([] if profile == "speed" else [profile]))
        first = safe_name(contender, *told) or "chart"
        name = next(
            name for n in range(len(found) + 1) if (name := f"{first}-{n}" if n else first) not in found
        )
        found[name] = Chart(name, " · ".join(told), chosen)
    return list(found.values())


def spec_of(timeline: Timeline, chart: Chart, small: bool = False) -> Spec:
    """Return the Vega specification of `chart`."""
    curves = chart.lines[:MOST_CURVES]
    timed = [point.time for line in curves for point in line.points if point.time]
    unit, scale = text.unit_for(value for value, _, _ in timed)
    labels = _labels(curves)
    rows = [
        row for line, label in zip(curves, labels, strict=True) for row in _rows(timeline, line, label, scale)
    ]
    title = f"Net time, {unit}" if all(_is_net(line) for line in curves) else f"Net or raw time, {unit}"
    low = min(value if low is None else low for value, low, _ in timed) / scale
    high = max(value if high is None else high for value, _, high in timed) / scale
    series = chart.lines[0].series
    spec = drawn(
        "history",
        "" if small else f"{series.contender} · {chart.title}",
        f"{timeline.machine.title}; 95 % intervals; triangles are changes that are proved",
        rows,
        title=title,
        columns=1 if small else 3,
        several=len(curves) > 1,
        least=max(0.0, low * (1 - MARGIN)),
        most=high * (1 + MARGIN),
    )
    if len(curves) == 1:
        del spec["legends"]
    spec["height"] = HEIGHT
    if small:
        del spec["title"]
        spec["width"], spec["height"] = SMALL[0], SMALL[1] + 18 * (len(curves) if len(curves) > 1 else 0)
        spec["padding"], spec["background"] = 2, "white"
    return spec


def _is_net(line: Line) -> bool:
    return all(point.net is not None for point in line.points if point.time)


def _labels(lines: Sequence[Line]) -> list[str]:
    """Return names that tell the lines of a chart apart."""
    labels: list[str] = []
    for line in lines:
        variant = line.series.variant or "usual"
        label = text.visible(f"{variant}{line.series.build}")
        labels.append(label + "\u200b" * labels.count(label))
    return labels


def _rows(timeline: Timeline, line: Line, label: str, scale: float) -> Iterator[Bar]:
    version = None
    for point in line.points:
        if point.time is None:
            continue
        value, low, high = point.time
        event = point.event
        yield {
            "label": label,
            "day": timeline.runs[point.run].started,
            "value": value / scale,
            "low": None if low is None else low / scale,
            "high": None if high is None else high / scale,
            "change": event if event in ("slower", "faster") else "",
            "version": text.visible(point.version) if point.version != version else "",
        }
        version = point.version


def write_charts(timelines: Sequence[Timeline], folder: Path, force: bool = False) -> list[Path]:
    """Write the charts of `timelines` as SVG and PNG into `folder`; returns the files. Raises UserError."""
    made: dict[Path, Spec] = {}
    for number, timeline in enumerate(timelines, start=1):
        machine = f"machine-{number}-" if len(timelines) > 1 else ""
        for chart in charts(timeline.lines):
            made[folder / f"{machine}{chart.name}"] = spec_of(timeline, chart)
    return write_pictures(made, force)
