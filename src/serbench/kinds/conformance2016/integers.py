"""Which integers the 2016 suite held as signed in the data that it generated.

A tape knows an integer by its value alone. The suite knew two kinds, and a non-negative one of the signed
kind
was given to libraries as signed: some write another type for it. To tell how many bytes of an output that
concerns, the data are generated here once more, independently of the dataset tool.
"""

from collections.abc import Iterator
from functools import cache

import msgspec

SEED = 12345678
MULTIPLIER = 3636507990
WORD32 = 0xFFFFFFFF
DEEPEST = 31
INTEGER_RANGE = 0xFFFFF
WIDE_ABOVE = 5000
WIDE_RANGE = 10_000
DOUBLE_DRAWS = 6
LONGEST_STRING = 1000
ALWAYS_SPACED_ABOVE = 50

Integer = tuple[int, bool]
"""A value, and whether the suite held it as signed."""


class Types(msgspec.Struct, frozen=True, kw_only=True):
    """A format's types of 64-bit integers, which stand before eight bytes, high byte first."""

    natural: int
    signed: int
    least: int
    """The least number, 0 or above, that a library writes with one of these."""


class _Source:
    """The suite's generator of random numbers: multiply with carry."""

    def __init__(self, seed: int) -> None:
        self.value = (seed & WORD32 & 0xFFFFFFFE) | 0x100
        self.carry = (seed >> 32 & 0xFFFEFFFF) | 0x100000

    def next(self) -> int:
        product = MULTIPLIER * self.value + self.carry
        self.value = (0xFFFFFFFE - (product & WORD32)) & WORD32
        self.carry = product >> 32
        return self.value

    def inverse(self, most: int) -> int:
        """Return many small numbers and few large ones, up to about `most`, which is above 1."""
        bits = most.bit_length()
        divisor = self.next() % (1 << 2 * bits // 3) + 1
        return self.next() % (most // divisor) + self.next() % (1 << bits // 3)

    def wide(self) -> bool:
        return self.inverse(WIDE_RANGE) > WIDE_ABOVE


@cache
def integers(size: int) -> tuple[Integer, ...]:
    """Return all integers of the suite's data of `size`, 1 to 5, in the order of the document."""
    return tuple(_value(_Source(SEED), size, 0))


def _value(source: _Source, size: int, depth: int) -> Iterator[Integer]:
    if depth < DEEPEST and source.next() % (1 << depth + 1) <= 2:
        yield from _container(source, size, depth)
    elif source.next() % 64 == 0:
        for _ in range(DOUBLE_DRAWS):
            source.next()
    else:
        yield from _scalar(source, source.next() % 8)


def _container(source: _Source, size: int, depth: int) -> Iterator[Integer]:
    is_map = source.next() & 1
    length = 3 << max(0, size - depth)
    length += source.next() % length
    keys: set[bytes] = set()
    for _ in range(length // 2 if is_map else length):
        if is_map:
            key = _key(source)
            while key in keys:
                key = _key(source)
            keys.add(key)
        yield from _value(source, size, depth + 1)


def _key(source: _Source) -> bytes:
    return bytes(source.next() % 26 for _ in range(source.next() % 9 + 2))


def _scalar(source: _Source, kind: int) -> Iterator[Integer]:
    if kind == 1:
        source.next()
    elif kind == 3:
        if source.wide():
            high = source.next() & 0x7FFFFFFF
            yield high << 32 | source.next(), False
        else:
            yield source.inverse(INTEGER_RANGE), False
    elif kind in (4, 5, 6):
        if source.wide():
            high = source.next()
            number = high << 32 | source.next()
            yield number - (number >> 63 << 64), True
        else:
            number = source.inverse(INTEGER_RANGE)
            yield -number if source.next() & 1 else number, True
    elif kind in (2, 7):
        _string(source)


def _string(source: _Source) -> None:
    """Draw as often as a string does: what it draws decides how often."""
    left = source.inverse(LONGEST_STRING)
    ascii_only = source.next() % 4 != 0
    spaced = left > ALWAYS_SPACED_ABOVE or source.next() % 4 != 0
    gap = source.next() % 8 + 2
    while left > 0:
        left -= 1
        if spaced and gap == 0:
            gap = source.next() % 8 + 2
            continue
        gap -= spaced
        if source.next() % 128 == 0:
            source.next()
        elif not ascii_only and left > 0 and source.next() % 4 == 0:
            source.next()
            left -= 1
        elif source.next() % 32 == 0:
            source.next()
        else:
            source.next()
            source.next()


def with_signed_types(written: bytes, numbers: tuple[Integer, ...], types: Types) -> tuple[bytes, list[int]]:
    """Return `written` with the signed type for all numbers from `types.least` that the suite held as signed.

    Also returns where bytes were changed. A number that is not found ends the search.
    """
    changed, places, at = bytearray(written), [], 0
    for number, is_signed in numbers:
        if number < types.least:
            continue
        at = written.find(bytes([types.natural]) + number.to_bytes(8), at)
        if at < 0:
            break
        if is_signed:
            changed[at] = types.signed
            places.append(at)
        at += 9
    return bytes(changed), places
