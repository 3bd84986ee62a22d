"""`run --like RUN`: the same rows on the same data with the same settings once more."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console

from serbench.build.configuration import ALLOCATORS, Configuration
from serbench.catalog.records import PROFILES, Catalog
from serbench.commands import linux as linux_run
from serbench.commands import platform
from serbench.commands.kinds import Places, carry_out
from serbench.errors import UserError
from serbench.measure.machine_lock import machine_lock
from serbench.measure.records import Plan
from serbench.platforms.firmware.documents import stated_documents
from serbench.project import ROOT
from serbench.results.schema import Run


def repeat(earlier: Run, places: Places, target: Path) -> None:
    """Measure what the run `earlier` measured, and say what else differs.

    Raises UserError for rows, data or platforms that are not here, and for a run of a real board.
    """
    if earlier.platforms:
        _repeat_counts(earlier, places, target)
    else:
        settings = msgspec.structs.replace(earlier.settings, plan=plan_of(earlier, places.catalog))
        carry_out(settings, places, target, earlier=earlier)


def plan_of(earlier: Run, catalog: Catalog) -> Plan:
    """The plan of a run. Raises UserError for a run of growth that does not say it."""
    plan = earlier.settings.plan
    if plan is not None and plan.kind != "times":
        return plan
    if earlier.settings.growth:
        raise UserError(
            f"the run is of growth: repeat it with ./serbench {shlex.join(earlier.settings.command)}"
        )
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
        )
        for row in earlier.rows
        for profile in PROFILES
        if profile == row.profile
    ]
    native = [c for c, row in zip(found, earlier.rows, strict=True) if row.toolchain]
    return list(dict.fromkeys(native or found))


def _repeat_counts(earlier: Run, places: Places, target: Path) -> None:
    if any(known.kind == "board" for known in earlier.platforms):
        raise UserError(
            "that run is of a real board, which cannot be repeated: start ./serbench collect again"
        )
    out, err = Console(highlight=False), Console(stderr=True, highlight=False)
    names = [known.name for known in earlier.platforms]
    linux = linux_run.linux_platforms(names)
    data, prefix = list(places.data), list(places.prefixes)
    if linux:
        asked = plan_of(earlier, places.catalog)
        plan = linux_run.Plan(
            catalog=places.catalog,
            rows=places.rows(asked.rows),
            profiles=list(dict.fromkeys(each.profile for each in _configurations(earlier, places.catalog))),
            specs=places.specs(asked.datasets),
            prefix=prefix,
            timeout=places.limits.timeout,
        )
        with machine_lock(places.ignore_lock, counting=True) as notes:
            linux_run.run_linux(linux, plan, target, notes, out, err, earlier)
        return
    refuse_other_documents([row.dataset for row in earlier.rows], data)
    contenders = list(dict.fromkeys(row.contender_id for row in earlier.rows))
    with machine_lock(places.ignore_lock, counting=True) as notes:
        platform.run_platform(names, contenders, data, prefix, target, notes, out, err, earlier)


def refuse_other_documents(documents: Sequence[str], data: Sequence[Path]) -> None:
    """Raise UserError unless `data` are the user's files among the `documents` of a run."""
    own = {stated.name for stated in stated_documents(ROOT)}
    wanted = [name for name in dict.fromkeys(documents) if name not in own]
    named = [path.name for path in data]
    missing = [name for name in wanted if name not in named]
    if missing:
        raise UserError(f"the run counted the file {missing[0]}: name it with --data FILE")
    foreign = [name for name in named if name not in wanted]
    if foreign:
        raise UserError(f"the run did not count {', '.join(foreign)}")
