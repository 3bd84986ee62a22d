"""`run`, `list`, `verify` and `doctor`: what is there, whether it is right, how fast it is."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from serbench.catalog.load import load_catalog
from serbench.catalog.selection import select_rows, split, usual_datasets
from serbench.commands import linux as linux_run
from serbench.commands import platform, show
from serbench.commands.bootstrap import carry_out, new_run_file, open_catalog, open_context, worker_limits
from serbench.commands.doctor import examine
from serbench.commands.like import Plan, plan_like, refuse_beside_like, refuse_beside_resume
from serbench.commands.options import (
    Allocators,
    Budget,
    Contenders,
    Count,
    Data,
    Datasets,
    Folders,
    Fragment,
    Full,
    IgnoreLock,
    Languages,
    Output,
    Platforms,
    Prefixes,
    Profiles,
    PublishedBaselines,
    Seed,
    Tests,
    Timeout,
    Toolchains,
    Uses,
    chosen_configurations,
    chosen_datasets,
    chosen_settings,
)
from serbench.commands.outcome import conclude
from serbench.commands.progress import stages
from serbench.commands.repeat import repeat_counts
from serbench.errors import UserError, unknown
from serbench.measure.machine_lock import machine_lock
from serbench.platforms.load import load_platforms
from serbench.project import ROOT
from serbench.results.load import load_run
from serbench.run.proving import needed_rows, prove
from serbench.run.resume import Interrupted, data_differences, find_interrupted, refuse_other_data

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def run(
    ctx: typer.Context,
    tests: Tests = [],  # noqa: B006 - typer copies its defaults
    languages: Languages = [],  # noqa: B006
    contenders: Contenders = [],  # noqa: B006
    contender: Folders = [],  # noqa: B006
    datasets: Datasets = [],  # noqa: B006
    data: Data = [],  # noqa: B006
    full: Full = False,
    budget: Budget = None,
    prefix: Prefixes = [],  # noqa: B006
    use: Uses = [],  # noqa: B006
    profile: Profiles = [],  # noqa: B006
    compiler: Toolchains = [],  # noqa: B006
    allocator: Allocators = [],  # noqa: B006
    count: Count = [],  # noqa: B006
    published: PublishedBaselines = False,
    fragment: Fragment = True,
    output: Output = None,
    seed: Seed = 0,
    like: Annotated[
        Path | None, typer.Option("--like", metavar="RUN", help="Repeat the run of this run file.")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume", metavar="RUN", help="Finish the interrupted run of this run file or journal."
        ),
    ] = None,
    platforms: Platforms = [],  # noqa: B006
    timeout: Timeout = 60.0,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Set up, prove and measure; prints tables, and writes a run file and a report."""
    if resume is not None:
        refuse_beside_resume(ctx)
        _resume(find_interrupted(resume), contender, use, data, prefix, timeout, ignore_lock)
        return
    emulated = linux_run.linux_platforms(split(platforms))
    if emulated:
        linux_run.refuse_beside_linux(ctx)
        catalog = open_catalog(contender, use)
        wanted = linux_run.Plan(
            catalog=catalog,
            rows=select_rows(catalog, split(tests), split(languages), split(contenders), published=True),
            profiles=[each.profile for each in chosen_configurations(profile, [], [])],
            specs=chosen_datasets(datasets, data),
            prefix=prefix,
            timeout=timeout,
        )
        with machine_lock(ignore_lock, counting=True) as notes:
            linux_run.run_linux(emulated, wanted, output, notes, out, err)
        return
    if platforms:
        platform.refuse_beside_platform(ctx)
        with machine_lock(ignore_lock, counting=True) as notes:
            platform.run_platform(split(platforms), split(contenders), data, prefix, output, notes, out, err)
        return
    catalog = open_catalog(contender, use)
    earlier = load_run(like) if like else None
    if earlier is not None:
        refuse_beside_like(ctx)
        if earlier.platforms:
            repeat_counts(earlier, catalog, data, prefix, timeout, ignore_lock, output, out, err)
            return
        plan = plan_like(earlier, catalog, data, sys.argv[1:])
    else:
        rows = select_rows(catalog, split(tests), split(languages), split(contenders), published)
        plan = Plan(
            rows=rows,
            specs=chosen_datasets(datasets, data, usual_datasets(catalog, rows)),
            configurations=chosen_configurations(profile, compiler, allocator),
            settings=chosen_settings(full, budget, profile, seed, fragment, count),
        )
    target = new_run_file(output)
    with machine_lock(ignore_lock) as notes:
        context = open_context(catalog, plan.configurations, prefix)
        made = context.datasets(plan.specs)
        notes += data_differences(earlier, made) if earlier else []
        limits = worker_limits(timeout)
        result = carry_out(context, plan.rows, made, plan.settings, limits, target, err, notes)
    conclude(result, target, out, earlier)


