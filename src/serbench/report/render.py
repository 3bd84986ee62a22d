"""The one door to all formats."""

import io
from collections.abc import Sequence

from rich.console import Console

from serbench.errors import UserError, unknown
from serbench.report.counted import counted_sections
from serbench.report.exchange import EXCHANGE
from serbench.report.export import to_csv, to_json
from serbench.report.markdown import markdown_of
from serbench.report.platform import counts_csv, counts_document, platform_sections
from serbench.report.published.layout import published_layout
from serbench.report.published.results_csv import published_csv
from serbench.report.relative import relative
from serbench.report.relative_show import (
    print_relative,
    relative_csv,
    relative_json,
    relative_markdown,
    relative_text,
)
from serbench.report.run_markdown import markdown
from serbench.report.table import print_tables
from serbench.results.schema import Run

FORMATS = ("table", "markdown", "csv", "json", *EXCHANGE)
LAYOUTS = ("serbench", "published")
"""serbench's own, and that of the 2016 suite."""
DEFAULT_WIDTH = 80


def tables(runs: list[Run], width: int | None = None) -> str:
    """Return the tables of `runs` as plain text, no line longer than `width` (80 if None)."""
    out = io.StringIO()
    console = Console(file=out, width=width or DEFAULT_WIDTH, color_system=None, force_terminal=False)
    print_tables(runs, console)
    return "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())


def render(
    runs: list[Run], format: str, width: int | None = None, layout: str = "serbench", extended: bool = False
) -> str:
    """Return `runs` in `format`, one of FORMATS; `width` matters to tables only.

    In the `layout` "published" the formats table and markdown are the 2016 suite's tables in Markdown,
    `extended` or not, and csv is its results.csv. The text ends with a line's end. Raises UserError for an
    unknown format or layout, and for what a layout has not.
    """
    if layout not in LAYOUTS:
        raise unknown("layout", layout, LAYOUTS)
    if format not in FORMATS:
        raise unknown("report format", format, FORMATS)
    if layout == "published":
        if format not in ("table", "markdown", "csv"):
            raise UserError(f"the published layout has no {format}; it has markdown and csv")
        return published_csv(runs) if format == "csv" else published_layout(runs, extended)
    if extended:
        raise UserError("only the published layout has extended tables: --layout published --extended")
    if format == "table":
        return tables(runs, width)
    if any(run.platforms for run in runs) and format != "json":
        return _counts(runs, format)
    if format == "markdown":
        return markdown(runs)
    if format == "csv":
        return to_csv(runs)
    if format in EXCHANGE:
        return EXCHANGE[format](runs)
    return to_json(runs)


def render_relative(
    runs: list[Run], format: str, name: str, among: Sequence[str] = (), width: int | None = None
) -> str:
    """Return `runs` as ratios to the contender `name`, in one of the formats table, markdown, csv and json.

    The geometric means are of the contenders `among`, patterns of names, or of all. Raises UserError for
    another format and for an unknown contender.
    """
    found = [relative(run, name, among) for run in runs]
    if format == "table":
        return relative_text(found, width or DEFAULT_WIDTH)
    if format == "markdown":
        return relative_markdown(found)
    if format == "csv":
        return relative_csv(found)
    if format == "json":
        return relative_json(found)
    raise UserError(f"the format {format} has no place for ratios: table, markdown, csv and json have")


def print_relative_tables(runs: list[Run], console: Console, name: str, among: Sequence[str] = ()) -> None:
    """Print `runs` as ratios to the contender `name` to `console`. Raises UserError for an unknown one."""
    print_relative([relative(run, name, among) for run in runs], console)


def _counts(runs: list[Run], format: str) -> str:
    """Return runs on emulated platforms in `format`. Raises UserError for a format that is for times."""
    if not all(run.platforms for run in runs):
        raise UserError("runs of counts and runs of times do not go into one report: report them one by one")
    if format == "csv" and len({bool(run.counts) for run in runs}) > 1:
        raise UserError("rows of microcontrollers and of an emulated Linux have different columns")
    if format == "csv":
        return counts_csv(runs) if runs[0].counts else to_csv(runs)
    if format == "markdown":
        made = [platform_sections(run) if run.counts else counted_sections(run) for run in runs]
        documents = [counts_document(run, sections) for run, sections in zip(runs, made, strict=True)]
        return "\n".join(markdown_of(document) for document in documents)
    raise UserError(
        f"the format {format} is for times, and these are counts: table, markdown, csv and json have them"
    )
