"""`count`: exact counts on emulated platforms."""

import msgspec
import typer

from serbench.catalog.selection import select_rows, split
from serbench.commands import platform
from serbench.commands.bootstrap import new_run_file
from serbench.commands.carry_out import RunRequest, carry_out
from serbench.commands.options import (
    Contenders,
    Data,
    Datasets,
    Folders,
    Force,
    IgnoreLock,
    Languages,
    Output,
    Platforms,
    Prefixes,
    Profiles,
    Tests,
    Timeout,
    Uses,
    chosen_configurations,
    chosen_settings,
    refuse_others,
    times_plan,
)
from serbench.run.inputs import Inputs

OF_MICROCONTROLLERS = ("--data", "--prefix", "--ignore-lock", "--output", "--force", "--contenders")


def count(
    ctx: typer.Context,
    platforms: Platforms,
    tests: Tests = [],  # noqa: B006 - typer copies its defaults
    languages: Languages = [],  # noqa: B006
    contenders: Contenders = [],  # noqa: B006
    contender: Folders = [],  # noqa: B006
    datasets: Datasets = [],  # noqa: B006
    data: Data = [],  # noqa: B006
    prefix: Prefixes = [],  # noqa: B006
    use: Uses = [],  # noqa: B006
    profile: Profiles = [],  # noqa: B006
    output: Output = None,
    force: Force = False,
    timeout: Timeout = 60.0,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Count instructions, or cycles, and memory on emulated platforms; takes no times."""
    inputs = Inputs(contender, use, data, prefix, timeout, ignore_lock, datasets)
    found = platform.found_platforms(split(platforms))
    if platform.is_linux(found):
        specs = inputs.chosen()
        chosen = split(tests), split(languages), split(contenders)
        rows = select_rows(inputs.catalog, *chosen, published=True)
        plan = times_plan(rows, specs, chosen_configurations(profile))
        plan = msgspec.structs.replace(plan, kind="platforms", platforms=[one.name for one in found])
    else:
        refuse_others(ctx, "--platform", "names microcontrollers here", OF_MICROCONTROLLERS)
        plan = platform.firmware_plan(found, split(contenders), data)
    settings = chosen_settings(False, None, profile, 0, True, [], plan)
    carry_out(RunRequest(settings=settings, inputs=inputs, target=new_run_file(output, force, inputs.read)))
