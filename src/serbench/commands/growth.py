"""`growth`: times over payload size."""

import sys
from typing import Annotated

import typer
from rich.console import Console

from serbench.catalog.selection import split
from serbench.commands.bootstrap import grow, new_run_file, open_catalog, open_context, worker_limits
from serbench.commands.options import Contenders, Folders, IgnoreLock, Output, Seed, Timeout
from serbench.commands.outcome import conclude
from serbench.measure.machine_lock import machine_lock
from serbench.run.growth import growth_kinds, growth_rows, growth_settings, growth_sizes
from serbench.run.growth_plan import SIZES

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def growth(
    budget: Annotated[
        float, typer.Option("--budget", min=10.0, help="Seconds for all sizes, their proofs included.")
    ] = 500.0,
    contenders: Contenders = [],  # noqa: B006 - typer copies its defaults
    contender: Folders = [],  # noqa: B006
    datasets: Annotated[
        list[str],
        typer.Option("--datasets", metavar="KIND", help="records, records:unmapped, records-distinct, ..."),
    ] = [],  # noqa: B006
    sizes: Annotated[
        list[str],
        typer.Option(
            "--sizes", metavar="MB", help=f"Megabytes; {', '.join(f'{s:g}' for s in SIZES)} if not given."
        ),
    ] = [],  # noqa: B006
    output: Output = None,
    seed: Seed = 0,
    timeout: Timeout = 60.0,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Measure JavaScript libraries against JSON over payload size, as far as time and memory go."""
    catalog = open_catalog(contender)
    kinds, ladder = growth_kinds(split(datasets)), growth_sizes(split(sizes))
    rows = growth_rows(catalog, split(contenders), kinds)
    target = new_run_file(output)
    settings = growth_settings(sys.argv[1:], budget, seed)
    with machine_lock(ignore_lock) as notes:
        context = open_context(catalog)
        limits = worker_limits(timeout)
        result = grow(context, rows, kinds, ladder, settings, limits, target, err, notes)
    conclude(result, target, out)
