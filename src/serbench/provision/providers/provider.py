"""What a provider is."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from serbench.catalog.records import Contender
from serbench.catalog.source import Source
from serbench.provision.records import Context, Pin, Provided, Unavailable


class Provider(Protocol):
    """One kind of place that libraries come from, such as a package registry."""

    kind: str
    """The key of `[[source]]` in a manifest: `debian-source`, `npm`."""

    lock: str = ""
    """The name of the lock file from which a harness's contenders share packages, if the registry has one."""

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        """The library that `source` of `contender` names. Raises Unavailable, or OSError."""
        ...

    def prefetch(self, sources: Sequence[Source], context: Context) -> list[Source]:
        """Fetch together what `sources` name; returns those in whose place the next ones are to be fetched.

        Never raises: `provide` meets the same error.
        """
        return []

    def is_chosen(self, contender: Contender, context: Context) -> bool:
        """Whether the user's options ask for this provider, so that its sources come first."""
        return False

    def pin(self, contender: Contender, source: Source, context: Context) -> Pin | None:
        """The version that is stated for `source`; None if whatever is installed is taken."""
        return None

    def newest(self, pins: Sequence[Pin], context: Context) -> list[str | Unavailable]:
        """For each of `pins`, the version that upstream has now, or why nobody knows."""
        return [pin.version for pin in pins]

    def has_locked(self, folder: Path, cache: Path) -> bool:
        """Whether the packages of the lock file in `folder` are installed."""
        return not self.lock

    def install_locked(self, language: str, context: Context) -> None:
        """Install the packages of the lock file in the harness of `language`. Raises Unavailable."""
        return
