"""What is lost when machines, the scheduler or the client are: never a unit, and none counts twice."""

import asyncio
import threading
from collections import Counter

import msgspec
import pytest

from serbench.errors import UserError
from serbench.fleet.client import collect
from serbench.fleet.wire import load
from tests.fleet.conftest import machine, unit


class Work:
    """A runner of units, of which so many end as the test allows; how often each was begun and done."""

    def __init__(self, ends=0):
        self.ends = threading.Semaphore(ends)
        self.begun, self.done = Counter(), Counter()
        self.lock = threading.Lock()

    def __call__(self, asked, unwanted):
        with self.lock:
            self.begun[asked.key] += 1
        while not self.ends.acquire(timeout=0.01):
            if unwanted.is_set():
                return b""
        with self.lock:
            self.done[asked.key] += 1
        return b"run"


MANY = 1_000
"""More units than there are may end."""


async def until(condition):
    """Wait until something is so."""
    while not condition():
        await asyncio.sleep(0.005)


def keys(*units):
    return {each.key for each in units}


def test_units_of_lost_machines_are_measured_by_others_and_each_comes_once(fleet):
    async def scenario(peers):
        work, got, units = Work(), [], [unit(number) for number in range(60)]
        for number in range(3):
            peers.join(machine(f"m{number}"), work)
        collecting = asyncio.create_task(collect(peers.address, peers.safe["client"], units, got.append))
        for number in range(3, 9):
            work.ends.release(3)
            await until(lambda number=number: work.done.total() >= 3 * (number - 2))
            await peers.kill(f"m{number - 3}")
            peers.join(machine(f"m{number}"), work)
        work.ends.release(MANY)
        await collecting
        assert Counter(result.key for result in got) == Counter(keys(*units))
        assert {result.run for result in got} == {b"run"} and len({result.machine for result in got}) > 3

    fleet(scenario, failures=100)


@pytest.mark.parametrize("closes", [True, False])
def test_a_scheduler_that_returns_gets_what_was_measured_meanwhile(fleet, closes, monkeypatch):
    close = load().Client.close

    async def fails(client):
        await close(client)
        raise RuntimeError("ConnectionPool is closed")

    if not closes:  # Dask's client does that now and then when a connection has been lost
        monkeypatch.setattr(load().Client, "close", fails)

    async def scenario(peers):
        work, got, units = Work(2), [], [unit(number) for number in range(4)]
        for name in ("a", "b"):
            peers.join(machine(name), work)
        collecting = asyncio.create_task(collect(peers.address, peers.safe["client"], units, got.append))
        await until(lambda: len(got) == 2 and work.begun.total() == 4)
        await peers.scheduler.close()
        work.ends.release(2)  # those that were being measured end while there is no scheduler
        await until(lambda: work.done.total() == 4)
        work.ends.release(MANY)
        await peers.start()
        await collecting
        assert Counter(result.key for result in got) == Counter(keys(*units))

    fleet(scenario)


def test_what_was_measured_for_a_client_that_was_killed_waits_for_it(fleet):
    async def scenario(peers):
        work, got, units = Work(1), [], [unit(number) for number in range(4)]
        for name in ("a", "b"):
            peers.join(machine(name), work)
        await peers.there(2)
        first = asyncio.create_task(collect(peers.address, peers.safe["client"], units, got.append))
        await until(lambda: len(got) == 1 and work.begun.total() == 3)
        first.cancel()
        await until(lambda: not peers.scheduler.tasks)
        work.ends.release(MANY)
        await until(lambda: len(peers.held) == 2)
        before = keys(*got)
        # The units that were being measured are; those that were not begun are nobody's any more.
        assert work.done.total() == 3
        left = [each for each in units if each.key not in before]
        again = []
        await collect(peers.address, peers.safe["client"], left, again.append)
        assert Counter(result.key for result in [*got, *again]) == Counter(keys(*units))
        assert max(work.done.values()) == 1, "what had been measured must not be measured again"
        await until(lambda: peers.scheduler.tasks == {} and peers.held == {})

    fleet(scenario)


