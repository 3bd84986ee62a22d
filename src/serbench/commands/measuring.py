"""`run`, `list`, `verify` and `doctor`."""

import sys
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from typer.core import TyperCommand

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
from serbench.commands import show
from serbench.commands.bootstrap import new_run_file
from serbench.commands.carry_out import RunRequest, carry_out
from serbench.commands.default_data import available_datasets
from serbench.commands.details import details, details_markdown
from serbench.commands.doctor import examine
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
    chosen_settings,
    refuse_others,
    times_plan,
    what,
)
from serbench.commands.progress import shown_progress
from serbench.commands.schema import KeepGenerated, SchemaOption, read_schema
from serbench.errors import UserError, unknown
from serbench.files import scratch
from serbench.platforms.load import load_platforms
from serbench.project import ROOT
from serbench.report.terminal import print_document, print_line
from serbench.run.inputs import Inputs, open_catalog, open_context, worker_limits
from serbench.run.proving import builds_of, prove
from serbench.run.readers import needed_rows
from serbench.run.typed import keep_generated, with_schemas
from serbench.schemas import text

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)
ON_MACHINES = (
    *("--tests", "--languages", "--contenders", "--datasets", "--all", "--full", "--budget"),
    *("--profile", "--compiler", "--allocator", "--cpu", "--count", "--published", "--fragment"),
    *("--seed", "--ignore-lock", "--everywhere", "--certificates", "--output", "--force"),
)
"""The options that go with --on."""
MOVED = {
    "--resume": "./serbench resume RUN",
    "--like": "./serbench repeat RUN",
    "--platform": "./serbench count --platform NAME",
}
"""Former options of `run`, and what is a command of its own today."""


class Run(TyperCommand):
    """The command `run`, which knows where its former options are."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Take the options. Raises UserError for one that is a command today."""
        for word in args:
            option = word.partition("=")[0]
            if option in MOVED:
                raise UserError(f"run has no {option} any more; this does the same: {MOVED[option]}")
        return super().parse_args(ctx, args)


def run(
    ctx: typer.Context,
    tests: Tests = [],  # noqa: B006 - typer copies its defaults
    languages: Languages = [],  # noqa: B006
    contenders: Contenders = [],  # noqa: B006
    contender: Folders = [],  # noqa: B006
    datasets: Datasets = [],  # noqa: B006
    data: Data = [],  # noqa: B006
    all_: Annotated[
        bool, what("--all", help="All libraries and variants, in the tests write, tree and incremental.")
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
    on: On = None,
    everywhere: Everywhere = False,
    certificates: Certificates = None,
    timeout: Timeout = 60.0,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Set up, prove and measure; prints tables, and writes a run file and a report.

    If nothing is chosen, these are the tests write and tree of the best-known libraries.
    """
    inputs = Inputs(contender, use, data, prefix, timeout, ignore_lock, datasets, keep)
    if on is not None:
        does = "measures on machines that have their own checkouts"
        refuse_others(ctx, "--on", does, ON_MACHINES)
    elif everywhere:
        raise UserError("--everywhere goes with --on ADDRESS, which names the machines")
    common = not (all_ or tests or contenders or contender or use or published)
    wanted = COMMON_TESTS if common else split(tests)
    rows = select_rows(inputs.catalog, wanted, split(languages), split(contenders), published, common=common)
    usual = usual_datasets(inputs.catalog, rows, COMMON_DATASETS if common else DEFAULT_DATASETS)
    configurations = chosen_configurations(profile, compiler, allocator, cpu)
    settings = chosen_settings(full, budget, profile, seed, fragment, count)
    notes: list[str] = []
    if not datasets and not data:
        usual, notes = available_datasets(usual)
    for sentence in notes:
        print_line(err, sentence)
    written = text.write(given) if (given := read_schema(schema)) else ""
    plan = times_plan(rows, inputs.chosen(usual), configurations)
    settings.plan = msgspec.structs.replace(plan, schema=written, everywhere=everywhere)
    target = new_run_file(output, force, inputs.read)
    request = RunRequest(settings=settings, inputs=inputs, target=target, notes=notes)
    carry_out(request, on, certificates, force)


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
        described = details(catalog, listed)
        if format_ == "markdown":
            sys.stdout.write(details_markdown(described))
        else:
            print_document(described, out)
        return
    context = open_context(catalog, prefixes=prefix)
    with shown_progress(err) as progress:
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
    inputs = Inputs(contender, use, data, prefix, datasets=datasets)
    rows = select_rows(inputs.catalog, split(tests), split(languages), split(contenders))
    specs = inputs.chosen(usual_datasets(inputs.catalog, rows))
    chosen = chosen_configurations(profile, compiler, allocator, cpu, known=(*PROFILES, "check"))
    limits = worker_limits(timeout, limited="check" not in {each.profile for each in chosen})
    context = inputs.context(chosen)
    made = with_schemas(context, rows, context.datasets(specs), read_schema(schema))
    with shown_progress(err) as progress, scratch() as folder:
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
