"""What every command does with the run that it made: reports beside the run file, tables, where it all is."""

from pathlib import Path

import typer
from rich.console import Console

from serbench.commands import show
from serbench.commands.compare import say_differences, say_verdict
from serbench.report.page.make import page
from serbench.report.render import render
from serbench.report.table import print_tables
from serbench.results.journal import replace_file
from serbench.results.schema import Run


def write_reports(run: Run, target: Path, out: Console) -> None:
    """Write report and page beside the run file `target`, print the tables, and say where everything is."""
    _write(run, target)
    print_tables([run], out)
    out.print()
    show.places(out, target)


def conclude(run: Run, target: Path, out: Console, earlier: Run | None = None) -> None:
    """The same for a run that was measured, with what differs from the `earlier` one that it repeats.

    A comparison ends with its verdict instead, and with the status that says it. Exit status 130 if it was
    interrupted.
    """
    if run.settings.comparing is not None:
        if earlier is not None:
            say_differences(out, earlier, run)
        say_verdict(out, run, target)
        return
    _write(run, target)
    print_tables([run], out, notes=False)  # They follow at the end, which a long table leaves in sight.
    if earlier is not None:
        say_differences(out, earlier, run)
    show.closing(out, run, target)
    if not run.complete:
        raise typer.Exit(130)


def _write(run: Run, target: Path) -> None:
    replace_file(target.with_suffix(".md"), render([run], "markdown").encode())
    replace_file(target.with_suffix(".html"), page([run]).encode())
