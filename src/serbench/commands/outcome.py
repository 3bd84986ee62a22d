"""What every command does with the run that it made: reports beside the run file, tables, where it all is."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import typer
from rich.console import Console

from serbench.commands import show
from serbench.errors import UserError
from serbench.files import replace_file
from serbench.kinds import found
from serbench.report.brief import brief_document
from serbench.report.differences import differences
from serbench.report.page.make import page
from serbench.report.render import render
from serbench.report.terminal import print_document, print_line
from serbench.results.schema import Run

MISSING, INTERRUPTED = 1, 130
"""Exit statuses; 2 is a UserError's."""


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """What is said of a kind of run in the place of reports, tables and the usual exit status."""

    is_of: Callable[[Run], bool]
    """Whether it is for this run."""
    conclude: Callable[[Run, Path, Console], None]
    """Raises typer.Exit with another status than 0."""


def conclude(
    run: Run, target: Path, out: Console, earlier: Run | None = None, incomplete: int = INTERRUPTED
) -> None:
    """Report a run, or print a comparison's verdict, and end with the exit status that says what happened.

    That is `incomplete` if the run is not complete, and MISSING if none of its rows was proved. If it repeats
    an `earlier` run, the report says what else differs.
    """
    own = next((ending for ending in found(Ending) if ending.is_of(run)), None)
    if own is not None:
        if earlier is not None:
            _print_differences(out, earlier, run)
        own.conclude(run, target, out)
        return
    write_reports(run, target, out, earlier)
    if not run.complete:
        raise typer.Exit(incomplete)
    rows = [row for row in run.rows if row.role == "contender"]  # none where libraries were probed
    if rows and not any(row.status == "ok" for row in rows):
        raise typer.Exit(MISSING)


def write_reports(run: Run, target: Path, out: Console, earlier: Run | None = None) -> None:
    """Write report and page beside the run file `target`, print the tables, and say where everything is."""
    replace_file(target.with_suffix(".md"), render([run], "markdown").encode())
    print_document(brief_document(run, out.width), out)
    try:
        drawn = page([run])
    except UserError as error:
        raise UserError(f"{error}. The run file {target} has all figures.") from error
    replace_file(target.with_suffix(".html"), drawn.encode())
    if earlier is not None:
        _print_differences(out, earlier, run)
    show.closing(out, run, target)


def _print_differences(out: Console, earlier: Run, later: Run) -> None:
    said = differences(earlier, later)
    print_line(out, f"Repeats the run {earlier.id}" + (", but:" if said else ", with nothing changed."))
    for sentence in said:
        print_line(out, f"! {sentence}")
