"""The run file: everything that a run found out, from which everything later is computed.

The documentation of these records for other programs is docs/results-schema.md. A run file is one
JSON object of the type `Run`; while the run goes on its parts are lines of a journal (journal.py).
Times are integers in nanoseconds, sizes in bytes, hashes eight hexadecimal digits.
"""

from typing import Annotated, Literal

import msgspec

from serbench.datasets.records import DatasetRecord
from serbench.measure.records import Failure, Period, Sample, Settings, Stop
from serbench.probe.records import Fidelity, Payload, Strict
from serbench.records import Natural, Record
from serbench.worker.records import Doubles, Heap, Losses

SCHEMA_VERSION = 2
SUMMARY_VERSION = 3
"""The version of the analysis; it grows when a figure is computed in another way."""

Status = Literal["ok", "failed", "unavailable", "unsupported"]
CodeSize = Literal["linked", "bundle"]
Unit = Literal["instructions", "cycles", "microseconds"]
"""The last is a real board's own, and no emulator's."""


class Machine(Record, kw_only=True):
    """Where it ran."""

    system: str
    kernel: str
    architecture: str
    cpu: str
    cores: int
    memory_bytes: int
    virtual: str = ""
    """The hypervisor's name, empty on bare metal."""
    bogomips: float | None = None
    governor: str = ""
    compilers: dict[str, str] = msgspec.field(default_factory=dict)
    allocators: dict[str, str] = msgspec.field(default_factory=dict)
    """Those beside the system's own, which is the C library's."""
    libc: str = ""
    turbo: bool | None = None
    """Whether the processor could run above its rated frequency; None where the system does not tell."""


class Revision(Record, kw_only=True):
    """Which serbench made a run, more closely than by its version."""

    sources: str
    """A digest of its own sources and harnesses."""
    commit: str = ""
    """The commit in git; empty if the sources are not in a clone."""
    changed: bool = False
    """Whether a file of the clone was other than in the commit."""


class RowRecord(Record, kw_only=True):
    """One row: a contender's test in a variant on a dataset in a profile, and what the gate said."""

    id: int
    """Its number in this run, to which samples refer."""
    row: str
    """`c/mpack:tree:variant`."""
    contender: str
    """The library's name as shown."""
    contender_id: str
    language: str
    language_name: str
    harness: str
    format: str
    format_name: str = ""
    """As shown; the id in a file that has none."""
    test: str
    variant: str = ""
    dataset: str
    profile: str
    role: Literal["contender", "baseline", "floor"] = "contender"
    status: Status
    reason: str = ""
    output: str = ""
    """The last of what a failing worker wrote to standard error."""
    labels: list[str] = msgspec.field(default_factory=list)
    library_version: str = ""
    origin: str = ""
    """Where the library came from: `Debian source jansson 2.14-2`."""
    released: str = ""
    """The day of that version, ISO 8601, where its source has a date."""
    homepage: str = ""
    license: str = ""
    """The library's licence, as its manifest says."""
    toolchain: str = ""
    """Which compiler or engine was asked for: gcc, clang, zig; empty for an engine that nobody asked for."""
    allocator: str = "system"
    """system, jemalloc or mimalloc."""
    cpu: str = ""
    """The level of the processor that it was built for: baseline, v2, v3, v4, native; empty where there is no
    choice, and in the files of older versions, whose programs are for the baseline."""
    compiler: str = ""
    flags: str = ""
    program: str = ""
    """A digest of everything that its worker was built from: the same digest is the same program."""
    api: str = ""
    bytes: int | None = None
    """The size of the encoding read, or of the output written."""
    hash: str = ""
    """The hash of the writer's output, or the content_hash that a reader found."""
    content_hash: str = ""
    exact_hash: str = ""
    verified_by: str = ""
    """The reader of a writer's output."""
    doubles: Doubles | None = None
    losses: Losses | None = None
    heap: Heap | None = None
    code_size: int | None = None
    """Text and data of the statically linked executable, less the baseline's of its language and test; or
    of the minified, gzipped bundle, less the baseline's."""
    code_size_kind: CodeSize = "linked"
    """Which of the two: the one kind is never compared with the other."""
    code_size_reason: str = ""
    """Why there is none, when it was asked for."""
    whole_size: int | None = None
    """For a baseline: text and data of its statically linked executable, which code sizes leave out."""
    code_growth: int | None = None
    """By how much `code_size` grows with what a label names, such as a second output stream."""
    instructions: float | None = None
    """Per iteration, counted by Callgrind, or on a platform by QEMU's plugin: a count, never a time."""
    instructions_reason: str = ""
    statistic: Literal["shortest-chunk", "mean"] = "shortest-chunk"
    platform: str = ""
    """Where it ran if not on this machine, `name` of a Platform: such a row has counts and no samples."""
    metrics: dict[str, int | float] = msgspec.field(default_factory=dict)
    """What was counted of it, by name, in the platform's unit or in bytes: all figures of the test
    `roundtrip`."""
    real_life: bool = False
    """Whether the document of a `roundtrip` is of a kind that devices really exchange."""
    load_ns: int | None = None
    """The least time of loading the library in a program that has just started; None where none tells it."""
    installed_bytes: int | None = None
    """The files of the library and of all that it needs; None for a part of the language, and where
    nothing tells it."""
    generated_lines: int | None = None
    """Lines of the code that was generated from the schema of the data; None for a row without such code."""
    build_seconds: float | None = None
    """How long compiling that code with the row's own took, when it was built."""

    def __post_init__(self) -> None:
        # Files of before there were these names have them empty.
        self.language_name = self.language_name or self.language
        self.format_name = self.format_name or self.format

    @property
    def level(self) -> str:
        """The level of the processor if it is another one than the baseline, which older files leave out."""
        return "" if self.cpu == "baseline" else self.cpu


