"""Runs on many machines: a trial with injected faults.

    PYTHONPATH=src .venv/bin/python -m benchmarks.fleet faults --count 200

Scheduler, workers and clients are serbench's own; only the measuring of a unit is replaced by a wait.
"""

import argparse
import asyncio
import contextlib
import os
import random
import signal
import socket
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec

from serbench.commands.progress import ProgressDisplay
from serbench.datasets.records import DatasetRecord
from serbench.errors import UserError
from serbench.fleet.certificates import make_certificates
from serbench.fleet.client import collect
from serbench.fleet.merge import Merger, drop_halves
from serbench.fleet.scheduler import make_scheduler
from serbench.fleet.units import Unit, Worker, run_digest
from serbench.fleet.wire import load, security, software
from serbench.fleet.worker import Member
from serbench.measure.precision import settings_for
from serbench.measure.records import Plan, Sample
from serbench.project import ROOT
from serbench.results.journal import complete
from serbench.results.load import load_run
from serbench.results.machine import this_machine
from serbench.results.revision import own_revision
from serbench.results.schema import Revision, RowRecord, Run
from serbench.run.resume import find_interrupted
from serbench.run.session import RunSession, now

REVISION = own_revision(ROOT)
MACHINE = this_machine({})
ROWS, LAUNCHES = 3, 4
UNITS = 60
WORKERS = 4
LOST_SECONDS = 5.0
"""Dask waits for ten signs of life at least, and workers give two each second."""


def unit(run: str, number: int) -> Unit:
    """A unit that names nothing that is measured."""
    return Unit(
        key=f"{run}/{number}",
        revision=REVISION.sources,
        test="tree",
        dataset=f"generated:{number}",
        profile="speed",
        configurations=[["speed", "", "system", "baseline"]],
        rows=[f"c/fake{row}:tree" for row in range(ROWS)],
        precision="quick",
    )


def pretended(asked: Unit, token: int) -> bytes:
    """A run file of the unit, all of whose samples bear the number of this measuring."""
    rows = [
        RowRecord(
            **{"id": row, "row": name, "contender": name, "contender_id": name.partition(":")[0]},
            **{"language": "c", "language_name": "C", "harness": "c", "format": "json", "test": "tree"},
            **{"dataset": asked.dataset, "profile": "speed", "status": "ok", "library_version": "1"},
        )
        for row, name in enumerate(asked.rows)
    ]
    samples = [
        Sample(
            **{"row": row, "launch": launch, "round": 0, "position": row, "started": 0.0},
            **{"iterations": token, "wall": [10**6 + token], "cpu": [10**6]},
        )
        for launch in range(LAUNCHES)
        for row in range(ROWS)
    ]
    run = Run(
        **{"serbench": "0", "revision": REVISION, "id": "unit", "started": now(), "machine": MACHINE},
        **{"settings": settings_for("quick", (), None, [], 0, True, False), "complete": True, "seconds": 0.1},
        datasets=[dataset(asked.dataset)],
        rows=rows,
        samples=samples,
    )
    return msgspec.json.encode(run)


def dataset(name: str) -> DatasetRecord:
    """What a run file says of a dataset that nobody made."""
    needed = {
        field.name: {str: "0", int: 1, float: 1.0, bool: False}.get(field.type, "0")
        for field in msgspec.structs.fields(DatasetRecord)
        if field.required
    }
    return msgspec.convert(needed | {"name": name, "encodings": {}}, DatasetRecord)


