"""What building yields: a command line, or the compiler's last words."""

from pathlib import Path

import msgspec


class BuildFailed(Exception):
    """A row that could not be built: one line, and the last of what the compiler said.

    `unavailable` says that the compiler itself is missing; the reason then is the remedy.
    """

    def __init__(self, reason: str, output: str = "", *, unavailable: bool = False) -> None:
        self.reason = " ".join(reason.split())
        self.output = output
        self.unavailable = unavailable
        super().__init__(self.reason)


class Built(msgspec.Struct, frozen=True, kw_only=True):
    """A program that is there."""

    command: list[str]
    compiler: str
    """`gcc 12.2.0`."""
    flags: str
    """The profile's options."""
    heap_command: list[str] = []
    """What counts the heap, where that is another command and needs no counting library."""
    module: str = ""
    """The file that its harness loads, where there is such a thing: probes load it too."""
    size_of: Path = Path()
    """The file whose size is the code size."""
    digest: str
    """Of everything that went into it: the same digest is the same program."""
