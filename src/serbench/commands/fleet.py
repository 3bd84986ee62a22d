"""`join` and `fleet`: the machines of a run on many of them; `unit`, which a machine starts for each unit.

What they need is imported when they are called: no other command loads Dask's library.
"""

import asyncio
import hashlib
import os
import re
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from serbench.catalog.load import load_catalog
from serbench.commands import show
from serbench.commands.carry_out import RunRequest, measure
from serbench.commands.options import IgnoreLock
from serbench.errors import UserError
from serbench.measure.noise import activity, disturbances, governor_warning, load_warning
from serbench.measure.precision import settings_for
from serbench.measure.records import Plan
from serbench.project import ROOT
from serbench.report.terminal import print_line
from serbench.results.machine import this_machine
from serbench.results.revision import own_revision
from serbench.run.inputs import Inputs, open_context

if TYPE_CHECKING:
    from serbench.fleet.units import Worker

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

Certificates = Annotated[
    Path | None,
    typer.Option("--certificates", metavar="DIR", help="The folder with certificate, key and authority."),
]
WithInput = Annotated[bool, typer.Option("--with-input", hidden=True)]
LOOK = 0.5
_PIECE, _PIECES = 1 << 22, 9


def _pace() -> int:
    """The least time of a fixed piece of work, in nanoseconds."""
    data, least = bytes(_PIECE), 1 << 62
    for _ in range(_PIECES):
        began = time.perf_counter_ns()
        hashlib.sha256(data).digest()
        least = min(least, time.perf_counter_ns() - began)
    return least


def describe(name: str) -> "Worker":
    """What this machine says of itself. Raises UserError for a name that is none."""
    from serbench.fleet.units import Worker
    from serbench.fleet.wire import software

    name = name or os.uname().nodename
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", name):
        raise UserError(f"'{name}' is no name for a machine: use up to 64 letters, digits, '.', '_' and '-'")
    before = activity()
    time.sleep(LOOK)
    noise = [*disturbances(before, activity()), governor_warning(), load_warning(os.getloadavg()[0])]
    return Worker(
        name=name,
        revision=own_revision(ROOT),
        software=software(),
        machine=this_machine(open_context(load_catalog(ROOT)).compilers()),
        pace_ns=_pace(),
        noise=[sentence[:200] for sentence in noise if sentence],
    )


def join(
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="The scheduler: tls://HOST:PORT.")],
    certificates: Certificates = None,
    name: Annotated[str, typer.Option("--name", help="This machine's name. Default: its host name.")] = "",
    ignore_lock: IgnoreLock = False,
    with_input: WithInput = False,
) -> None:
    """Make this machine a worker: it measures for others, one unit at a time, until Ctrl-C."""
    from serbench.fleet.runner import end_with_input, run_unit
    from serbench.fleet.units import Unit, checked
    from serbench.fleet.wire import parse_address, security
    from serbench.fleet.worker import Member

    if with_input:
        end_with_input(sys.stdin.fileno())
    if ignore_lock:
        os.environ["SERBENCH_IGNORE_LOCK"] = "1"
    place = parse_address(address, certificates)
    safety = security(certificates)
    catalog, revision = load_catalog(ROOT), own_revision(ROOT).sources

    def check(unit: Unit) -> Unit:
        return checked(unit, catalog, revision)

    member = Member(place, safety, describe(name), run_unit, check, lambda said: print_line(err, said))
    try:
        asyncio.run(member.stay())
    except KeyboardInterrupt:
        print_line(err, "left the fleet")


def fleet(
    what: Annotated[
        str,
        typer.Argument(
            metavar="ADDRESS|certificates|serve",
            help="A scheduler's address: who is there. certificates DIR: make them. serve ADDRESS: be the "
            "scheduler.",
        ),
    ],
    where: Annotated[str, typer.Argument(metavar="[DIR|ADDRESS]")] = "",
    certificates: Certificates = None,
    with_input: WithInput = False,
) -> None:
    """Show who is in a fleet, make its certificates, or start its scheduler."""
    from serbench.fleet.certificates import make_certificates
    from serbench.fleet.client import ask_who
    from serbench.fleet.runner import end_with_input
    from serbench.fleet.wire import load, parse_address, security

    if (what in ("certificates", "serve")) != bool(where):
        raise UserError("give ADDRESS, certificates DIR, or serve ADDRESS: ./serbench fleet --help")
    if with_input:
        end_with_input(sys.stdin.fileno())
    load()
    if what == "certificates":
        make_certificates(Path(where))
        print_line(out, f"Made {where}/scheduler, {where}/worker and {where}/client.")
        print_line(out, "Copy the folder worker to each machine, and keep the others where they are used.")
    elif what == "serve":
        place = parse_address(where, certificates)
        try:
            asyncio.run(_serve(place, security(certificates)))
        except KeyboardInterrupt:
            print_line(err, "the scheduler has ended")
    else:
        place = parse_address(what, certificates)
        show.fleet(out, asyncio.run(ask_who(place, security(certificates))))


async def _serve(place: str, safety: object) -> None:
    from serbench.fleet.scheduler import make_scheduler

    scheduler = make_scheduler(place, safety, own_revision(ROOT), say=lambda said: print_line(err, said))
    try:
        await scheduler
    except (OSError, RuntimeError) as error:
        raise UserError(f"cannot listen on {place}: {error.__cause__ or error}") from error
    print(f"listens on {scheduler.address}", flush=True)
    await scheduler.finished()


def unit(output: Annotated[Path, typer.Argument(metavar="FILE")], ignore_lock: IgnoreLock = False) -> None:
    """Measure the unit on standard input, for a run on many machines."""
    from serbench.fleet.runner import end_with_input
    from serbench.fleet.units import LARGEST_UNIT, Unit, checked, decoded

    line = sys.stdin.buffer.raw.readline(LARGEST_UNIT + 2) if hasattr(sys.stdin.buffer, "raw") else b""
    asked = decoded(line, Unit)
    if threading.current_thread() is threading.main_thread():
        end_with_input(sys.stdin.fileno())
    inputs = Inputs(ignore_lock=ignore_lock)
    checked(asked, inputs.catalog, own_revision(ROOT).sources)
    settings = settings_for(
        asked.precision, (), asked.budget, [asked.profile], asked.seed, asked.fragment, asked.instructions
    )
    settings.plan = Plan(
        kind="times", rows=asked.rows, datasets=[asked.dataset], configurations=asked.configurations
    )
    run = measure(RunRequest(settings=settings, inputs=inputs, target=output), waiting=True).run
    if not run.complete:
        raise UserError("the unit was interrupted")
