"""Does the order of two rows hold on other machines? Runs of several, pair by pair: pure functions."""

from collections.abc import Sequence
from itertools import combinations
from typing import Literal

import msgspec

from serbench import text
from serbench.errors import UserError
from serbench.measure.ranks import proved_slower
from serbench.measure.statistics import LEAST_LAUNCHES
from serbench.report.differences import key_of
from serbench.report.document import Block, Column, Document, Paragraph, Section, Table, TableRow
from serbench.report.export import csv_table
from serbench.results.analysis import RowSummary, analyse, figures_of, grouped
from serbench.results.schema import Run
from serbench.results.summary import Group

Verdict = Literal["on all", "on some", "reversed", "undecided"]
VERDICTS: tuple[Verdict, ...] = ("reversed", "on some", "on all", "undecided")
_Same = tuple[str, ...]
"""What rows of two machines share that are the same row."""


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """Two rows of a group, and on which machines the first is proved faster than the second."""

    first: str
    second: str
    verdict: Verdict
    """On all machines that measured both, on some (undecided on the others), reversed on some, or on none."""
    holds: list[str]
    reversed: list[str]
    undecided: list[str]


class GroupOrders(msgspec.Struct, frozen=True, kw_only=True):
    """The orders of all pairs of a group that two machines or more have measured."""

    group: Group
    orders: list[Order]

    def count(self, verdict: Verdict) -> int:
        """How many pairs have the verdict."""
        return sum(order.verdict == verdict for order in self.orders)


class Orders(msgspec.Struct, frozen=True, kw_only=True):
    """What came out, and what must be known first."""

    machines: list[tuple[str, str]]
    """Name and description of each."""
    groups: list[GroupOrders]
    notes: list[str]


def machine_names(runs: Sequence[Run]) -> list[str]:
    """A name for the machine of each run; that of the run where two would have the same."""
    names = [run.hosts[0].name if len(run.hosts) == 1 else run.id for run in runs]
    return [name if names.count(name) == 1 else run.id for name, run in zip(names, runs, strict=True)]


def orders_of(runs: Sequence[Run]) -> Orders:
    """Compare the orders of rows in `runs`, each of one machine. Raises UserError for fewer than two.

    No time of one machine meets one of another: within each run its own launches prove who is faster.
    """
    names = machine_names(runs)
    if len(runs) < 2 or len(set(names)) < len(names):
        raise UserError("orders are compared of two runs or more, each of another machine")
    if not all(run.samples for run in runs):
        raise UserError("orders are compared of runs that took times, and one of these has none")
    notes = _other_data(runs, names)
    ignored = {name for _, name in notes}
    proved: dict[Group, dict[_Same, dict[str, frozenset[_Same]]]] = {}
    titles: dict[Group, dict[_Same, str]] = {}
    for name, run in zip(names, runs, strict=True):
        rows = analyse(run)
        figures = figures_of(rows)
        for group, members in grouped(rows).items():
            if group.dataset in ignored:
                continue
            compared = {
                row.record.id: _same(row)
                for row in members
                if row.record.role == "contender" and row.measured and row.result.launches >= LEAST_LAUNCHES
            }
            slower = proved_slower({number: figures[number] for number in compared}, run.settings.threshold)
            for row in members:
                if row.record.id in compared:
                    same = compared[row.record.id]
                    titles.setdefault(group, {}).setdefault(same, row.result.name)
                    beaten = frozenset(compared[number] for number in slower[row.record.id])
                    proved.setdefault(group, {}).setdefault(same, {})[name] = beaten
    groups = [
        GroupOrders(group=group, orders=_orders(members, titles[group])) for group, members in proved.items()
    ]
    return Orders(
        machines=[(name, _machine(run)) for name, run in zip(names, runs, strict=True)],
        groups=[group for group in groups if group.orders],
        notes=[sentence for sentence, _ in notes] + _other_versions(runs, names),
    )


def _same(row: RowSummary) -> _Same:
    return (row.record.contender_id, *key_of(row.record))


def _machine(run: Run) -> str:
    return f"{run.machine.cpu}, {run.machine.cores} cores, {run.machine.system}"


