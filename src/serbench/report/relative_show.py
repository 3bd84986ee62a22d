"""Ratios to a contender as text, Markdown, CSV and JSON."""

import csv
import io
import json
import math
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from serbench.report import text
from serbench.report.export import csv_field
from serbench.report.markdown import escaped, escaped_line
from serbench.report.parts import grid, plain
from serbench.report.relative import Means, Ratio, Relative, RelativeRow

COLUMNS = (
    *("run", "kind", "contender", "contender_id", "language", "format", "test", "variant", "dataset"),
    *("profile", "toolchain", "allocator", "status", "relative_to", "ratio", "low", "high", "basis"),
    *("reason", "over"),
)
"""The columns of a CSV file; `kind` is row, or geometric mean with the rows that it is over."""
HEADERS = ("contender", "ratio", "95 % interval", "times")


def cells(name: str, ratio: Ratio, reference: bool = False) -> list[str]:
    """Return a line of a table: name, ratio, interval, and what times it is of."""
    if reference:
        return [name, "1", "the reference", ratio.basis or ""]
    return [
        name,
        text.significant(ratio.value),
        f"{text.significant(ratio.low)} to {text.significant(ratio.high)}",
        ratio.basis or "",
    ]


def _introduction(found: Relative) -> str:
    return (
        f"Times as ratios to those of {found.reference_name} ({found.reference}) in the same launches, with "
        "95 % intervals: 2 is twice its time. They are of net times, or of raw ones where one of the two has "
        "no net time or is at the floor."
    )


def _mean_sentence(means: Means) -> str:
    if not means.over:
        return (
            "No geometric mean: there is no row that all contenders have; --contenders chooses some. "
            f"Only some have {'; '.join(means.left_out) or 'any'}."
        )
    left = f" Left out, as only some have it: {'; '.join(means.left_out)}." if means.left_out else ""
    return f"Over the rows that all of them have: {'; '.join(means.over)}.{left}"


def _mean_title(means: Means) -> str:
    return f"Geometric mean · {means.scope}"


def _without(rows: Sequence[RelativeRow]) -> list[str]:
    return [f"{item.name}: {' '.join(item.reason.split())}" for item in rows if item.ratio is None]


def print_relative(all_found: Sequence[Relative], console: Console) -> None:
    """Print the tables to `console`, at its width."""
    for found in all_found:
        console.print(plain(f"Run {found.run}", "bold"))
        console.print(plain(_introduction(found), "dim"))
        for group in found.groups:
            shown = [cells(item.name, item.ratio, item.is_reference) for item in group.rows if item.ratio]
            _print_table(" · ".join(group.group[:3]), shown, console)
            for line in _without(group.rows):
                console.print(plain(f"  no ratio: {line}"))
        for means in found.means:
            shown = [cells(mean.name, mean.ratio)[:3] for mean in means.means]
            _print_table(_mean_title(means), shown, console)
            console.print(plain(_mean_sentence(means), "dim"))


def _print_table(title: str, lines: Sequence[Sequence[str]], console: Console) -> None:
    console.print()
    console.print(plain(title, "bold"))
    if not lines:
        return
    table = grid()
    for number, header in enumerate(HEADERS[: len(lines[0])]):
        table.add_column(header, overflow="fold", justify="right" if number == 1 else "left")
    for line in lines:
        table.add_row(*(Text(text.visible(cell)) for cell in line))
    console.print(table, highlight=False, markup=False, emoji=False)


def relative_text(all_found: Sequence[Relative], width: int) -> str:
    """Return the tables as plain text of at most `width` columns."""
    out = io.StringIO()
    print_relative(all_found, Console(file=out, width=width, color_system=None, force_terminal=False))
    return "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())


def relative_markdown(all_found: Sequence[Relative]) -> str:
    """Return the tables as Markdown."""
    parts = ["# Benchmark report"]
    for found in all_found:
        parts += [f"## Run {escaped(found.run)}", escaped_line(_introduction(found))]
        for group in found.groups:
            shown = [cells(item.name, item.ratio, item.is_reference) for item in group.rows if item.ratio]
            parts += [f"### {escaped(' · '.join(group.group[:3]))}", *_markdown_table(shown)]
            without = _without(group.rows)
            parts += (
                ["Without a ratio:", "\n".join(f"- {escaped_line(w)}" for w in without)] if without else []
            )
        for means in found.means:
            shown = [cells(mean.name, mean.ratio)[:3] for mean in means.means]
            parts += [f"### {escaped(_mean_title(means))}", *_markdown_table(shown)]
            parts.append(escaped_line(_mean_sentence(means)))
    return "\n\n".join(parts) + "\n"


def _markdown_table(lines: Sequence[Sequence[str]]) -> list[str]:
    if not lines:
        return []
    headers = HEADERS[: len(lines[0])]
    made = [f"| {' | '.join(header.capitalize() for header in headers)} |"]
    made.append("|" + "|".join("--:" if header == "ratio" else "---" for header in headers) + "|")
    made += [f"| {' | '.join(escaped(cell) for cell in line)} |" for line in lines]
    return ["\n".join(made)]


def _records(found: Relative) -> list[dict[str, Any]]:
    """Return what CSV and JSON say, a record for each row and each mean."""
    records: list[dict[str, Any]] = []
    for group in found.groups:
        for item in group.rows:
            row = item.row
            records.append(
                {
                    "kind": "row",
                    "contender": row.contender,
                    "contender_id": row.contender_id,
                    "language": row.language,
                    "format": row.format,
                    "test": row.test,
                    "variant": row.variant,
                    "dataset": row.dataset,
                    "profile": row.profile,
                    "toolchain": row.toolchain,
                    "allocator": row.allocator,
                    "status": row.status,
                    **_figures(item.ratio),
                    "reason": item.reason,
                }
            )
    for means in found.means:
        for mean in means.means:
            contender, variant, toolchain, allocator = mean.entity
            records.append(
                {
                    "kind": "geometric mean",
                    "contender": mean.name,
                    "contender_id": contender,
                    "test": means.scope,
                    "variant": variant,
                    "toolchain": toolchain,
                    "allocator": allocator,
                    **_figures(mean.ratio),
                    "over": "; ".join(means.over),
                }
            )
    return [{"run": found.run, "relative_to": found.reference, **record} for record in records]


def _figures(ratio: Ratio | None) -> dict[str, Any]:
    if ratio is None:
        return {"ratio": None, "low": None, "high": None, "basis": ""}
    low, high = (bound if math.isfinite(bound) else None for bound in (ratio.low, ratio.high))
    return {"ratio": ratio.value, "low": low, "high": high, "basis": ratio.basis or ""}


def relative_csv(all_found: Sequence[Relative]) -> str:
    """Return rows and means as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for found in all_found:
        for record in _records(found):
            writer.writerow([csv_field(record.get(name)) for name in COLUMNS])
    return out.getvalue()


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
