"""`run --on ADDRESS`: the same run on the machines of a fleet. Imported for that alone."""

import asyncio
import contextlib
import io
import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.console import Console

from serbench.catalog.records import Catalog
from serbench.commands.bootstrap import new_run_file
from serbench.commands.carry_out import RunRequest
from serbench.commands.outcome import INTERRUPTED, MISSING, conclude, write_reports
from serbench.commands.progress import shown_progress
from serbench.errors import UserError
from serbench.fleet.client import ASK_SECONDS, Present, ask_who, collect
from serbench.fleet.local import START_SECONDS, local_fleet, number_of_workers
from serbench.fleet.merge import Merger, drop_halves, host_of, marks, number_of
from serbench.fleet.units import Result, Unit, kind_differences, kind_of, run_digest, shared_budget, units_of
from serbench.fleet.wire import load, parse_address, security
from serbench.project import ROOT
from serbench.report.orders import orders_document, orders_of
from serbench.report.terminal import print_document, print_line
from serbench.results.revision import own_revision
from serbench.results.schema import Host, Run
from serbench.run.resume import command_for
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
    while len(found := asyncio.run(ask_who(address, safety, max(seconds, ASK_SECONDS)))) < least:
        if time.monotonic() > deadline:
            raise UserError(f"no machine has joined {address}: ./serbench join {address} on each")
        time.sleep(0.1)
    return found


def carry_out_on(on: str, certificates: Path | None, request: RunRequest, force: bool = False) -> None:
    """Carry out a run on the machines at `on`, as carry_out.carry_out does on this one.

    With `everywhere` in its plan each machine makes a run of its own; its name is behind that of the file.
    Files are replaced if `force`.
    """
    err = Console(stderr=True, highlight=False)
    target, interrupted = request.target, request.interrupted
    catalog, ignore_lock = request.inputs.catalog, request.inputs.ignore_lock
    settings = msgspec.structs.replace(request.settings, references=catalog.references)
    assert settings.plan is not None
    earlier = interrupted.run if interrupted else None
    with (
        fleet_at(on, certificates, ignore_lock) as (address, safety, present),
        shown_progress(err) as progress,
    ):
        shares = _shares(present, settings.plan.everywhere, earlier)
        jobs: list[_Job] = []
        with contextlib.ExitStack() as stack:
            for hosts, others in shares:
                name = hosts[0].name if settings.plan.everywhere and interrupted is None else ""
                path = target
                if name:
                    path = new_run_file(target.with_name(f"{target.stem}-{name}{target.suffix}"), force)
                session = RunSession(settings, hosts[0].machine, path, "samples", progress, interrupted)
                if interrupted is not None:
                    drop_halves(session.run)
                stack.enter_context(session.running(ignore_lock, locking=False))
                for sentence in [*request.notes, *others, *marks(hosts)]:
                    session.note(sentence)
                for host in hosts:
                    session.keep(host)
                # Workers of one machine take turns.
                machines = 1 if number_of_workers(on) else len(hosts)
                jobs.append(_Job(session, _units(session.run, catalog, machines)))
            _measure(jobs, address, safety, progress)
    _conclude(jobs)


class _Job:
    """A run, and what it lacks."""

    def __init__(self, session: RunSession, units: Sequence[Unit]) -> None:
        self.session = session
        self.units = units
        self.merger = Merger(session, units)
        self.interrupted = False

    @property
    def left(self) -> list[Unit]:
        """The units that have not been measured."""
        done = {unit.number for unit in self.session.run.units}
        return [unit for unit in self.units if number_of(unit.key) not in done]

    async def collect(self, address: str, safety: Any, step: Callable[[], None], progress: Progress) -> None:
        """Have them measured; one that a machine had with other versions again, elsewhere."""

        def take(result: Result) -> None:
            if self.merger.take(result):
                step()

        await collect(address, safety, self.left, take, self.merger.started, progress.say)
        if self.merger.refused and self.session.run.units:
            proven = self.session.run.units[0].host
            again = [msgspec.structs.replace(unit, machine=proven) for unit in self.merger.refused]
            self.merger.refused = []
            await collect(address, safety, again, take, self.merger.started, progress.say)


def _measure(jobs: Sequence[_Job], address: str, safety: Any, progress: Progress) -> None:
    step = progress.counter("Measuring", sum(len(job.left) for job in jobs))

    async def all_of_them() -> None:
        await asyncio.gather(*(job.collect(address, safety, step, progress) for job in jobs))

    try:
        asyncio.run(all_of_them())
    except KeyboardInterrupt:
        for job in jobs:
            job.interrupted = True
        raise
    finally:
        for job in jobs:  # an interruption ends one of the sessions, and the others with it
            if job.left:
                job.session.miss_some()


def _conclude(jobs: Sequence[_Job]) -> None:
    """Report the run, or all of them and the orders on their machines."""
    out = Console(highlight=False)
    runs = [job.session.run for job in jobs]
    status = INTERRUPTED if any(job.interrupted for job in jobs) else MISSING
    everywhere = runs[0].settings.plan is not None and runs[0].settings.plan.everywhere
    if not everywhere or len(jobs) == 1:
        for job in jobs:
            conclude(job.session.run, job.session.output, out, None, status)
        return
    jobs = [job for job in jobs if job.session.output.is_file()]  # there is none of a run without samples
    measured = [job.session.run for job in jobs if job.session.run.samples]
    for job in jobs:
        write_reports(job.session.run, job.session.output, Console(file=io.StringIO(), width=80))
    if len(measured) > 1:
        print_document(orders_document(orders_of(measured)), out)
        print_line(out, "")
    for job in jobs:
        print_line(out, f"Run file: {job.session.output}")
        if not job.session.run.complete:
            print_line(out, f"  is not complete: {command_for(job.session.run, job.session.output)}")
    files = shlex.join(str(job.session.output) for job in jobs)
    print_line(out, f"Next: ./serbench report {files} --orders --details   all pairs of rows")
    print_line(out, f"      ./serbench report {files} --html FILE          the page, with all machines")
    if not all(run.complete for run in runs):
        raise typer.Exit(status)


def _shares(
    present: Sequence[Present], everywhere: bool, run: Run | None
) -> list[tuple[list[Host], list[str]]]:
    """Which machines make which run, and what its reader must know. Raises UserError where none is there."""
    if not everywhere:
        return [_of_one_kind(present, run)]
    hosts = [host_of(one.worker) for one in present]
    if run is None:
        return [([host], []) for host in hosts]
    name = run.hosts[0].name if run.hosts else ""
    same = [host for host in hosts if host.name == name]
    if not same or kind_of(same[0].machine) != kind_of(run.machine):
        raise UserError(f"{name}, which measured this run, is not there, or is another machine now")
    return [(same, [])]


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
    """Return all units of `run`, with their budgets on `machines`. A machine may join later."""
    kind = kind_of(run.machine)
    plan = run.settings.plan
    only = run.hosts[0].name if plan is not None and plan.everywhere else None
    units = units_of(run.settings, run_digest(run), own_revision(ROOT).sources, catalog, only, kind)
    if run.settings.budget_seconds is None:
        return units
    return shared_budget(units, run.settings.budget_seconds, machines)
