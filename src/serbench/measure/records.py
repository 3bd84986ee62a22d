"""What measuring is told and what comes out."""

from typing import Literal

from serbench.records import Natural, Record

VARIES = "instruction count varies between calls"
"""A row's label, or the reason why it has no count."""
StopReason = Literal["precise enough", "most launches", "time used up", "interrupted", "no rows"]


class Comparing(Record):
    """Which two contenders `serbench compare` compares."""

    new: str
    """The contender's id."""
    old: str
    threshold: float
    """What counts as a difference, a part such as 0.03."""


RunKind = Literal["times", "growth", "fidelity", "limits", "strict", "platforms", "board"]


class Plan(Record, kw_only=True):
    """What a run is to measure: with it an interrupted run is resumed."""

    kind: RunKind
    """Which command it is of; `times` is of `run` and `compare`."""
    rows: list[str] = []
    """Their ids, `c/mpack:tree:variant`; of fidelity and limits those of their contenders."""
    datasets: list[str] = []
    """Their names; of growth the kinds of its data."""
    configurations: list[list[str]] = []
    """Profile, compiler, allocator and level of the processor of each; older ones have no level."""
    platforms: list[str] = []
    sizes: list[float] = []
    """Megabytes, of growth."""
    heap_mb: int | None = None
    """For limits; None for the default heap."""
    schema: str = ""
    """The user's schema for code that is generated, as docs/schemas.md has it; empty if it is inferred."""
    everywhere: bool = False
    """Whether it is one of the runs of `run --everywhere`, which one machine measures alone."""
    damaged: int | None = None
    """For strict: how many damaged encodings each reader gets."""


class Settings(Record):
    """What was asked for."""

    command: list[str]
    precision: Literal["quick", "full"]
    launches: int
    """The least number of launches."""
    max_launches: int
    seconds_per_launch: float
    """Sampling time of one row in one launch."""
    chunk_ns: int
    """The least duration of a chunk."""
    target: float
    """Half the width of an interval, relative, at which a group is done: of a time, or of compared ratios."""
    threshold: float
    """The least relative difference that counts for a rank."""
    warmup_ns: int = 5_000_000
    """How long a row runs untimed at the start of each turn."""
    budget_seconds: float | None = None
    """Seconds of measuring at the most; None for the precision's own, which the first Period has."""
    seed: int = 0
    """The seed of the order in which rows are sampled."""
    profile: str = "speed"
    fragment: bool = True
    instructions: bool = False
    growth: bool = False
    """Measured by `serbench growth`: the same rows on records of growing size."""
    comparing: Comparing | None = None
    """Measured by `serbench compare`: a group is done when the ratios of the two are known well enough."""
    plan: Plan | None = None
    """None in the files of older versions."""
    references: list[str] | None = None
    """Contenders that the others of their language are compared with; None in the files of older versions."""


class Sample(Record):
    """One timed batch of a row."""

    row: Natural
    launch: Natural
    round: Natural
    position: Natural
    """Its place in the order of the round."""
    started: float
    """Seconds since the run began."""
    iterations: int
    """Per chunk."""
    wall: list[int]
    """Nanoseconds of each chunk."""
    cpu: list[int]
    page_faults: Natural | None = None
    """Minor page faults in all its chunks; None in older files, and where none are counted."""
    disturbed: str = ""
    """What else went on, when something did: the words of watch.py, with spaces between them."""


class Failure(Record):
    """A row that stopped working while it was measured."""

    row: Natural
    launch: Natural
    reason: str
    output: str = ""


class Stop(Record):
    """Why the sampling of a group ended."""

    test: str
    dataset: str
    profile: str
    launches: int
    reason: StopReason

    @property
    def group(self) -> tuple[str, str, str]:
        """Which group it is about."""
        return (self.test, self.dataset, self.profile)


class Period(Record):
    """A stretch of measuring; a run that was resumed has several."""

    began: float
    """Seconds since the run began, without the time in which it was interrupted."""
    started: str
    """ISO 8601, UTC."""
    budget_seconds: float
    """What it could measure at the most."""
    samples: int = 0
    """How many there were already."""