def _orders(members: dict[_Same, dict[str, frozenset[_Same]]], titles: dict[_Same, str]) -> list[Order]:
    found = []
    for a, b in combinations(members, 2):
        both = [name for name in members[a] if name in members[b]]
        if len(both) < 2:
            continue
        ahead = [name for name in both if b in members[a][name]]
        behind = [name for name in both if a in members[b][name]]
        first, second = (a, b) if len(ahead) >= len(behind) else (b, a)
        holds, against = (ahead, behind) if len(ahead) >= len(behind) else (behind, ahead)
        verdict: Verdict = "reversed" if against else "on some" if holds else "undecided"
        if len(holds) == len(both):
            verdict = "on all"
        found.append(
            Order(
                first=titles[first],
                second=titles[second],
                verdict=verdict,
                holds=holds,
                reversed=against,
                undecided=[name for name in both if name not in holds and name not in against],
            )
        )
    return found


def _other_data(runs: Sequence[Run], names: Sequence[str]) -> list[tuple[str, str]]:
    """A sentence for each dataset that is not the same on all machines, and its name."""
    seen: dict[str, tuple[str, str]] = {}
    found = []
    for name, run in zip(names, runs, strict=True):
        for dataset in run.datasets:
            digest, first = seen.setdefault(dataset.name, (dataset.tape_sha256, name))
            if digest != dataset.tape_sha256:
                said = f"{dataset.name} is left out: it is other data on {name} than on {first}."
                found.append((said, dataset.name))
    return found


def _other_versions(runs: Sequence[Run], names: Sequence[str]) -> list[str]:
    seen: dict[str, tuple[str, str]] = {}
    found: dict[str, None] = {}
    for name, run in zip(names, runs, strict=True):
        for row in run.rows:
            if row.status == "ok" and row.role == "contender":
                version, first = seen.setdefault(row.contender_id, (row.library_version, name))
                if version != row.library_version:
                    found[
                        f"{row.contender} is {row.library_version} on {name}, and {version} on {first}."
                    ] = None
    return list(found)


def orders_document(found: Orders, detailed: bool = False) -> Document:
    """The orders as a document: how many pairs of each group hold, and those that do not hold everywhere.

    If `detailed`, all pairs.
    """
    described = [TableRow([*each]) for each in found.machines]
    machines = Table([Column("machine"), Column("what", least=20)], described)
    says = (
        "on all: each machine proves the order. on some: the others prove nothing of the pair. reversed: "
        "another machine proves the opposite. undecided: no machine proves anything. Each machine judges by "
        "its own launches alone."
    )
    blocks: list[Block] = [machines, Paragraph(says, "dim"), *(Paragraph(note) for note in found.notes)]
    document = Document([Section(f"Orders on {len(found.machines)} machines", blocks)])
    columns = [Column("faster", least=16), Column("slower", least=16), Column("holds")]
    columns += [Column(f"{what} on", least=12) for what in ("proved", "opposite", "undecided")]
    for each in found.groups:
        counts = ", ".join(f"{verdict}: {each.count(verdict)}" for verdict in VERDICTS)
        shown = [o for v in VERDICTS for o in each.orders if o.verdict == v]
        shown = shown if detailed else [o for o in shown if o.verdict in ("reversed", "on some")]
        rows = [
            TableRow([o.first, o.second, o.verdict, *map(", ".join, (o.holds, o.reversed, o.undecided))])
            for o in shown
        ]
        title = " · ".join(filter(None, [each.group.test, each.group.dataset, each.group.profile]))
        pairs = Paragraph(f"{text.count(len(each.orders))} pairs; {counts}")
        document.sections.append(Section(title, [pairs, *([Table(columns, rows)] if rows else [])]))
    return document


def orders_csv(found: Orders) -> str:
    """Every pair of rows, one a line."""
    header = ["test", "dataset", "profile", "faster", "slower", "verdict"]
    return csv_table(
        [*header, "proved_on", "opposite_on", "undecided_on"],
        (
            [*each.group[:3], o.first, o.second, o.verdict, o.holds, o.reversed, o.undecided]
            for each in found.groups
            for o in each.orders
        ),
    )
