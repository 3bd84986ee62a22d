"""What a provider is."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from serbench.catalog.records import Contender
from serbench.catalog.source import Source
from serbench.provision.parts import Part
from serbench.provision.records import Context, Pin, Provided, Unavailable


class Provider(Protocol):
    """One kind of place that libraries come from, such as a package registry."""

    kind: str
    """The key of `[[source]]` in a manifest: `debian-source`, `npm`."""

    place: str = ""
    """Where it fetches from, for those who are asked before: "the npm registry"."""

    lock: str = ""
    """The name of the lock file that a harness's contenders share, or that each has; empty if none."""

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

    def has_locked(self, language: str, context: Context) -> bool:
        """Whether the packages of the lock files for `language` are installed."""
        return not self.lock

    def install_locked(self, language: str, context: Context) -> None:
        """Install them. Raises Unavailable."""
        return

    def fetch_part(self, root: Path, cache: Path, part: Part, made: Path) -> None:
        """Install the lock of a part of the set-up, see `parts.Fetch`. Raises UserError or Unavailable."""
        raise Unavailable(f"{self.kind} installs no parts of the set-up")

    def pins_of_lock(self, lock: Path) -> list[Pin]:
        """The packages that a lock file was made for."""
        return []
