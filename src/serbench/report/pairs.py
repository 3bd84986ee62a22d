"""JSON against MessagePack on a microcontroller or a real board: what each takes, document by document."""

from collections.abc import Iterable, Sequence

import msgspec

from serbench.report.document import Block, Column, Paragraph, Table, TableRow
from serbench.report.export import csv_table
from serbench.results.schema import Platform, RowRecord, Run
from serbench.text import NONE, exact

CSV_COLUMNS = [
    *("name", "deserTimeJson", "deserTimeMsgPack", "serTimeJson", "serTimeMsgPack", "serSpaceJson"),
    *("serSpaceMsgPack", "unit", "platform", "libraryJson", "libraryMsgPack"),
]
"""The columns that were published in 2021, and what they need beside them: the "times" are counts here."""
MEASURES = ("deserialize", "serialize", "bytes")


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """A JSON and a MessagePack row on the same document."""

    json: RowRecord
    other: RowRecord

    def figures(self) -> list[tuple[float | None, float | None]]:
        """Return what both have of the MEASURES."""
        sides = [
            (row.metrics.get("deserialize"), row.metrics.get("serialize"), row.bytes)
            for row in (self.json, self.other)
        ]
        return list(zip(*sides, strict=True))

    def improvements(self) -> list[float | None]:
        """Return how much less MessagePack takes of each, as parts; None where a figure is missing or 0."""
        return [1 - less / more if more and less is not None else None for more, less in self.figures()]

    @property
    def ids(self) -> tuple[str, str]:
        """The contenders that are compared."""
        return self.json.contender_id, self.other.contender_id

    @property
    def names(self) -> str:
        """Their names."""
        return ", ".join(dict.fromkeys((self.json.contender, self.other.contender)))


def pairs_of(run: Run, platform: str) -> list[list[Pair]]:
    """Return the comparisons of JSON with MessagePack on one platform of `run`: one list each, by document.

    A library that has both is compared with itself; where none has, each MessagePack library is compared
    with the first JSON library.
    """
    good: dict[tuple[str, str], dict[str, RowRecord]] = {}
    for row in run.rows:
        if row.platform == platform and row.status == "ok" and row.metrics:
            good.setdefault((row.contender_id, row.format), {})[row.dataset] = row
    json = [name for name, format_id in good if format_id == "json"]
    other = [name for name, format_id in good if format_id == "messagepack"]
    chosen = [(name, name) for name in json if name in other] or [(json[0], name) for name in other if json]
    found = []
    for first, second in chosen:
        left, right = good[first, "json"], good[second, "messagepack"]
        found.append([Pair(json=left[name], other=right[name]) for name in left if name in right])
    return [group for group in found if group]


def averages(group: Sequence[Pair]) -> list[float | None]:
    """Return the means of the improvements of `group` that are known; None where none is."""
    columns = zip(*(pair.improvements() for pair in group), strict=True)
    known = [[part for part in parts if part is not None] for parts in columns]
    return [sum(parts) / len(parts) if parts else None for parts in known]


def _change(part: float | None) -> str:
    return NONE if part is None else f"{-100 * part:+.1f} %"


def pair_blocks(group: Sequence[Pair], platform: Platform) -> list[Block]:
    """Return the table of a comparison, with its averages."""
    columns = [Column("document", least=12)]
    for header in MEASURES:
        columns += [Column(header, align="right", least=9), Column("change", align="right")]
    table = Table(columns, title=f"JSON → MessagePack: {group[0].names} ({platform.unit}, bytes)")
    for pair in group:
        cells = [pair.json.dataset]
        for (left, right), better in zip(pair.figures(), pair.improvements(), strict=True):
            cells += [f"{exact(left)} → {exact(right)}", _change(better)]
        table.rows.append(TableRow(cells))
    real = [pair for pair in group if pair.json.real_life]
    for name, chosen in (("all, average", group), ("real-life, average", real)):
        if len(chosen) > 1:
            cells = [name]
            for part in averages(chosen):
                cells += ["", _change(part)]
            table.rows.append(TableRow(cells))
    if len(set(group[0].ids)) == 1:
        return [table]
    return [table, Paragraph("Two libraries are compared here, not one library's two formats.")]


def pairs_csv(runs: Iterable[Run]) -> str:
    """Return every pair as a line of the published columns."""
    rows: list[list[object]] = []
    for run in runs:
        for platform in run.platforms:
            for pair in (pair for group in pairs_of(run, platform.name) for pair in group):
                figures = [number for both in pair.figures() for number in both]
                names = [platform.unit, platform.name, pair.json.contender, pair.other.contender]
                rows.append([pair.json.dataset, *figures, *names])
    return csv_table(CSV_COLUMNS, rows)
