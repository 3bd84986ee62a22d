"""Times of a run as ratios to those of one contender, and geometric means of them: pure functions."""

import math
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from serbench.errors import UserError, unknown
from serbench.measure.comparison import Basis, TimeRatio, geometric_mean, time_ratio
from serbench.measure.statistics import LogRatio, RowFigures
from serbench.results.analysis import RowSummary, analyse, figures_of, grouped
from serbench.results.schema import RowRecord, Run
from serbench.results.summary import Group

Entity = tuple[str, str, str, str, str]
"""What a mean is of: contender, variant, compiler, allocator and level of the processor."""


class Ratio(NamedTuple):
    """A ratio with its 95 % interval."""

    value: float
    low: float
    high: float
    basis: Basis | None = None


class RelativeRow(NamedTuple):
    """A row as a ratio to the reference, or why it is none."""

    row: RowSummary
    found: TimeRatio | None
    reason: str
    is_reference: bool

    @property
    def name(self) -> str:
        """The name that tells it from the other rows of its group."""
        return self.row.result.name

    @property
    def ratio(self) -> Ratio | None:
        """The ratio with its interval."""
        return Ratio(*self.found.log.interval, self.found.basis) if self.found else None


class RelativeGroup(NamedTuple):
    """The rows of a group, smallest ratio first."""

    group: Group
    rows: list[RelativeRow]


class Mean(NamedTuple):
    """The geometric mean of a contender's ratios."""

    entity: Entity
    name: str
    ratio: Ratio


class Means(NamedTuple):
    """The means over some rows that all compared contenders have."""

    scope: str
    """A test's name, or `all tests`."""
    over: list[str]
    """The rows' tests, datasets and profiles; where there are none, there are no means."""
    left_out: list[str]
    """Those that only some of the contenders have."""
    means: list[Mean]


class Relative(NamedTuple):
    """One run, relative to a contender."""

    run: str
    reference: str
    """The id of the contender."""
    reference_name: str
    groups: list[RelativeGroup]
    means: list[Means]


def reference_of(run: Run) -> str:
    """Return the id of the contender that ratios in `run` are relative to; empty where it has no rows of it.

    An older file does not say it: there it is the JSON that a language has built in.
    """
    stated = run.settings.references
    for row in run.rows:
        if row.contender_id in ([f"{row.language}/json"] if stated is None else stated):
            return row.contender_id
    return ""


def find_reference(run: Run, name: str) -> str:
    """Return the id of the one contender of `run` that `name` means: an id, its last part, or a shown name.

    Raises UserError with the nearest name, or with all that it could mean.
    """
    names = {
        row.contender_id: {row.contender_id, row.contender_id.rpartition("/")[2], row.contender}
        for row in run.rows
    }
    wanted = name.casefold()
    found = [key for key, known in names.items() if wanted in {each.casefold() for each in known}]
    exact = [key for key in found if key.casefold() == wanted]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if found:
        raise UserError(f"'{name}' is the name of several: {', '.join(found)}")
    raise unknown("contender", name, {each for known in names.values() for each in known})


def relative(run: Run, name: str, among: Sequence[str] = ()) -> Relative:
    """Return the rows of `run` as ratios to the contender `name`; the means are of contenders `among` only.

    `among` are patterns of names; all contenders where it is empty. A row is divided by the reference's row
    of the same test, dataset, profile, compiler, allocator and level, the plain one where it has variants.
    Raises UserError for a run of counts.
    """
    if run.platforms:
        raise UserError(
            f"the run {run.id} has counts of {', '.join(p.name for p in run.platforms)}, and --relative-to "
            "makes ratios of times only"
        )
    reference = find_reference(run, name)
    analysed = analyse(run)
    figures = figures_of(analysed)
    groups = grouped(analysed).items()
    made = [RelativeGroup(group, _rows(rows, reference, figures)) for group, rows in groups]
    shown = next(row.contender for row in run.rows if row.contender_id == reference)
    return Relative(run.id, reference, shown, made, _all_means(made, among))


def _rows(rows: Sequence[RowSummary], reference: str, figures: dict[int, RowFigures]) -> list[RelativeRow]:
    made = []
    for row in rows:
        base = _base(row, [r for r in rows if r.record.contender_id == reference and r.measured])
        found = time_ratio(figures[row.result.id], figures[base.result.id]) if base and row.measured else None
        made.append(RelativeRow(row, found, "" if found else _why_not(row, base), base is row))
    return sorted(made, key=lambda row: row.found.log.mean if row.found else math.inf)


def _base(row: RowSummary, candidates: Sequence[RowSummary]) -> RowSummary | None:
    """Return the row that `row` is divided by: the most like it of those that the reference has."""
    own = row.record.toolchain, row.record.allocator

    def unlike(base: RowSummary) -> tuple[bool, bool, bool, int]:
        other_build = bool(own[0]) and (base.record.toolchain, base.record.allocator) != own
        levels = {row.record.cpu, base.record.cpu} - {""}
        return (other_build, len(levels) > 1, bool(base.record.variant), base.record.id)

    best = min(candidates, key=unlike, default=None)
    if best is None:
        return None
    other_build, other_level, *_ = unlike(best)
    return None if other_level or (other_build and best.record.toolchain) else best


def _why_not(row: RowSummary, base: RowSummary | None) -> str:
    status, reason = row.result.status, row.result.reason
    if not row.measured:
        return f"{status}: {reason}" if status != "ok" else reason
    return "the reference has no such row" if base is None else "too few launches"


def _all_means(groups: Sequence[RelativeGroup], among: Sequence[str]) -> list[Means]:
    by_test: dict[str, list[RelativeGroup]] = {}
    for group in groups:
        by_test.setdefault(group.group[0], []).append(group)
    scopes = {"all tests": list(groups)} if len(by_test) > 1 else {}
    return [_means(scope, chosen, among) for scope, chosen in (scopes | by_test).items()]


def _means(scope: str, groups: Sequence[RelativeGroup], among: Sequence[str]) -> Means:
    """Return the means over those of `groups` in which every contender that has any ratio has one."""
    found: dict[Entity, dict[Group, LogRatio]] = {}
    names: dict[Entity, str] = {}
    for group in groups:
        for item in group.rows:
            row = item.row.record
            if item.found and row.role == "contender" and not row.variant and _is_among(row, among):
                built = (row.toolchain, row.allocator, row.cpu)
                entity: Entity = (row.contender_id, row.variant, *built)
                found.setdefault(entity, {})[group.group] = item.found.log
                names[entity] = item.name
    having = [group.group for group in groups if any(group.group in logs for logs in found.values())]
    common = [group for group in having if all(group in logs for logs in found.values())]
    means = []
    for entity, logs in found.items() if common else []:
        interval = geometric_mean([logs[group] for group in common]).interval
        means.append(Mean(entity, names[entity], Ratio(*interval)))
    return Means(
        scope=scope,
        over=[" ".join(group[:3]) for group in common],
        left_out=[" ".join(group[:3]) for group in having if group not in common],
        means=sorted(means, key=lambda mean: mean.ratio.value),
    )


def _is_among(row: RowRecord, among: Sequence[str]) -> bool:
    names = (row.contender_id, row.contender_id.rpartition("/")[2], row.contender.casefold())
    return not among or any(fnmatchcase(name, pattern.casefold()) for name in names for pattern in among)
