"""The options that several commands share, and what their values mean."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from serbench.build.configuration import ALLOCATORS, Configuration, configurations
from serbench.build.processor import LEVELS, Level, need_levels
from serbench.catalog.records import PROFILES, Profile, Row
from serbench.catalog.selection import split
from serbench.datasets.spec import Spec
from serbench.errors import UserError, unknown
from serbench.measure.instructions import has_callgrind
from serbench.measure.precision import settings_for
from serbench.measure.records import Comparing, Plan, Settings

MOST_SECONDS = 365 * 86_400
LARGEST = 2**63 - 1
"""What a run file can hold."""
what = partial(typer.Option, rich_help_panel="What is measured")
how = partial(typer.Option, rich_help_panel="How")
where_to = partial(typer.Option, rich_help_panel="Where results go")
machines = partial(typer.Option, rich_help_panel="On other machines")
"""The groups of options in the help."""

Tests = Annotated[
    list[str],
    what(
        "--tests",
        metavar="NAMES",
        help="write, tree, incremental, serialize, lookup, or several. Without: the first three, or fewer.",
    ),
]
Languages = Annotated[list[str], what("--languages", metavar="NAMES", help="One, or several with commas.")]
Contenders = Annotated[list[str], what("--contenders", metavar="GLOB", help="For example mpack or 'c/*'.")]
Folders = Annotated[list[Path], what("--contender", metavar="DIR", help="A contender folder anywhere.")]
Datasets = Annotated[
    list[str],
    what(
        "--datasets",
        metavar="SPEC",
        help="generated:SIZE[:seed=N][:safe], records:MB[:unmapped|:optional], document:NAME, corpus:NAME, "
        "or a JSON file; ./serbench dataset list lists them. Default: corpus:citm_catalog for a run of the "
        "common libraries, generated:2,generated:4 for any other, or what the one harness of all rows "
        "states, such as records:0.1.",
    ),
]
Data = Annotated[
    list[Path],
    what(
        "--data",
        metavar="FILE",
        help="A JSON file of your own. Several files, or JSON Lines, are messages, handled one by one.",
    ),
]
Prefixes = Annotated[
    list[str],
    what("--prefix", metavar="NAME=DIR", help="The folder of a library that you installed yourself."),
]
Uses = Annotated[
    list[str],
    what(
        "--use",
        metavar="NAME[@LABEL]=DIR",
        help="Build a library from this checkout; with a label, as a contender of its own.",
    ),
]
Profiles = Annotated[
    list[str],
    how("--profile", metavar="NAMES", help="speed (-O3 -flto), size (-Os -flto), or both: speed,size."),
]
ProofProfiles = Annotated[
    list[str],
    how(
        "--profile",
        metavar="NAMES",
        help="speed (-O3 -flto), size (-Os -flto), check (sanitizers), or several.",
    ),
]
Toolchains = Annotated[
    list[str],
    how(
        "--compiler",
        "--engine",
        metavar="NAMES",
        help="A compiler or an engine, or several: gcc,clang or bun.",
    ),
]
Allocators = Annotated[
    list[str], how("--allocator", metavar="NAMES", help="system, jemalloc, mimalloc, or several.")
]
Cpus = Annotated[
    list[str],
    how("--cpu", metavar="NAMES", help="baseline, v2, v3, v4, native, or several: baseline,native."),
]
Full = Annotated[bool, how("--full/--quick", help="More launches, narrower intervals.")]
Budget = Annotated[
    float | None,
    how("--budget", metavar="SECONDS", min=1.0, max=MOST_SECONDS, help="The most time for measuring."),
]
Fragment = Annotated[bool, how("--fragment/--no-fragment", help="Fragment the heap before measuring.")]
Output = Annotated[Path | None, where_to("--output", metavar="FILE", help="The run file.")]
Force = Annotated[bool, where_to("--force", help="Replace files that exist.")]
Seed = Annotated[
    int,
    how(
        "--seed",
        metavar="NUMBER",
        min=-LARGEST,
        max=LARGEST,
        help="Seed of the order in which rows are sampled.",
    ),
]
Count = Annotated[
    list[str],
    how("--count", metavar="WHAT", help="instructions: also count them, by Callgrind; takes minutes."),
]
PublishedBaselines = Annotated[
    bool, what("--published", help="Also measure the 2016 suite's baselines, for report --layout published.")
]
Platforms = Annotated[
    list[str],
    what("--platform", metavar="NAME", help="Count on an emulated target, such as avr or cortex-m0."),
]
Timeout = Annotated[
    float,
    how(
        "--timeout",
        metavar="SECONDS",
        min=0.1,
        max=MOST_SECONDS,
        help="The most time for one answer of a worker.",
    ),
]
IgnoreLock = Annotated[
    bool,
    how(
        "--ignore-lock",
        envvar=["SERBENCH_IGNORE_LOCK", "SERBENCH_EVEN_IF_BUSY"],
        help="Measure even if another run of serbench is active on this machine.",
    ),
]

On = Annotated[
    str | None,
    machines("--on", metavar="ADDRESS", help="Measure on other machines: their scheduler, or local:N."),
]
Everywhere = Annotated[
    bool, machines("--everywhere", help="With --on: measure all on each machine, and compare the orders.")
]
Certificates = Annotated[
    Path | None,
    machines("--certificates", metavar="DIR", help="The folder with certificate, key and authority."),
]


def refuse_others(ctx: typer.Context, option: str, does: str, others: Sequence[str]) -> None:
    """Raise UserError for an option on the command line that is neither `option` nor one of the `others`."""
    for parameter in ctx.command.params:
        source = ctx.get_parameter_source(parameter.name or "")
        if source is not None and source.name == "COMMANDLINE" and not {option, *others} & {*parameter.opts}:
            raise UserError(
                f"{parameter.opts[0]} cannot be combined with {option}, which {does}; these can: "
                f"{', '.join(others)}"
            )


def _known(kind: str, values: Sequence[str], known: Sequence[str]) -> list[str]:
    names = split(values)
    for name in names:
        if name not in known:
            raise unknown(kind, name, known)
    return names


def chosen_configurations(
    profiles: Sequence[str],
    toolchains: Sequence[str] = (),
    allocators: Sequence[str] = (),
    cpus: Sequence[str] = (),
    known: Sequence[Profile] = PROFILES,
) -> list[Configuration]:
    """What --profile (one of the `known`), --compiler, --allocator and --cpu ask for.

    Raises UserError for an unknown name, and for a level that this processor does not run. The names of
    compilers are checked where the builds of a run begin.
    """
    wanted: list[Profile] = [name for name in known if name in _known("profile", profiles, known)]
    named = _known("processor level", cpus, LEVELS)
    levels: list[Level] = [level for level in LEVELS if level in named]
    need_levels(levels)
    return configurations(
        wanted,
        split(toolchains),
        _known("allocator", allocators, ALLOCATORS),
        levels,
    )


def _wants_instructions(counts: Sequence[str]) -> bool:
    """Whether --count asks for instructions. Raises UserError for anything else, or without valgrind."""
    wanted = _known("count", counts, ["instructions"])
    if wanted and not has_callgrind():
        raise UserError(
            "counting instructions needs valgrind, which is not installed: sudo apt-get install valgrind"
        )
    return bool(wanted)


def chosen_settings(
    full: bool,
    budget: float | None,
    profiles: Sequence[str],
    seed: int,
    fragment: bool,
    counts: Sequence[str],
    plan: Plan | None = None,
    comparing: Comparing | None = None,
) -> Settings:
    """How this command line asks to measure what is in `plan`. Raises UserError for an unknown count."""
    instructions = _wants_instructions(counts)
    precision = "full" if full else "quick"
    settings = settings_for(precision, (), budget, split(profiles), seed, fragment, instructions, comparing)
    return msgspec.structs.replace(settings, plan=plan)


def times_plan(rows: Sequence[Row], specs: Sequence[Spec], configurations: Sequence[Configuration]) -> Plan:
    """The plan of a run that takes times of `rows`."""
    return Plan(
        kind="times",
        rows=[row.id for row in rows],
        datasets=[spec.name for spec in specs],
        configurations=[list(msgspec.structs.astuple(each)) for each in configurations],
    )
