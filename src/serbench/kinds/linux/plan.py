"""What `count` measures on an emulated Linux, and its steps."""

from collections.abc import Sequence

import msgspec

from serbench.catalog.records import PROFILES
from serbench.catalog.selection import select_rows
from serbench.commands.options import chosen_configurations, times_plan
from serbench.errors import UserError
from serbench.kinds.linux.step import CrossBuildContext, LinuxRun, buildable
from serbench.measure.records import Plan
from serbench.platforms.counts import Asked
from serbench.platforms.records import LinuxPlatform, PlatformManifest
from serbench.results.machine import this_machine
from serbench.run.inputs import Inputs
from serbench.run.kind import Prepared


def plan(asked: Asked, inputs: Inputs) -> Plan:
    """The plan of what is asked for. Raises UserError."""
    specs = inputs.chosen()
    rows = select_rows(inputs.catalog, asked.tests, asked.languages, asked.contenders, published=True)
    made = times_plan(rows, specs, chosen_configurations(asked.profiles))
    return msgspec.structs.replace(made, kind="platforms", platforms=[one.name for one in asked.platforms])


def prepare(plan: Plan, inputs: Inputs, platforms: Sequence[PlatformManifest]) -> Prepared:
    """A step for each platform. Raises UserError for what is not here or not set up."""
    host = inputs.context()
    rows = buildable(inputs.catalog, inputs.rows(plan.rows))
    if not any(row.role == "contender" for row in rows):
        raise UserError("none of the chosen contenders can be built for another processor")
    chosen = {words[0] for words in plan.configurations}
    profiles = [profile for profile in PROFILES if profile in chosen]
    if not profiles:
        raise UserError("the run's plan names no profile to build in")
    contexts = [CrossBuildContext(host, one, profiles) for one in platforms if isinstance(one, LinuxPlatform)]
    specs = inputs.specs(plan.datasets)
    each = len(rows) * len(profiles) * len(specs)
    steps = [
        LinuxRun(context, rows, specs, inputs.limits, first=number * each)
        for number, context in enumerate(contexts)
    ]
    return Prepared(this_machine(host.compilers()), steps)