class Platform(Record, kw_only=True):
    """An emulated platform that a run counted on, a real board that took the time, or one that only could."""

    name: str
    title: str
    stands_for: list[str]
    unit: Unit
    compiler: str
    flags: str
    emulator: str
    kind: Literal["emulated", "board", "board-only"] = "emulated"
    core: str = ""
    """For a real board: the Arduino core and its version."""
    reason: str = ""
    """For one that is board-only: why it has no rows."""


class Host(Record, kw_only=True):
    """A machine of a run on many machines."""

    name: str
    machine: Machine
    pace_ns: Natural = 0
    """The least time of a fixed piece of work, by which a slow machine is told among those of its kind."""
    noise: list[str] = msgspec.field(default_factory=list)
    """What disturbed it when it joined."""


class Measured(Record, kw_only=True):
    """A unit of a run on many machines: a group, and where it was wholly measured."""

    number: Natural
    """Its place among the units of the run."""
    test: str
    dataset: str
    profile: str
    host: str
    """The name of the machine on which all samples of its rows were taken."""
    rows: list[Natural]
    """Their ids: every sample is of a row, and so of one machine."""
    began: float
    """Seconds since the run began."""
    seconds: float
    """From its start to its result, with builds and proofs."""


class RowResult(Record, kw_only=True):
    """What the samples and counts of one row come to: its figures, their 95 % intervals, its rank.

    Times are ns, and like bytes, instructions and heap they are those of one message (the peak excepted).
    None where there is no figure; bounds are None with fewer than two launches.
    """

    id: int
    """The id of its RowRecord."""
    name: str
    """The name that tells it from the other rows of its group."""
    baseline: int | None = None
    """Id of the row that is subtracted from it."""
    launch_ns: list[tuple[int, float]] = msgspec.field(default_factory=list)
    """Launches and their figures: raw ns of a whole iteration, of which ratios to any row are formed."""
    status: Status
    reason: str = ""
    """Why the row has no figures."""
    output: str = ""
    """The last of what its worker wrote to standard error, if it failed."""
    rank: int | None = None
    """The first place that it may have: 1 + the number of rows of the group proved faster."""
    net_ns: float | None = None
    """Raw less the baseline of the group and harness, within launches."""
    net_low_ns: float | None = None
    net_high_ns: float | None = None
    raw_ns: float | None = None
    raw_low_ns: float | None = None
    raw_high_ns: float | None = None
    typical_ns: float | None = None
    """The plain median of all chunks."""
    overhead: float | None = None
    """Raw over baseline, within launches."""
    overhead_low: float | None = None
    overhead_high: float | None = None
    bytes: int | float | None = None
    labels: list[str] = msgspec.field(default_factory=list)
    launches: int = 0
    few_samples: bool = False
    """Measured in fewer launches than was asked for."""
    at_floor: bool = False
    """The net interval reaches 0, and the raw time is less than twice the baseline's."""
    short_runs_ns: float | None = None
    """The 2016 statistic of the raw time, and its n - 1 deviation."""
    short_runs_deviation_ns: float | None = None
    short_runs_net_ns: float | None = None
    """The same, less the baseline's."""
    short_runs_net_deviation_ns: float | None = None
    heap_allocations: int | float | None = None
    heap_bytes: int | float | None = None
    heap_peak: int | None = None
    code_size: int | None = None
    """Text and data of the executable, less those of the baseline's; None where a bundle is shipped."""
    instructions: float | None = None
    messages: Annotated[int, msgspec.Meta(ge=1)] = 1
    """How many messages an iteration handles."""
    bundle_size: int | None = None
    """Bytes of the minified, gzipped bundle, less the baseline's; None where an executable is linked."""
    rank_last: int | None = None
    """The last place that it may have: the number of ranked rows of the group less those proved slower."""
    page_faults: float | None = None
    """Minor page faults, the median over all samples; None where none were counted."""
    takes_invalid: int | None = None
    """How many documents that its format forbids a reader takes; None where it is not known."""
    refuses_valid: int | None = None
    """How many that its format allows it refuses."""
    data: str = ""
    """`exact` if the row keeps every value, to the last bit, and the order of keys; `lossy` if it does not;
    `unproved` if it did not pass the gate; empty in the files of older versions."""


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
    row: int
    """Id of the best row with a schema."""
    without: int
    """Id of the best row without one."""
    ratio: float | None = None
    """How many times as long the row without takes; None where no ratio of net figures is known."""
    proved: Literal["faster", "slower", ""] = ""
    """What the row with a schema is proved to be; empty if they are tied."""