def test_a_result_is_kept_by_its_machine_until_the_client_has_it(fleet):
    async def scenario(peers):
        work, got = Work(), []
        peers.join(machine("a"), work)
        await peers.there(1)
        first = asyncio.create_task(collect(peers.address, peers.safe["client"], [unit(0)], got.append))
        await until(lambda: work.begun)
        first.cancel()  # the client goes, the unit ends, and then the scheduler goes, too
        await until(lambda: not peers.scheduler.tasks)
        work.ends.release()
        await until(lambda: peers.held)
        await peers.scheduler.close()
        await peers.start()
        await collect(peers.address, peers.safe["client"], [unit(0)], got.append)
        assert [result.run for result in got] == [b"run"] and work.done[unit(0).key] == 1

    fleet(scenario)


def test_the_second_of_two_clients_waits_its_turn(fleet):
    async def scenario(peers):
        work, order, said = Work(), [], []

        def run(asked, unwanted):
            order.append(asked.run[0])
            return work(asked, unwanted)

        peers.join(machine("a"), run)
        await peers.there(1)
        runs = [[unit(number, run=digit * 16) for number in range(4)] for digit in "01"]
        collecting = [asyncio.create_task(collect(peers.address, peers.safe["client"], runs[0], print))]
        await until(lambda: order)
        collecting += [
            asyncio.create_task(collect(peers.address, peers.safe["client"], runs[1], print, say=said.append))
        ]
        await until(lambda: said)
        assert "units of other runs come first" in said[0]
        work.ends.release(MANY)
        await asyncio.gather(*collecting)
        assert "".join(order) == "00001111"

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
            peers.join(machine(f"m{number}"), Work())
            await until(lambda number=number: f"m{number}" in begun)
            await peers.kill(f"m{number}")
        await collecting
        assert [result.error for result in got] == ["3 machines were lost while they measured it"]

    fleet(scenario, failures=2)


def test_units_that_only_waited_at_a_lost_machine_are_not_given_up(fleet):
    async def scenario(peers):
        begun, got, units = [], [], [unit(number) for number in range(3)]
        peers.join(machine("a"), Work())
        collecting = asyncio.create_task(
            collect(
                peers.address, peers.safe["client"], units, got.append, lambda key, _name: begun.append(key)
            )
        )
        await until(lambda: begun == [units[0].key] and len(peers.scheduler.tasks) == 3)
        await peers.kill("a")
        peers.join(machine("b"), Work(MANY))
        await collecting
        assert {result.key: result.error for result in got} == {
            units[0].key: "1 machines were lost while they measured it",
            units[1].key: "",
            units[2].key: "",
        }

    fleet(scenario, failures=0)


def test_a_machine_gets_units_of_its_own_kind_and_name_alone(fleet):
    async def scenario(peers):
        got, one = [], machine("one")
        newer = msgspec.structs.replace(one.machine, compilers={"gcc": "14.0.0"})
        other = machine("other", machine=newer)
        assert one.kind != other.kind
        for each in (one, other):
            peers.join(each, Work(MANY))
        await peers.there(2)
        units = [
            unit(0, kind=one.kind),
            unit(1, kind=other.kind),
            unit(2, machine="other"),
            unit(3, kind="none"),
        ]
        units += [unit(number, kind=one.kind) for number in range(4, 9)]
        collecting = asyncio.create_task(collect(peers.address, peers.safe["client"], units, got.append))
        await until(lambda: len(got) == 8)
        assert not collecting.done()
        collecting.cancel()
        by = {int(result.key.rpartition("/")[2]): result.machine for result in got}
        assert by == {0: "one", 1: "other", 2: "other", **dict.fromkeys(range(4, 9), "one")}

    fleet(scenario)


def test_a_machine_that_joins_later_takes_units_that_wait_at_others(fleet):
    async def scenario(peers):
        slow, quick, got, units = Work(), Work(MANY), [], [unit(number) for number in range(6)]
        peers.join(machine("slow"), slow)
        collecting = asyncio.create_task(collect(peers.address, peers.safe["client"], units, got.append))
        await until(lambda: slow.begun)
        peers.join(machine("quick"), quick)
        await until(lambda: quick.done.total() == 5)
        slow.ends.release()
        await collecting
        assert Counter(result.key for result in got) == Counter(keys(*units))

    fleet(scenario)


def test_a_second_machine_of_a_name_waits_until_the_first_has_gone(fleet):
    async def scenario(peers):
        peers.join(machine("a"), Work())
        await peers.there(1)
        first = peers.members.pop("a")
        peers.join(machine("a"), Work())
        await until(lambda: any("there is a machine a already" in each for each in peers.said))
        assert sum("joined" in each for each in peers.said) == 1
        first.cancel()
        await until(lambda: sum("joined" in each for each in peers.said) == 2)

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
