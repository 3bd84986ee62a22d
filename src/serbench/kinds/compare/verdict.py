"""The verdict of a comparison, on a terminal and as the exit status."""

from pathlib import Path

import typer
from rich.console import Console

from serbench.commands.outcome import INTERRUPTED
from serbench.kinds.compare.contenders import compare_contenders
from serbench.kinds.compare.report import comparison_document, summary
from serbench.report.compared import Comparison
from serbench.report.terminal import print_document, print_line
from serbench.results.schema import Run
from serbench.run.resume import command_for

SLOWER, BROKEN = 1, 3
"""Exit statuses."""


def finish_comparison(out: Console, found: Comparison) -> None:
    """Print a comparison with its verdict, and end with the status that says it."""
    print_document(comparison_document(found), out)
    print_line(out, f"Verdict: {summary(found)}", "bold")
    if found.slower:
        raise typer.Exit(SLOWER)
    if found.broken or not found.rows:
        raise typer.Exit(BROKEN)


def print_verdict(run: Run, target: Path, out: Console) -> None:
    """Print the verdict of a run of two contenders, and end with the status that says it."""
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
