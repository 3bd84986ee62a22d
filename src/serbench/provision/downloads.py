"""Rules for everything that is fetched: only if allowed, and by one process at a time."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from serbench.provision.records import Unavailable

_forbidden = False


def forbid(forbidden: bool = True) -> None:
    """Let nothing be fetched from now on (--no-install), or again everything."""
    global _forbidden
    _forbidden = forbidden


def must_be_allowed(what: str) -> None:
    """Raises Unavailable, saying that `what` is not here, if nothing may be fetched."""
    if _forbidden:
        raise Unavailable(f"{what} not here, and --no-install fetches nothing")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes from fetching into `folder`, which is made, at the same time."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
