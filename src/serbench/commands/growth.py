"""`growth`: times over payload size."""

import sys
from typing import Annotated

import typer
from rich.console import Console

from serbench.commands.outcome import conclude
from serbench.growth import growth_kinds, growth_rows, growth_settings, growth_sizes
from serbench.growth_plan import SIZES
from serbench.measure.alone import alone
from serbench.opening import grow, new_run_file, open_catalog, open_workshop, worker_limits
from serbench.options import Contenders, EvenIfBusy, Folders, Output, Seed, Timeout
from serbench.selection import split

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
    even_if_busy: EvenIfBusy = False,
) -> None:
    """Measure JavaScript libraries against JSON over payload size, as far as time and memory go."""
    catalog = open_catalog(contender)
    kinds, ladder = growth_kinds(split(datasets)), growth_sizes(split(sizes))
    rows = growth_rows(catalog, split(contenders), kinds)
    target = new_run_file(output)
    settings = growth_settings(sys.argv[1:], budget, seed)
    with alone(even_if_busy) as notes:
        workshop = open_workshop(catalog)
        limits = worker_limits(timeout)
        result = grow(workshop, rows, kinds, ladder, settings, limits, target, err, notes)
    conclude(result, target, out)
