"""The one door to all formats."""

import io

from rich.console import Console

from serbench.errors import unknown
from serbench.report.export import to_csv, to_json
from serbench.report.markdown import markdown
from serbench.report.table import print_tables
from serbench.results.schema import Run

FORMATS = ("table", "markdown", "csv", "json")
DEFAULT_WIDTH = 80


def tables(runs: list[Run], width: int | None = None) -> str:
    """Return the tables of `runs` as plain text, no line longer than `width` (80 if None)."""
    out = io.StringIO()
    console = Console(file=out, width=width or DEFAULT_WIDTH, color_system=None, force_terminal=False)
    print_tables(runs, console)
    return "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())


def render(runs: list[Run], format: str, width: int | None = None) -> str:
    """Return `runs` in `format`, one of FORMATS; `width` matters to tables only.

    The text ends with a line's end. Raises UserError for an unknown format.
    """
    if format == "table":
        return tables(runs, width)
    if format == "markdown":
        return markdown(runs)
    if format == "csv":
        return to_csv(runs)
    if format == "json":
        return to_json(runs)
    raise unknown("report format", format, FORMATS)
