"""What the history consists of: machines, their runs, and the points of each row over these."""

from typing import Literal, NamedTuple

import msgspec

from serbench.report.differences import MACHINE
from serbench.results.schema import RowRecord, Run

Event = Literal["slower", "faster", "no figures"]
"""A change that is proved; the last of a row that had figures before."""


class MachineKey(msgspec.Struct, frozen=True):
    """What tells machines apart whose figures are never compared."""

    cpu: str
    architecture: str
    cores: int
    virtual: str
    governor: str
    turbo: bool | None = None

    @property
    def title(self) -> str:
        """Its name for people."""
        more = [
            self.virtual,
            self.governor,
            "" if self.turbo is None else f"turbo {'on' if self.turbo else 'off'}",
        ]
        said = ", ".join(filter(None, more))
        return f"{self.cpu}, {self.cores} cores" + (f" ({said})" if said else "")


assert set(MACHINE) <= set(MachineKey.__struct_fields__)


def machine_key_of(run: Run) -> MachineKey:
    """Return the machine of `run`: its processor and the settings that move all of its times."""
    return msgspec.convert(run.machine, MachineKey, from_attributes=True)


class Series(msgspec.Struct, frozen=True):
    """A row through all runs: the same test on the same data, built in the same way."""

    contender_id: str
    contender: str
    language: str
    language_name: str
    format: str
    format_name: str
    test: str
    variant: str
    dataset: str
    data: str
    """A digest of the data: a changed file of the same name is another series."""
    profile: str
    toolchain: str
    allocator: str
    level: str

    @property
    def name(self) -> str:
        """What tells it from the other rows of its library: `tree generated:2 (in-situ) · gcc`."""
        variant = f" ({self.variant})" if self.variant else ""
        return f"{self.test} {self.dataset}{variant}{self.build}"

    @property
    def build(self) -> str:
        """How it was built, as far as that is not the usual way."""
        usual = {"profile": "speed", "allocator": "system"}
        parts = [getattr(self, part) for part in ("profile", "toolchain", "allocator", "level")]
        told = [each for each in parts if each and each not in usual.values()]
        return "".join(f" · {each}" for each in told)


def series_of(row: RowRecord, data: str) -> Series:
    """Return the series to which `row` belongs, on the data with the digest `data`."""
    return Series(
        **{name: getattr(row, name) for name in Series.__struct_fields__ if name not in ("data", "level")},
        data=data,
        level=row.level,
    )


class Entry(NamedTuple):
    """A run of the history."""

    digest: str
    """SHA-256 of its file."""
    file: str
    """The file's name in its folder."""
    id: str
    started: str
    serbench: str
    machine: MachineKey

    @property
    def day(self) -> str:
        """When it was started, without the time of day."""
        return self.started[:10]


class Judgement(msgspec.Struct, array_like=True, gc=False):
    """What `compare` says of a row of two runs."""

    verdict: str
    reason: str = ""
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    basis: str = ""
    counts: str = ""
    """What is counted and differs, in words."""
    broken: bool = False
    possible: bool = True
    """Whether times could be compared; if not, an earlier run may do."""


class Point(msgspec.Struct, array_like=True, gc=False):
    """A row in one run."""

    run: int
    """The run's place among those of its timeline."""
    row: int
    """Its id there."""
    version: str
    status: str
    reason: str
    net: float | None
    net_low: float | None
    net_high: float | None
    raw: float | None
    raw_low: float | None
    raw_high: float | None
    at_floor: bool
    bytes: float | None
    code_size: float | None
    instructions: float | None
    against: int | None = None
    """The place of the earlier run with which it was compared."""
    judgement: Judgement | None = None
    open: bool = False
    """Whether it is not known if it changed: no comparison was possible, or only with an open one."""

    @property
    def time(self) -> tuple[float, float | None, float | None] | None:
        """The net time with its bounds, or the raw one where nothing is subtracted; None without any."""
        if self.net is not None:
            return self.net, self.net_low, self.net_high
        return None if self.raw is None else (self.raw, self.raw_low, self.raw_high)

    @property
    def event(self) -> Event | None:
        """The change since the run that it was compared with, if one is proved."""
        found = self.judgement
        if found is None:
            return None
        if found.broken:
            return "no figures"
        return found.verdict if found.verdict in ("slower", "faster") else None  # type: ignore[return-value]


class Line(msgspec.Struct):
    """A series on one machine."""

    series: Series
    points: list[Point]
    """In the order of time."""


class Timeline(msgspec.Struct):
    """The history on one machine."""

    machine: MachineKey
    runs: list[Entry]
    """In the order of time."""
    lines: list[Line]


class History(msgspec.Struct):
    """The history of a folder; the machine of the newest run comes first."""

    timelines: list[Timeline]
    left_out: list[tuple[str, str]]
    """Files, and why they are not in it."""
