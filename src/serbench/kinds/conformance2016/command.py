"""`serbench conformance`: what others published beside what comes out today."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from serbench.catalog.selection import DEFAULT_DATASETS, select_rows
from serbench.commands.options import Folders, Prefixes, Timeout
from serbench.commands.progress import shown_progress
from serbench.datasets.spec import parse_spec
from serbench.errors import UserError
from serbench.files import scratch
from serbench.kinds.conformance2016.boards import WRITERS, Written, sizes_published, written_by
from serbench.kinds.conformance2016.comparison import Comparison, compare
from serbench.kinds.conformance2016.facts import LANGUAGES
from serbench.kinds.conformance2016.hashes import Finding, OurDataset, OurRow, unexplained
from serbench.kinds.conformance2016.hashes import conformance as compare_hashes
from serbench.kinds.conformance2016.show import conformance_document
from serbench.platforms.firmware.documents import document_path, load_documents, stated_documents
from serbench.project import RESULTS, ROOT
from serbench.report.terminal import print_document, print_line
from serbench.results.load import load_run, newest_runs
from serbench.run.context import BuildContext
from serbench.run.inputs import open_catalog, open_context, worker_limits
from serbench.run.proving import encoding_records, encodings_of, prove
from serbench.run.readers import needed_rows

UNEXPLAINED = 1
FURTHER_ENCODINGS = ("json-pretty", "ubjson", "ubjson-optimized")
"""Formats whose sizes were published and that no row need have."""


def conformance(
    run: Annotated[
        Path | None,
        typer.Argument(
            metavar="[RUN]",
            help="A run file whose order and ratios to compare; the newest in results/ that has the rows.",
        ),
    ] = None,
    contender: Folders = [],  # noqa: B006 - typer copies its defaults
    prefix: Prefixes = [],  # noqa: B006
    timeout: Timeout = 60.0,
) -> None:
    """Compare what was published in 2016 and 2021 with ours. Exit status 1 if a difference is unexplained."""
    compared, whence = _compared(run)
    catalog = open_catalog(contender, [])
    rows = select_rows(catalog, (), LANGUAGES, ())
    context = open_context(catalog, prefixes=prefix)
    made = context.datasets([parse_spec(text) for text in DEFAULT_DATASETS])
    err = Console(stderr=True, highlight=False)
    with scratch() as folder:
        with shown_progress(err) as progress:
            progress.build(context, needed_rows(context, rows))
            verified = progress.counter("Verifying", context.count(rows) * len(made))
            proven = prove(context, rows, made, folder, worker_limits(timeout), verified)
        findings = compare_hashes(
            [
                OurDataset(
                    record=item.record,
                    rows=[OurRow(record=record, written=verdict.written) for record, _, verdict in item.rows],
                    encodings=encoding_records(encodings_of(context, item.dataset, FURTHER_ENCODINGS)),
                )
                for item in proven
            ]
        )
    findings += _documents(context)
    out = Console(highlight=False)
    print_document(conformance_document(findings, compared), out)
    print_line(out, whence)
    if unexplained(findings):
        raise typer.Exit(UNEXPLAINED)


def _documents(context: BuildContext) -> list[Finding]:
    """The published sizes of small documents, ours, and what the library writes that was measured then."""
    stated = stated_documents(ROOT)
    files = [document_path(ROOT, one) for one in stated]
    written: list[Written] = []
    for name, tool in WRITERS.items():
        try:
            written.append(written_by(name, context.tool(tool), files))
        except UserError as error:
            written.append(Written(name=name, reason=str(error)))
    return sizes_published(stated, load_documents(ROOT, context), written)


def _compared(run: Path | None) -> tuple[list[Comparison], str]:
    """The published order and ratios beside a run's, and a sentence on which run that is.

    Without a `run` it is the newest in the results that has rows of the suite. Raises UserError for a `run`
    that cannot be read.
    """
    if run:
        found = compare(load_run(run))
        if found:
            return found, f"Order and ratios: of {run}."
    else:
        for path, loaded in newest_runs(RESULTS):
            found = [] if loaded.platforms else compare(loaded)  # counts on a platform are no times
            if any(comparison.correlation is not None for comparison in found):
                return found, f"Order and ratios: of {path}, the newest run that has them."
    missing = f"{run} has no" if run else "no run in results/ has"
    return [], (
        f"Order and ratios are not compared: {missing} measured rows of the 2016 suite. "
        "./serbench run --published measures them."
    )
