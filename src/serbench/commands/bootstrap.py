"""What commands begin with: the catalog, the workshop, and one run from its rows to its run file."""

import os
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.text import Text

from serbench.build.configuration import Configuration
from serbench.catalog.load import load_catalog
from serbench.catalog.records import Catalog, Row
from serbench.commands.progress import stages
from serbench.datasets.store import Dataset
from serbench.errors import UserError
from serbench.measure.noise import activity, disturbances, governor_warning, load_warning, turbo_warning
from serbench.measure.records import Settings
from serbench.project import CACHE, RESULTS, ROOT
from serbench.provision.providers.installed import parse_prefixes
from serbench.provision.uses import parse_uses, with_uses
from serbench.results.journal import journal_path
from serbench.results.schema import Run
from serbench.run.context import BuildContext
from serbench.run.growth import Growth
from serbench.run.probing import probed_rows
from serbench.run.proving import needed_rows
from serbench.run.resume import Interrupted
from serbench.run.session import Session
from serbench.worker.bounds import most_memory
from serbench.worker.process import Limits

LOOK = 0.5
"""Seconds for which the machine is looked at before a run."""


def open_catalog(folders: list[Path], uses: Sequence[str] = ()) -> Catalog:
    """All manifests, those of --contender and what --use makes. Raises UserError."""
    catalog = load_catalog(ROOT, folders)
    return with_uses(catalog, parse_uses(uses, catalog))


def open_context(
    catalog: Catalog,
    configurations: Sequence[Configuration] = (Configuration(),),
    prefixes: Sequence[str] = (),
) -> BuildContext:
    """What provides and builds, with the folders that --prefix names. Raises UserError."""
    usual = [contender for contender in catalog.contenders.values() if contender.checkout is None]
    folders = parse_prefixes(prefixes, usual)
    return BuildContext(catalog, CACHE, configurations, folders, jobs=os.cpu_count() or 1)


def worker_limits(timeout: float) -> Limits:
    """The limits of one worker: most of the machine's memory, and --timeout."""
    return Limits(memory_bytes=most_memory(), timeout=timeout)


def new_run_file(output: Path | None) -> Path:
    """Where the run file goes. Raises UserError when that is a folder, rather than after hours."""
    target = output or RESULTS / f"{datetime.now():%Y-%m-%d-%H%M%S}.json"
    journal_path(target)
    if target.suffix == ".md":
        raise UserError(f"{target} is where the report will stand: let the run file's name end in .json")
    return target


def look(console: Console) -> list[str]:
    """Print what else the machine does, before anything is built or measured; returns it as notes."""
    before = activity()
    time.sleep(LOOK)
    moving = [*disturbances(before, activity()), load_warning()]
    notes = [f"Before measuring: {sentence}" for sentence in moving if sentence]
    notes += [sentence for sentence in (governor_warning(), turbo_warning()) if sentence]
    for sentence in notes:
        console.print(Text(sentence), soft_wrap=True)
    return notes


def carry_out(
    context: BuildContext,
    rows: Sequence[Row],
    datasets: Sequence[Dataset],
    settings: Settings,
    limits: Limits,
    target: Path,
    console: Console,
    notes: Sequence[str] = (),
    interrupted: Interrupted | None = None,
) -> Run:
    """Build, prove and measure `rows`, with progress on `console`; the run file at `target` has `notes`, too.

    An interrupted run comes back incomplete. Nothing stays of a run that measured nothing. Of a run that
    was `interrupted` before, what is missing is measured.
    """
    session = Session(context, settings, limits, target, interrupted)
    try:
        for sentence in [*notes, *look(console)]:
            session.note(sentence)
        with stages(console) as progress:
            probed = probed_rows(context, rows, peers=False) if interrupted is None else []
            wanted = {row.id: row for row in [*needed_rows(context, rows), *probed]}
            progress.build(context, list(wanted.values()))
            verified = progress.counter("Verifying", context.count(rows) * len(datasets))
            return session.execute(rows, datasets, verified, progress.counter, progress.measuring())
    except BaseException:
        session.abandon_if_empty()
        raise


def grow(
    context: BuildContext,
    rows: Sequence[Row],
    kinds: Sequence[str],
    sizes: Sequence[float],
    settings: Settings,
    limits: Limits,
    target: Path,
    console: Console,
    notes: Sequence[str] = (),
) -> Run:
    """Build `rows`, and prove and measure them on one size after the other, with progress on `console`.

    What comes back, and what stays, is as with `carry_out`.
    """
    session = Session(context, settings, limits, target)
    try:
        for sentence in [*notes, *look(console)]:
            session.note(sentence)
        with stages(console) as progress:
            probed = probed_rows(context, rows, peers=False)
            wanted = {row.id: row for row in [*needed_rows(context, rows), *probed]}
            progress.build(context, list(wanted.values()))
            return Growth(session, rows, kinds, progress.counter, progress.measuring()).run(sizes)
    except BaseException:
        session.abandon_if_empty()
        raise
