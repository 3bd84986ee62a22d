"""The datasets `records` and `records-distinct`: rows of x, y and z, as many as the 2020 comparison had.

That comparison's program let its data grow in steps and timed each. `rows_of` repeats it exactly, so that
its published sizes can be compared with today's; its rows are mostly copies of each other, with small x.
`distinct_rows` has as many rows, no two alike, and x that grows.
"""

import math
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

Row = tuple[int, float, float]
Shape = Literal["", "unmapped", "optional"]

FIRST: list[Row] = [
    (1, 4.1040000000000004, 1.1009999999999994),
    (2, 4.371033333333333, 0.36703333333333266),
    (3, 5.171833333333334, 0.4337666666666671),
    (4, 6.473133333333333, 0.36703333333333354),
]
MEGABYTE = 1_048_576
LEAST_MB, MOST_MB = 0.001, 400.0
MOST_KNOWN = 1000
"""Rows that are packed once for all their copies, of which most data sets consist."""
# From these sizes on the program grew by a quarter instead of an eighth, and only estimated the size.
_LARGE_MB, _ESTIMATED_MB = 10.0, 15.0
_HEADER = struct.Struct("<8s4Q")
_COUNT = struct.Struct("<cI")
_KEYS = [struct.pack("<I", 1) + key for key in (b"x", b"y", b"z")]
_NATURAL = struct.Struct("<cQ")
_DOUBLE = struct.Struct("<cd")


def _digits(number: float) -> str:
    """As JSON.stringify writes it: for the numbers here that is Python's repr, less a final `.0`."""
    return repr(number).removesuffix(".0")


def json_bytes(rows: Iterable[Row]) -> int:
    """The length of the mapped JSON: {"items":[{"x":1,"y":4.1,"z":1.1}, ...]}."""
    known: dict[Row, int] = {}
    total, count = len('{"items":[]}'), 0
    for row in rows:
        length = known.get(row)
        if length is None:
            length = known[row] = len('{"x":,"y":,"z":}') + sum(len(_digits(number)) for number in row)
        total += length
        count += 1
    return total + max(0, count - 1)


def steps() -> Iterator[tuple[list[Row], float]]:
    """The rows of each step and their size in MB, without end; the list grows from one step to the next."""
    rows = list(FIRST)
    length = json_bytes(rows)
    size = length / MEGABYTE
    while True:
        yield rows, size
        divisor = 4 if size > _LARGE_MB else 8
        taken = math.floor(len(rows) / divisor + 0.5)
        added = [(x + 1, y + 1 / 3, z + 1 / 3) for x, y, z in rows[:taken]]
        rows += added
        if size < _ESTIMATED_MB:
            length += json_bytes(added) - len('{"items":[]}') + (1 if added else 0)
            size = length / MEGABYTE
        else:
            size += size / divisor


def rows_of(megabytes: float) -> list[Row]:
    """The rows of the first step whose size is `megabytes` or more."""
    return next(rows for rows, size in steps() if size >= megabytes)


def distinct_rows(megabytes: float) -> list[Row]:
    """As many rows as `rows_of` has; each differs from all others, and x is its number."""
    return [
        (number + 1, FIRST[number % 4][1] + number / 3, FIRST[number % 4][2] + number / 7)
        for number in range(len(rows_of(megabytes)))
    ]


def _values(number: int, row: Row, shape: Shape) -> Iterator[tuple[bytes, bytes]]:
    """The keys and values of a row that are there: of the optional ones every third y and z is missing."""
    x, y, z = row
    yield _KEYS[0], _NATURAL.pack(b"u", x)
    if shape != "optional" or number % 3 != 1:
        yield _KEYS[1], _DOUBLE.pack(b"d", y)
    if shape != "optional" or number % 3 != 2:
        yield _KEYS[2], _DOUBLE.pack(b"d", z)


def write_tape(path: Path, rows: list[Row], shape: Shape) -> None:
    """The tape of `rows`: maps under the key `items`, or unmapped an array of arrays (docs/tape.md)."""
    mapped = shape != "unmapped"
    values = entries = 0
    body = bytearray()
    known: dict[tuple[int, Row], tuple[int, bytes]] = {}
    for number, row in enumerate(rows):
        what = (number % 3 if shape == "optional" else 0, row)
        made = known.get(what)
        if made is None:
            parts = list(_values(number, row, shape))
            packed = b"".join(key + value if mapped else value for key, value in parts)
            made = (len(parts), _COUNT.pack(b"m" if mapped else b"a", len(parts)) + packed)
            if len(known) < MOST_KNOWN:
                known[what] = made
        values += made[0]
        entries += made[0] if mapped else 0
        body += made[1]
    items = struct.pack("<I", 5) + b"items"
    opening = (_COUNT.pack(b"m", 1) + items if mapped else b"") + _COUNT.pack(b"a", len(rows))
    values += len(rows) + (2 if mapped else 1)
    text = entries + (5 if mapped else 0)
    header = _HEADER.pack(b"sbtape1\n", values, entries + mapped, text, 3 if mapped else 2)
    with path.open("wb") as file:
        file.write(header + opening)
        file.write(body)
