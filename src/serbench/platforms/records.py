"""platforms/<name>/platform.toml as records: an emulated Linux, an emulated microcontroller, a real board."""

from pathlib import Path
from typing import Literal

from serbench.build.contract import Cross
from serbench.catalog.manifest import Manifest
from serbench.provision.debian import installed_version
from serbench.results.schema import Unit


class PlatformManifest(Manifest, frozen=True, kw_only=True, tag_field="kind"):
    """What every platform states; the key `kind` says which of those below it is."""

    name: str = ""
    """The name of its folder ..."""
    folder: Path = Path()
    """... and the folder itself, which are found and not stated."""
    title: str
    stands_for: list[str]
    """The chips and boards that run this instruction set."""


class Board(PlatformManifest, frozen=True, kw_only=True, tag="board"):
    """A chip whose rows only a real board can fill."""

    reason: str
    """Why nothing can be counted here, and what fills its rows."""


class Emulated(PlatformManifest, frozen=True, kw_only=True):
    """What an emulated platform needs: a cross-compiler and an emulator, as Debian packages."""

    packages: list[str]
    """Debian packages: compiler, C library, emulator."""
    download_mb: int
    disk_mb: int
    tools: str
    """What the compiler's name begins with, `avr-`."""
    emulator: list[str]
    """The emulator's command line."""
    flags: list[str]
    """Everything is compiled and linked with these."""
    labels: list[str] = []
    """What a reader must know of all its rows."""


class LinuxPlatform(Emulated, frozen=True, kw_only=True, tag="linux"):
    """A Linux on another processor, under QEMU's user mode."""

    processor: str
    """What `uname -m` says there, for CMake."""

    @property
    def cross(self) -> Cross:
        """The platform as build programs are told of it."""
        return Cross(name=self.name, tools=self.tools, flags=tuple(self.flags), processor=self.processor)


class Microcontroller(Emulated, frozen=True, kw_only=True, tag="microcontroller"):
    """A microcontroller under an emulator.

    In the emulator's command line {counter}, {firmware}, {begin}, {end} and {report} are filled in.
    """

    unit: Unit
    counter: Literal["qemu", "avr"]
    """Which of the project's two counters (harness/c/emulator) the emulator works with."""
    board: str = "board.c"
    """Output, end and memory limit of the target, a source in its folder."""
    sources: list[str] = []
    """Further sources in its folder."""
    link: list[str] = []
    """Words for the linker; {folder} is filled in."""
    libraries: list[str] = []
    ram: int
    """Bytes."""
    arena: int
    """Bytes that a library may have for its document."""
    double_bits: Literal[32, 64] = 64

    @property
    def cross(self) -> Cross:
        """The platform as build programs are told of it."""
        return Cross(
            name=self.name,
            tools=self.tools,
            flags=tuple(self.flags),
            folder=self.folder.absolute(),
            sources=(self.board, *self.sources),
            link=tuple(self.link),
            libraries=tuple(self.libraries),
            arena=self.arena,
            identity=" ".join(f"{name} {installed_version(name)}" for name in self.packages),
        )
