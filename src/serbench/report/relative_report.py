"""Ratios to a contender as a document, and as CSV and JSON."""

import json
import math
from collections.abc import Sequence
from typing import Any

from serbench import text
from serbench.report.document import Block, Column, Document, Item, List, Paragraph, Section, Table, TableRow
from serbench.report.export import csv_table
from serbench.report.relative import Means, Ratio, Relative, RelativeGroup

COLUMNS = (
    *("run", "kind", "contender", "contender_id", "language", "format", "test", "variant", "dataset"),
    *("profile", "toolchain", "allocator", "status", "relative_to", "ratio", "low", "high", "basis"),
    *("reason", "over", "cpu"),
)
"""The columns of a CSV file; `kind` is row, or geometric mean with the rows that it is over."""
SHOWN = (
    Column("contender", priority=10, least=18),
    Column("ratio", align="right"),
    Column("95 % interval"),
    Column("times", priority=20),
)


def relative_document(all_found: Sequence[Relative]) -> Document:
    """Return the tables: the ratios of each group, and the geometric means."""
    document = Document(title="Benchmark report")
    for found in all_found:
        introduction = (
            f"Times as ratios to those of {found.reference_name} ({found.reference}) in the same launches, "
            "with 95 % intervals: 2 is twice its time. They are of net times, or of raw ones where one of "
            "the two has no net time or is below resolution."
        )
        document.sections.append(Section(f"Run {found.run}", [Paragraph(introduction, "dim")]))
        document.sections += [_group(group) for group in found.groups]
        document.sections += [_means(means) for means in found.means]
    return document


def _group(found: RelativeGroup) -> Section:
    rows = [TableRow(_cells(item.name, item.ratio, item.is_reference)) for item in found.rows if item.ratio]
    without = [Item(item.name, " ".join(item.reason.split())) for item in found.rows if item.ratio is None]
    blocks: list[Block] = [Table(SHOWN, rows)] if rows else []
    blocks += [List(without, "no ratio")] if without else []
    return Section(" · ".join(found.group[:3]), blocks, level=3)


def _means(means: Means) -> Section:
    rows = [TableRow(_cells(mean.name, mean.ratio)) for mean in means.means]
    return Section(
        f"Geometric mean · {means.scope}",
        [*([Table(SHOWN, rows)] if rows else []), Paragraph(_mean_sentence(means), "dim")],
        level=3,
    )


def _cells(name: str, ratio: Ratio, is_reference: bool = False) -> list[str]:
    """Return a line of a table: name, ratio, interval, and what times it is of."""
    if is_reference:
        return [name, "1", "the reference", ratio.basis or ""]
    interval = f"{text.significant(ratio.low)} to {text.significant(ratio.high)}"
    return [name, text.significant(ratio.value), interval, ratio.basis or ""]


def _mean_sentence(means: Means) -> str:
    if not means.over:
        return (
            "No geometric mean: there is no row that all contenders have; --contenders chooses some. "
            f"Only some have {'; '.join(means.left_out) or 'any'}."
        )
    left = f" Left out, as only some have it: {'; '.join(means.left_out)}." if means.left_out else ""
    return f"Over the rows that all of them have: {'; '.join(means.over)}.{left}"


OF_ROW = (
    *("contender", "contender_id", "language", "format", "test", "variant", "dataset", "profile"),
    *("toolchain", "allocator", "cpu"),
)


def _records(found: Relative) -> list[dict[str, Any]]:
    """Return what CSV and JSON say, a record for each row and each mean."""
    records: list[dict[str, Any]] = [
        {
            "kind": "row",
            **{name: getattr(item.row.record, name) for name in OF_ROW},
            "status": item.row.result.status,
            **_figures(item.ratio),
            "reason": item.reason,
        }
        for group in found.groups
        for item in group.rows
    ]
    for means in found.means:
        for mean in means.means:
            contender, variant, toolchain, allocator, cpu = mean.entity
            record = {"contender": mean.name, "contender_id": contender, "test": means.scope}
            record |= {"variant": variant, "toolchain": toolchain, "allocator": allocator, "cpu": cpu}
            over = "; ".join(means.over)
            records.append({"kind": "geometric mean", **record, **_figures(mean.ratio), "over": over})
    return [{"run": found.run, "relative_to": found.reference, **record} for record in records]


def _figures(ratio: Ratio | None) -> dict[str, Any]:
    if ratio is None:
        return {"ratio": None, "low": None, "high": None, "basis": ""}
    low, high = (bound if math.isfinite(bound) else None for bound in (ratio.low, ratio.high))
    return {"ratio": ratio.value, "low": low, "high": high, "basis": ratio.basis or ""}


def relative_csv(all_found: Sequence[Relative]) -> str:
    """Return rows and means as CSV."""
    records = [record for found in all_found for record in _records(found)]
    return csv_table(COLUMNS, [[record.get(name) for name in COLUMNS] for record in records])


def relative_json(all_found: Sequence[Relative]) -> str:
    """Return rows and means as JSON, with the means' scopes and what they leave out."""
    records = [record for found in all_found for record in _records(found)]
    scopes = [
        {"run": found.run, "scope": means.scope, "over": means.over, "left_out": means.left_out}
        for found in all_found
        for means in found.means
    ]
    made = {
        "rows": [record for record in records if record["kind"] == "row"],
        "geometric_means": [record for record in records if record["kind"] != "row"],
        "scopes": scopes,
    }
    return json.dumps(made, indent=2, allow_nan=False) + "\n"
