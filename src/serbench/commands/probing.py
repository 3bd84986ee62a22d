"""`fidelity` and `limits`: what libraries change and add, and how large a document they take."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from serbench.catalog.selection import select_rows, split
from serbench.commands.bootstrap import new_run_file
from serbench.commands.kinds import Places, carry_out
from serbench.commands.options import Contenders, Folders, Force, IgnoreLock, Output
from serbench.errors import UserError
from serbench.measure.precision import settings_for
from serbench.measure.records import Plan, RunKind
from serbench.run.probing import probed_languages

HEAP_MB = 64
"""Small enough for a library's search to take about half a minute."""


def fidelity(
    contenders: Contenders = [],  # noqa: B006 - typer copies its defaults
    contender: Folders = [],  # noqa: B006
    output: Output = None,
    force: Force = False,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Show what libraries change, refuse and add to the data, in languages that have probes."""
    _probe("fidelity", contenders, Places(contender, ignore_lock=ignore_lock), output, force)


def limits(
    contenders: Contenders = [],  # noqa: B006
    contender: Folders = [],  # noqa: B006
    heap: Annotated[
        int | None, typer.Option("--heap", min=16, max=65_536, help=f"MB of heap; {HEAP_MB} if not given.")
    ] = None,
    default_heap: Annotated[
        bool, typer.Option("--default-heap", help="The runtime's own, as in the 2020 comparison; takes long.")
    ] = False,
    output: Output = None,
    force: Force = False,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Find the largest document that each library encodes, and decodes, in languages that have probes."""
    if default_heap and heap is not None:
        raise UserError("--heap and --default-heap exclude each other")
    heap_mb = None if default_heap else heap or HEAP_MB
    _probe("limits", contenders, Places(contender, ignore_lock=ignore_lock), output, force, heap_mb)


def _probe(
    kind: RunKind,
    contenders: list[str],
    places: Places,
    output: Path | None,
    force: bool,
    heap_mb: int | None = None,
) -> None:
    rows = select_rows(places.catalog, (), probed_languages(places.catalog), split(contenders))
    plan = Plan(kind=kind, rows=[row.id for row in rows], heap_mb=heap_mb)
    settings = settings_for("quick", (), None, [], 0, fragment=True, instructions=False)
    carry_out(msgspec.structs.replace(settings, plan=plan), places, new_run_file(output, force))
