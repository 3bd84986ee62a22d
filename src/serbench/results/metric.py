"""What a metric is; metrics.py and platform_metrics.py have the entries."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from serbench.results.schema import RowRecord, RowResult

Kind = Literal["time", "rate", "count", "bytes", "ratio"]
NANOSECONDS = {"ns": 1.0, "ms": 1e6, "s": 1e9}


@dataclass(frozen=True, kw_only=True)
class Metric:
    """What a row can have a figure of."""

    id: str
    """Its name in an address of the page."""
    field: str = ""
    """A field of RowResult or RowRecord; empty for what the page computes from others."""
    name: str
    short: str
    """The heading of its column."""
    title: str = ""
    """The same in Markdown, where there is room; empty for `short`."""
    kind: Kind
    unit: str = ""
    """The field's unit: ns or s; % for a ratio that is shown in percent."""
    meaning: str
    """Sentences that end in a full stop. {one} is an iteration, or a message on data of several."""
    in_tables: str = ""
    """What else must be known in a table of a group."""
    section: str
    """What docs/metrics.md says more of it in: a link from there."""
    more_is_better: bool = False
    interval: bool = False
    """Whether its bounds are fields too: `raw_low_ns` and `raw_high_ns` of `raw_ns`."""
    reason: str = ""
    """The field that says why there is no figure."""
    priority: int | None = None
    """Its column in a table of a group (report/document.py); None without one."""
    table_unit: str = ""
    """The unit of times in tables; empty for the one that suits the times of the table."""
    show: Callable[[float | None], str] | None = None
    """How a table shows it, if not as others of its kind."""
    counter: str = ""
    """Its name in other tools' formats; empty where they have no place for it."""
    page: Literal["", "column", "choice"] = "choice"
    """Whether the page shows it: always in a column, or when it is chosen."""

    @property
    def bounds(self) -> tuple[str, str] | None:
        """The fields of its interval."""
        stem, dot, unit = self.field.partition("_ns")
        return (f"{stem}_low{dot}{unit}", f"{stem}_high{dot}{unit}") if self.interval else None

    @property
    def fields(self) -> list[str]:
        """All its fields."""
        return [self.field, *(self.bounds or ())] if self.field else []

    def of(self, record: RowRecord, result: RowResult) -> float | None:
        """Return the figure of a row."""
        value: float | None = getattr(result if hasattr(result, self.field) else record, self.field)
        return value
