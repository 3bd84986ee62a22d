"""`fidelity`, `limits`, `strict`: what libraries change, how large a document they take, what they refuse."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from serbench.catalog.selection import select_rows, split
from serbench.commands.bootstrap import new_run_file
from serbench.commands.carry_out import RunRequest, carry_out
from serbench.commands.options import Contenders, Folders, Force, IgnoreLock, Languages, Output
from serbench.errors import UserError, unknown
from serbench.measure.precision import settings_for
from serbench.measure.records import Plan
from serbench.run.inputs import Inputs
from serbench.run.probing import probed_languages
from serbench.run.strictness import DAMAGED, READING, readers_among

HEAP_MB = 64
"""Small enough for a library's search to take about half a minute."""


def fidelity(
    languages: Languages = [],  # noqa: B006 - typer copies its defaults
    contenders: Contenders = [],  # noqa: B006
    contender: Folders = [],  # noqa: B006
    output: Output = None,
    force: Force = False,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Show what libraries change, refuse and add to the data, in languages that have probes."""
    _probe("fidelity", languages, contenders, Inputs(contender, ignore_lock=ignore_lock), output, force)


def limits(
    languages: Languages = [],  # noqa: B006
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
    _probe(
        "limits", languages, contenders, Inputs(contender, ignore_lock=ignore_lock), output, force, heap_mb
    )


def strict(
    contenders: Contenders = [],  # noqa: B006
    contender: Folders = [],  # noqa: B006
    damaged: Annotated[
        int, typer.Option("--damaged", min=0, max=1_000_000, help="Damaged encodings for each reader.")
    ] = DAMAGED,
    output: Output = None,
    force: Force = False,
    ignore_lock: IgnoreLock = False,
) -> None:
    """Show what readers take and refuse of valid, invalid and damaged documents of their format."""
    inputs = Inputs(contender, ignore_lock=ignore_lock)
    rows = readers_among(inputs.catalog, select_rows(inputs.catalog, READING, (), split(contenders)))
    if not rows:
        raise UserError("there are no cases for the formats of these contenders: see formats/cases")
    _carry_out(Plan(kind="strict", rows=[row.id for row in rows], damaged=damaged), inputs, output, force)


def _probe(
    kind: Literal["fidelity", "limits"],
    languages: list[str],
    contenders: list[str],
    inputs: Inputs,
    output: Path | None,
    force: bool,
    heap_mb: int | None = None,
) -> None:
    able = probed_languages(inputs.catalog, kind)
    wanted = split(languages) or able
    for name in wanted:
        if name not in able:
            raise unknown(f"language with a probe of {kind}", name, able)
    rows = select_rows(inputs.catalog, (), wanted, split(contenders))
    _carry_out(Plan(kind=kind, rows=[row.id for row in rows], heap_mb=heap_mb), inputs, output, force)


def _carry_out(plan: Plan, inputs: Inputs, output: Path | None, force: bool) -> None:
    settings = settings_for("quick", (), None, [], 0, fragment=True, instructions=False)
    settings.plan = plan
    carry_out(RunRequest(settings=settings, inputs=inputs, target=new_run_file(output, force)))
