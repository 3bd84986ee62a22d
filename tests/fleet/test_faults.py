"""What is lost when machines, the scheduler or the client are: never a unit, and none counts twice."""

import asyncio
import threading
import time
from collections import Counter

import msgspec
import pytest

from serbench.errors import UserError
from serbench.fleet.client import collect
from tests.fleet.conftest import machine, unit

pytestmark = pytest.mark.timeout(120)


class Work:
    """A runner that takes a while, and how often it was done for which unit."""

    def __init__(self, seconds=0.02):
        self.seconds = seconds
        self.done = Counter()
        self.lock = threading.Lock()

    def __call__(self, asked, unwanted):
        if not unwanted.wait(self.seconds):
            with self.lock:
                self.done[asked.key] += 1
        return b"run"


def keys(*units):
    return {each.key for each in units}


def test_units_of_lost_machines_are_measured_by_others_and_each_comes_once(fleet):
    async def scenario(peers):
        work, got, units = Work(), [], [unit(number) for number in range(60)]
        for number in range(3):
            peers.join(machine(f"m{number}"), work)
        collecting = asyncio.create_task(collect(peers.address, peers.safe["client"], units, got.append))
        for number in range(3, 9):
            await asyncio.sleep(0.05)
            await peers.kill(f"m{number - 3}")
            peers.join(machine(f"m{number}"), work)
        await collecting
        assert Counter(result.key for result in got) == Counter(keys(*units))
        assert {result.run for result in got} == {b"run"} and len({result.machine for result in got}) > 3

    fleet(scenario, failures=100)


def test_a_scheduler_that_returns_gets_what_was_measured_meanwhile(fleet):
    async def scenario(peers):
        work, got, units = Work(0.5), [], [unit(number) for number in range(4)]
        for name in ("a", "b"):
            peers.join(machine(name), work)
        collecting = asyncio.create_task(collect(peers.address, peers.safe["client"], units, got.append))
        await asyncio.sleep(0.75)  # each is in the middle of its second unit at most
        await peers.scheduler.close()
        await asyncio.sleep(0.6)  # which ends while there is no scheduler
        await peers.start()
        await collecting
        assert Counter(result.key for result in got) == Counter(keys(*units))

    fleet(scenario)


def test_what_was_measured_for_a_client_that_was_killed_waits_for_it(fleet):
    async def scenario(peers):
        work, got, units = Work(0.3), [], [unit(number) for number in range(4)]
        for name in ("a", "b"):
            peers.join(machine(name), work)
        await peers.there(2)
        first = asyncio.create_task(collect(peers.address, peers.safe["client"], units, got.append))
        while len(got) < 1:
            await asyncio.sleep(0.01)
        first.cancel()
        await asyncio.sleep(0.6)
        before = keys(*got)
        # The units that were being measured are; those that were not begun are nobody's any more.
        assert sum(work.done.values()) <= 4 and not peers.scheduler.queued
        left = [each for each in units if each.key not in before]
        again = []
        await collect(peers.address, peers.safe["client"], left, again.append)
        assert Counter(result.key for result in [*got, *again]) == Counter(keys(*units))
        assert max(work.done.values()) == 1, "what had been measured must not be measured again"
        assert peers.scheduler.tasks == {} and peers.scheduler.units == {}

    fleet(scenario)


def test_a_result_is_kept_by_its_machine_until_the_client_has_it(fleet):
    async def scenario(peers):
        work, got = Work(0.5), []
        member = peers.join(machine("a"), work)
        await peers.there(1)
        first = asyncio.create_task(collect(peers.address, peers.safe["client"], [unit(0)], got.append))
        while member._running is None:
            await asyncio.sleep(0.01)
        first.cancel()  # the client goes, the unit ends, and then the scheduler goes, too
        while not peers.scheduler.held:
            await asyncio.sleep(0.02)
        await peers.scheduler.close()
        await peers.start()
        await collect(peers.address, peers.safe["client"], [unit(0)], got.append)
        assert [result.run for result in got] == [b"run"] and work.done[unit(0).key] == 1
        while member._finished:  # which it may forget now
            await asyncio.sleep(0.02)

    fleet(scenario)


def test_the_second_of_two_clients_waits_its_turn(fleet):
    async def scenario(peers):
        order, said = [], []
        peers.join(machine("a"), lambda asked, _: order.append(asked.run[0]) or time.sleep(0.05) or b"run")
        await peers.there(1)
        runs = [[unit(number, run=digit * 16) for number in range(4)] for digit in "01"]
        first = asyncio.create_task(collect(peers.address, peers.safe["client"], runs[0], print))
        await asyncio.sleep(0.05)
        await collect(peers.address, peers.safe["client"], runs[1], print, say=said.append)
        await first
        assert "".join(order) == "00001111"
        assert said and "units of other runs come first" in said[0]
        with pytest.raises(UserError, match="another client waits for the results of this run"):
            await asyncio.gather(
                *[collect(peers.address, peers.safe["client"], runs[0], print) for _ in range(2)]
            )

    fleet(scenario)


def test_a_unit_that_takes_its_machines_with_it_is_given_up(fleet):
    async def scenario(peers):
        got, begun = [], []
        collecting = asyncio.create_task(
            collect(
                peers.address,
                peers.safe["client"],
                [unit(0)],
                got.append,
                lambda _key, name: begun.append(name),
            )
        )
        for number in range(3):
            peers.join(machine(f"m{number}"), Work(30))
            while f"m{number}" not in begun:
                await asyncio.sleep(0.01)
            await peers.kill(f"m{number}")
        await collecting
        assert [result.error for result in got] == ["3 machines were lost while they measured it"]

    fleet(scenario, failures=2)


def test_a_machine_gets_units_of_its_own_kind_and_name_alone(fleet):
    async def scenario(peers):
        got, one = [], machine("one")
        newer = msgspec.structs.replace(one.machine, compilers={"gcc": "14.0.0"})
        other = machine("other", machine=newer)
        assert one.kind != other.kind
        for each in (one, other):
            peers.join(each, Work())
        await peers.there(2)
        units = [
            unit(0, kind=one.kind),
            unit(1, kind=other.kind),
            unit(2, machine="other"),
            unit(3, kind="none"),
        ]
        units += [unit(number, kind=one.kind) for number in range(4, 9)]
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(collect(peers.address, peers.safe["client"], units, got.append), 3)
        by = {int(result.key.rpartition("/")[2]): result.machine for result in got}
        assert by == {0: "one", 1: "other", 2: "other", **dict.fromkeys(range(4, 9), "one")}

    fleet(scenario)


def test_what_a_machine_cannot_do_is_said(fleet):
    async def scenario(peers):
        got = []

        def fails(_asked, _unwanted):
            raise UserError("there is no compiler")

        peers.join(machine("a"), fails)
        await collect(peers.address, peers.safe["client"], [unit(0)], got.append)
        assert [(result.machine, result.run, result.error) for result in got] == [
            ("a", b"", "there is no compiler")
        ]

    fleet(scenario)
