"""`serbench conformance`: what the 2016 suite published, held against what comes out today."""

import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from serbench.datasets.spec import parse_spec
from serbench.opening import open_catalog, open_workshop, worker_limits
from serbench.options import Folders, Prefixes, Timeout
from serbench.proving import encoding_records, encodings_of, needed_rows, prove
from serbench.report.published.comparison import compare
from serbench.report.published.conformance import OurDataset, OurRow, unexplained
from serbench.report.published.conformance import conformance as held_against
from serbench.report.published.show import print_conformance
from serbench.results.load import load_run
from serbench.selection import DEFAULT_DATASETS, select_rows
from serbench.stages import stages

UNEXPLAINED = 1
FURTHER_ENCODINGS = ("json-pretty", "ubjson", "ubjson-optimized")
"""Formats whose sizes were published and that no row need have."""


def conformance(
    run: Annotated[
        Path | None, typer.Argument(metavar="[RUN]", help="A run file whose order and ratios to compare.")
    ] = None,
    contender: Folders = [],  # noqa: B006 - typer copies its defaults
    prefix: Prefixes = [],  # noqa: B006
    timeout: Timeout = 60.0,
) -> None:
    """Hold what the 2016 suite published against ours. Exit status 1 if a difference is unexplained."""
    loaded = load_run(run) if run else None
    catalog = open_catalog(contender, [])
    rows = select_rows(catalog, (), ["c", "cpp", "zig"], ())
    workshop = open_workshop(catalog, prefixes=prefix)
    made = workshop.datasets([parse_spec(text) for text in DEFAULT_DATASETS])
    err = Console(stderr=True, highlight=False)
    with tempfile.TemporaryDirectory(prefix="serbench-") as folder:
        with stages(err) as progress:
            progress.build(workshop, needed_rows(workshop, rows))
            verified = progress.counter("Verifying", workshop.count(rows) * len(made))
            proven = prove(workshop, rows, made, Path(folder), worker_limits(timeout), verified)
        findings = held_against(
            [
                OurDataset(
                    record=item.record,
                    rows=[OurRow(record=record, written=verdict.written) for record, _, verdict in item.rows],
                    encodings=encoding_records(encodings_of(workshop, item.dataset, FURTHER_ENCODINGS)),
                )
                for item in proven
            ]
        )
    out = Console(highlight=False)
    print_conformance(findings, compare(loaded) if loaded else [], out)
    if unexplained(findings):
        raise typer.Exit(UNEXPLAINED)