def _resume(
    interrupted: Interrupted,
    contender: list[Path],
    use: list[str],
    data: list[Path],
    prefix: list[str],
    timeout: float,
    ignore_lock: bool,
) -> None:
    """Measure what is missing of an interrupted run. Raises UserError where it can no longer be the same."""
    catalog = open_catalog(contender, use)
    run, target = interrupted.run, interrupted.target
    plan = plan_like(run, catalog, data, run.settings.command)
    with machine_lock(ignore_lock) as notes:
        context = open_context(catalog, plan.configurations, prefix)
        made = context.datasets(plan.specs)
        refuse_other_data(run, made)
        limits = worker_limits(timeout)
        result = carry_out(context, plan.rows, made, plan.settings, limits, target, err, notes, interrupted)
    conclude(result, target, out)


def list_(
    contender: Folders = [],  # noqa: B006
    languages: Languages = [],  # noqa: B006
    contenders: Contenders = [],  # noqa: B006
    prefix: Prefixes = [],  # noqa: B006
    use: Uses = [],  # noqa: B006
    with_details: Annotated[
        bool, typer.Option("--details", help="Which calls each makes and why, its labels and limits.")
    ] = False,
    format_: Annotated[
        str, typer.Option("--format", help="With --details: text, or markdown as in docs/contenders.md.")
    ] = "text",
) -> None:
    """Show the contenders and whether each is ready."""
    catalog = open_catalog(contender, use)
    rows = select_rows(catalog, (), split(languages), split(contenders))
    if format_ not in ("text", "markdown"):
        raise unknown("format", format_, ["text", "markdown"])
    if format_ == "markdown" and not with_details:
        raise UserError("--format markdown goes with --details")
    if with_details:
        listed = {row.contender.id: row.contender for row in rows}.values()
        if format_ == "markdown":
            sys.stdout.write(show.details_markdown(catalog, listed))
        else:
            show.details(out, listed)
        return
    context = open_context(catalog, prefixes=prefix)
    with stages(err) as progress:
        ready = progress.build(context, rows)
    show.contenders(out, catalog, ready)
    if not (languages or contenders or contender or use):
        out.print()
        show.platforms(out, load_platforms(ROOT).values())


def verify(
    tests: Tests = [],  # noqa: B006
    languages: Languages = [],  # noqa: B006
    contenders: Contenders = [],  # noqa: B006
    contender: Folders = [],  # noqa: B006
    datasets: Datasets = [],  # noqa: B006
    data: Data = [],  # noqa: B006
    prefix: Prefixes = [],  # noqa: B006
    use: Uses = [],  # noqa: B006
    profile: Profiles = [],  # noqa: B006
    compiler: Toolchains = [],  # noqa: B006
    allocator: Allocators = [],  # noqa: B006
    timeout: Timeout = 60.0,
) -> None:
    """Run the gate alone. Exit status 1 if a row failed."""
    import tempfile

    catalog = open_catalog(contender, use)
    rows = select_rows(catalog, split(tests), split(languages), split(contenders))
    specs = chosen_datasets(datasets, data, usual_datasets(catalog, rows))
    context = open_context(catalog, chosen_configurations(profile, compiler, allocator), prefix)
    made = context.datasets(specs)
    with stages(err) as progress, tempfile.TemporaryDirectory(prefix="serbench-") as folder:
        progress.build(context, needed_rows(context, rows))
        count = progress.counter("Verifying", context.count(rows) * len(made))
        proven = prove(context, rows, made, Path(folder), worker_limits(timeout), count)
    if show.verdicts(out, proven):
        raise typer.Exit(1)


def doctor() -> None:
    """Show what on this machine would spoil a measurement, and what is missing."""
    show.findings(out, examine(load_catalog(ROOT)))
