"""`resume` and `repeat`: what is missing of an interrupted run, and a run once more."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console

from serbench.build.configuration import ALLOCATORS, Configuration
from serbench.build.processor import LEVELS
from serbench.catalog.records import PROFILES, Catalog
from serbench.commands.bootstrap import new_run_file
from serbench.commands.carry_out import RunRequest, carry_out
from serbench.commands.options import (
    Certificates,
    Data,
    Folders,
    Force,
    IgnoreLock,
    On,
    Output,
    Prefixes,
    Timeout,
    Uses,
)
from serbench.commands.outcome import conclude
from serbench.commands.schema import KeepGenerated
from serbench.errors import UserError
from serbench.measure.records import Plan
from serbench.platforms.counts import plan_of_counts
from serbench.results.journal import complete, journal_path
from serbench.results.load import load_run
from serbench.results.schema import Run
from serbench.run.inputs import Inputs
from serbench.run.resume import Interrupted, command_for, find_interrupted, resumption_of


def resume(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run file or journal of the run.")],
    contender: Folders = [],  # noqa: B006 - typer copies its defaults
    data: Data = [],  # noqa: B006
    prefix: Prefixes = [],  # noqa: B006
    use: Uses = [],  # noqa: B006
    keep: KeepGenerated = None,
    on: On = None,
    certificates: Certificates = None,
    timeout: Timeout = 60.0,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Finish an interrupted run, with the options that said where its data and libraries are."""
    inputs = Inputs(contender, use, data, prefix, timeout, ignore_lock, generated=keep)
    finish(find_interrupted(run), inputs, "resume", on, certificates)


def finish(
    interrupted: Interrupted,
    inputs: Inputs,
    command: str,
    on: str | None = None,
    certificates: Path | None = None,
) -> None:
    """Measure, for a `command`, what is missing of an interrupted run.

    Raises UserError where it can no longer be the same, and for a run that another command finishes.
    """
    run, target = interrupted.run, interrupted.target
    if bool(run.hosts) != (on is not None) and not run.complete:
        how = "was measured on many machines: add --on ADDRESS" if run.hosts else "has no --on: leave it out"
        raise UserError(f"the run {how}")
    if resumption_of(run).command[0] != command:
        raise UserError(f"that run is finished with {command_for(run, target)}")
    if run.complete:
        with interrupted.held():
            complete(run, target)
            journal_path(target).unlink(missing_ok=True)
        conclude(run, target, Console(highlight=False))
        return
    request = RunRequest(settings=run.settings, inputs=inputs, target=target, interrupted=interrupted)
    try:
        carry_out(request, on, certificates)
    except KeyboardInterrupt as error:
        error.args = (f"nothing more was measured; {command_for(run, target)} goes on",)
        raise


def repeat(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run file of the run.")],
    contender: Folders = [],  # noqa: B006 - typer copies its defaults
    data: Data = [],  # noqa: B006
    prefix: Prefixes = [],  # noqa: B006
    use: Uses = [],  # noqa: B006
    output: Output = None,
    force: Force = False,
    keep: KeepGenerated = None,
    timeout: Timeout = 60.0,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Measure once more what a run measured, with its settings, and say what else differs."""
    inputs = Inputs(contender, use, data, prefix, timeout, ignore_lock, generated=keep)
    earlier = load_run(run)
    target = new_run_file(output, force, [run, *inputs.read])
    plan = plan_of_counts(earlier) if earlier.platforms else plan_of(earlier, inputs.catalog)
    settings = msgspec.structs.replace(earlier.settings, plan=plan)
    carry_out(RunRequest(settings=settings, inputs=inputs, target=target, earlier=earlier))


def plan_of(earlier: Run, catalog: Catalog) -> Plan:
    """The plan of a run. Raises UserError for a run of growth that does not say it."""
    plan = earlier.settings.plan
    if plan is not None and plan.kind != "times":
        return plan
    if earlier.settings.growth:
        raise UserError("the run is of growth and says no plan: start ./serbench growth with what it names")
    return Plan(
        kind="times",
        rows=list(dict.fromkeys(row.row for row in earlier.rows)),
        datasets=[dataset.name for dataset in earlier.datasets],
        configurations=[list(msgspec.structs.astuple(each)) for each in _configurations(earlier, catalog)],
    )


def _configurations(earlier: Run, catalog: Catalog) -> list[Configuration]:
    """The configurations of the rows in their order; an unknown compiler is the one that CC names."""
    found = [
        Configuration(
            profile=profile,
            toolchain=row.toolchain if row.toolchain in catalog.compilers else "",
            allocator=row.allocator if row.allocator in ALLOCATORS else "system",
            cpu=level,
        )
        for row in earlier.rows
        for profile in PROFILES
        if profile == row.profile
        for level in LEVELS
        if level == (row.cpu or "baseline")
    ]
    native = [c for c, row in zip(found, earlier.rows, strict=True) if row.toolchain]
    return list(dict.fromkeys(native or found))
