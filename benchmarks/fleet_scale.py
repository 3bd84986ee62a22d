"""How far one scheduler and one client go: costs of a unit, measured, and runs on many machines, simulated.

    PYTHONPATH=src .venv/bin/python -m benchmarks.fleet_scale --like RUN [--machines 10,100,1000]

RUN is the file of a run with `--on`: its units give the durations, and the size of a result. So many
machines join a scheduler over TLS, from one process, and send results of that size as soon as they get a
unit. What the scheduler's process and the merging of a result cost are processor times. From these the table
follows: units go to the machines in order, each to the first that is free.
"""

import argparse
import asyncio
import heapq
import os
import random
import resource
import signal
import socket
import statistics
import tempfile
import time
from collections.abc import Callable, Coroutine
from pathlib import Path

import msgspec
from benchmarks.fleet import MACHINE, REVISION, unit

from serbench.fleet.certificates import make_certificates
from serbench.fleet.client import ask_who, collect
from serbench.fleet.merge import Merger
from serbench.fleet.scheduler import MOST_HELD, make_scheduler
from serbench.fleet.units import Result, Worker
from serbench.fleet.wire import load, security, software
from serbench.fleet.worker import Member
from serbench.results.load import load_run
from serbench.results.schema import Run
from serbench.run.session import RunSession

ALIVE_SECONDS = 10.0
"""For which the scheduler is watched while nothing happens."""
SHARE = 0.8
"""A process that uses a larger share of one processor is called the limit."""


