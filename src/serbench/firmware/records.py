"""Targets and firmware contenders as their manifests say, and what a run on a target found out.

A figure here is a count of instructions or cycles, of bytes or of memory; a time only on a real board.
"""

from pathlib import Path
from typing import Literal

import msgspec

from serbench.catalog.records import Manifest, Source
from serbench.records import Record

Unit = Literal["instructions", "cycles", "microseconds"]
"""The last is a real board's own, and no emulator's."""


class ToolsManifest(Manifest, frozen=True, kw_only=True):
    """What any emulated platform takes: a cross-compiler and an emulator, as Debian packages."""

    title: str
    stands_for: list[str]
    """The chips and boards that run this instruction set."""
    packages: list[str]
    """Debian packages: compiler, C library, emulator."""
    download_mb: int
    disk_mb: int
    tools: str
    """What the compiler's name begins with, `avr-`."""
    emulator: list[str]
    """The emulator's command line."""


class Emulated(msgspec.Struct, frozen=True, kw_only=True):
    """An emulated platform as it was found."""

    name: str
    folder: Path
    manifest: ToolsManifest


class TargetManifest(ToolsManifest, frozen=True, kw_only=True):
    """targets/<name>/target.toml: what it takes to build for one microcontroller and to run it here.

    In the emulator's command line {counter}, {firmware}, {begin}, {end} and {report} are filled in.
    """

    unit: Unit
    counter: Literal["qemu", "avr"]
    """Which of the project's two counters (harness/firmware/emulator) the emulator works with."""
    board: str = "board.c"
    """Output, end and memory limit of the target, a source in its folder."""
    sources: list[str] = []
    """Further sources in its folder."""
    flags: list[str]
    link: list[str] = []
    """Words for the linker; {folder} is filled in."""
    libraries: list[str] = []
    ram: int
    """Bytes."""
    arena: int
    """Bytes that a library may have for its document."""
    double_bits: Literal[32, 64] = 64
    labels: list[str] = []
    """What must be known of all its rows."""


class Target(Emulated, frozen=True, kw_only=True):
    """A target as it was found."""

    manifest: TargetManifest


class BoardManifest(Manifest, frozen=True, kw_only=True):
    """targets/<name>/board.toml: a chip whose rows only a real board can fill."""

    title: str
    stands_for: list[str]
    reason: str
    """Why nothing can be counted here, and what fills its rows."""


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """A chip for real boards only, as it was found."""

    name: str
    manifest: BoardManifest


class FirmwareManifest(Manifest, frozen=True, kw_only=True):
    """contenders/firmware/<library>/firmware.toml: one library in one or more formats."""

    name: str
    homepage: str = ""
    license: str = ""
    api: str
    role: Literal["contender", "baseline"] = "contender"
    source: list[Source] = []
    """Where the library comes from: the first that can be had."""
    sources: list[str]
    """The contender's own, in its folder."""
    formats: dict[str, list[str]]
    """By format, the macros that choose it."""
    defines: list[str] = []
    tree: bool = False
    """Whether it writes from the harness's value tree, because it has no document of its own."""
    integers: Literal["64-bit", "32-bit", "double"] = "64-bit"
    """The widest integers that it takes: those beyond make a row `unsupported`."""
    depth: int = 0
    """How deep containers may be nested: a row beyond that is `unsupported`; 0 if only memory says."""
    needs_double: Literal[32, 64] = 32
    """The narrowest doubles that it compiles with."""
    schema: bool = False
    """Whether its code is generated from a schema of each document."""
    labels: list[str] = []


class Library(msgspec.Struct, frozen=True, kw_only=True):
    """A firmware contender as it was found."""

    name: str
    """Its folder's name."""
    folder: Path
    manifest: FirmwareManifest


class Platform(Record, kw_only=True):
    """An emulated target that a run counted on, a real board that took the time, or one that only could."""

    name: str
    title: str
    stands_for: list[str]
    unit: Unit
    compiler: str
    flags: str
    emulator: str
    kind: Literal["emulated", "board", "board-only"] = "emulated"
    core: str = ""
    """Of a real board: the Arduino core and its version."""
    reason: str = ""
    """Of one that is board-only: why it has no rows."""


class Count(Record, kw_only=True):
    """A library in a format on a document on a target: what was counted there, and what the gate said."""

    platform: str
    contender: str
    contender_id: str
    format: str
    document: str
    real_life: bool = False
    status: Literal["ok", "failed", "unavailable", "unsupported"]
    reason: str = ""
    output: str = ""
    """The last of what the compiler or the firmware said, of a row that failed."""
    labels: list[str] = msgspec.field(default_factory=list)
    library_version: str = ""
    origin: str = ""
    api: str = ""
    input_bytes: int | None = None
    """Of the encoding that was deserialized."""
    bytes: int | None = None
    """Of the encoding that was serialized."""
    deserialize_first: int | float | None = None
    """Of the first call, in the platform's unit: counts less an empty region's, or microseconds."""
    deserialize: int | float | None = None
    """Of a repeated call."""
    serialize_first: int | float | None = None
    serialize: int | float | None = None
    deserialize_stack: int | None = None
    """Bytes of stack below the caller's."""
    serialize_stack: int | None = None
    deserialize_memory: int | None = None
    """The most bytes in use that were allocated, or that the document takes of its fixed memory."""
    serialize_memory: int | None = None
    flash: int | None = None
    """Text and data of the program less those of the same program without a library."""
    content_hash: str = ""
    exact_hash: str = ""
    """With decimals as 32-bit floats."""
