"""The command line: every command is a few calls of the stages below."""

import io
import sys
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.markup import escape

from serbench import __version__, commands_compare, commands_conformance, setup_parts, show
from serbench.catalog.load import load_catalog
from serbench.datasets.spec import parse_spec
from serbench.datasets.store import copy_out
from serbench.doctor import examine
from serbench.errors import UserError, readable, unknown
from serbench.like import Plan, data_differences, plan_like, refuse_beside_like
from serbench.opening import carry_out, new_run_file, open_catalog, open_workshop, worker_limits
from serbench.options import (
    Allocators,
    Contenders,
    Count,
    Data,
    Datasets,
    Folders,
    Languages,
    Prefixes,
    Profiles,
    PublishedBaselines,
    Tests,
    Timeout,
    Toolchains,
    Uses,
    chosen_configurations,
    chosen_datasets,
    wants_instructions,
)
from serbench.project import CACHE, ROOT
from serbench.proving import encodings_of, needed_rows, prove
from serbench.provision import Unavailable, npm
from serbench.report.page.make import page
from serbench.report.plots import write_plots
from serbench.report.render import FORMATS, LAYOUTS, print_relative_tables, render, render_relative
from serbench.report.table import print_tables
from serbench.results.journal import replace_file
from serbench.results.load import load_run
from serbench.run import settings_for
from serbench.scaffold import new_contender
from serbench.selection import select_rows, split

