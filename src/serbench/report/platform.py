"""What a run counted on emulated microcontrollers: tables of counts, never of times.

First each pair of a JSON and a MessagePack row side by side, with the improvement in percent and its
averages; then all libraries, document by document.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from serbench.report.document import (
    Block,
    Column,
    Item,
    List,
    Paragraph,
    Row,
    Section,
    Table,
    shown,
)
from serbench.report.export import csv_field
from serbench.results.counts import roundtrips
from serbench.results.schema import Platform, RowRecord, Run

ARROW = " → "


def _figure(number: object) -> str:
    return f"{number:,.15g}" if isinstance(number, int | float) else shown(number)


COLUMNS = (
    Column("library", priority=20, least=12),
    Column("format", least=6),
    Column("deserialize", align="right", show=_figure),
    Column("first call", align="right", show=_figure, priority=30),
    Column("serialize", align="right", show=_figure),
    Column("first call", align="right", show=_figure, priority=30),
    *(Column(header, align="right", show=_figure) for header in ("bytes", "stack", "memory", "flash")),
)
"""A narrow terminal has no room for first calls, which seldom differ from the others."""
REAL_TIME = (
    "These are microseconds of a real board: of the first call, which fills its caches, and the mean of "
    "repeated ones."
)
NO_TIME = (
    "These are counts of an emulated processor, and no times: flash caches, wait states and the pipeline "
    "of a real chip are not in them (METHOD.md)."
)
CSV_COLUMNS = [
    *("name", "deserTimeJson", "deserTimeMsgPack", "serTimeJson", "serTimeMsgPack", "serSpaceJson"),
    *("serSpaceMsgPack", "unit", "platform", "libraryJson", "libraryMsgPack"),
]
"""The columns that were published in 2021, and what they need beside them: the "times" are counts here."""


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """A JSON and a MessagePack row on the same document."""

    json: RowRecord
    other: RowRecord

    def figures(self) -> list[tuple[float | None, float | None]]:
        """What both take to deserialize and to serialize, and their bytes."""
        sides = [
            (row.metrics.get("deserialize"), row.metrics.get("serialize"), row.bytes)
            for row in (self.json, self.other)
        ]
        return list(zip(*sides, strict=True))

    def improvements(self) -> list[float]:
        """How much less MessagePack takes of each, as parts."""
        return [1 - (less or 0) / (more or 1) for more, less in self.figures()]


def pairs(rows: Sequence[RowRecord]) -> list[list[Pair]]:
    """The comparisons of JSON with MessagePack among the rows of one platform: one list each, by document.

    A library that has both is compared with itself; where none has, each MessagePack library is compared
    with the first JSON library.
    """
    good: dict[tuple[str, str], dict[str, RowRecord]] = {}
    for row in rows:
        if row.status == "ok":
            good.setdefault((row.contender_id, row.format), {})[row.dataset] = row
    json = [name for name, format_id in good if format_id == "json"]
    other = [name for name, format_id in good if format_id == "messagepack"]
    chosen = [(name, name) for name in json if name in other] or [(json[0], name) for name in other if json]
    found = []
    for first, second in chosen:
        left, right = good[first, "json"], good[second, "messagepack"]
        found.append([Pair(json=left[name], other=right[name]) for name in left if name in right])
    return [group for group in found if group]


def _change(part: float) -> str:
    return f"{-100 * part:+.1f} %"


def _pair_blocks(group: Sequence[Pair], platform: Platform) -> list[Block]:
    first = group[0]
    same = first.json.contender_id == first.other.contender_id
    names = first.json.contender if same else f"{first.json.contender}, {first.other.contender}"
    table = Table(
        title=f"JSON → MessagePack: {names} ({platform.unit}, bytes)",
        columns=[
            Column("document", least=12),
            *(
                column
                for header in ("deserialize", "serialize", "bytes")
                for column in (
                    Column(header, align="right", least=9),
                    Column("change", align="right"),
                )
            ),
        ],
    )
    for pair in group:
        cells = [pair.json.dataset]
        for (left, right), better in zip(pair.figures(), pair.improvements(), strict=True):
            cells += [_figure(left) + ARROW + _figure(right), _change(better)]
        table.rows.append(Row(cells))
    real = [pair for pair in group if pair.json.real_life]
    for name, chosen in (("all, average", group), ("real-life, average", real)):
        if len(chosen) > 1:
            cells = [name]
            for parts in zip(*(pair.improvements() for pair in chosen), strict=True):
                cells += ["", _change(sum(parts) / len(chosen))]
            table.rows.append(Row(cells))
    if same:
        return [table]
    return [table, Paragraph("Two libraries are compared here, not one library's two formats.")]


def _rows_table(document: str, rows: Sequence[RowRecord], platform: Platform) -> Table:
    table = Table(COLUMNS, title=f"{document} ({platform.unit}, bytes)")
    for row in rows:
        if row.dataset != document:
            continue
        names = [f"{row.contender} {row.library_version}".strip(), row.format_name]
        if row.status != "ok":
            table.rows.append(Row([*names, *[None] * 8], [f"{row.status}: {row.reason}"]))
            continue
        get = row.metrics.get
        figures = [
            *(get(name) for name in ("deserialize", "deserialize_first", "serialize", "serialize_first")),
            row.bytes,
            _most(get("deserialize_stack"), get("serialize_stack")),
            _most(get("deserialize_memory"), get("serialize_memory")),
            get("flash"),
        ]
        table.rows.append(Row([*names, *figures], row.labels))
    return table


def _most(first: float | None, second: float | None) -> float | None:
    return None if first is None and second is None else max(first or 0, second or 0)


def _about(platform: Platform) -> list[str]:
    """What is said of the platform in front of its tables."""
    stands = f"Stands for: {', '.join(platform.stands_for)}."
    if platform.kind == "board-only":
        return [stands, f"Board only: {platform.reason}."]
    if platform.kind == "board":
        return [f"Board: {platform.name}. Core: {platform.core}. {platform.compiler}.", REAL_TIME]
    return [f"{stands} {platform.compiler}. {platform.emulator}.", NO_TIME]


def platform_sections(run: Run) -> Iterator[Section]:
    """Everything that is said of the run's counts: a section for each platform."""
    for platform in run.platforms:
        section = Section(f"{platform.name}: {platform.title}")
        section.blocks += [Paragraph(sentence) for sentence in _about(platform)]
        if platform.kind != "board-only":
            section.blocks += _tables(roundtrips(run, platform.name), platform)
        yield section


def _tables(rows: Sequence[RowRecord], platform: Platform) -> Iterator[Block]:
    absent = {row.contender: row.reason for row in rows if row.status == "unavailable"}
    present = [row for row in rows if row.status != "unavailable"]
    for group in pairs(present):
        yield from _pair_blocks(group, platform)
    for document in dict.fromkeys(row.dataset for row in present):
        yield _rows_table(document, present, platform)
    if absent:
        yield List([Item(f"unavailable: {name}", reason) for name, reason in absent.items()])
    yield Paragraph(
        "stack and memory: the most that either needs; memory is what the library allocates, or its "
        "document takes of fixed memory. flash: code and constants, for reading and writing."
        if platform.kind == "emulated"
        else "memory: what the library allocates, or its document takes of fixed memory."
    )


def counts_csv(runs: Iterable[Run]) -> str:
    """Every pair as a line of the published columns."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for run in runs:
        for platform in run.platforms:
            for group in pairs(roundtrips(run, platform.name)):
                for pair in group:
                    row = [pair.json.dataset, *(number for both in pair.figures() for number in both)]
                    row += [platform.unit, platform.name, pair.json.contender, pair.other.contender]
                    writer.writerow([csv_field(value) for value in row])
    return out.getvalue()
