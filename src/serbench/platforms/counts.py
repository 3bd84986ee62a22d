"""Runs on emulated platforms, of any kind: which platforms a plan names, and who counts on them."""

from collections.abc import Callable, Sequence

import msgspec

from serbench.catalog.records import PROFILES
from serbench.errors import UserError, unknown
from serbench.kinds import found
from serbench.measure.records import Plan
from serbench.platforms.load import load_platforms
from serbench.platforms.records import Board, Emulated, PlatformManifest
from serbench.project import ROOT
from serbench.results.schema import Run
from serbench.run.inputs import Inputs
from serbench.run.kind import Prepared, RunKind


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What `count` is asked for, beside its Inputs."""

    platforms: Sequence[PlatformManifest]
    """All are of one kind."""
    tests: Sequence[str] = ()
    languages: Sequence[str] = ()
    contenders: Sequence[str] = ()
    profiles: Sequence[str] = ()


class PlatformKind(msgspec.Struct, frozen=True, kw_only=True):
    """How rows are counted on one kind of platform."""

    manifest: type[Emulated]
    """The record of such platforms."""
    plan: Callable[[Asked, Inputs], Plan]
    """Raises UserError."""
    prepare: Callable[[Plan, Inputs, Sequence[PlatformManifest]], Prepared]
    """Raises UserError for what is not here or not set up."""
    boards: bool = False
    """Whether chips for real boards only can be among them."""
    options: tuple[str, ...] = ()
    """Those of `count` that go with it, if not all do."""


def found_platforms(names: Sequence[str]) -> tuple[PlatformKind, list[PlatformManifest]]:
    """The platforms of these names, and who counts on them.

    Raises UserError for an unknown one, and for kinds of different rows.
    """
    known = load_platforms(ROOT)
    for name in names:
        if name not in known:
            raise unknown("platform", name, known)
    named = [known[name] for name in dict.fromkeys(names)]
    if not named:
        raise UserError("--platform names no platform")
    boards = [one for one in named if isinstance(one, Board)]
    if len(boards) == len(named):
        raise UserError("; ".join(f"{one.name} is board-only: {one.reason}" for one in boards))
    several = ", ".join(one.name for one in named)
    kinds = [kind for kind in found(PlatformKind) if any(isinstance(one, kind.manifest) for one in named)]
    if not kinds:
        raise UserError(f"this serbench cannot count on {several}")
    kind = kinds[0]
    if not all(isinstance(one, (kind.manifest, Board) if kind.boards else kind.manifest) for one in named):
        raise UserError(f"{several} have rows of different kinds: let each have a run of its own")
    return kind, named


def plan_of_counts(earlier: Run) -> Plan:
    """The plan of a run on emulated platforms. Raises UserError for a run of a real board."""
    if any(known.kind == "board" for known in earlier.platforms):
        raise UserError(
            "that run is of a real board, which cannot be repeated: start ./serbench collect again"
        )
    profiles = {row.profile for row in earlier.rows}
    return earlier.settings.plan or Plan(
        kind="platforms",
        rows=list(dict.fromkeys(row.row for row in earlier.rows)),
        datasets=list(dict.fromkeys(row.dataset for row in earlier.rows)),
        configurations=[[profile, "", "system"] for profile in PROFILES if profile in profiles],
        platforms=[known.name for known in earlier.platforms],
    )


def _prepare(plan: Plan, inputs: Inputs, _earlier: Run | None) -> Prepared:
    kind, platforms = found_platforms(plan.platforms)
    return kind.prepare(plan, inputs, platforms)


COUNTS = RunKind(name="platforms", prepare=_prepare, results="rows", counting=True)
"""The kind of run of `count`."""
