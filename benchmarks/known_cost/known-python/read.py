"""A reader of known cost: steps, as many as the input begins with, then values that are there.

They are of all kinds, or where a letter follows of texts, integers, doubles or none.
"""

from typing import Any

TEXTS = ["".join(["x"] * 1000) for _ in range(64)]
INTEGERS = [number * 1234567 for number in range(1000)]
DOUBLES = [number + 0.5 for number in range(1000)]
VALUES: dict[int, list[Any]] = {
    ord("a"): [*TEXTS, *INTEGERS[:100], *DOUBLES[:100]],
    ord("t"): TEXTS,
    ord("i"): INTEGERS,
    ord("d"): DOUBLES,
    ord("n"): [],
}


def read(data: bytes) -> list[Any]:
    """Each step needs the result of the one before."""
    x = 1
    for _ in range(int(data[:8])):
        x = (x * 31 + 7) & 0xFFFF
    return VALUES[data[8]]
