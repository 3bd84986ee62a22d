"""Plots of a run on microcontrollers: by how much MessagePack takes less than JSON, in work and in bytes."""

from collections.abc import Iterator, Sequence

from serbench import text
from serbench.report.drawing import Bar, Spec, drawn, safe_name
from serbench.report.pairs import MEASURES, Pair, averages, pairs_of
from serbench.results.schema import Platform, Run

AXIS = "percent less than JSON"
HEAD, LINE = 170, 26
"""Pixels of title, legend and axis, and of a document's line."""


def pair_plots(run: Run) -> Iterator[tuple[str, Spec]]:
    """Yield file names without ending and specifications: of each comparison on each platform, and on all."""
    by_libraries: dict[tuple[str, str], list[tuple[Platform, list[Pair]]]] = {}
    for platform in run.platforms:
        work = "time" if platform.unit == "microseconds" else platform.unit
        for group in pairs_of(run, platform.name):
            by_libraries.setdefault(group[0].ids, []).append((platform, group))
            for name, what, of, which in (
                ("time", work, f"{platform.unit} of a repeated call", (0, 1)),
                ("space", "space", "bytes of the encoding", (2,)),
            ):
                bars = [
                    _bar(pair.json.dataset, MEASURES[n], part)
                    for pair in group
                    for n in which
                    if (part := pair.improvements()[n]) is not None
                ]
                title, told = f"{platform.name}: improvement in {what}", f"{_libraries(group[0])}; {of}"
                if bars:
                    spec = drawn("gain", title, told, bars, title=AXIS)
                    yield safe_name(platform.name, _short(group[0]), name), spec
    for found in by_libraries.values():
        if len(found) > 1:
            yield from _all_platforms(found)


def _all_platforms(found: Sequence[tuple[Platform, list[Pair]]]) -> Iterator[tuple[str, Spec]]:
    """Yield the plots of the same libraries on every platform: each document, and the average over all."""
    first = found[0][1][0]
    name, libraries = safe_name("targets", _short(first)), _libraries(first)
    for n in (0, 1):
        points = [
            _bar(pair.json.dataset, platform.name, part)
            for platform, group in found
            for pair in group
            if (part := pair.improvements()[n]) is not None
        ]
        if not points:
            continue
        title = f"All targets over all documents: {MEASURES[n]}"
        spec = drawn("targets", title, libraries, points, title=AXIS)
        spec["height"] = HEAD + LINE * len({point["label"] for point in points})
        yield f"{name}-{MEASURES[n]}", spec
    bars = [
        _bar(platform.name, what, part)
        for platform, group in found
        for what, part in zip(MEASURES, averages(group), strict=True)
        if part is not None
    ]
    told = f"{libraries}; average of each target over its documents"
    if bars:
        yield f"{name}-average", drawn("gain", "All targets on average", told, bars, title=AXIS)


def _bar(label: str, series: str, part: float) -> Bar:
    percent = 100 * part
    return {
        "label": text.visible(label),
        "series": text.visible(series),
        "value": percent,
        "text": f"{percent:.1f} %".replace("-", "−"),
    }


def _libraries(pair: Pair) -> str:
    """Return which libraries are compared."""
    if len(set(pair.ids)) == 1:
        return f"{pair.json.contender}, MessagePack against JSON"
    return f"{pair.other.contender} (MessagePack) against {pair.json.contender} (JSON)"


def _short(pair: Pair) -> str:
    return "-".join(name.removeprefix("firmware/") for name in dict.fromkeys(pair.ids))