def cpu_seconds(process: int) -> float:
    """Processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def of_unit(run: Run, number: int) -> Run:
    """The run file that a machine made of a unit of `run`."""
    chosen = run.units[number]
    rows = set(chosen.rows)
    return msgspec.structs.replace(
        run,
        hosts=[],
        units=[],
        summary=None,
        revision=REVISION,
        rows=[row for row in run.rows if row.id in rows],
        samples=[sample for sample in run.samples if sample.row in rows],
        failures=[],
        stops=[],
        datasets=[each for each in run.datasets if each.name == chosen.dataset],
    )


def merging(run: Run, folder: Path) -> tuple[float, float]:
    """Processor seconds to take a result into a journal, and its bytes there; of the middle unit."""
    number = sorted(range(len(run.units)), key=lambda n: len(run.units[n].rows))[len(run.units) // 2]
    made = of_unit(run, number)
    like = run.units[number]
    session = RunSession(run.settings, MACHINE, folder / "merged.json", "samples", None)  # type: ignore[arg-type]
    count = 8
    units = [
        msgspec.structs.replace(
            unit("0" * 16, each),
            test=like.test,
            dataset=like.dataset,
            rows=list(dict.fromkeys(row.row for row in made.rows)),
        )
        for each in range(count)
    ]
    worker = Worker(name="m", revision=REVISION, software=software(), machine=MACHINE)
    data = msgspec.json.encode(made)
    merger = Merger(session, units)
    with session.running(True, locking=False):
        began = time.process_time()
        for each in units:
            taken = Result(key=each.key, machine="m", worker=msgspec.json.encode(worker), run=data)
            assert merger.take(taken), session.run.notes
        seconds = (time.process_time() - began) / count
        size = (folder / "merged.json.journal").stat().st_size / count
    return seconds, size


def fork(work: Callable[[], Coroutine[object, object, None]]) -> int:
    """Run a coroutine function in another process."""
    process = os.fork()
    if process == 0:
        try:
            asyncio.run(work())
        finally:
            os._exit(0)
    return process


def costs(machines: int, units: int, size: int, folder: Path) -> dict[str, float]:
    """What `machines` that measure nothing cost the scheduler's process, in processor seconds."""
    address = f"tls://127.0.0.1:{_free_port()}"
    safe = {role: security(folder / "certificates" / role) for role in ("scheduler", "worker", "client")}
    data = os.urandom(size // 2).hex().encode()

    async def serve() -> None:
        made = make_scheduler(address, safe["scheduler"], REVISION)
        await made
        await made.finished()

    async def work() -> None:
        members = []
        for number in range(machines):
            worker = Worker(name=f"m{number}", revision=REVISION, software=software(), machine=MACHINE)
            member = Member(address, safe["worker"], worker, lambda *_: data, lambda given: given)
            members.append(asyncio.create_task(member.stay()))
            await asyncio.sleep(0.002)
        await asyncio.gather(*members)

    scheduler, workers = fork(serve), fork(work)
    try:

        async def there() -> None:
            while True:
                try:
                    if len(await ask_who(address, safe["client"])) == machines:
                        return
                except Exception:  # noqa: S110 - not yet
                    pass
                await asyncio.sleep(0.5)

        asyncio.run(asyncio.wait_for(there(), 300))
        joined = cpu_seconds(scheduler)
        began = time.monotonic()
        time.sleep(ALIVE_SECONDS)
        alive = (cpu_seconds(scheduler) - joined) / (time.monotonic() - began) / machines
        before, began = cpu_seconds(scheduler), time.monotonic()
        got = 0

        def take(_result: Result) -> None:
            nonlocal got
            got += 1

        asked = [unit("0" * 16, number) for number in range(units)]
        asyncio.run(collect(address, safe["client"], asked, take))
        assert got == units
        used = cpu_seconds(scheduler) - before
        return {
            "join": joined / machines,
            "alive": alive,
            "unit": used / units,
            "rate": units / (time.monotonic() - began),
        }
    finally:
        for process in (scheduler, workers):
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def time_to_finish(durations: list[float], machines: int) -> float:
    """When the last unit ends, if each goes to the first machine that is free."""
    free = [0.0] * machines
    for seconds in durations:
        heapq.heappush(free, heapq.heappop(free) + seconds)
    return max(free)


def scale(path: Path, machines: list[int]) -> None:
    """Print the costs and the table."""
    load()
    run = load_run(path)
    durations = [each.seconds for each in run.units]
    data = [len(msgspec.json.encode(of_unit(run, number))) for number in range(len(run.units))]
    mean, size = statistics.mean(durations), int(statistics.mean(data))
    print(
        f"{path.name}: {len(durations)} units of {min(durations):.0f} to {max(durations):.0f} s, {mean:.0f} s"
    )
    print(f"on the average; a result has {size / 1e6:.2f} MB on the average\n")
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        make_certificates(folder / "certificates")
        merge, journal = merging(run, folder)
        print(f"client: {1e3 * merge:.0f} ms of processor time a result, {journal / 1e6:.2f} MB of journal\n")
        print(
            "machines  scheduler: ms to join  ms a unit  % of a processor to hear them alive  units/s at most"
        )
        found = {}
        for count in machines:
            found[count] = cost = costs(count, max(100, min(2 * count, 1000)), size, folder)
            print(
                f"{count:8} {1e3 * cost['join']:21.1f} {1e3 * cost['unit']:10.1f} "
                f"{100 * cost['alive'] * count:36.2f} {cost['rate']:16.1f}"
            )
    draw = random.Random(1)
    print("\nkind of run  machines   units  hours  scheduler  client  journal MB/s")
    for count in machines:
        cost = found[count]
        for kind, units in (("shared", 10 * len(durations)), ("everywhere", len(durations) * count)):
            drawn = draw.choices(durations, k=units if kind == "shared" else len(durations))
            seconds = time_to_finish(drawn, count if kind == "shared" else 1)
            rate = units / seconds
            print(
                f"{kind:11} {count:9} {units:7} {seconds / 3600:6.2f} "
                f"{100 * (rate * cost['unit'] + count * cost['alive']):8.1f} % {100 * rate * merge:5.1f} % "
                f"{rate * journal / 1e6:12.2f}"
            )
    last = found[machines[-1]]
    limits = {
        "the client's processor (one client merges the results of all)": SHARE * mean / merge,
        "the scheduler's processor": SHARE / (last["unit"] / mean + last["alive"]),
        f"open files of the scheduler ({soft:,} here; two for each machine with --everywhere)": soft / 2,
        f"results held for a client that is away ({MOST_HELD}), after a minute": MOST_HELD * mean / 60,
    }
    print("\nWhat is reached at how many machines, with --everywhere:")
    for what, count in sorted(limits.items(), key=lambda pair: pair[1]):
        print(f"  {count:9,.0f}  {what}")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--like", type=Path, required=True, help="the file of a run with --on")
    parser.add_argument("--machines", default="10,100,1000")
    given = parser.parse_args()
    scale(given.like, [int(word) for word in given.machines.split(",")])


if __name__ == "__main__":
    main()
