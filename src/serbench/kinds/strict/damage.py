"""Damaged encodings: what a reader does with many seeded mutations of one that is right."""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from serbench.kinds.strict.reader import Launches, Reader
from serbench.results.probes import Damage, Ending, ProcessEnd
from serbench.worker.process import Limits

SEED = 1
MOST_ENDS, MOST_HANGS = 50, 3
"""A reader is given no more after its process ended, or hung, this many times."""
SANITIZED = (
    "env",
    "ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:hard_rss_limit_mb=2048:print_legend=0",
)
"""What starts a program that was built with sanitizers: a large request fails as it does without them."""
LONGEST_SPAN = 16
MOST_MUTATIONS = 3
EXTREMES = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**64 - 1)
"""What a field of lengths is overwritten with."""
_Mutation = Callable[[bytearray, random.Random], None]


def _flip_bits(data: bytearray, chance: random.Random) -> None:
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _cut_off(data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(len(data)) :]


def _span(data: bytearray, chance: random.Random) -> slice:
    start = chance.randrange(len(data))
    return slice(start, start + chance.randint(1, LONGEST_SPAN))


def _delete(data: bytearray, chance: random.Random) -> None:
    del data[_span(data, chance)]


def _duplicate(data: bytearray, chance: random.Random) -> None:
    copied = bytes(data[_span(data, chance)])
    place = chance.randrange(len(data))
    data[place:place] = copied


def _insert(data: bytearray, chance: random.Random) -> None:
    place = chance.randrange(len(data))
    data[place:place] = chance.randbytes(chance.randint(1, LONGEST_SPAN))


def _change_length(data: bytearray, chance: random.Random) -> None:
    """Overwrite what may be a length: one to eight bytes, in either order."""
    size = chance.choice((1, 2, 4, 8))
    order: Literal["big", "little"] = chance.choice(("big", "little"))
    value = chance.choice(EXTREMES) & (1 << 8 * size) - 1
    place = chance.randrange(len(data))
    data[place : place + size] = value.to_bytes(size, order)[: len(data) - place]


_MUTATIONS: tuple[_Mutation, ...] = (_flip_bits, _cut_off, _delete, _duplicate, _insert, _change_length)


def damaged(encoding: bytes, count: int, seed: int = SEED) -> Iterator[bytes]:
    """Yield `count` times `encoding` after one to three mutations; the same ones for the same seed."""
    chance = random.Random(seed)  # noqa: S311 - mutations to repeat, not a secret
    while count > 0:
        data = bytearray(encoding)
        for _ in range(chance.randint(1, MOST_MUTATIONS)):
            if data:
                chance.choice(_MUTATIONS)(data, chance)
        if data != encoding:
            count -= 1
            yield bytes(data)


def endure(
    reader: Reader,
    command: Sequence[str],
    sanitizer: Literal["library", "caller", "none"],
    encoding: bytes,
    count: int,
    tape: Path,
    limits: Limits,
    place: Path,
) -> Damage:
    """What `reader`, started by `command`, does with `count` damaged forms of an `encoding` of `tape`.

    All are given to one process, and to the next one when it has ended. Raises WorkerFailure if it cannot be
    started.
    """
    found = Damage(tried=0, wanted=count, taken=0, sanitizer=sanitizer)
    ends: dict[tuple[Ending, str], ProcessEnd] = {}
    with Launches(reader, command, limits, place) as launches:
        for data in damaged(encoding, count):
            outcome, said = launches.outcome(data, tape, "")
            found.tried += 1
            if outcome == "taken":
                found.taken += 1
            elif outcome != "refused" and outcome != "changed":
                first = ProcessEnd(kind=outcome, times=0, said=said, example=data.hex())
                end = ends.setdefault((outcome, said), first)
                end.times += 1
                times = sum(each.times for each in ends.values())
                hangs = sum(each.times for each in ends.values() if each.kind == "hang")
                if times >= MOST_ENDS or hangs >= MOST_HANGS:
                    break
    found.ends = list(ends.values())
    return found
