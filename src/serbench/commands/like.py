"""`run --like RUN`: the same rows on the same data with the same settings once more."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import msgspec
import typer

from serbench.build.configuration import ALLOCATORS, Configuration
from serbench.catalog.records import PROFILES, Catalog, Row
from serbench.commands.options import chosen_datasets
from serbench.datasets.records import DatasetRecord
from serbench.datasets.spec import KINDS, Spec, parse_spec
from serbench.errors import UserError, readable
from serbench.measure.records import Settings
from serbench.results.schema import Run


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a run is about."""

    rows: list[Row]
    specs: list[Spec]
    configurations: list[Configuration]
    settings: Settings


_BESIDE = {"ctx", "data", "use", "contender", "prefix", "timeout", "ignore_lock"}
_BESIDE_LIKE = _BESIDE | {"like", "output"}
_BESIDE_RESUME = _BESIDE | {"resume"}


def refuse_beside_like(ctx: typer.Context) -> None:
    """Raise UserError for an option that --like itself answers."""
    _refuse_beside(ctx, _BESIDE_LIKE, "--like repeats a run as it was")


def refuse_beside_resume(ctx: typer.Context) -> None:
    """Raise UserError for an option that --resume itself answers."""
    _refuse_beside(ctx, _BESIDE_RESUME, "--resume finishes a run as it was begun")


def _refuse_beside(ctx: typer.Context, allowed: set[str], why: str) -> None:
    for parameter in ctx.command.params:
        name = parameter.name or ""
        source = ctx.get_parameter_source(name)
        if name not in allowed and source is not None and source.name == "COMMANDLINE":
            raise UserError(f"{why}, so {parameter.opts[0]} cannot stand beside it")


def plan_like(earlier: Run, catalog: Catalog, data: Sequence[Path], command: Sequence[str]) -> Plan:
    """The plan of the run `earlier`; `data` are the user's own files that it measured.

    Raises UserError for a row or a dataset of that run which is not here, and for a run of growth.
    """
    if earlier.settings.growth:
        raise UserError(
            f"the run is of growth: repeat it with ./serbench {shlex.join(earlier.settings.command)}"
        )
    command = [readable(word) for word in command]
    return Plan(
        rows=_rows(earlier, catalog),
        specs=_specs(earlier.datasets, data),
        configurations=_configurations(earlier, catalog),
        settings=msgspec.structs.replace(earlier.settings, command=command),
    )


def _rows(earlier: Run, catalog: Catalog) -> list[Row]:
    known = {row.id: row for row in catalog.rows()}
    wanted = list(dict.fromkeys(row.row for row in earlier.rows))
    absent = list(dict.fromkeys(row.contender_id for row in earlier.rows if row.row not in known))
    if absent:
        raise UserError(
            f"the run has rows of {', '.join(absent)} that are not here: name their folders with "
            "--contender, or their checkouts with --use"
        )
    if not wanted:
        raise UserError("the run has no rows to repeat")
    return [known[name] for name in wanted]


def _specs(datasets: Sequence[DatasetRecord], data: Sequence[Path]) -> list[Spec]:
    own = {spec.name: spec for spec in (chosen_datasets([], data) if data else [])}
    specs: list[Spec] = []
    for dataset in datasets:
        if dataset.name in own:
            specs.append(own.pop(dataset.name))
        elif dataset.name.partition(":")[0] in KINDS:
            specs.append(parse_spec(dataset.name))
        else:
            raise UserError(f"the run measured the file {dataset.name}: name it with --data FILE")
    if own:
        raise UserError(f"the run did not measure {', '.join(own)}")
    return specs


def _configurations(earlier: Run, catalog: Catalog) -> list[Configuration]:
    """The configurations of the rows in their order; an unknown compiler is the one that CC names."""
    found = [
        Configuration(
            profile=profile,
            toolchain=row.toolchain if row.toolchain in catalog.compilers else "",
            allocator=row.allocator if row.allocator in ALLOCATORS else "system",
        )
        for row in earlier.rows
        for profile in PROFILES
        if profile == row.profile
    ]
    native = [c for c, row in zip(found, earlier.rows, strict=True) if row.toolchain]
    return list(dict.fromkeys(native or found))
