"""What a worker can find out about one iteration."""

from serbench.records import Record


class Doubles(Record):
    """How a row changes doubles: `changed` of `total`, by at most `max_relative` of the original."""

    changed: int
    total: int
    max_relative: float


class Losses(Record):
    """What else a row loses of the data."""

    integers: int = 0
    """Integers that it changes, each to the nearest double or one beside it."""
    negative_zeros: int = 0
    """Doubles -0 that it makes 0."""
    keys_moved: bool = False
    """Whether keys of some map come in another order."""


class Heap(Record):
    """One iteration's use of the heap; None where it cannot be known."""

    allocations: int | None = None
    bytes: int | None = None
    peak: int | None = None
