"""From the store to the history: points in the order of time, each judged against an earlier run."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec
import zstandard

from serbench.errors import UserError
from serbench.publish.history.records import (
    Entry,
    History,
    Judgement,
    Line,
    MachineKey,
    Point,
    Series,
    Timeline,
)
from serbench.publish.history.store import SAME_PROGRAM, Store

EARLIER = 3
"""Runs with which a row is compared, the newest first, until a comparison is possible."""


class Change(NamedTuple):
    """A change that is proved."""

    series: Series
    point: Point
    before: Point
    """The point of the run with which it was compared."""
    run: Entry
    old: Entry


def history_of(folder: Path, store_file: Path) -> History:
    """Return the history of the run files in `folder`, with the store at `store_file`.

    A store that is damaged is made anew; one that cannot be written does without. Raises UserError.
    """
    try:
        return _history(folder, store_file)
    except (OSError, sqlite3.OperationalError):  # a cache that cannot be written, or is locked
        return _history(folder, None)
    except (sqlite3.DatabaseError, msgspec.MsgspecError, zstandard.ZstdError):
        store_file.unlink(missing_ok=True)
        return _history(folder, store_file)


def _history(folder: Path, store_file: Path | None) -> History:
    with Store(store_file) as store:
        entries, left_out = store.read(folder)
        if not entries:
            raise UserError(
                f"there is no complete run with times in {folder}"
                + (f" ({left_out[0][0]}: {left_out[0][1]})" if left_out else "")
                + "; ./serbench run writes run files into results/"
            )
        timelines = store.timelines(folder, entries)
        if timelines is None:
            by_machine: dict[MachineKey, list[Entry]] = {}
            for entry in reversed(entries):
                by_machine.setdefault(entry.machine, []).insert(0, entry)
            timelines = [_timeline(store, machine, runs) for machine, runs in by_machine.items()]
            store.keep(folder, entries, timelines)
        return History(timelines, left_out)


def _timeline(store: Store, machine: MachineKey, runs: list[Entry]) -> Timeline:
    lines: dict[int, list[Point]] = {}
    for number, entry in enumerate(runs):
        points = store.points(entry, number)
        _judge(store, runs, entry, points, lines)
        for series, point in points:
            lines.setdefault(series, []).append(point)
    names = store.series()
    found = [Line(names[number], points) for number, points in lines.items()]
    return Timeline(machine, runs, sorted(found, key=_order))


def _order(line: Line) -> tuple[str, ...]:
    series = line.series
    return (
        series.contender.casefold(),
        series.contender_id,
        series.test,
        series.dataset,
        series.name,
        series.data,
    )


def _judge(
    store: Store,
    runs: Sequence[Entry],
    entry: Entry,
    points: Iterable[tuple[int, Point]],
    lines: Mapping[int, Sequence[Point]],
) -> None:
    """Give the points of a run their judgements; `lines` has those of the runs before it."""
    found = ((point, _earlier(point, lines.get(number, []))) for number, point in points)
    waiting = [(point, earlier) for point, earlier in found if earlier]
    for point, _ in waiting:
        point.open = True
    for step in range(EARLIER):
        pairs: dict[int, list[tuple[Point, Point]]] = {}
        for point, earlier in waiting:
            if point.open and len(earlier) > step:
                pairs.setdefault(earlier[step].run, []).append((point, earlier[step]))
        for old, compared in pairs.items():
            judgements = store.judgements(entry, runs[old])
            for point, before in compared:
                judgement = judgements.get(point.row)
                if judgement is None:
                    continue
                point.open = not _decides(judgement, before)
                if point.judgement is None or not point.open:
                    point.judgement, point.against = judgement, old


def _decides(judgement: Judgement, before: Point) -> bool:
    """Whether a judgement tells if a row changed; the same program as in a run that is open does not."""
    return judgement.broken or (
        judgement.possible and not (judgement.verdict == SAME_PROGRAM and before.open)
    )


def _earlier(point: Point, before: Sequence[Point]) -> list[Point]:
    """Return its points with times in the runs before it, the newest first.

    A row without times is compared only with the run before, in which it had some.
    """
    if point.time is None:
        return [each for each in before[-1:] if each.time is not None]
    return list(islice((each for each in reversed(before) if each.time is not None), EARLIER))


def changes(timeline: Timeline) -> list[Change]:
    """Return the changes that are proved on a machine, the newest first."""
    return sorted(_changes(timeline), key=lambda change: change.run.started, reverse=True)


def _changes(timeline: Timeline) -> Iterator[Change]:
    for line in timeline.lines:
        by_run = {point.run: point for point in line.points}
        for point in line.points:
            if point.event is not None and point.against is not None:
                run, old = timeline.runs[point.run], timeline.runs[point.against]
                yield Change(line.series, point, by_run[point.against], run, old)
