"""What `count` measures on emulated microcontrollers, and its steps."""

from collections.abc import Sequence

from serbench.catalog.selection import select_rows
from serbench.kinds.microcontroller.step import BoardOnly, MicrocontrollerRun
from serbench.measure.records import Plan
from serbench.platforms.counts import Asked
from serbench.platforms.firmware.inputs import documents_named, documents_of, firmware_context
from serbench.platforms.records import Board, Microcontroller, PlatformManifest
from serbench.results.machine import this_machine
from serbench.run.inputs import Inputs
from serbench.run.kind import Prepared


def plan(asked: Asked, inputs: Inputs) -> Plan:
    """The plan of what is asked for. Raises UserError."""
    context = firmware_context()
    rows = select_rows(context.catalog, contenders=asked.contenders)
    return Plan(
        kind="platforms",
        rows=[row.id for row in rows if row.role == "contender"],
        datasets=[document.name for document in documents_of(inputs.data, context)],
        platforms=[one.name for one in asked.platforms],
    )


def prepare(plan: Plan, inputs: Inputs, platforms: Sequence[PlatformManifest]) -> Prepared:
    """A step for each platform. Raises UserError for what is not here or not set up."""
    context = firmware_context(inputs.prefixes)
    documents = documents_named(plan.datasets, inputs.data, context)
    rows = inputs.rows(plan.rows, context.catalog)
    steps: list[MicrocontrollerRun] = []
    for one in platforms:
        if isinstance(one, Microcontroller):
            first = len(steps) * len(rows) * len(documents)
            steps.append(MicrocontrollerRun(context, one, rows, documents, first))
    boards = [one for one in platforms if isinstance(one, Board)]
    return Prepared(this_machine({}), [*steps, BoardOnly(boards)])
