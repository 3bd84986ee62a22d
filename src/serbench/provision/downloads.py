"""Rules for what is fetched and installed: only if allowed, by one process at a time, and with a log."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from serbench.errors import UserError
from serbench.provision.process import Finished
from serbench.provision.records import Unavailable

_forbidden = False


def forbid(forbidden: bool = True) -> None:
    """Let nothing be fetched from now on (--no-install), or again everything."""
    global _forbidden
    _forbidden = forbidden


def is_forbidden() -> bool:
    """Whether nothing may be fetched."""
    return _forbidden


@contextmanager
def nothing_fetched() -> Iterator[None]:
    """Let nothing be fetched while this lasts."""
    before = _forbidden
    forbid()
    try:
        yield
    finally:
        forbid(before)


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


def log_installation(cache: Path, what: str, done: Finished, advice: str = "") -> None:
    """Write down how an installation of `what` ended. Raises UserError if it failed, with its last words."""
    path = cache / "setup.log"
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n== installing {what}\n{done.output}{done.errors}")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    if not done.ok:
        said = next((line for line in reversed(done.errors.splitlines()) if line.strip()), "no reason given")
        raise UserError(
            f"{what} could not be installed: {said.strip()} ({advice}log: {os.path.relpath(path)})"
        )


def keep_failure(folder: Path, name: str, reason: str) -> None:
    """Remember in `folder` why `name` cannot be fetched, so that the next start need not find it out."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.missing").write_text(reason, "utf-8")


def recall_failure(folder: Path, name: str, seconds: float) -> str | None:
    """Why `name` could not be fetched, unless that is older than `seconds`."""
    path = folder / f"{name}.missing"
    try:
        return path.read_text("utf-8") if time.time() - path.stat().st_mtime < seconds else None
    except (OSError, UnicodeDecodeError):
        return None


def forget_failures(cache: Path) -> None:
    """Let everything be tried again that could not be fetched."""
    for path in [*cache.glob("git/*.missing"), *cache.glob("sources/*/*.missing")]:
        path.unlink(missing_ok=True)
