"""`strict`: what readers take and refuse."""

from typing import Annotated

from serbench.catalog.selection import select_rows, split
from serbench.commands.carry_out import carry_out_probe
from serbench.commands.options import Contenders, Folders, Force, IgnoreLock, Output, how
from serbench.errors import UserError
from serbench.kinds.strict.step import DAMAGED, READING, readers_among
from serbench.measure.records import Plan
from serbench.run.inputs import Inputs


def strict(
    contenders: Contenders = [],  # noqa: B006 - typer copies its defaults
    contender: Folders = [],  # noqa: B006
    damaged: Annotated[
        int, how("--damaged", min=0, max=1_000_000, help="Damaged encodings for each reader.")
    ] = DAMAGED,
    output: Output = None,
    force: Force = False,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Show what readers take and refuse of valid, invalid and damaged documents of their format."""
    inputs = Inputs(contender, ignore_lock=ignore_lock)
    rows = readers_among(inputs.catalog, select_rows(inputs.catalog, READING, (), split(contenders)))
    if not rows:
        raise UserError("there are no cases for the formats of these contenders: see formats/cases")
    plan = Plan(kind="strict", rows=[row.id for row in rows], damaged=damaged)
    carry_out_probe(plan, inputs, output, force)
