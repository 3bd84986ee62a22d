"""`report` and `plot`: run files as tables, documents, pages and pictures."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from serbench import kinds
from serbench.catalog.selection import split
from serbench.commands.options import Force
from serbench.errors import UserError, unknown
from serbench.files import refuse_existing, replace_file
from serbench.report.boards import correlations, load_board_times
from serbench.report.brief import brief_document
from serbench.report.document import Document
from serbench.report.markdown import markdown_of
from serbench.report.orders import orders_csv, orders_document, orders_of
from serbench.report.page.make import page
from serbench.report.parts import Layout
from serbench.report.plots import write_plots
from serbench.report.render import FORMATS, document_of, render
from serbench.report.terminal import print_document, print_line, terminal_text
from serbench.results.load import load_run
from serbench.results.losses import exact_part

OWN = "serbench"
LAYOUTS = {layout.name: layout for layout in kinds.found(Layout)}
"""Those beside serbench's own."""
_LAYOUTS = ", or ".join([OWN, *(f"{name}: {layout.about}" for name, layout in LAYOUTS.items())])
out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN..", help="Run files.")],
    format_: Annotated[str, typer.Option("--format", help=", ".join(FORMATS))] = "table",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A file instead of the terminal.")
    ] = None,
    details: Annotated[
        bool, typer.Option("--details", help="With --format table: all rows, columns and notes.")
    ] = False,
    layout: Annotated[
        str,
        typer.Option(
            "--layout",
            help=_LAYOUTS,
        ),
    ] = OWN,
    extended: Annotated[
        bool, typer.Option("--extended", help="With --layout published: its extended tables.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the page, one file for any browser.")
    ] = None,
    relative_to: Annotated[
        str,
        typer.Option("--relative-to", metavar="CONTENDER", help="Show times as ratios to its times."),
    ] = "",
    contenders: Annotated[
        list[str],
        typer.Option("--contenders", metavar="GLOB", help="Whose ratios are averaged."),
    ] = [],  # noqa: B006
    boards: Annotated[
        list[str],
        typer.Option("--boards", metavar="FILE", help="Correlate counts with the times of real boards."),
    ] = [],  # noqa: B006
    orders: Annotated[
        bool,
        typer.Option("--orders", help="Whether the orders of rows hold on the machines of all these runs."),
    ] = False,
    exact: Annotated[
        bool, typer.Option("--exact", help="Leave out rows that lose something of the data.")
    ] = False,
    force: Force = False,
) -> None:
    """Show runs as tables, Markdown, CSV or JSON, or export them for other tools."""
    if format_ not in FORMATS:
        raise unknown("report format", format_, FORMATS)
    if layout not in (OWN, *LAYOUTS):
        raise unknown("layout", layout, [OWN, *LAYOUTS])
    for path in (output, html):
        if path is not None:
            refuse_existing(path, force, [*runs, *boards])
    loaded = [exact_part(run) if exact else run for run in map(load_run, runs)]
    among = split(contenders)
    correlated = [correlations(loaded, load_board_times(boards))] if boards else []
    given = {
        "--details": details,
        "--format": format_ != "table",
        "--output": output is not None,
        "--layout": layout != OWN,
        "--extended": extended,
        "--relative-to": bool(relative_to),
        "--exact": exact,
        "--orders": orders,
    }
    _check(given, among=bool(among), boards=format_ if boards else "", html=html is not None)
    if orders and format_ not in ("table", "markdown", "csv"):
        raise UserError("--orders goes with --format table, markdown or csv only")
    if html is not None:
        replace_file(html, page(loaded).encode())
        return
    if orders:
        found = orders_of(loaded)
        if format_ == "csv":
            made = orders_csv(found)
        elif format_ == "table" and output is None:
            print_document(orders_document(found, details), out)
            return
        else:
            document = orders_document(found, details or format_ == "markdown")
            made = markdown_of(document) if format_ == "markdown" else terminal_text(document)
    elif layout in LAYOUTS:
        made = LAYOUTS[layout].render(loaded, format_, extended)
    elif format_ in ("table", "markdown"):
        width = out.width if output is None else None
        if format_ == "table" and not details and not relative_to:
            document = Document([part for run in loaded for part in brief_document(run, width).sections])
        else:
            document = document_of(loaded, format_, relative_to, among)
        document.sections += correlated
        if format_ == "table" and output is None:
            print_document(document, out)
            return
        made = terminal_text(document) if format_ == "table" else markdown_of(document)
    else:
        made = render(loaded, format_, None, relative_to, among)
    if output is not None:
        replace_file(output, made.encode())
    else:
        sys.stdout.write(made)


def _check(given: dict[str, bool], among: bool, boards: str, html: bool) -> None:
    """Raise UserError for options that cannot go together; `boards` is the format beside --boards."""
    if among and not given["--relative-to"]:
        raise UserError("--contenders says whose ratios are averaged, so it goes with --relative-to")
    others = html or given["--relative-to"] or given["--layout"]
    if boards and (others or boards not in ("table", "markdown")):
        raise UserError("--boards goes with --format table or markdown only")
    if given["--details"] and (given["--format"] or given["--layout"] or given["--relative-to"]):
        raise UserError("--details goes with the usual table only; other formats and layouts have all rows")
    for option in (name for name, is_given in given.items() if html and is_given):
        raise UserError(f"--html writes the page, which has all views in it, so {option} goes without it")
    if given["--orders"] and (given["--layout"] or given["--relative-to"] or boards):
        raise UserError("--orders goes with the usual layout only")
    if given["--layout"] and given["--relative-to"]:
        raise UserError("--relative-to goes with the usual layout only")
    if given["--extended"] and not given["--layout"]:
        raise UserError("only the published layout has extended tables: --layout published --extended")


def plot(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run file.")],
    folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where to write them.")],
    old: Annotated[
        Path | None, typer.Option("--old", metavar="RUN", help="An older run, for a plot of what changed.")
    ] = None,
    force: Force = False,
) -> None:
    """Write plots of a run for documents, as SVG and PNG."""
    for path in write_plots(load_run(run), folder, load_run(old) if old else None, force):
        print_line(out, str(path))
