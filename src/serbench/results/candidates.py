"""The rows of a run that can be compared, and which of them is best as far as the intervals prove it."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from serbench import text
from serbench.measure.ranks import proved_slower
from serbench.measure.statistics import Interval, RowFigures, ratio_interval
from serbench.results.schema import RowRecord, RowResult, Run

BELOW_RESOLUTION = "below resolution"
"""What stands for a net time that may be 0."""


class GroupKey(NamedTuple):
    """What rows of one test must share to be compared."""

    dataset: str
    profile: str
    platform: str


class Candidate(NamedTuple):
    """A row with figures that takes part in the comparison."""

    record: RowRecord
    result: RowResult
    figures: RowFigures
    counted: float | None
    """Instructions less the baseline's, on a platform that takes no times."""
    slower: frozenset[int] = frozenset()
    """The ids of the rows that it is proved faster than."""

    @property
    def value(self) -> float:
        """Its count, or its time in ns of one message: net, or raw where nothing is subtracted."""
        if self.counted is not None:
            return self.counted
        net, raw = self.result.net_ns, self.result.raw_ns
        return net if net is not None else raw if raw is not None else math.inf

    @property
    def shown(self) -> str:
        """Its value in words."""
        if self.counted is not None:
            return f"{self.value:,.0f} instructions"
        if self.result.at_floor:
            return BELOW_RESOLUTION
        unit, scale = text.unit_for([self.value])
        said = f"{text.significant(self.value / scale, 3)} {unit}"
        return said if self.result.net_ns is not None else f"{said} (raw)"

    @property
    def interval(self) -> Interval | None:
        """Its time as it is shown, net or raw, with its interval.

        None for a count, for a time below resolution, and for one without an interval.
        """
        if self.counted is not None or self.result.at_floor:
            return None
        of = self.result
        net, raw = (of.net_ns, of.net_low_ns, of.net_high_ns), (of.raw_ns, of.raw_low_ns, of.raw_high_ns)
        value, low, high = raw if of.net_ns is None else net
        return None if value is None or low is None or high is None else Interval(value, low, high)

    @property
    def ranked(self) -> bool:
        """Whether it can be compared: it has a count, or an interval."""
        return self.counted is not None or self.result.rank is not None

    def beats(self, other: "Candidate") -> bool:
        """Tell whether it is proved better than `other`."""
        if self.counted is not None:
            return self.value < other.value
        return other.record.id in self.slower

    def times(self, best: "Candidate") -> Interval | None:
        """Return by which factor its value is that of `best`.

        None where a figure is not positive, or a time below resolution: of such a one no ratio is known.
        """
        if self.counted is not None:
            ratio = self.value / best.value if best.value > 0 else None
            return None if ratio is None else Interval(ratio, ratio, ratio)
        if self.result.at_floor or best.result.at_floor:
            return None
        common = self.figures.raw.keys() & best.figures.raw.keys()
        if all(side.figures.net.get(n, 0.0) > 0 for side in (self, best) for n in common):
            return ratio_interval(self.figures.net, best.figures.net)
        return None


class Winner(NamedTuple):
    """The best of some rows, those not proved worse, and the next one that is."""

    best: Candidate
    ties: list[Candidate]
    following: Candidate | None
    unknown: int
    """How many others cannot be compared with it, for want of launches."""

    @property
    def libraries(self) -> str:
        """The best, and how many may be as good."""
        names = self._names()
        return f"{names[0]} or {len(names) - 1} others" if len(names) > 2 else " or ".join(names)

    @property
    def named(self) -> list[int]:
        """The ids of the rows whose libraries are named in `libraries`."""
        names = self._names()
        shown = names[:1] if len(names) > 2 else names
        return [row.record.id for row in (self.best, *self.ties) if row.record.contender in shown]

    def _names(self) -> list[str]:
        return list(dict.fromkeys(each.record.contender for each in (self.best, *self.ties)))


def candidates(run: Run, results: Sequence[RowResult]) -> dict[tuple[GroupKey, str], list[Candidate]]:
    """Return the contenders with figures by their place and test, in the order of `results`.

    `results` are those of all rows of `run` (see summarise).
    """
    records = {row.id: row for row in run.rows}
    counts = {result.id: result.instructions for result in results}
    found: dict[tuple[GroupKey, str], list[Candidate]] = {}
    for result in results:
        record = records[result.id]
        counted = None
        if record.platform:
            own, base = result.instructions, None if result.baseline is None else counts[result.baseline]
            counted = None if own is None or base is None else own - base
        if record.role != "contender" or (result.raw_ns is None and counted is None):
            continue
        place = GroupKey(record.dataset, record.profile, record.platform)
        found.setdefault((place, record.test), []).append(Candidate(record, result, result.figures, counted))
    return {group: _compared(rows, run.settings.threshold) for group, rows in found.items()}


def _compared(rows: Sequence[Candidate], threshold: float) -> list[Candidate]:
    slower = proved_slower({row.record.id: row.figures for row in rows if row.counted is None}, threshold)
    return [row._replace(slower=slower.get(row.record.id, row.slower)) for row in rows]


def winner(rows: Sequence[Candidate]) -> Winner | None:
    """Return who is best among `rows`, of which each library and format takes part with its best row.

    Best is, of those that no other is proved to beat, the one proved to beat the most, and of several the
    one of the least value.
    """

    def order(row: Candidate) -> tuple[bool, bool, int, float, int]:
        beaten = any(other.beats(row) for other in rows)
        return not row.ranked, beaten, row.result.rank_last or 0, row.value, row.record.id

    best_rows: dict[tuple[str, str], Candidate] = {}
    for row in sorted(rows, key=order):
        best_rows.setdefault((row.record.contender_id, row.record.format), row)
    if not best_rows:
        return None
    best, *others = best_rows.values()
    # Nothing is known of what was launched once.
    known = [row for row in others if row.ranked or not best.ranked]
    ties = [row for row in known if not best.beats(row)]
    behind = [row for row in known if row not in ties]
    following = min(behind, key=lambda row: row.value, default=None)
    return Winner(best, ties, following, len(others) - len(known))
