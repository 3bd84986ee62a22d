"""What a provider is."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from serbench.catalog.records import Contender, Source
from serbench.provision.records import Context, Provided


class Provider(Protocol):
    """One kind of place that libraries come from, such as a package registry."""

    kind: str
    """The key of `[[source]]` in a manifest: `debian-source`, `npm`."""

    lock: str = ""
    """The name of the lock file from which a harness's contenders share packages, if the registry has one."""

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        """The library that `source` of `contender` names. Raises Unavailable, or OSError."""
        ...

    def prefetch(self, names: Sequence[str], context: Context) -> None:
        """Fetch together what several sources name. Never raises: `provide` meets the same error."""
        return

    def is_chosen(self, contender: Contender, context: Context) -> bool:
        """Whether the user's options ask for this provider, so that its sources come first."""
        return False

    def has_locked(self, folder: Path, cache: Path) -> bool:
        """Whether the packages of the lock file in `folder` are installed."""
        return not self.lock

    def install_locked(self, language: str, context: Context) -> None:
        """Install the packages of the lock file in the harness of `language`. Raises Unavailable."""
        return
