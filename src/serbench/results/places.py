"""Where a run was made: the machine, the revision of serbench, platforms, and the hosts of a fleet."""

from typing import Literal

import msgspec

from serbench.records import Natural, Record

Unit = Literal["instructions", "cycles", "microseconds"]
"""The last is a real board's own, and no emulator's."""


class Machine(Record, kw_only=True):
    """Where it ran."""

    system: str
    """Operating system and its release."""
    kernel: str
    """Its kernel's version."""
    architecture: str
    """For example `x86_64`."""
    cpu: str
    """The processor's own name."""
    cores: int
    """Processors that the run could use."""
    memory_bytes: int
    """Main memory."""
    virtual: str = ""
    """The hypervisor's name, empty on bare metal."""
    bogomips: float | None = None
    """The kernel's figure of that name."""
    governor: str = ""
    """How the processor's frequency is governed."""
    compilers: dict[str, str] = msgspec.field(default_factory=dict)
    """Compilers and their versions."""
    allocators: dict[str, str] = msgspec.field(default_factory=dict)
    """Allocators that were preloaded, and their versions."""
    libc: str = ""
    """The C library, and with it the usual allocator: `glibc 2.36`."""
    turbo: bool | None = None
    """Whether the processor could run above its rated frequency; None where the system does not tell."""


class Revision(Record, kw_only=True):
    """Which serbench made a run, more closely than by its version."""

    sources: str
    """The first 16 hexadecimal digits of the SHA-256 of the files below `src`, `harness`, `formats` and
    `platforms`, with their names."""
    commit: str = ""
    """Git's commit, if the sources are in a clone."""
    changed: bool = False
    """Whether a file of the clone was other than in the commit."""


class Platform(Record, kw_only=True):
    """An emulated platform that a run counted on, a real board that took the time, or one that only could."""

    name: str
    """For example `cortex-m0`."""
    title: str
    """Processor, emulated machine and memory."""
    stands_for: list[str]
    """Chips and boards with this instruction set."""
    unit: Unit
    """The unit of the counts: `instructions` or `cycles`; of a real board's times: `microseconds`."""
    compiler: str
    """The cross-compiler's version."""
    flags: str
    """With which everything was compiled."""
    emulator: str
    """The emulator's version; empty for a board."""
    kind: Literal["emulated", "board", "board-only"] = "emulated"
    """`emulated`, `board` (a real one), or `board-only` (it has no rows, since only a real board could
    fill them)."""
    core: str = ""
    """For a real board: the Arduino core and its version."""
    reason: str = ""
    """Why a `board-only` one has no rows."""


class Host(Record, kw_only=True):
    """A machine of a run on many machines (`--on`, docs/fleet.md)."""

    name: str
    """The name under which it joined."""
    machine: Machine
    """What it says of itself."""
    pace_ns: Natural = 0
    """The least time of a fixed piece of work when it joined; by it a slow machine is found among those
    of its kind."""
    noise: list[str] = msgspec.field(default_factory=list)
    """What disturbed it when it joined."""


class Measured(Record, kw_only=True):
    """A unit of a run on many machines: a group, and where it was wholly measured."""

    number: Natural
    """Its place among the units of the run."""
    test: str
    """The group's test."""
    dataset: str
    """The group's dataset."""
    profile: str
    """The group's profile."""
    host: str
    """`name` of a Host."""
    rows: list[Natural]
    """The `id`s of its rows."""
    began: float
    """Seconds since the run began."""
    seconds: float
    """From its start to its result, with builds and proofs."""
