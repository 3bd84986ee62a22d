"""What building yields: a command line, or the compiler's last words."""

from pathlib import Path
from typing import Literal

import msgspec

from serbench.errors import Failure


class BuildFailed(Failure):
    """A row that could not be built.

    `unavailable` says that the compiler is missing, with the remedy; `unsupported` that no code can be
    generated for this schema, with the place in it and why.
    """

    def __init__(
        self, reason: str, output: str = "", *, unavailable: bool = False, unsupported: bool = False
    ) -> None:
        super().__init__(reason, output)
        self.unavailable = unavailable
        self.unsupported = unsupported

    @property
    def status(self) -> Literal["failed", "unavailable", "unsupported"]:
        """What the row is because of it."""
        return "unavailable" if self.unavailable else "unsupported" if self.unsupported else "failed"


class Built(msgspec.Struct, frozen=True, kw_only=True):
    """A program that is there."""

    command: list[str]
    compiler: str
    """`gcc 12.2.0`."""
    flags: str
    """The profile's options."""
    interpreter: list[str] = []
    """What starts a script of its harness, where there is such a thing."""
    labels: list[str] = []
    """What a reader must know of how it is built or run."""
    heap_command: list[str] = []
    """What counts the heap, where that is another command and needs no counting library."""
    load_command: list[str] = []
    """What loads the library once, and tells in JSON `load_ns` and `installed_bytes` (or null)."""
    module: str = ""
    """The file that its harness loads, where there is such a thing: probes load it too."""
    size_of: Path = Path()
    """The file whose size is the code size."""
    generated: list[Path] = []
    """The code that was generated from the row's schema."""
    seconds: float | None = None
    """How long its last recipe took when it was built; None in a cache of older versions."""
    digest: str
    """The digest of everything that went into it: the same digest is the same program."""
