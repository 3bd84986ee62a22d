"""Plots of a run on microcontrollers: by how much MessagePack takes less than JSON, in work and in bytes."""

from collections.abc import Iterator, Sequence

from serbench import text
from serbench.report.drawing import Bar, Spec, drawn, safe_name
from serbench.report.platform import Pair, pairs
from serbench.results.counts import roundtrips
from serbench.results.schema import Platform, Run

AXIS = "percent less than JSON"
HEAD, LINE = 170, 26
"""Pixels of title, legend and axis, and of a document's line."""
SERIES = ("deserialize", "serialize", "bytes")


def platform_plots(run: Run) -> Iterator[tuple[str, Spec]]:
    """Yield file names without ending and specifications: of each comparison on each platform, and on all."""
    by_libraries: dict[tuple[str, str], list[tuple[Platform, list[Pair]]]] = {}
    for platform in run.platforms:
        for group in pairs(roundtrips(run, platform.name)):
            ids = group[0].json.contender_id, group[0].other.contender_id
            by_libraries.setdefault(ids, []).append((platform, group))
            name = _file_name(platform.name, _short(group))
            told = f"{_libraries(group)}; {platform.unit} of a repeated call"
            time = [bar for pair in group for bar in _bars(pair, (0, 1))]
            yield (
                f"{name}-time",
                drawn("gain", f"{platform.name}: improvement in {_what(platform)}", told, time, title=AXIS),
            )
            space = [bar for pair in group for bar in _bars(pair, (2,))]
            told = f"{_libraries(group)}; bytes of the encoding"
            title = f"{platform.name}: improvement in space"
            yield (
                f"{name}-space",
                drawn("gain", title, told, space, title=AXIS),
            )
    for found in by_libraries.values():
        if len(found) < 2:
            continue
        yield from _all_platforms(found)


def _all_platforms(found: Sequence[tuple[Platform, list[Pair]]]) -> Iterator[tuple[str, Spec]]:
    """The same libraries on every platform: each document, and the average over all."""
    group = found[0][1]
    name, libraries = _file_name("targets", _short(group)), _libraries(group)
    for n in (0, 1):
        points = [
            _bar(pair.json.dataset, platform.name, pair.improvements()[n])
            for platform, others in found
            for pair in others
        ]
        spec = drawn("targets", f"All targets over all documents: {SERIES[n]}", libraries, points, title=AXIS)
        spec["height"] = HEAD + LINE * len({point["label"] for point in points})
        yield f"{name}-{SERIES[n]}", spec
    averages = []
    for platform, others in found:
        columns = list(zip(*(pair.improvements() for pair in others), strict=True))
        averages += [
            _bar(platform.name, SERIES[n], sum(parts) / len(parts)) for n, parts in enumerate(columns)
        ]
    told = f"{libraries}; average of each target over its documents"
    yield f"{name}-average", drawn("gain", "All targets on average", told, averages, title=AXIS)


def _bars(pair: Pair, which: Sequence[int]) -> list[Bar]:
    improvements = pair.improvements()
    return [_bar(pair.json.dataset, SERIES[n], improvements[n]) for n in which]


def _bar(label: str, series: str, part: float) -> Bar:
    percent = 100 * part
    return {
        "label": text.visible(label),
        "series": text.visible(series),
        "value": percent,
        "text": f"{percent:.1f} %".replace("-", "−"),
    }


def _what(platform: Platform) -> str:
    return "time" if platform.unit == "microseconds" else platform.unit


def _libraries(group: Sequence[Pair]) -> str:
    """Which libraries are compared."""
    first = group[0]
    if first.json.contender_id == first.other.contender_id:
        return f"{first.json.contender}, MessagePack against JSON"
    return f"{first.other.contender} (MessagePack) against {first.json.contender} (JSON)"


def _short(group: Sequence[Pair]) -> str:
    ids = dict.fromkeys((group[0].json.contender_id, group[0].other.contender_id))
    return "-".join(name.removeprefix("firmware/") for name in ids)


def _file_name(*parts: str) -> str:
    return safe_name("-".join(parts)) or "platform"
