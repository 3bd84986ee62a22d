"""The run file: everything that a run found out, from which everything later is computed.

The documentation of these records for other programs is docs/results-schema.md. A run file is one
JSON object of the type `Run`; while the run goes on its parts are lines of a journal (journal.py).
Times are integers in nanoseconds, sizes in bytes, hashes eight hexadecimal digits. Other modules import
all records from here.
"""

from typing import Literal

import msgspec

from serbench.datasets.records import DatasetRecord
from serbench.measure.records import Failure, Overhead, Period, Sample, Settings, Stop
from serbench.records import Record
from serbench.results.places import Host, Machine, Measured, Platform, Revision, Unit
from serbench.results.probes import Fidelity, Payload, Strict
from serbench.results.result import SUMMARY_VERSION, Answer, Finding, Gain, RowResult, Status, Summary
from serbench.worker.records import Doubles, Heap, Losses

__all__ = ["SCHEMA_VERSION", "SUMMARY_VERSION", "Answer", "CodeSize", "Finding", "Gain", "Host", "Machine"]
__all__ += ["Measured", "Platform", "Revision", "RowRecord", "RowResult", "Run", "Status", "Summary", "Unit"]
SCHEMA_VERSION = 2
CodeSize = Literal["linked", "bundle"]


class RowRecord(Record, kw_only=True):
    """One row: a contender's test in a variant on a dataset in a profile, and what the gate said.

    Rows with the same `test`, `dataset` and `profile` are a group: they were measured together, and only they
    are compared.
    """

    id: int
    """Its number in this run, to which samples and failures refer."""
    row: str
    """`c/mpack:tree:variant`."""
    contender: str
    """The library's name as shown."""
    contender_id: str
    """`language/contender`."""
    language: str
    """Id of the language."""
    language_name: str
    """The language as shown."""
    harness: str
    """The harness; see `role` for what that means."""
    format: str
    """Id of the format."""
    format_name: str = ""
    """The format as shown; the id where it is empty."""
    test: str
    """`write`, `tree`, `incremental`, `serialize`, `lookup`, or on a microcontroller `roundtrip`: a
    document is deserialized and serialized again."""
    variant: str = ""
    """The variant; empty for the plain test."""
    dataset: str
    """`name` of the DatasetRecord."""
    profile: str
    """`speed` or `size`."""
    role: Literal["contender", "baseline", "floor"] = "contender"
    """`contender`, `baseline` (without a variant, its counts, and in older files its time, are subtracted
    from those of the rows of its group that have its harness, toolchain, allocator and `cpu`), or `floor`
    (a visible lower bound)."""
    status: Status
    """Before measuring."""
    reason: str = ""
    """Why it is not `ok`."""
    output: str = ""
    """The last of what a failing worker wrote to standard error."""
    labels: list[str] = msgspec.field(default_factory=list)
    """What a reader must know about the row."""
    library_version: str = ""
    """The version that the library itself reports."""
    origin: str = ""
    """Where the library came from: `Debian source jansson 2.14-2`."""
    released: str = ""
    """Day of that version, ISO 8601, where its source has a date."""
    homepage: str = ""
    """The library's page."""
    license: str = ""
    """The library's licence, as its manifest says."""
    toolchain: str = ""
    """Which compiler or engine was asked for: `gcc`, `clang`, `zig`, `node` or `bun`; empty where there
    is no choice, or for an engine that nobody asked for."""
    allocator: str = "system"
    """system, jemalloc or mimalloc."""
    cpu: str = ""
    """The level of the processor that its program was built for: `baseline`, `v2`, `v3`, `v4` or
    `native`; empty where there is no choice, and in the files of older versions, whose programs are for
    the baseline."""
    compiler: str = ""
    """Compiler and version."""
    flags: str = ""
    """Its options; of a library that was not compiled here, who chose them."""
    program: str = ""
    """Digest of everything that its worker or its firmware was built from; the same digest is the same
    program."""
    api: str = ""
    """Which of the library's interfaces is used, and why."""
    bytes: int | None = None
    """Size of the encoding read, or of the output written."""
    hash: str = ""
    """The hash of a writer's output, or the content hash that it found."""
    content_hash: str = ""
    """What the row yielded."""
    exact_hash: str = ""
    """What the row yielded."""
    verified_by: str = ""
    """The reader of a writer's output."""
    doubles: Doubles | None = None
    """How the row changes doubles."""
    losses: Losses | None = None
    """What else the row loses of the data."""
    heap: Heap | None = None
    """What one iteration asks of the heap."""
    code_size: int | None = None
    """Bytes of text and data of the linked executable, less those of the baseline's executable of the
    same language and test; of a `bundle`, the bytes of the gzipped bundle less the baseline's."""
    code_size_kind: CodeSize = "linked"
    """What `code_size` is of: `linked`, an executable, or `bundle`, a minified and gzipped bundle of
    JavaScript; the two are never compared."""
    code_size_reason: str = ""
    """Why there is none, when it was asked for."""
    whole_size: int | None = None
    """For a baseline: bytes of text and data of its linked executable, which code sizes leave out."""
    code_growth: int | None = None
    """By how many bytes `code_size` grows with what one of the labels names: a second instantiation of a
    C++ writer."""
    instructions: float | None = None
    """Per iteration, counted by Callgrind, or on a platform by QEMU's plugin: a count, never a time."""
    instructions_reason: str = ""
    """Why there is none, when it was asked for."""
    statistic: Literal["shortest-chunk", "mean"] = "shortest-chunk"
    """How a launch's figure is formed: `shortest-chunk` or `mean`."""
    platform: str = ""
    """Where it ran if not on this machine, `name` of a Platform: the row has counts and no samples."""
    metrics: dict[str, int | float] = msgspec.field(default_factory=dict)
    """All figures of a `roundtrip`: those of a Count from `input_bytes` to `flash` but for `bytes`,
    under these names; those that are not known are left out."""
    real_life: bool = False
    """For a `roundtrip`: whether the document is of a kind that devices really exchange."""
    load_ns: int | None = None
    """The least time of loading the library in a program that has just started; None where no harness
    tells it, and in the files of older versions."""
    installed_bytes: int | None = None
    """Bytes of the files of the library and of all that it needs; None for a part of the language, and where
    `load_ns` is."""
    generated_lines: int | None = None
    """Lines of the code that was generated from the schema (docs/schemas.md) of the data; None for a row
    without such code."""
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


