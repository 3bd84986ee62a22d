"""`run --like RUN`: the same rows on the same data with the same settings once more."""

from pathlib import Path

import msgspec

from serbench.build.configuration import ALLOCATORS, Configuration
from serbench.build.processor import LEVELS
from serbench.catalog.records import PROFILES, Catalog
from serbench.commands.kinds import Places, carry_out
from serbench.commands.platform import plan_of_counts
from serbench.errors import UserError
from serbench.measure.records import Plan
from serbench.results.schema import Run


def repeat(earlier: Run, places: Places, target: Path) -> None:
    """Measure what the run `earlier` measured, and say what else differs.

    Raises UserError for rows, data or platforms that are not here, and for a run of a real board.
    """
    plan = plan_of_counts(earlier) if earlier.platforms else plan_of(earlier, places.catalog)
    carry_out(msgspec.structs.replace(earlier.settings, plan=plan), places, target, earlier=earlier)


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
