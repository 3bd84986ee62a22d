"""`run`, `list`, `verify` and `doctor`."""

import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console

from serbench.catalog.load import load_catalog
from serbench.catalog.records import PROFILES
from serbench.catalog.selection import (
    COMMON_DATASETS,
    COMMON_TESTS,
    DEFAULT_DATASETS,
    select_rows,
    split,
    usual_datasets,
)
from serbench.commands import platform, show
from serbench.commands.bootstrap import new_run_file, open_catalog, open_context, worker_limits
from serbench.commands.doctor import examine
from serbench.commands.kinds import Fleet, Places, carry_out
from serbench.commands.kinds import resume as resume_run
from serbench.commands.options import (
    Allocators,
    Budget,
    Certificates,
    Contenders,
    Count,
    Cpus,
    Data,
    Datasets,
    Everywhere,
    Folders,
    Force,
    Fragment,
    Full,
    IgnoreLock,
    Languages,
    On,
    Output,
    Platforms,
    Prefixes,
    Profiles,
    ProofProfiles,
    PublishedBaselines,
    Seed,
    Tests,
    Timeout,
    Toolchains,
    Uses,
    chosen_configurations,
    chosen_datasets,
    chosen_settings,
    refuse_others,
    times_plan,
)
from serbench.commands.progress import stages
from serbench.commands.repeat import repeat
from serbench.commands.schema import KeepGenerated, SchemaOption, read_schema
from serbench.commands.usual import fetched_or_others
from serbench.errors import UserError, unknown
from serbench.files import scratch
from serbench.platforms.load import load_platforms
from serbench.project import ROOT
from serbench.report.terminal import print_document, print_line
from serbench.results.load import load_run
from serbench.run.proving import builds_of, prove
from serbench.run.readers import needed_rows
from serbench.run.resume import find_interrupted
from serbench.run.typed import keep_generated, with_schemas
from serbench.schemas import text

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
    all_: Annotated[
        bool,
        typer.Option("--all", help="All libraries and variants, in the tests write, tree and incremental."),
    ] = False,
    full: Full = False,
    budget: Budget = None,
    prefix: Prefixes = [],  # noqa: B006
    use: Uses = [],  # noqa: B006
    profile: Profiles = [],  # noqa: B006
    compiler: Toolchains = [],  # noqa: B006
    allocator: Allocators = [],  # noqa: B006
    cpu: Cpus = [],  # noqa: B006
    count: Count = [],  # noqa: B006
    published: PublishedBaselines = False,
    fragment: Fragment = True,
    output: Output = None,
    force: Force = False,
    seed: Seed = 0,
    schema: SchemaOption = None,
    keep: KeepGenerated = None,
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
    on: On = None,
    everywhere: Everywhere = False,
    certificates: Certificates = None,
    timeout: Timeout = 60.0,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Set up, prove and measure; prints tables, and writes a run file and a report.

    Without --all, --tests, --contenders, --contender, --use or --published these are the tests write and
    tree of the libraries that most ask for first.
    """
    places = Places(contender, use, data, prefix, timeout, ignore_lock, datasets=datasets, generated=keep)
    fleet = Fleet(on, certificates, force) if on is not None else None
    if everywhere and on is None:
        raise UserError("--everywhere goes with --on ADDRESS, which names the machines")
    if resume is not None:
        refuse_others(ctx, "--resume")
        resume_run(find_interrupted(resume), places, fleet)
    elif like is not None:
        refuse_others(ctx, "--like")
        repeat(load_run(like), places, new_run_file(output, force, [like, *places.read]))
    elif platforms:
        found = platform.found_platforms(split(platforms))
        if platform.is_linux(found):
            refuse_others(ctx, "--platform of Linux")
            specs = chosen_datasets(datasets, data)
            chosen = split(tests), split(languages), split(contenders)
            rows = select_rows(places.catalog, *chosen, published=True)
            plan = times_plan(rows, specs, chosen_configurations(profile))
            names = [one.name for one in found]
            plan = msgspec.structs.replace(plan, kind="platforms", platforms=names)
        else:
            refuse_others(ctx, "--platform")
            plan = platform.firmware_plan(found, split(contenders), data)
        settings = chosen_settings(False, None, profile, 0, True, [], plan)
        carry_out(settings, places, new_run_file(output, force, places.read))
    else:
        if on is not None:
            refuse_others(ctx, "--on")
        common = not (all_ or tests or contenders or contender or use or published)
        wanted = COMMON_TESTS if common else split(tests)
        rows = select_rows(
            places.catalog, wanted, split(languages), split(contenders), published, common=common
        )
        usual = usual_datasets(places.catalog, rows, COMMON_DATASETS if common else DEFAULT_DATASETS)
        configurations = chosen_configurations(profile, compiler, allocator, cpu)
        settings = chosen_settings(full, budget, profile, seed, fragment, count)
        notes: list[str] = []
        if not datasets and not data:
            usual, notes = fetched_or_others(usual)
        for sentence in notes:
            print_line(err, sentence)
        specs = chosen_datasets(datasets, data, usual)
        written = text.write(given) if (given := read_schema(schema)) else ""
        plan = times_plan(rows, specs, configurations)
        plan = msgspec.structs.replace(plan, schema=written, everywhere=everywhere)
        settings = msgspec.structs.replace(settings, plan=plan)
        target = new_run_file(output, force, places.read)
        if fleet is not None:
            fleet.carry_out(settings, places, target, notes)
        else:
            carry_out(settings, places, target, notes)


def list_(
    contender: Folders = [],  # noqa: B006
    languages: Languages = [],  # noqa: B006
    contenders: Contenders = [],  # noqa: B006
    prefix: Prefixes = [],  # noqa: B006
    use: Uses = [],  # noqa: B006
    with_details: Annotated[
        bool, typer.Option("--details", help="Each contender's calls and why, its labels and limits.")
    ] = False,
    format_: Annotated[str, typer.Option("--format", help="With --details: text or markdown.")] = "text",
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
        details = show.details(catalog, listed)
        if format_ == "markdown":
            sys.stdout.write(show.details_markdown(details))
        else:
            print_document(details, out)
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
    profile: ProofProfiles = [],  # noqa: B006
    compiler: Toolchains = [],  # noqa: B006
    allocator: Allocators = [],  # noqa: B006
    cpu: Cpus = [],  # noqa: B006
    schema: SchemaOption = None,
    keep: KeepGenerated = None,
    timeout: Timeout = 60.0,
) -> None:
    """Prove the rows without measuring them. Exit status 1 if a row failed."""
    catalog = open_catalog(contender, use)
    rows = select_rows(catalog, split(tests), split(languages), split(contenders))
    specs = chosen_datasets(datasets, data, usual_datasets(catalog, rows))
    chosen = chosen_configurations(profile, compiler, allocator, cpu, known=(*PROFILES, "check"))
    limits = worker_limits(timeout, limited="check" not in {each.profile for each in chosen})
    context = open_context(catalog, chosen, prefix)
    made = with_schemas(context, rows, context.datasets(specs), read_schema(schema))
    with stages(err) as progress, scratch() as folder:
        progress.build(context, needed_rows(context, rows))
        count = progress.counter("Verifying", context.count(rows) * len(made))
        proven = prove(context, rows, made, folder, limits, count)
    if keep is not None:
        keep_generated(builds_of(proven), keep)
    if show.verdicts(out, proven):
        raise typer.Exit(1)


def doctor() -> None:
    """Show what on this machine would disturb a measurement, and what is missing."""
    show.findings(out, examine(load_catalog(ROOT)))
