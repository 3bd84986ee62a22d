"""The client's side: who is there, and units that are sent out until all of their results are here."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from serbench.errors import UserError
from serbench.fleet.scheduler import ACCEPTED, ALL_HELD, WANTED
from serbench.fleet.units import Result, Unit, Worker, decoded, needed
from serbench.fleet.wire import CONNECT_SECONDS, MACHINES, connected, load, software
from serbench.fleet.worker import measure

ASK_SECONDS = 3.0
PATIENCE = 300.0
"""Seconds for which a client tries to reach a scheduler that has gone away."""


class Present(msgspec.Struct, frozen=True, kw_only=True):
    """A machine that is there."""

    worker: Worker
    busy: list[str] = []
    """The keys of the units that it has."""


async def ask_who(address: str, safety: Any, seconds: float = ASK_SECONDS) -> list[Present]:
    """Return the machines by name. Raises UserError where no scheduler answers within `seconds`."""
    try:
        async with connected(address, safety, seconds) as (client, _):
            there = (await client.scheduler.identity(n_workers=-1))["workers"]
            busy = await client.processing()
            described = await client.get_metadata(MACHINES, {})
    except OSError as error:
        raise UserError(f"no scheduler answers at {address}: {error}") from error
    found = [
        Present(worker=decoded(described[worker["name"]], Worker), busy=list(busy.get(place, ())))
        for place, worker in there.items()
        if worker["name"] in described  # else it is about to describe itself
    ]
    return sorted(found, key=lambda present: present.worker.name)


async def collect(
    address: str,
    safety: Any,
    units: Sequence[Unit],
    take: Callable[[Result], None],
    started: Callable[[str, str], None] = lambda _key, _machine: None,
    say: Callable[[str], None] = lambda _sentence: None,
    patience: float = PATIENCE,
) -> None:
    """Have `units` measured; `take` gets the result of each once. A scheduler that goes away is waited for.

    Raises UserError when it is another serbench, or stays away for `patience` seconds.
    """
    order = _Order(units, take, started, say)
    clock = asyncio.get_running_loop().time
    gone: float | None = None
    while order.left:
        try:
            async with connected(address, safety) as (client, about):
                sources = units[0].revision
                about.must_equal("the client", sources, f"sources {sources}", software())
                gone = None
                await order.carry_out(client)
        except OSError as error:
            now = clock()
            if gone is None:
                gone = now
                say(f"the scheduler at {address} has gone ({error}): waiting for it")
            if now - gone > patience:
                raise UserError(f"no scheduler answers at {address}: {error}") from error
            await asyncio.sleep(0.2)


class _Order:
    """Units of a run that are to be measured."""

    def __init__(
        self,
        units: Sequence[Unit],
        take: Callable[[Result], None],
        started: Callable[[str, str], None],
        say: Callable[[str], None],
    ) -> None:
        self.left = {unit.key: unit for unit in units}
        self.run = units[0].run if units else ""
        self._take, self._started, self._say = take, started, say
        self._begun: Counter[str] = Counter()

    async def carry_out(self, client: Any) -> None:
        """Submit what is left, and take results. Raises OSError when the scheduler has gone."""
        distributed = load()
        news = await self._listen(client)
        while not news.empty():
            await self._hear(client, news.get_nowait(), {})
        others = [key for keys in (await client.processing()).values() for key in keys]
        before = sum(not key.startswith(f"{self.run}/") for key in others)
        if before:
            self._say(f"{before} units of other runs come first")
        futures = {
            key: client.submit(
                measure,
                msgspec.json.encode(unit),
                key=key,
                pure=False,
                resources=needed(unit),
                fifo_timeout="0s",  # whoever submits first is first
            )
            for key, unit in self.left.items()
        }

        async def watch(futures: Iterable[Any]) -> None:
            async for future in distributed.as_completed(futures, loop=client.loop):
                news.put_nowait(future)

        watching = [asyncio.create_task(watch(list(futures.values())))]
        try:
            while self.left:
                one = await news.get()
                if not isinstance(one, distributed.Future):
                    await self._hear(client, one, futures)
                elif one.key in self.left and await self._must_be_tried_again(one):
                    await client.retry([one])
                    watching.append(asyncio.create_task(watch([one])))
        finally:
            for task in watching:
                task.cancel()

    async def _listen(self, client: Any) -> "asyncio.Queue[Any]":
        """A queue of what machines say of the run; the results that the scheduler holds are in it already."""
        news: asyncio.Queue[Any] = asyncio.Queue()  # what Dask calls may not raise, so it only puts it there
        answered = asyncio.Event()

        def hear(event: tuple[float, Any]) -> None:
            if event[1] == ALL_HELD:
                answered.set()
            else:
                news.put_nowait(event[1])

        client.subscribe_topic(self.run, hear)
        clock = asyncio.get_running_loop().time
        end = clock() + CONNECT_SECONDS
        while not answered.is_set():  # Dask does not say when a subscription is in force
            if clock() > end:  # nor when it was lost with a connection
                raise OSError("the scheduler does not answer")
            await client.log_event(WANTED, self.run)
            await asyncio.sleep(0.02)
        return news

    async def _hear(self, client: Any, message: Any, futures: dict[str, Any]) -> None:
        """Take what a machine says, and have no other machine measure what it has."""
        try:
            if "started" in message:
                begun = msgspec.convert(message["started"], Result)
                self._begun[begun.key] += 1
                self._started(begun.key, begun.machine)
                return
            result = msgspec.convert(message["result"], Result)
        except (TypeError, KeyError, msgspec.ValidationError) as error:
            raise UserError(f"a machine sent what is no result: {error}") from error
        unit = self.left.get(result.key)
        if unit is not None and unit.machine in (None, result.machine):
            del self.left[result.key]
            self._take(result)
            if result.key in futures:
                await client.cancel([futures[result.key]])
        await client.log_event(ACCEPTED, result.key)

    async def _must_be_tried_again(self, future: Any) -> bool:
        """Whether a unit without a result was only waiting for machines that were lost."""
        if future.status != "error":
            raise OSError("the connection to the scheduler is lost")
        error = await future.exception()
        if isinstance(error, load().KilledWorker):
            # Dask counts all that a machine had, not only what it was measuring.
            if self._begun[future.key] <= error.allowed_failures:
                return True
            said = f"{error.allowed_failures + 1} machines were lost while they measured it"
        else:
            said = f"{type(error).__name__}: {error}"
        del self.left[future.key]
        self._take(Result(key=future.key, machine="", error=said))
        return False