class Answer(Record, kw_only=True):
    """What a run comes to in a few lines, which say no more than its intervals do."""

    about: str = ""
    """The dataset that it is about, with its size."""
    findings: list[Finding] = msgspec.field(default_factory=list)
    gains: list[Gain] = msgspec.field(default_factory=list)
    """By test, the largest first; empty where no language has rows with a schema and
    without that can be compared."""


class Summary(Record, kw_only=True):
    """What a run comes to, computed when its file was written, so that readers need not compute it."""

    version: int = 1
    """The version of the analysis, SUMMARY_VERSION when it was computed."""
    rows: list[RowResult] = msgspec.field(default_factory=list)
    """In the order of the reports."""
    answer: Answer | None = None
    """None in the files of older versions."""


class Run(Record, kw_only=True, omit_defaults=False):
    """A whole run. Its own fields are always written, so that the schema's number is in every file."""

    schema: int = SCHEMA_VERSION
    serbench: str
    revision: Revision | None = None
    id: str
    started: str
    """ISO 8601, UTC."""
    finished: str = ""
    complete: bool = False
    """False when it was interrupted."""
    seconds: float = 0.0
    machine: Machine
    settings: Settings
    datasets: list[DatasetRecord] = msgspec.field(default_factory=list)
    rows: list[RowRecord] = msgspec.field(default_factory=list)
    samples: list[Sample] = msgspec.field(default_factory=list)
    failures: list[Failure] = msgspec.field(default_factory=list)
    stops: list[Stop] = msgspec.field(default_factory=list)
    platforms: list[Platform] = msgspec.field(default_factory=list)
    """Those of a run that did not measure on this machine; such a run has no samples."""
    fidelity: list[Fidelity] = msgspec.field(default_factory=list)
    """What libraries change, refuse and carry, in languages that have such a probe."""
    payloads: list[Payload] = msgspec.field(default_factory=list)
    """How large a document they take."""
    strict: list[Strict] = msgspec.field(default_factory=list)
    """What readers take and refuse of the documents that their formats allow and forbid."""
    notes: list[str] = msgspec.field(default_factory=list)
    """Sentences about the machine and the run that a reader must know."""
    periods: list[Period] = msgspec.field(default_factory=list)
    """When it was measured: more than one, and it was interrupted and resumed."""
    hosts: list[Host] = msgspec.field(default_factory=list)
    """The machines of a run on many machines, which are all of one kind; `machine` is the first."""
    units: list[Measured] = msgspec.field(default_factory=list)
    """Which of them measured which rows; no units, and it was measured on `machine` alone."""
    summary: Summary | None = None
    """None while it goes on, and in the files of older versions."""
