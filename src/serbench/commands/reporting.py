"""`report` and `plot`: run files as tables, documents, pages and pictures."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from serbench.catalog.selection import split
from serbench.errors import UserError, unknown
from serbench.report.boards import correlations, load_board_times
from serbench.report.document import Document
from serbench.report.markdown import markdown_of
from serbench.report.page.make import page
from serbench.report.plots import write_plots
from serbench.report.render import FORMATS, LAYOUTS, print_relative_tables, render, render_relative
from serbench.report.table import print_tables
from serbench.report.terminal import print_document
from serbench.results.journal import replace_file
from serbench.results.load import load_run

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN..", help="Run files.")],
    format_: Annotated[str, typer.Option("--format", help=", ".join(FORMATS))] = "table",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A file instead of the terminal.")
    ] = None,
    layout: Annotated[
        str, typer.Option("--layout", help="serbench, or published: the 2016 suite's tables.")
    ] = "serbench",
    extended: Annotated[
        bool, typer.Option("--extended", help="With --layout published: its extended tables.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the page, one file for any browser.")
    ] = None,
    relative_to: Annotated[
        str, typer.Option("--relative-to", metavar="CONTENDER", help="Times as ratios to this one's.")
    ] = "",
    contenders: Annotated[
        list[str], typer.Option("--contenders", metavar="GLOB", help="Whose ratios to average.")
    ] = [],  # noqa: B006
    boards: Annotated[
        list[str],
        typer.Option("--boards", metavar="FILE", help="Correlate counts with the times of real boards."),
    ] = [],  # noqa: B006
) -> None:
    """Show runs as tables, Markdown, CSV or JSON, or export them for other tools."""
    if format_ not in FORMATS:
        raise unknown("report format", format_, FORMATS)
    loaded = [load_run(path) for path in runs]
    among = split(contenders)
    if among and not relative_to:
        raise UserError("--contenders says whose ratios are averaged, so it goes with --relative-to")
    if boards:
        correlated = Document([correlations(loaded, load_board_times(boards))])
        if format_ not in ("table", "markdown") or html is not None or relative_to or layout != "serbench":
            raise UserError("--boards goes with --format table or markdown only")
    if layout not in LAYOUTS:
        raise unknown("layout", layout, LAYOUTS)
    if html is not None:
        beside = {"--format": format_ != "table", "--output": output is not None}
        beside |= {
            "--layout": layout != "serbench",
            "--extended": extended,
            "--relative-to": bool(relative_to),
        }
        for option in (name for name, given in beside.items() if given):
            raise UserError(f"--html writes the page, which has all views in it, so {option} goes without it")
        replace_file(html, page(loaded).encode())
        return
    if layout != "serbench" and relative_to:
        raise UserError("--relative-to goes with the usual layout only")
    if format_ == "table" and output is None and layout == "serbench":
        if relative_to:
            print_relative_tables(loaded, out, relative_to, among)
        else:
            print_tables(loaded, out)
        if boards:
            out.print()
            print_document(correlated, out)
        return
    made = (
        render_relative(loaded, format_, relative_to, among)
        if relative_to
        else render(loaded, format_, layout=layout, extended=extended)
    )
    if boards:
        made += "\n" + markdown_of(correlated)
    if output is not None:
        replace_file(output, made.encode())
    else:
        sys.stdout.write(made)


def plot(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run file.")],
    folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where to write them.")],
    old: Annotated[
        Path | None, typer.Option("--old", metavar="RUN", help="An older run, for a plot of what changed.")
    ] = None,
) -> None:
    """Write plots of a run for documents, as SVG and PNG."""
    for path in write_plots(load_run(run), folder, load_run(old) if old else None):
        out.print(escape(str(path)), soft_wrap=True)
