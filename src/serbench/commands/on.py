"""`run --on ADDRESS`: the same run on the machines of a fleet. Imported for that alone."""

import asyncio
import contextlib
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from serbench.catalog.records import Catalog
from serbench.commands.outcome import INTERRUPTED, MISSING, conclude
from serbench.commands.progress import stages
from serbench.errors import UserError
from serbench.fleet.client import Present, ask_who, collect
from serbench.fleet.local import START_SECONDS, local_fleet, number_of_workers
from serbench.fleet.merge import Merger, drop_halves, host_of, marks, number_of
from serbench.fleet.scheduler import Result
from serbench.fleet.units import Unit, kind_differences, kind_of, run_digest, shared_budget, units_of
from serbench.fleet.wire import load, parse_address, security
from serbench.measure.records import Settings
from serbench.project import ROOT
from serbench.results.revision import own_revision
from serbench.results.schema import Host, Run
from serbench.run.resume import Interrupted
from serbench.run.session import Progress, RunSession


@contextlib.contextmanager
def fleet_at(
    on: str, certificates: Path | None, ignore_lock: bool
) -> Iterator[tuple[str, Any, list[Present]]]:
    """The address of `--on`, what it takes to speak to it, and who is there; local:N lasts for the block.

    Raises UserError where nobody is.
    """
    load()
    workers = number_of_workers(on)
    if workers is None:
        address, safety = parse_address(on, certificates), security(certificates)
        yield address, safety, _present(address, safety, 1, 0.0)
        return
    with local_fleet(workers, ignore_lock) as (address, own):
        safety = security(own)
        yield address, safety, _present(address, safety, workers, START_SECONDS)


def _present(address: str, safety: Any, least: int, seconds: float) -> list[Present]:
    deadline = time.monotonic() + seconds
    while len(found := asyncio.run(ask_who(address, safety))) < least:
        if time.monotonic() > deadline:
            raise UserError(f"no machine has joined {address}: ./serbench join {address} on each")
        time.sleep(0.1)
    return found


def carry_out_on(
    on: str,
    certificates: Path | None,
    settings: Settings,
    catalog: Catalog,
    target: Path,
    notes: Sequence[str] = (),
    interrupted: Interrupted | None = None,
    ignore_lock: bool = False,
) -> None:
    """Carry out the plan of `settings` on the machines at `on`, as kinds.carry_out does on this one."""
    out, err = Console(highlight=False), Console(stderr=True, highlight=False)
    settings = msgspec.structs.replace(
        settings, references=sorted({harness.reference for harness in catalog.harnesses.values()} - {""})
    )
    with fleet_at(on, certificates, ignore_lock) as (address, safety, present), stages(err) as progress:
        hosts, others = _of_one_kind(present, interrupted.run if interrupted else None)
        session = RunSession(settings, hosts[0].machine, target, "samples", progress, interrupted)
        if interrupted is not None:
            drop_halves(session.run)
        with session.running(ignore_lock, locking=False):
            for sentence in [*notes, *others, *marks(hosts)]:
                session.note(sentence)
            for host in hosts:
                session.keep(host)
            # Workers of one machine take turns.
            machines = 1 if number_of_workers(on) else len(hosts)
            _measure(session, _units(session.run, catalog, machines), address, safety, progress)
    conclude(session.run, target, out, None, INTERRUPTED if session.whole else MISSING)


def _of_one_kind(present: Sequence[Present], run: Run | None) -> tuple[list[Host], list[str]]:
    """The machines that share the run, and why others are left out. Raises UserError where none may go on."""
    hosts = [host_of(one.worker) for one in present]
    kinds: dict[str, list[Host]] = {}
    for host in hosts:
        kinds.setdefault(kind_of(host.machine), []).append(host)
    if run is not None and run.hosts:
        chosen = kinds.get(kind_of(run.machine), [])
        if not chosen:
            found = "; ".join(kind_differences(run.machine, hosts[0].machine))
            raise UserError(f"no machine of the run's kind is there ({found})")
    else:
        chosen = max(kinds.values(), key=len)
    others = [
        f"{host.name} took no part, as it is of another kind: "
        f"{'; '.join(kind_differences(chosen[0].machine, host.machine))}."
        for host in hosts
        if host not in chosen
    ]
    return chosen, others


def _units(run: Run, catalog: Catalog, machines: int) -> list[Unit]:
    """All units of `run`, with their budgets on so many machines. One that joins later may take part, too."""
    kind = kind_of(run.machine)
    units = units_of(run.settings, run_digest(run), own_revision(ROOT).sources, catalog, kind=kind)
    if run.settings.budget_seconds is None:
        return units
    return shared_budget(units, run.settings.budget_seconds, machines)


def _measure(
    session: RunSession, units: Sequence[Unit], address: str, safety: Any, progress: Progress
) -> None:
    """Have the units measured that `session` lacks; one of a machine with other versions again, elsewhere."""
    done = {unit.number for unit in session.run.units}
    left = [unit for unit in units if number_of(unit.key) not in done]
    merger = Merger(session, units)
    step = progress.counter("Measuring", len(left))

    def take(result: Result) -> None:
        if merger.take(result):
            step()

    asyncio.run(collect(address, safety, left, take, merger.started, progress.say))
    if merger.refused and session.run.units:
        proven = session.run.units[0].host
        again = [msgspec.structs.replace(unit, machine=proven) for unit in merger.refused]
        merger.refused = []
        asyncio.run(collect(address, safety, again, take, merger.started, progress.say))
    if merger.refused:
        session.miss_some()
