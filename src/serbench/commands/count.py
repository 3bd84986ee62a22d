"""`count`: exact counts on emulated platforms."""

import typer

from serbench.catalog.selection import split
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
    chosen_settings,
    refuse_others,
)
from serbench.platforms.counts import Asked, found_platforms
from serbench.run.inputs import Inputs


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
    kind, found = found_platforms(split(platforms))
    if kind.options:
        refuse_others(ctx, "--platform", f"names {found[0].name} here", kind.options)
    asked = Asked(
        platforms=found,
        tests=split(tests),
        languages=split(languages),
        contenders=split(contenders),
        profiles=profile,
    )
    settings = chosen_settings(False, None, profile, 0, True, [], kind.plan(asked, inputs))
    carry_out(RunRequest(settings=settings, inputs=inputs, target=new_run_file(output, force, inputs.read)))
