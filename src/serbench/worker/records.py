"""What a worker can find out about one iteration."""

from serbench.records import Record


class Doubles(Record):
    """How a row changes doubles: `changed` of `total`, by at most `max_relative` of the original."""

    changed: int
    """Doubles that came out different."""
    total: int
    """Doubles in the dataset."""
    max_relative: float
    """The largest relative change."""


class Losses(Record):
    """What else a row loses of the data."""

    integers: int = 0
    """Integers beyond 2^53 that came out as the nearest double or one beside it."""
    negative_zeros: int = 0
    """Doubles -0 that came out as 0."""
    keys_moved: bool = False
    """Whether keys of some map came in another order."""


class Heap(Record):
    """One iteration's use of the heap, without the harness's own; None where it cannot be known."""

    allocations: int | None = None
    """How often memory was asked for."""
    bytes: int | None = None
    """How much in all."""
    peak: int | None = None
    """The most at one time."""
