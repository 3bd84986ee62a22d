"""What a worker can find out about one iteration."""

from serbench.records import Record


class Doubles(Record):
    """How a row that fails exact_hash changes numbers."""

    changed: int
    total: int
    max_relative: float


class Heap(Record):
    """One iteration's use of the heap; None where it cannot be known."""

    allocations: int | None = None
    bytes: int | None = None
    peak: int | None = None
