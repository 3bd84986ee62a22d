"""A scheduler and machines in this process, which measure nothing: their runner is the test's."""

import asyncio
import contextlib

import msgspec
import pytest

from serbench.fleet.certificates import make_certificates
from serbench.fleet.client import ask_who
from serbench.fleet.scheduler import make_scheduler
from serbench.fleet.units import Unit, Worker
from serbench.fleet.wire import PART, load, security, software
from serbench.fleet.worker import Member
from serbench.project import CACHE, ROOT
from serbench.provision.parts import find_part, is_present
from serbench.results.schema import Revision
from tests.results.builder import MACHINE

REVISION = Revision(sources="0123456789abcdef")
RUN = "0" * 16


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    """A folder with those of a scheduler, a worker and a client."""
    if not is_present(ROOT, CACHE, find_part(ROOT, PART)):
        pytest.skip("Dask's library is not here: ./serbench setup fleet")
    folder = tmp_path_factory.mktemp("fleet") / "certificates"
    make_certificates(folder)
    return folder


def unit(number, run=RUN, **changes):
    return msgspec.structs.replace(
        Unit(
            key=f"{run}/{number}",
            revision=REVISION.sources,
            test="tree",
            dataset="generated:1",
            profile="speed",
            configurations=[["speed", "", "system", "baseline"]],
            rows=["c/mpack:tree"],
            precision="quick",
        ),
        **changes,
    )


def machine(name, **changes):
    worker = Worker(name=name, revision=REVISION, software=software(), machine=MACHINE)
    return msgspec.structs.replace(worker, **changes)


class Peers:
    """A scheduler and machines, all of this process."""

    def __init__(self, folder, **options):
        self.safe = {role: security(folder / role) for role in ("scheduler", "worker", "client")}
        self.options = options
        self.members = {}
        self.scheduler = None
        self.address = f"tls://{options.pop('host', '127.0.0.1')}:0"
        self.said = []

    async def start(self):
        """Start the scheduler, or another one in the place of one that has ended."""
        self.scheduler = make_scheduler(self.address, self.safe["scheduler"], REVISION, **self.options)
        await self.scheduler
        self.address = self.scheduler.address

    def join(self, worker, runner, check=lambda unit: unit):
        member = Member(self.address, self.safe["worker"], worker, runner, check, self.said.append)
        self.members[worker.name] = asyncio.create_task(member.stay())
        return member

    async def kill(self, name):
        """Let a machine vanish, with all that it has."""
        place = self.scheduler.aliases.get(name)
        if place is not None:
            await self.scheduler.remove_worker(place, stimulus_id="vanished")
        task = self.members.pop(name)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    @property
    def held(self):
        """The results that the scheduler holds, by key."""
        return next(each.held for each in self.scheduler.plugins.values() if hasattr(each, "held"))

    async def there(self, number):
        """Wait until so many machines are there."""
        while len(await ask_who(self.address, self.safe["client"], 600)) != number:
            await asyncio.sleep(0.02)

    async def end(self):
        for name in list(self.members):
            await self.kill(name)
        await self.scheduler.close()


@pytest.fixture
def fleet(certificates):
    """Runs a coroutine function that takes Peers, whose scheduler has been started."""
    load()

    def run(scenario, **options):
        async def whole():
            peers = Peers(certificates, **options)
            await peers.start()
            try:
                return await scenario(peers)
            finally:
                await peers.end()

        return asyncio.run(whole())

    return run
