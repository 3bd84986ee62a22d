"""`history` and `site`: many run files as figures over time, and as a folder that can be published."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from serbench.catalog.selection import split
from serbench.commands.options import Contenders, Force
from serbench.errors import UserError, unknown
from serbench.files import refuse_existing, replace_file
from serbench.project import CACHE, ROOT
from serbench.publish.history.plots import write_charts
from serbench.publish.history.report import chosen_part, history_csv, history_document
from serbench.publish.history.timeline import history_of
from serbench.publish.site.build import build
from serbench.publish.site.folder import write_site
from serbench.report.terminal import print_document, print_line, terminal_text

STORE = CACHE / "history.sqlite3"
FORMATS = ("table", "csv")
Folder = Annotated[Path, typer.Argument(metavar="DIR", help="A folder with run files.")]
out = Console(highlight=False)


def history(
    folder: Folder,
    contenders: Contenders = [],  # noqa: B006 - typer copies its defaults
    format_: Annotated[str, typer.Option("--format", help=", ".join(FORMATS))] = "table",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A file instead of the terminal.")
    ] = None,
    charts: Annotated[
        Path | None, typer.Option("--charts", metavar="DIR", help="Write charts there, as SVG and PNG.")
    ] = None,
    force: Force = False,
) -> None:
    """Show figures over versions and time, and which changes are proved; machines are kept apart."""
    if format_ not in FORMATS:
        raise unknown("history format", format_, FORMATS)
    if charts is not None and (output is not None or format_ != "table"):
        raise UserError("--charts writes charts only, so --format and --output go without it")
    if output is not None:
        refuse_existing(output, force)
    chosen = split(contenders)
    found = chosen_part(history_of(folder, STORE), chosen)
    if charts is not None:
        for path in write_charts(found.timelines, charts, force):
            print_line(out, str(path))
        return
    document = history_document(found, detailed=bool(chosen))
    if format_ == "table" and output is None:
        print_document(document, out)
        return
    made = history_csv(found) if format_ == "csv" else terminal_text(document)
    if output is not None:
        replace_file(output, made.encode())
    else:
        sys.stdout.write(made)


def site(
    folder: Folder,
    target: Annotated[Path, typer.Option("--out", metavar="SITE", help="The folder to make.")],
    address: Annotated[
        str, typer.Option("--url", metavar="URL", help="Where it will be published; for the feed's links.")
    ] = "",
) -> None:
    """Make a folder of pages: answers, changes, libraries over time, every run, the method, a feed."""
    if address and not address.startswith(("http://", "https://")):
        raise UserError(f"{address} is not the address of a site: it begins with https:// or http://")
    count = write_site(build(folder, STORE, ROOT, address), target)
    print_line(out, f"{count} files in {target}; the first page is {target / 'index.html'}")
