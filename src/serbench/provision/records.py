"""What provisioning yields: a library that can be built against, or a reason with a remedy."""

from pathlib import Path

import msgspec

from serbench.catalog.records import Source


class Unavailable(Exception):
    """A library that cannot be had here: one line that says why and what would mend it."""

    def __init__(self, reason: str) -> None:
        self.reason = " ".join(reason.split())
        super().__init__(self.reason)


class Provided(msgspec.Struct, frozen=True, kw_only=True):
    """A library that is there."""

    source: Source
    """The entry of the manifest that could be had."""
    root: Path | None = None
    """The library's folder (`Source.subdir` applied), or the prefix; None for what the system has."""
    version: str = ""
    origin: str = ""
    """For readers of a report: `Debian source jansson 2.14-2`."""
    distribution_build: bool = False
    """True when somebody else's compiler options built the library."""
    digest: str = ""
    """Of all files of a checkout; it alone stands for them in the key of a build."""
    skipped_sources: tuple[str, ...] = ()
    """Why each source that the manifest prefers was not taken."""
    found: Path | None = None
    """The file that gave an `installed` library away."""
