"""`fidelity` and `limits`: what libraries in JavaScript change and carry, and how large a document may be."""

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from serbench import __version__
from serbench.catalog.records import Catalog, Row
from serbench.catalog.selection import select_rows, split
from serbench.commands.bootstrap import new_run_file, open_catalog, open_context, worker_limits
from serbench.commands.options import Contenders, Folders, IgnoreLock, Output
from serbench.commands.outcome import write_reports
from serbench.commands.progress import ProgressDisplay, stages
from serbench.errors import UserError, readable
from serbench.measure.machine_lock import machine_lock
from serbench.measure.precision import settings_for
from serbench.probe.limits import Room
from serbench.probe.records import Payload
from serbench.project import ROOT
from serbench.results.journal import complete
from serbench.results.machine import this_machine
from serbench.results.revision import own_revision
from serbench.results.schema import Run
from serbench.run.context import BuildContext
from serbench.run.probing import LANGUAGE, fidelity_of, payloads_of, probed_rows
from serbench.verify.proof_cache import ProofCache
from serbench.worker.bounds import free_memory

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

HEAP_MB = 64
"""Small enough for a library's search to take about half a minute."""
SECONDS, SECONDS_DEFAULT_HEAP = 60.0, 300.0
"""The longest that one attempt may take, with a fixed heap and with Node's default."""
MOST_AMPLE_MB = 4096
Fill = Callable[[BuildContext, Run, ProgressDisplay], None]


def fidelity(
    contenders: Contenders = [],  # noqa: B006 - typer copies its defaults
    contender: Folders = [],  # noqa: B006
    output: Output = None,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Show what libraries in JavaScript change, refuse and carry besides the data."""
    catalog, rows, target = _asked_for(contenders, contender, output)

    def fill(context: BuildContext, run: Run, progress: ProgressDisplay) -> None:
        progress.build(context, probed_rows(context, rows, peers=True))
        memory = ProofCache(context.cache / "proofs")
        run.fidelity += fidelity_of(context, rows, memory, progress.counter)

    _carry_out(catalog, target, ignore_lock, fill)


def limits(
    contenders: Contenders = [],  # noqa: B006
    contender: Folders = [],  # noqa: B006
    heap: Annotated[
        int | None, typer.Option("--heap", min=16, max=65_536, help=f"MB of heap; {HEAP_MB} if not given.")
    ] = None,
    default_heap: Annotated[
        bool, typer.Option("--default-heap", help="Node's own, as in the 2020 comparison; takes long.")
    ] = False,
    output: Output = None,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Find the largest document that each library in JavaScript encodes, and decodes."""
    if default_heap and heap is not None:
        raise UserError("--heap and --default-heap exclude each other")
    catalog, rows, target = _asked_for(contenders, contender, output)

    def fill(context: BuildContext, run: Run, progress: ProgressDisplay) -> None:
        heap_mb = None if default_heap else heap or HEAP_MB
        room = Room(
            heap_mb=heap_mb,
            # Never less than what is searched with, or making the input would be the limit.
            ample_mb=max(MOST_AMPLE_MB // 4, heap_mb or 0, min(MOST_AMPLE_MB, free_memory() // 2 // 2**20)),
            seconds=SECONDS_DEFAULT_HEAP if default_heap else SECONDS,
            memory_bytes=worker_limits(SECONDS).memory_bytes,
        )
        chosen = [row for row in rows if row.contender.manifest.role == "contender"]
        probed = probed_rows(context, rows, peers=False)
        progress.build(context, list({row.id: row for row in [*chosen, *probed]}.values()))
        memory = ProofCache(context.cache / "proofs")
        run.fidelity += fidelity_of(context, rows, memory, progress.counter, peers=False)
        found: list[Payload] = run.payloads
        jobs = 1 if default_heap else context.jobs
        with tempfile.TemporaryDirectory(prefix="serbench-") as folder:
            payloads_of(context, rows, room, Path(folder), jobs, found.append, progress.counter)

    _carry_out(catalog, target, ignore_lock, fill)


def _asked_for(
    contenders: list[str], folders: list[Path], output: Path | None
) -> tuple[Catalog, list[Row], Path]:
    """What both commands begin with. Raises UserError."""
    catalog = open_catalog(folders)
    rows = select_rows(catalog, (), [LANGUAGE], split(contenders))
    return catalog, rows, new_run_file(output)


def _carry_out(catalog: Catalog, target: Path, ignore_lock: bool, fill: Fill) -> None:
    """Fill a run while no other is going on; write its file and its reports, and print its tables.

    Raises UserError while there is another, unless `ignore_lock`.
    """
    with machine_lock(ignore_lock) as notes:
        run = _filled(open_context(catalog), target, fill, notes)
    complete(run, target)
    write_reports(run, target, out)
    if not run.complete:
        raise typer.Exit(130)


def _filled(context: BuildContext, target: Path, fill: Fill, notes: Sequence[str]) -> Run:
    """Return a run with `notes` and with what `fill` found, also if that was interrupted."""
    began = time.monotonic()
    run = Run(
        serbench=__version__,
        revision=own_revision(ROOT),
        id=readable(target.stem),
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        machine=this_machine(context.compilers()),
        settings=settings_for("quick", sys.argv[1:], None, [], 0, True, False),
        notes=list(notes),
    )
    try:
        with stages(err) as progress:
            fill(context, run, progress)
        run.complete = True
    except KeyboardInterrupt:
        if not run.payloads:
            raise
    run.finished = datetime.now(UTC).isoformat(timespec="seconds")
    run.seconds = round(time.monotonic() - began, 3)
    return run