app = typer.Typer(
    name="serbench",
    help="Measures serialization libraries, and publishes no number that it has not proved.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
dataset_app = typer.Typer(help="Show datasets, or write them in a format.", no_args_is_help=True)
app.add_typer(dataset_app, name="dataset")
app.command("compare")(commands_compare.compare)
app.command("conformance")(commands_conformance.check)

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def _version(wanted: bool) -> None:
    if wanted:
        out.print(f"serbench {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Measures serialization libraries, and publishes no number that it has not proved."""


@app.command()
def run(
    context: typer.Context,
    tests: Tests = [],  # noqa: B006 - typer copies its defaults
    languages: Languages = [],  # noqa: B006
    contenders: Contenders = [],  # noqa: B006
    contender: Folders = [],  # noqa: B006
    datasets: Datasets = [],  # noqa: B006
    data: Data = [],  # noqa: B006
    full: Annotated[bool, typer.Option("--full/--quick", help="More launches, narrower intervals.")] = False,
    budget: Annotated[
        float | None, typer.Option("--budget", min=1.0, help="Seconds of measuring at the most.")
    ] = None,
    prefix: Prefixes = [],  # noqa: B006
    use: Uses = [],  # noqa: B006
    profile: Profiles = [],  # noqa: B006
    compiler: Toolchains = [],  # noqa: B006
    allocator: Allocators = [],  # noqa: B006
    count: Count = [],  # noqa: B006
    published: PublishedBaselines = False,
    fragment: Annotated[
        bool, typer.Option("--fragment/--no-fragment", help="Fragment the heap before measuring.")
    ] = True,
    output: Annotated[Path | None, typer.Option("--output", help="The run file.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the order in which rows are sampled.")] = 0,
    like: Annotated[
        Path | None, typer.Option("--like", metavar="RUN", help="Repeat the run of this run file.")
    ] = None,
    timeout: Timeout = 60.0,
) -> None:
    """Set up, prove and measure; prints tables, and writes a run file and a report."""
    catalog = open_catalog(contender, use)
    earlier = load_run(like) if like else None
    if earlier is not None:
        refuse_beside_like(context)
        plan = plan_like(earlier, catalog, data, sys.argv[1:])
    else:
        plan = Plan(
            rows=select_rows(catalog, split(tests), split(languages), split(contenders), published),
            specs=chosen_datasets(datasets, data),
            configurations=chosen_configurations(profile, compiler, allocator),
            settings=settings_for(
                "full" if full else "quick",
                sys.argv[1:],
                budget,
                split(profile),
                seed,
                fragment,
                wants_instructions(count),
            ),
        )
    target = new_run_file(output)
    workshop = open_workshop(catalog, plan.configurations, prefix)
    made = workshop.datasets(plan.specs)
    notes = data_differences(earlier, made) if earlier else []
    result = carry_out(workshop, plan.rows, made, plan.settings, worker_limits(timeout), target, err, notes)
    written = target.with_suffix(".md")
    replace_file(written, render([result], "markdown").encode())
    replace_file(target.with_suffix(".html"), page([result]).encode())
    print_tables([result], out)
    if earlier is not None:
        commands_compare.say_differences(out, earlier, result)
    show.closing(out, result, target, written, target.with_suffix(".html"))
    if not result.complete:
        raise typer.Exit(130)


@app.command("list")
def list_(
    contender: Folders = [],  # noqa: B006
    languages: Languages = [],  # noqa: B006
    contenders: Contenders = [],  # noqa: B006
    prefix: Prefixes = [],  # noqa: B006
    use: Uses = [],  # noqa: B006
) -> None:
    """Show the contenders and whether each is ready."""
    catalog = open_catalog(contender, use)
    rows = select_rows(catalog, (), split(languages), split(contenders))
    workshop = open_workshop(catalog, prefixes=prefix)
    with show.stages(err) as stages:
        ready = stages.build(workshop, rows)
    show.contenders(out, catalog, ready)


@app.command()
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
    specs = chosen_datasets(datasets, data)
    workshop = open_workshop(catalog, chosen_configurations(profile, compiler, allocator), prefix)
    made = workshop.datasets(specs)
    with show.stages(err) as stages, tempfile.TemporaryDirectory(prefix="serbench-") as folder:
        stages.build(workshop, needed_rows(workshop, rows))
        count = stages.counter("Verifying", workshop.count(rows) * len(made))
        proven = prove(workshop, rows, made, Path(folder), worker_limits(timeout), count)
    if show.verdicts(out, proven):
        raise typer.Exit(1)


@app.command()
def doctor() -> None:
    """Show what on this machine would spoil a measurement, and what is missing."""
    show.findings(out, examine(load_catalog(ROOT)))


@app.command()
def setup(
    name: Annotated[str, typer.Argument(help="The part; without one, all are listed.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Install without a question.")] = False,
    no_install: Annotated[
        bool, typer.Option("--no-install", help="Say what would be installed, and stop.")
    ] = False,
) -> None:
    """Install an optional part, such as the compiler of a further language."""
    if not name:
        show.parts(out, setup_parts.states(ROOT, CACHE))
        return
    part = setup_parts.find_part(ROOT, name)
    present = setup_parts.is_present(ROOT, CACHE, part)
    packages = name == npm.PART and not npm.is_installed(npm.HARNESS, CACHE)
    if name == npm.PART:  # The system's own Node.js is as good.
        present = present or npm.find_node(CACHE) is not None
    if present and not packages:
        out.print(f"{name} is installed already", soft_wrap=True)
        return
    if not present:
        err.print(escape(setup_parts.announcement(part)), soft_wrap=True)
    if packages:
        err.print(npm.ANNOUNCEMENT, soft_wrap=True)
    if no_install:
        return
    asks = not yes and sys.stdin.isatty() and sys.stderr.isatty()
    if asks and not typer.confirm("Install?", default=True, err=True):
        raise UserError("nothing was installed")
    if not present:
        setup_parts.install(ROOT, CACHE, part)
    if packages:
        try:
            npm.install(npm.HARNESS, CACHE)
        except Unavailable as error:
            raise UserError(error.reason) from error
    out.print(f"{name} is installed", soft_wrap=True)


@app.command()
def new(
    language: Annotated[str, typer.Argument(help="For example c, cpp or zig.")],
    name: Annotated[str, typer.Argument(help="The folder's name")],
    folder: Annotated[Path, typer.Option("--in", help="Where to make it.")] = Path(),
) -> None:
    """Make a contender folder that builds and passes as it is."""
    made = new_contender(load_catalog(ROOT), language, name, folder)
    out.print(
        f"Made {escape(str(made))}. Try it: ./serbench verify --contender {escape(str(made))}", soft_wrap=True
    )


@app.command()
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN..", help="Run files.")],
    format_: Annotated[str, typer.Option("--format", help=", ".join(FORMATS))] = "table",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="A file instead of the terminal.")
    ] = None,
    layout: Annotated[
        str, typer.Option("--layout", help="serbench, or published: the 2016 suite's tables.")
    ] = "serbench",
    extended: Annotated[
        bool, typer.Option("--extended", help="With --layout published: its extended tables.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write the page, one file for any browser.")
    ] = None,
    relative_to: Annotated[
        str, typer.Option("--relative-to", metavar="CONTENDER", help="Times as ratios to this one's.")
    ] = "",
    contenders: Annotated[
        list[str], typer.Option("--contenders", metavar="GLOB", help="Whose ratios to average.")
    ] = [],  # noqa: B006
) -> None:
    """Show runs as tables, Markdown, CSV or JSON, or export them for other tools."""
    if format_ not in FORMATS:
        raise unknown("report format", format_, FORMATS)
    loaded = [load_run(path) for path in runs]
    among = split(contenders)
    if among and not relative_to:
        raise UserError("--contenders says whose ratios are averaged, so it goes with --relative-to")
    if html is not None:
        replace_file(html, page(loaded).encode())
        return
    if layout not in LAYOUTS:
        raise unknown("layout", layout, LAYOUTS)
    if layout != "serbench" and relative_to:
        raise UserError("--relative-to goes with the usual layout only")
    if format_ == "table" and output is None and layout == "serbench":
        if relative_to:
            print_relative_tables(loaded, out, relative_to, among)
        else:
            print_tables(loaded, out)
        return
    made = (
        render_relative(loaded, format_, relative_to, among)
        if relative_to
        else render(loaded, format_, layout=layout, extended=extended)
    )
    if output is not None:
        replace_file(output, made.encode())
    else:
        sys.stdout.write(made)


