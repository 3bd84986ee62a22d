"""`limits`: how large a document libraries take."""

from typing import Annotated

from serbench.commands.carry_out import carry_out_probe
from serbench.commands.options import Contenders, Folders, Force, IgnoreLock, Languages, Output, how
from serbench.errors import UserError
from serbench.measure.records import Plan
from serbench.run.inputs import Inputs
from serbench.run.probing import chosen_rows

HEAP_MB = 64
"""Small enough for a library's search to take about half a minute."""


def limits(
    languages: Languages = [],  # noqa: B006 - typer copies its defaults
    contenders: Contenders = [],  # noqa: B006
    contender: Folders = [],  # noqa: B006
    heap: Annotated[
        int | None, how("--heap", min=16, max=65_536, help=f"MB of heap; {HEAP_MB} if not given.")
    ] = None,
    default_heap: Annotated[
        bool, how("--default-heap", help="The runtime's own, as in the 2020 comparison; takes long.")
    ] = False,
    output: Output = None,
    force: Force = False,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Find the largest document that each library encodes, and decodes, in languages that have probes."""
    if default_heap and heap is not None:
        raise UserError("--heap and --default-heap exclude each other")
    inputs = Inputs(contender, ignore_lock=ignore_lock)
    rows = chosen_rows(inputs.catalog, "limits", languages, contenders)
    plan = Plan(kind="limits", rows=rows, heap_mb=None if default_heap else heap or HEAP_MB)
    carry_out_probe(plan, inputs, output, force)
