"""What provisioning needs and yields: a library that can be built against, or a reason with a remedy."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from serbench.catalog.records import Catalog
from serbench.catalog.source import Source
from serbench.errors import Failure


class Unavailable(Failure):
    """A library that cannot be used here; the reason also says what to do about it."""


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """What a provider may use, beside the contender and its source."""

    cache: Path
    """The project's cache folder."""
    prefixes: Mapping[str, Path] = {}
    """The folders of installed libraries that the user named, by a name of the contender."""
    catalog: Catalog | None = None
    """What a provider needs that shares a lock or a toolchain among the contenders of a harness."""


class Provided(msgspec.Struct, frozen=True, kw_only=True):
    """A library that is available."""

    source: Source
    """The entry of the manifest that was taken."""
    root: Path | None = None
    """The library's folder (`Source.subdir` applied), or the prefix; None for what the system has."""
    version: str = ""
    origin: str = ""
    """For readers of a report: `Debian source jansson 2.14-2`."""
    distribution_build: bool = False
    """True when somebody else's compiler options built the library."""
    digest: str = ""
    """The digest of all files of a checkout; it stands for them in the key of a build."""
    skipped_sources: tuple[str, ...] = ()
    """Why each source that the manifest prefers was not taken."""
    found: Path | None = None
    """The file by which an installed copy was found."""

    @property
    def built_by(self) -> str:
        """The builder who chose other options than ours; empty if it is compiled here."""
        if self.distribution_build:
            return "the distribution"
        ours = self.found is None or self.source.files or self.source.header_only
        return "" if ours else "whoever installed it"


class Pin(msgspec.Struct, frozen=True, kw_only=True):
    """A version that a manifest or a lock file states."""

    kind: str
    """The provider's."""
    name: str
    """An address or a package."""
    version: str
    """A tag, a commit's first digits, or a package's version."""
    commit: str = ""
    date: str = ""
    """The day of the commit, where the manifest states it."""
    held: str = ""
    """Why it stays although upstream has a newer one."""
    folder: Path | None = None
    """Where the lock file is, if one states it."""


class Moved(str):
    """What became of a pinned tag: unlike a newer version, it is told even of a pin that is held."""
