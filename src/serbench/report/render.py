"""The one door to all formats."""

import io

from rich.console import Console

from serbench.errors import UserError, unknown
from serbench.report.export import to_csv, to_json
from serbench.report.markdown import markdown
from serbench.report.published.layout import published_layout
from serbench.report.published.results_csv import published_csv
from serbench.report.table import print_tables
from serbench.results.schema import Run

FORMATS = ("table", "markdown", "csv", "json")
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
        if format == "json":
            raise UserError("the published layout has no JSON; it has markdown and csv")
        return published_csv(runs) if format == "csv" else published_layout(runs, extended)
    if extended:
        raise UserError("only the published layout has extended tables: --layout published --extended")
    if format == "table":
        return tables(runs, width)
    if format == "markdown":
        return markdown(runs)
    if format == "csv":
        return to_csv(runs)
    return to_json(runs)