class Trial:
    """Processes of a fleet, which are forked from this one, and killed."""

    def __init__(self, folder: Path, seconds: float, seed: int) -> None:
        self.folder, self.seconds = folder, seconds
        self.draw = random.Random(seed)
        make_certificates(folder / "certificates")
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.address = f"tls://127.0.0.1:{found.getsockname()[1]}"
        self.workers: dict[str, int] = {}
        self.clients: dict[Path, int] = {}
        self.scheduler = 0
        self.made = 0
        self.faults: Counter[str] = Counter()

    def safety(self, role: str) -> object:
        """The certificate of a role."""
        return security(self.folder / "certificates" / role)

    def fork(self, work: Callable[[], None]) -> int:
        """Do `work` in another process; its number."""
        process = os.fork()
        if process:
            return process
        status = 1
        try:
            os.setpgid(0, 0)
            with (self.folder / "said").open("ab", buffering=0) as log:
                os.dup2(log.fileno(), 2)
            work()
            status = 0
        except UserError as error:
            print(error, file=sys.stderr, flush=True)
            status = 2
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(status)

    def start_scheduler(self) -> None:
        """Start it where it was before."""

        async def serve() -> None:
            made = make_scheduler(
                self.address, self.safety("scheduler"), REVISION, failures=10**6, lost=LOST_SECONDS
            )
            await made
            await made.finished()

        self.scheduler = self.fork(lambda: asyncio.run(serve()))

    def start_worker(self, **changes: object) -> int:
        """Start a machine that has not been there."""
        self.made += 1
        number = self.made
        worker = msgspec.structs.replace(
            Worker(name=f"m{number}", revision=REVISION, software=software(), machine=MACHINE), **changes
        )
        draw = random.Random(number)

        def measure(asked: Unit, unwanted: object) -> bytes:
            time.sleep(draw.uniform(0.5, 1.5) * self.seconds)
            token = int.from_bytes(os.urandom(4)) + 1
            with (self.folder / "measured").open("ab", buffering=0) as file:
                file.write(f"{asked.key} {token}\n".encode())
            return pretended(asked, token)

        def stay() -> None:
            member = Member(self.address, self.safety("worker"), worker, measure, lambda given: given)
            asyncio.run(member.stay())

        process = self.fork(stay)
        if not changes:
            self.workers[worker.name] = process
        return process

    def start_client(self, path: Path) -> None:
        """Begin the run whose file is `path`, or go on with it."""

        def work() -> None:
            journal = path.with_name(path.name + ".journal")
            interrupted = find_interrupted(path) if journal.exists() or path.exists() else None
            settings = msgspec.structs.replace(
                settings_for("quick", (), None, [], 0, True, False), plan=Plan(kind="growth")
            )
            session = RunSession(settings, MACHINE, path, "samples", _Silent(), interrupted)
            if interrupted is not None and interrupted.run.complete:  # it was killed at the last moment
                complete(interrupted.run, path)
                journal.unlink(missing_ok=True)
                return
            if interrupted is not None:
                drop_halves(session.run)
            with session.running(True, locking=False):
                run = run_digest(session.run)
                units = [unit(run, number) for number in range(UNITS)]
                merger = Merger(session, units)
                done = {each.number for each in session.run.units}
                left = [each for number, each in enumerate(units) if number not in done]
                asyncio.run(
                    collect(self.address, self.safety("client"), left, lambda r: merger.take(r) or None)
                )

        self.clients[path] = self.fork(work)

    # Faults.

    def kill_worker(self) -> None:
        """Kill a machine in the middle of whatever it does; another one comes."""
        name = self.draw.choice(sorted(self.workers))
        _kill(self.workers.pop(name))
        time.sleep(self.draw.uniform(0, 2) * self.seconds)
        self.start_worker()

    def kill_scheduler(self) -> None:
        """Kill the scheduler; it returns after a while and knows nothing."""
        _kill(self.scheduler)
        time.sleep(self.draw.uniform(0, 4) * self.seconds)
        self.start_scheduler()

    def kill_client(self) -> None:
        """Kill a client, and resume its run."""
        path = self.draw.choice(sorted(self.clients))
        if os.waitpid(self.clients[path], os.WNOHANG)[0]:
            self.clients[path] = 0
            return self.kill_worker()
        _kill(self.clients[path])
        time.sleep(self.draw.uniform(0, 4) * self.seconds)
        self.start_client(path)
        return None

    def freeze_worker(self) -> None:
        """Stop a machine for longer than it may be silent, and let it go on."""
        process = self.workers[self.draw.choice(sorted(self.workers))]
        os.kill(process, signal.SIGSTOP)
        time.sleep(self.draw.uniform(0.5, 2) * LOST_SECONDS)
        os.kill(process, signal.SIGCONT)

    def join_wrongly(self) -> None:
        """Let a machine of another revision, or with other versions, try to join: it must be refused."""
        wrong = {"revision": Revision(sources="other")} if self.draw.random() < 0.5 else {"software": "other"}
        process = self.start_worker(**wrong)
        deadline = time.monotonic() + 30
        while not (ended := os.waitpid(process, os.WNOHANG))[0]:
            if time.monotonic() > deadline:
                _kill(process)
                raise AssertionError("a wrong machine was not refused")
            time.sleep(0.02)
        if os.waitstatus_to_exitcode(ended[1]) != 2:
            raise AssertionError("a wrong machine ended otherwise than refused")

    def garble(self) -> None:
        """Connect without a certificate, and send noise."""
        with contextlib.suppress(OSError), socket.socket() as peer:
            peer.settimeout(1)
            peer.connect(("127.0.0.1", int(self.address.rpartition(":")[2])))
            peer.sendall(self.draw.randbytes(4096))

    def inject(self) -> None:
        """One fault, drawn."""
        kinds = {
            **{self.kill_worker: 45, self.kill_scheduler: 15, self.kill_client: 20},
            **{self.freeze_worker: 5, self.join_wrongly: 10, self.garble: 5},
        }
        fault = self.draw.choices(list(kinds), list(kinds.values()))[0]
        fault()
        self.faults[fault.__name__.replace("_", " ")] += 1

    def end(self) -> None:
        """Kill everything that is left."""
        for process in [self.scheduler, *self.workers.values(), *filter(None, self.clients.values())]:
            _kill(process)