@app.command()
def plot(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run file.")],
    folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where to write them.")],
    old: Annotated[
        Path | None, typer.Option("--old", metavar="RUN", help="An older run, for a plot of what changed.")
    ] = None,
) -> None:
    """Write plots of a run for documents, as SVG and PNG."""
    for path in write_plots(load_run(run), folder, load_run(old) if old else None):
        out.print(escape(str(path)), soft_wrap=True)


@dataset_app.command("show")
def dataset_show(
    spec: Annotated[str, typer.Argument(metavar="SPEC")],
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Show a dataset's hashes, and bytes and hash of its canonical encodings."""
    catalog = load_catalog(ROOT)
    workshop = open_workshop(catalog)
    dataset = workshop.store.dataset(parse_spec(spec))
    canonical = encodings_of(workshop, dataset, sorted(catalog.formats))
    if as_json:
        sys.stdout.write(msgspec.json.encode(show.dataset_record(dataset, canonical)).decode() + "\n")
    else:
        show.dataset(out, catalog, dataset, canonical)


@dataset_app.command("write")
def dataset_write(
    spec: Annotated[str, typer.Argument(metavar="SPEC")],
    format_: Annotated[str, typer.Option("--format", help="msgpack, json, bson, tape")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write it.")],
) -> None:
    """Write a dataset in a format, in its canonical encoding."""
    catalog = load_catalog(ROOT)
    by_name = {name: f for f, stated in catalog.formats.items() for name in (f, stated.ending)}
    if format_ != "tape" and format_ not in by_name:
        raise unknown("format", format_, [*by_name, "tape"])
    workshop = open_workshop(catalog)
    dataset = workshop.store.dataset(parse_spec(spec))
    if format_ == "tape":
        copy_out(dataset.tape, output)
        return
    made = workshop.canonical(dataset, by_name[format_])
    if made.encoded is None:
        raise UserError(made.reason)
    copy_out(made.encoded.path, output)


def main() -> None:
    """Run the command line; a UserError is one sentence and exit status 2."""
    # These two are the set-up's own (the wrapper `serbench`), which has had its turn.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal of plain ASCII gets escapes, not a traceback
            stream.reconfigure(errors="backslashreplace")
    given = [word for word in sys.argv[1:] if word in ("--yes", "--no-install")]
    sys.argv[1:] = [word for word in sys.argv[1:] if word not in given]
    if sys.argv[1:2] == ["setup"]:  # the only command that has them too
        sys.argv += given
    try:
        app()
    except UserError as error:
        err.print(f"[bold red]serbench:[/] {escape(readable(str(error)))}", soft_wrap=True)
        sys.exit(2)
    except KeyboardInterrupt:
        err.print("serbench: interrupted; nothing had been measured yet")
        sys.exit(130)
