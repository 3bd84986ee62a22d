"""What measuring is told and what comes out."""

from typing import Literal

from serbench.records import Natural, Record

VARIES = "instruction count varies between calls"
"""A row's label, or the reason why it has no count."""
StopReason = Literal["precise enough", "most launches", "time used up", "interrupted", "no rows"]


class Comparing(Record):
    """Which two contenders `serbench compare` compares."""

    new: str
    """Id of the contender that is judged."""
    old: str
    """Id of the contender that it is compared with."""
    threshold: float
    """The least relative difference that counts."""


class Plan(Record, kw_only=True):
    """What a run is to measure: with it an interrupted run is resumed."""

    kind: str
    """Which kind of run it is; `times` is of `run` and `compare`."""
    rows: list[str] = []
    """Ids of the rows; of `fidelity` and `limits` those of the libraries'."""
    datasets: list[str] = []
    """Their names; of growth the kinds of its data."""
    configurations: list[list[str]] = []
    """Profile, compiler, allocator and `cpu` of each configuration; without `cpu` in older files."""
    platforms: list[str] = []
    """The platforms."""
    sizes: list[float] = []
    """For `growth`: megabytes."""
    heap_mb: int | None = None
    """For `limits`: megabytes of heap; None for the runtime's default."""
    schema: str = ""
    """The user's schema (docs/schemas.md) for code that is generated; empty if it is inferred."""
    everywhere: bool = False
    """Whether it is one of the runs of `run --everywhere`, which one machine measures alone."""
    damaged: int | None = None
    """For strict: how many damaged encodings each reader gets."""


class Settings(Record):
    """What was asked for."""

    command: list[str]
    """The command line."""
    precision: Literal["quick", "full"]
    """How precise it was to be."""
    launches: int
    """The least number of launches; a row with fewer has "few samples"."""
    max_launches: int
    """The most."""
    seconds_per_launch: float
    """Planned sampling time of one row in one launch; with the statistic `mean` 0.45 s at least."""
    chunk_ns: int
    """The least duration of a chunk."""
    target: float
    """Relative half width of the intervals (of times, or of ratios that are compared) at which a group
    is precise enough."""
    threshold: float
    """The least relative difference that counts for a rank."""
    warmup_ns: int = 5_000_000
    """How long a row runs untimed at the start of each turn."""
    budget_seconds: float | None = None
    """The most time for measuring, as asked for; None for the precision's own, which the first Period
    has."""
    seed: int = 0
    """Seed of the order in which rows are sampled."""
    profile: str = "speed"
    """The profiles, joined by commas: `speed`, `size` or `speed,size`."""
    fragment: bool = True
    """Whether the heap was fragmented first."""
    instructions: bool = False
    """Whether instructions were to be counted."""
    growth: bool = False
    """Whether `serbench growth` made the run: the same rows on records of growing size."""
    comparing: Comparing | None = None
    """What `serbench compare` compares: a group is done when the ratios of the two are known well
    enough."""
    plan: Plan | None = None
    """What was to be measured; None in the files of older versions."""
    references: list[str] | None = None
    """Ids of the contenders that the others of their language are compared with as their data grow; None
    in the files of older versions."""


class Sample(Record):
    """One timed batch of a row."""

    row: Natural
    """`id` of the row."""
    launch: Natural
    """Which start of the workers."""
    round: Natural
    """Which round of that launch."""
    position: Natural
    """Its place in the order of the round."""
    started: float
    """Seconds since the run began."""
    iterations: int
    """Iterations in each chunk, at least 1."""
    wall: list[int]
    """Elapsed nanoseconds of each chunk."""
    cpu: list[int]
    """Processor nanoseconds of each chunk."""
    page_faults: Natural | None = None
    """Minor page faults in all its chunks; None in the files of older versions."""
    disturbed: str = ""
    """What else went on, when something did, in words with spaces between them: `preempted`, `steal`,
    `others`, `swapping`, `throttled`, `compiled` (METHOD.md, "Disturbed samples")."""


class Overhead(Record):
    """What the harness itself does inside the clock for a row, timed alone at the end of a launch.

    That is the copy of a reader's input and the hash of its values, or the hash of a writer's bytes.
    """

    row: Natural
    """`id` of the row."""
    launch: Natural
    """In which launch."""
    iterations: int
    """Iterations in each chunk, at least 1."""
    wall: list[int]
    """Elapsed nanoseconds of each chunk."""
    cpu: list[int]
    """Processor nanoseconds of each chunk."""


class Failure(Record):
    """A row that stopped working while it was measured."""

    row: Natural
    """`id` of the row; it has no figures, whatever its samples."""
    launch: Natural
    """In which launch."""
    reason: str
    """What happened."""
    output: str = ""
    """The last of what its worker wrote to standard error."""


class Stop(Record):
    """Why the sampling of a group ended."""

    test: str
    """The group's test."""
    dataset: str
    """The group's dataset."""
    profile: str
    """The group's profile."""
    launches: int
    """How many there were, with those for which there was only time for some of the rows."""
    reason: StopReason
    """Why it ended."""

    @property
    def group(self) -> tuple[str, str, str]:
        """Which group it is about."""
        return (self.test, self.dataset, self.profile)


class Period(Record):
    """A stretch of measuring; a run that was resumed has several."""

    began: float
    """Seconds since the run began, without the time for which it was interrupted."""
    started: str
    """When it began: ISO 8601, UTC."""
    budget_seconds: float
    """What it could measure at the most: the budget that was asked for, or the precision's own, or what
    was left of it."""
    samples: int = 0
    """How many samples there were already."""
