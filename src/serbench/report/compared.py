"""What a comparison finds out, row by row."""

from typing import Literal

import msgspec

from serbench import text
from serbench.measure.comparison import Basis, Verdict

Number = int | float | None
THRESHOLD = 0.03
"""The least relative difference that counts, if nobody states another."""
FEW = "too few launches"
"""Why a row has no ratio of times."""
STYLES = {
    "slower": "red",
    "faster": "green",
    "no difference": "",
    "undecided": "yellow",
    "same program": "dim",
}
"""The verdicts, the worst first, and how a terminal shows them."""


class Compared(msgspec.Struct, kw_only=True):
    """One row, old and new."""

    name: str
    """`tree generated:2`, and what else tells it from the others."""
    row: int
    """Id of the new run's row."""
    verdict: Verdict
    reason: str = ""
    """Why there is no ratio, or no verdict."""
    ratio: float | None = None
    """New time over old; on an emulated platform new count over old."""
    low: float | None = None
    high: float | None = None
    basis: Basis | None = None
    """Whether times, or counts, are net or raw."""
    exact: dict[str, tuple[Number, Number]] = {}
    """What is counted and differs: old and new."""
    same: list[str] = []
    """What is counted and is the same in both."""
    broken: bool = False
    """The old side has figures of it, and the new side has none."""
    control: bool = False
    """Between two files: the same program, by which times are judged."""
    counted: bool = False
    """The ratio is of counts, which are exact and have no interval."""


class Comparison(msgspec.Struct, kw_only=True):
    """What came out."""

    kind: Literal["contenders", "runs"]
    old: str
    new: str
    threshold: float
    differences: list[str]
    """What else differs and must be known first."""
    rows: list[Compared]
    notes: list[str]

    @property
    def slower(self) -> bool:
        """Whether a row is proved slower."""
        return any(row.verdict == "slower" for row in self.rows)

    @property
    def broken(self) -> bool:
        """Whether the new side lacks the figures of a row that the old side has."""
        return any(row.broken for row in self.rows)


def changed_counts(row: Compared) -> str:
    """Return in words what is counted of a row and differs."""
    return "; ".join(f"{what} {_number(a)}, now {_number(b)}" for what, (a, b) in row.exact.items())


def _number(number: Number) -> str:
    return text.NONE if number is None else f"{number:,.0f}" if float(number).is_integer() else f"{number:,}"
