"""What a run comes to: a result for each row, and the answer."""

from typing import Annotated, Literal

import msgspec

from serbench.measure.statistics import RowFigures, net_figures
from serbench.records import Record

SUMMARY_VERSION = 4
"""The version of the analysis; it grows when a figure is computed in another way."""

Status = Literal["ok", "failed", "unavailable", "unsupported"]


class RowResult(Record, kw_only=True):
    """What the samples and counts of one row come to: its figures, their 95 % intervals, its rank.

    Times are ns, and like bytes, instructions and heap they are those of one message (the peak excepted).
    None where there is no figure; bounds are None with fewer than two launches.
    """

    id: int
    """`id` of its RowRecord."""
    name: str
    """Name by which it can be told from the other rows of its group."""
    baseline: int | None = None
    """Id of the row whose counts, and in a run without overheads whose times, are subtracted from its own."""
    launch_ns: list[tuple[int, float]] = msgspec.field(default_factory=list)
    """Launch and raw time of a whole iteration in it, of each launch that counts; ratios to any other
    row are formed of them."""
    harness_ns: list[tuple[int, float]] = msgspec.field(default_factory=list)
    """Launch and what of that time is subtracted in it, which is net: the harness's own."""
    status: Status
    """After measuring."""
    reason: str = ""
    """Why the row has no figures."""
    output: str = ""
    """The last of what its worker wrote to standard error, if it failed."""
    rank: int | None = None
    """First place that it may have: 1 + the number of rows of the group that were proved faster."""
    net_ns: float | None = None
    """Raw time less what the harness itself takes of it, within launches."""
    net_low_ns: float | None = None
    """Bounds of its 95 % interval."""
    net_high_ns: float | None = None
    """The same."""
    raw_ns: float | None = None
    """Time as measured."""
    raw_low_ns: float | None = None
    """Bounds of its 95 % interval."""
    raw_high_ns: float | None = None
    """The same."""
    typical_ns: float | None = None
    """Plain median of all chunks."""
    harness_share: float | None = None
    """What the harness itself takes as a part of raw, within launches."""
    harness_share_low: float | None = None
    """Bounds of its 95 % interval."""
    harness_share_high: float | None = None
    """The same."""
    bytes: int | float | None = None
    """Size of the encoding read, or of the output written."""
    labels: list[str] = msgspec.field(default_factory=list)
    """What a reader must know about the row, what it loses included."""
    launches: int = 0
    """How many launches count."""
    few_samples: bool = False
    """Whether it was measured in fewer launches than were asked for."""
    at_floor: bool = False
    """Whether the net interval reaches 0 and the harness itself takes more than half of the raw time."""
    short_runs_ns: float | None = None
    """2016 statistic of the raw time."""
    short_runs_deviation_ns: float | None = None
    """Its deviation."""
    short_runs_net_ns: float | None = None
    """The same, less the harness's own."""
    short_runs_net_deviation_ns: float | None = None
    """Its deviation."""
    heap_allocations: int | float | None = None
    """How often the heap is asked for memory."""
    heap_bytes: int | float | None = None
    """Bytes asked of the heap."""
    heap_peak: int | None = None
    """The most bytes at a time, of a whole iteration."""
    code_size: int | None = None
    """Text and data of the executable, less those of the baseline's; None where a bundle is shipped."""
    instructions: float | None = None
    """Instructions of the row."""
    messages: Annotated[int, msgspec.Meta(ge=1)] = 1
    """Messages of an iteration."""
    bundle_size: int | None = None
    """Bytes of the minified, gzipped bundle, less the baseline's; None where an executable is linked."""
    rank_last: int | None = None
    """Last place that it may have: the number of ranked rows of the group less those that were proved
    slower."""
    page_faults: float | None = None
    """Minor page faults, the median over all samples; None where none were counted."""
    takes_invalid: int | None = None
    """How many documents that its format forbids a reader takes; None where it is not known."""
    refuses_valid: int | None = None
    """How many that its format allows it refuses."""
    data: str = ""
    """`exact` if the row keeps every value, to the last bit, and the order of keys; `lossy` if it does not;
    `unproved` if it did not pass the gate; empty in the files of older versions."""

    @property
    def figures(self) -> RowFigures:
        """Its figures by launch: raw and net, of a whole iteration, in ns; empty without any."""
        raw = dict(self.launch_ns)
        return RowFigures(raw, net_figures(raw, dict(self.harness_ns)))


class Finding(Record, kw_only=True):
    """A line of the answer."""

    subject: str
    """At most 20 letters, such as `fastest to write`."""
    text: str
    """What was found, the most important part first."""
    row: int | None = None
    """Id of the row that it names first."""
    rows: list[int] = msgspec.field(default_factory=list)
    """Ids of all rows that it names as the best, whose labels belong to it; empty in older files."""


class Gain(Record, kw_only=True):
    """What a schema buys at one test in one language: the best row with one, and the best without."""

    language: str
    """As it is shown."""
    test: str
    """The test."""
    row: int
    """Id of the best row with a schema."""
    without: int
    """Id of the best row without one."""
    ratio: float | None = None
    """How many times as long the row without takes; None where no ratio of net figures is known."""
    proved: Literal["faster", "slower", ""] = ""
    """What the row with a schema is proved to be; empty if they are tied."""


class Answer(Record, kw_only=True):
    """What a run comes to in a few lines, which say no more than its intervals do.

    Rows whose difference is not proved are tied. It has no findings if no row has figures.
    """

    about: str = ""
    """The dataset that it is about, with its size: the user's own file, or the largest."""
    findings: list[Finding] = msgspec.field(default_factory=list)
    """At most nine lines."""
    gains: list[Gain] = msgspec.field(default_factory=list)
    """What a schema buys, by test, the largest first; empty where no language has rows with a schema and
    without that can be compared."""


class Summary(Record, kw_only=True):
    """What a run comes to, computed when its file was written, so that readers need not compute it.

    A program that knows another `version` must compute it from the samples.
    """

    version: int = 1
    """Version of the analysis, SUMMARY_VERSION when it was computed. It grows when a figure is computed
    in another way."""
    rows: list[RowResult] = msgspec.field(default_factory=list)
    """One for each RowRecord, in the order of the reports."""
    answer: Answer | None = None
    """The run in a few lines; None in the files of older versions."""
