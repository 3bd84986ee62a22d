"""What every command does with the run that it made: reports beside the run file, tables, where it all is."""

from pathlib import Path

import typer
from rich.console import Console

from serbench.commands import show
from serbench.errors import UserError
from serbench.files import replace_file
from serbench.report.brief import brief_document
from serbench.report.compare import compare_contenders
from serbench.report.compare_report import comparison_document, summary
from serbench.report.compared import Comparison
from serbench.report.differences import differences
from serbench.report.page.make import page
from serbench.report.render import render
from serbench.report.terminal import print_document, print_line
from serbench.results.schema import Run
from serbench.run.resume import command_for

SLOWER, MISSING, BROKEN, INTERRUPTED = 1, 1, 3, 130
"""Exit statuses; 2 is a UserError's."""


def conclude(
    run: Run, target: Path, out: Console, earlier: Run | None = None, incomplete: int = INTERRUPTED
) -> None:
    """Report a run, or print a comparison's verdict, and end with the exit status that says what happened.

    That is `incomplete` if the run is not complete, and MISSING if none of its rows was proved. If it repeats
    an `earlier` run, the report says what else differs.
    """
    if run.settings.comparing is None:
        write_reports(run, target, out, earlier)
        if not run.complete:
            raise typer.Exit(incomplete)
        rows = [row for row in run.rows if row.role == "contender"]  # none where libraries were probed
        if rows and not any(row.status == "ok" for row in rows):
            raise typer.Exit(MISSING)
        return
    if earlier is not None:
        _print_differences(out, earlier, run)
    _print_verdict(out, run, target)


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


def finish_comparison(out: Console, found: Comparison) -> None:
    """Print a comparison with its verdict, and end with the status that says it."""
    print_document(comparison_document(found), out)
    print_line(out, f"Verdict: {summary(found)}", "bold")
    if found.slower:
        raise typer.Exit(SLOWER)
    if found.broken or not found.rows:
        raise typer.Exit(BROKEN)


def _print_verdict(out: Console, run: Run, target: Path) -> None:
    asked = run.settings.comparing
    assert asked is not None
    for note in run.notes:
        print_line(out, f"Note: {note}")
    print_line(out, f"Run file: {target}")
    found = compare_contenders(run, asked.new, asked.old, asked.threshold)
    if run.complete:
        finish_comparison(out, found)
        return
    print_document(comparison_document(found), out)
    out.print("The comparison was interrupted, so there is no verdict. This measures the rest:")
    print_line(out, f"  {command_for(run, target)}")
    raise typer.Exit(INTERRUPTED)


def _print_differences(out: Console, earlier: Run, later: Run) -> None:
    said = differences(earlier, later)
    print_line(out, f"Repeats the run {earlier.id}" + (", but:" if said else ", with nothing changed."))
    for sentence in said:
        print_line(out, f"! {sentence}")