class _Silent(ProgressDisplay):
    """No progress."""

    def __init__(self) -> None:
        """Nothing to show it on."""


def _kill(process: int) -> None:
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def _check(path: Path) -> set[tuple[str, int]]:
    """The measurings that the run file counts. Raises AssertionError where one is lost or counts twice."""
    run = load_run(path)
    assert run.complete, f"{path} is not complete"
    numbers = [each.number for each in run.units]
    assert sorted(numbers) == list(range(UNITS)), f"{path}: units {sorted(numbers)}"
    tokens: dict[int, set[int]] = {}
    for sample in run.samples:
        tokens.setdefault(sample.row, set()).add(sample.iterations)
    counted = set()
    for each in run.units:
        found = set().union(*(tokens[row] for row in each.rows))
        assert len(found) == 1, f"{path}: unit {each.number} has samples of {len(found)} measurings"
        counted.add((f"{run_digest(run)}/{each.number}", found.pop()))
    assert len(run.samples) == UNITS * ROWS * LAUNCHES, f"{path} has {len(run.samples)} samples"
    assert not [note for note in run.notes if "not counted" in note or "not measured" in note], run.notes
    return counted


def faults(count: int, seconds: float, seed: int) -> None:
    """Inject `count` faults while two clients at a time have their runs measured by four workers."""
    load()
    with tempfile.TemporaryDirectory() as place:
        trial = Trial(Path(place), seconds, seed)
        began, runs, finished = time.monotonic(), 0, []
        try:
            trial.start_scheduler()
            for _ in range(WORKERS):
                trial.start_worker()
            while trial.clients or trial.faults.total() < count:
                while len(trial.clients) < 2 and trial.faults.total() < count:
                    runs += 1
                    trial.start_client(Path(place, f"run{runs}.json"))
                if trial.faults.total() < count:
                    trial.inject()
                else:
                    time.sleep(0.05)
                for path, process in list(trial.clients.items()):
                    if not process or os.waitpid(process, os.WNOHANG)[0]:
                        del trial.clients[path]
                        finished.append(path)
                if time.monotonic() - began > 60 + 5 * count:
                    said = (Path(place) / "said").read_text("utf-8", "replace")
                    raise AssertionError(f"it does not end; last said: {said[-1000:]}")
        finally:
            trial.end()
        counted = set().union(*map(_check, finished))
        lines = (Path(place) / "measured").read_text().splitlines()
        measured = {(key, int(token)) for key, _, token in (line.partition(" ") for line in lines)}
        assert counted <= measured
        seconds_all = time.monotonic() - began
        print(f"{trial.faults.total()} faults in {seconds_all:.0f} s: {dict(trial.faults.most_common())}")
        print(
            f"{len(finished)} runs with {len(finished) * UNITS} units: all complete, each unit counted once"
        )
        print(
            f"{len(measured)} units were measured to their end; {len(measured - counted)} do not count: "
            "their machine was killed before it delivered, or another was first"
        )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="what", required=True)
    trial = commands.add_parser("faults")
    trial.add_argument("--count", type=int, default=200)
    trial.add_argument("--seconds", type=float, default=0.1, help="how long a unit takes, on the average")
    trial.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    faults(given.count, given.seconds, given.seed)


if __name__ == "__main__":
    main()