class Run(Record, kw_only=True, omit_defaults=False):
    """A whole run, the outermost object.

    Its own fields are always written, so that the schema's number is in every file.
    """

    schema: int = SCHEMA_VERSION
    """Version of this schema."""
    serbench: str
    """Version of the tool."""
    revision: Revision | None = None
    """Which serbench it was, more closely; None in the files of older versions."""
    id: str
    """Name of the run, by its date and time."""
    started: str
    """When it began: ISO 8601, UTC."""
    finished: str = ""
    """When it ended."""
    complete: bool = False
    """False when it was interrupted."""
    seconds: float = 0.0
    """How long it took."""
    machine: Machine
    """Where it ran."""
    settings: Settings
    """What was asked for."""
    datasets: list[DatasetRecord] = msgspec.field(default_factory=list)
    """What was written and read."""
    rows: list[RowRecord] = msgspec.field(default_factory=list)
    """What took part, measured or not."""
    samples: list[Sample] = msgspec.field(default_factory=list)
    """Every timed batch."""
    overheads: list[Overhead] = msgspec.field(default_factory=list)
    """What the harness itself does inside the clock, of each row in each launch. In the files of older
    versions there are none, and the time of the row's baseline is subtracted."""
    failures: list[Failure] = msgspec.field(default_factory=list)
    """Rows that stopped working while they were measured."""
    stops: list[Stop] = msgspec.field(default_factory=list)
    """Why the sampling of each group ended."""
    platforms: list[Platform] = msgspec.field(default_factory=list)
    """Those of a run that did not measure on this machine; such a run has no samples, and its rows have
    a `platform`."""
    fidelity: list[Fidelity] = msgspec.field(default_factory=list)
    """What libraries change, refuse and carry, in languages that have such a probe; it may stand in a
    run without rows."""
    payloads: list[Payload] = msgspec.field(default_factory=list)
    """How large a document they take. It may stand in a run without rows."""
    strict: list[Strict] = msgspec.field(default_factory=list)
    """What readers take and refuse of the documents that their formats allow and forbid."""
    notes: list[str] = msgspec.field(default_factory=list)
    """Sentences about the machine and the run that a reader must know."""
    periods: list[Period] = msgspec.field(default_factory=list)
    """The stretches in which it was measured; more than one, and it was interrupted and resumed."""
    hosts: list[Host] = msgspec.field(default_factory=list)
    """The machines of a run with `--on`, which are all of one kind; `machine` is the first."""
    units: list[Measured] = msgspec.field(default_factory=list)
    """Which of them measured which rows; without units all was measured on `machine`."""
    summary: Summary | None = None
    """What all of this comes to; None while it goes on, and in the files of older versions."""
