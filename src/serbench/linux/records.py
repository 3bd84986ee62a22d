"""What platforms/<name>/platform.toml says."""

from serbench.firmware.records import Emulated, ToolsManifest


class LinuxManifest(ToolsManifest, frozen=True, kw_only=True):
    """A Linux on another processor: the options that choose it, and the emulator."""

    flags: list[str]
    """Everything is compiled and linked with these."""
    processor: str
    """What `uname -m` says there, for CMake."""
    labels: list[str] = []
    """What must be known of all its rows."""


class LinuxPlatform(Emulated, frozen=True, kw_only=True):
    """A platform as it was found."""

    manifest: LinuxManifest
