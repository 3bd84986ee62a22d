"""The client's side: who is there, and units that are sent out until all of their results are here."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from serbench.errors import UserError
from serbench.fleet.delivery import Result, as_list
from serbench.fleet.units import Unit, Worker, decoded
from serbench.fleet.wire import connect

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
        comm = await connect(address, safety, seconds)
    except OSError as error:
        raise UserError(f"no scheduler answers at {address}: {error}") from error
    try:
        await comm.write({"op": "who"})
        answer = await comm.read()
        machines = answer["machines"]
        found = [
            Present(worker=decoded(each["worker"], Worker), busy=msgspec.convert(each["busy"], list[str]))
            for each in machines
        ]
    except (OSError, KeyError, TypeError, msgspec.ValidationError) as error:
        raise UserError(f"what answers at {address} is no scheduler of serbench: {error}") from error
    finally:
        comm.abort()
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

    Raises UserError when it refuses the units, or stays away for `patience` seconds.
    """
    left = {unit.key: unit for unit in units}
    clock = asyncio.get_running_loop().time
    gone: float | None = None
    while left:
        try:
            comm = await connect(address, safety)
            try:
                await comm.write({"op": "submit", "units": [msgspec.json.encode(u) for u in left.values()]})
                answer = await comm.read()
                _must_be_taken(answer)
                gone = None
                if answer.get("before"):
                    say(f"{answer['before']} units of other runs come first")
                await _receive(comm, left, take, started)
            finally:
                with contextlib.suppress(OSError):
                    await comm.close()
        except UserError as error:
            if "another client waits" not in str(error) or gone is None:
                raise
            await asyncio.sleep(0.5)
        except OSError as error:
            now = clock()
            if gone is None:
                gone = now
                say(f"the scheduler at {address} has gone ({error}): waiting for it")
            if now - gone > patience:
                raise UserError(f"no scheduler answers at {address}: {error}") from error
            await asyncio.sleep(0.2)


def _must_be_taken(answer: Any) -> None:
    status = answer.get("status") if isinstance(answer, dict) else None
    if status == "refused":
        raise UserError(f"the scheduler refuses the run: {answer.get('reason')}")
    if status != "OK":
        raise OSError(f"it answered {answer!r:.200}")


async def _receive(
    comm: Any,
    left: dict[str, Unit],
    take: Callable[[Result], None],
    started: Callable[[str, str], None],
) -> None:
    while left:
        try:
            messages = as_list(await comm.read())
        except AttributeError as error:
            raise OSError(str(error)) from error
        for message in messages:
            if message.get("op") == "started":
                started(str(message.get("key")), str(message.get("machine")))
            elif message.get("op") == "result":
                fields = {name: message.get(name) for name in Result.__struct_fields__}
                try:
                    result = msgspec.convert(fields, Result)
                except msgspec.ValidationError as error:
                    raise OSError(f"it sent what is no result: {error}") from error
                if left.pop(result.key, None) is not None:
                    take(result)
                await comm.write({"op": "accepted", "key": result.key})
