"""`growth`: times over payload size."""

from typing import Annotated

from serbench.catalog.selection import split
from serbench.commands.bootstrap import new_run_file
from serbench.commands.carry_out import RunRequest, carry_out
from serbench.commands.options import (
    MOST_SECONDS,
    Contenders,
    Folders,
    Force,
    IgnoreLock,
    Output,
    Seed,
    Timeout,
    how,
    what,
)
from serbench.kinds.growth.plan import SIZES, growth_kinds, growth_rows, growth_settings, growth_sizes
from serbench.measure.records import Plan
from serbench.run.inputs import Inputs


def growth(
    budget: Annotated[
        float,
        how("--budget", min=10.0, max=MOST_SECONDS, help="Seconds for all sizes, their proofs included."),
    ] = 500.0,
    contenders: Contenders = [],  # noqa: B006 - typer copies its defaults
    contender: Folders = [],  # noqa: B006
    datasets: Annotated[
        list[str], what("--datasets", metavar="KIND", help="records, records:unmapped, records-distinct, ...")
    ] = [],  # noqa: B006
    sizes: Annotated[
        list[str],
        what("--sizes", metavar="MB", help=f"Megabytes; {', '.join(f'{s:g}' for s in SIZES)} if not given."),
    ] = [],  # noqa: B006
    output: Output = None,
    force: Force = False,
    seed: Seed = 0,
    timeout: Timeout = 60.0,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Measure libraries against the reference of their language over payload size."""
    inputs = Inputs(contender, timeout=timeout, ignore_lock=ignore_lock)
    kinds, ladder = growth_kinds(split(datasets)), growth_sizes(split(sizes))
    rows = [row.id for row in growth_rows(inputs.catalog, split(contenders), kinds)]
    plan = Plan(kind="growth", rows=rows, datasets=kinds, sizes=ladder)
    settings = growth_settings(budget, seed, plan)
    carry_out(RunRequest(settings=settings, inputs=inputs, target=new_run_file(output, force)))
