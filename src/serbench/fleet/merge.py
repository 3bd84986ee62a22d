"""What machines have measured, put into the run of the client: each unit whole, or nothing of it."""

from collections.abc import Iterable

import msgspec

from serbench.datasets.store import ORDERED
from serbench.errors import UserError
from serbench.fleet.units import Result, Unit, Worker, decoded
from serbench.results.journal import AnyRecord
from serbench.results.load import read_run
from serbench.results.schema import Host, Measured, Run
from serbench.run.session import RunSession, interruptions_deferred


def host_of(worker: Worker) -> Host:
    """What a run file says of a machine."""
    return Host(name=worker.name, machine=worker.machine, pace_ns=worker.pace_ns, noise=list(worker.noise))


def number_of(key: str) -> int:
    """The number of a unit."""
    return int(key.rpartition("/")[2])


def drop_halves(run: Run) -> None:
    """Remove from an interrupted `run` what was kept of units whose last record did not get there."""
    whole = {row for unit in run.units for row in unit.rows}
    groups = {(unit.test, unit.dataset, unit.profile) for unit in run.units}
    run.rows = [row for row in run.rows if row.id in whole]
    run.samples = [sample for sample in run.samples if sample.row in whole]
    run.overheads = [overhead for overhead in run.overheads if overhead.row in whole]
    run.failures = [failure for failure in run.failures if failure.row in whole]
    run.stops = [stop for stop in run.stops if stop.group in groups]


class Merger:
    """Takes the results of units into a session."""

    def __init__(self, session: RunSession, units: Iterable[Unit]) -> None:
        self.session = session
        self.units = {unit.key: unit for unit in units}
        self.refused: list[Unit] = []
        """Units that a machine measured with other versions or data than the rest of the run."""
        self._began: dict[str, float] = {}

    def started(self, key: str, _machine: str) -> None:
        """Note that a machine has begun a unit."""
        self._began[key] = self.session.clock()

    def take(self, result: Result) -> bool:
        """Keep what a machine has measured; False, and a note, if it has not or its result cannot count."""
        unit, session = self.units[result.key], self.session
        what = f"{unit.test} on {unit.dataset} ({unit.profile})"
        if result.error:
            by = f"{result.machine} could not measure {what}" if result.machine else f"{what} is not measured"
            session.note(f"{by}: {result.error}.")
            session.miss_some()
            return False
        try:
            host = host_of(decoded(result.worker, Worker))
            made = read_run(result.run, f"the result of {result.machine}")
            self._must_be_it(made, unit, result.machine)
        except UserError as error:
            session.note(f"What {result.machine} measured of {what} is not counted: {error}.")
            self.refused.append(unit)
            return False
        with interruptions_deferred():
            if all(host.name != result.machine for host in session.run.hosts):  # it joined later
                session.keep(host)
            self._keep(made, unit, result)
        return True

    def _must_be_it(self, made: Run, unit: Unit, machine: str) -> None:
        """Raise UserError where `made` is not of `unit`, by the same programs as the rest of the run."""
        run = self.session.run
        if not made.complete:
            raise UserError("it was interrupted")
        if made.revision is None or run.revision is None or made.revision.sources != run.revision.sources:
            raise UserError("another revision of serbench made it")
        if {row.row for row in made.rows} - set(unit.rows) or {row.test for row in made.rows} - {unit.test}:
            raise UserError("it has rows that were not asked for")
        known = {dataset.name: dataset.tape_sha256 for dataset in run.datasets}
        for dataset in made.datasets:
            if dataset.name not in (unit.dataset, unit.dataset + ORDERED):
                raise UserError(f"it has data that were not asked for, {dataset.name}")
            if known.get(dataset.name, dataset.tape_sha256) != dataset.tape_sha256:
                raise UserError(f"{dataset.name} is other data on {machine}")
        before = {
            (row.contender_id, row.toolchain): row
            for row in run.rows
            if row.status == "ok" and row.library_version
        }
        for row in made.rows:
            was = before.get((row.contender_id, row.toolchain))
            if was is None or row.status != "ok":
                continue
            for name, what in (("library_version", ""), ("compiler", "the compiler of ")):
                if getattr(was, name) != getattr(row, name):
                    raise UserError(
                        f"{what}{row.contender_id} is {getattr(row, name)} on {machine}, and "
                        f"{getattr(was, name)} on the machine that measured before"
                    )

    def _keep(self, made: Run, unit: Unit, result: Result) -> None:
        session = self.session
        first = max((row.id for row in session.run.rows), default=-1) + 1
        ids = {row.id: place for place, row in enumerate(made.rows, start=first)}
        began = min(self._began.get(result.key, session.clock()), max(0.0, session.clock() - made.seconds))
        for dataset in made.datasets:
            known = next((each for each in session.run.datasets if each.name == dataset.name), None)
            if known is not None:
                encodings = known.encodings | dataset.encodings
                dataset = msgspec.structs.replace(dataset, encodings=encodings)
            session.keep(dataset)
        for row in made.rows:
            session.keep(msgspec.structs.replace(row, id=ids[row.id]))
        for overhead in made.overheads:
            session.keep(msgspec.structs.replace(overhead, row=ids[overhead.row]))
        for sample in made.samples:
            session.keep(
                msgspec.structs.replace(sample, row=ids[sample.row], started=round(began + sample.started, 6))
            )
        for failure in made.failures:
            session.keep(msgspec.structs.replace(failure, row=ids[failure.row]))
        others: list[AnyRecord] = [*made.stops, *made.fidelity, *made.strict]
        for record in others:
            session.keep(record)
        for note in made.notes:
            session.note(f"{result.machine}: {note}")
        session.keep(
            Measured(
                number=number_of(unit.key),
                test=unit.test,
                dataset=made.datasets[0].name if made.datasets else unit.dataset,
                profile=unit.profile,
                host=result.machine,
                rows=list(ids.values()),
                began=round(began, 6),
                seconds=round(session.clock() - began, 6),
            )
        )


def marks(hosts: Iterable[Host], slower: float = 1.1) -> list[str]:
    """A sentence for every machine that is slow among those of its kind, or was noisy when it joined."""
    found, hosts = [], list(hosts)
    paces = sorted(host.pace_ns for host in hosts if host.pace_ns)
    usual = paces[(len(paces) - 1) // 2] if paces else 0
    for host in hosts:
        if usual and host.pace_ns > slower * usual:
            found.append(
                f"{host.name} is slow: it takes {host.pace_ns / usual:.2f} times as long for the same work "
                "as most machines of its kind here."
            )
        found += [f"{host.name} is noisy: {sentence}" for sentence in host.noise]
    return found
