"""One run on a machine at a time: a lock that all users and all clones of the machine share."""

import contextlib
import fcntl
import os
import re
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from serbench.errors import UserError

FOLDERS = (Path("/run/lock"), Path("/var/lock"), Path("/dev/shm"), Path("/tmp"))  # noqa: S108
"""Where the lock may stand: in the first in which every user may make a file and none take another's away."""
NAME = "serbench.lock"
_AGAIN = 0.2
"""Seconds until a run that waits looks again."""
STICKY = stat.S_ISVTX | stat.S_IRWXO
_EACH = "each would disturb the other: wait for it, or add --ignore-lock"
_OTHER = "counting disturbs the times of the other: wait for it, or add --ignore-lock"
_MEASURED = "Another run of serbench was active when this one began: measure again without it."
_COUNTED = (
    "Another run of serbench was active when this one began: no count depends on that, but the times of "
    "the other one may."
)


def _lock_path() -> Path:
    for folder in FOLDERS:
        with contextlib.suppress(OSError):
            found = folder.stat()
            if stat.S_ISDIR(found.st_mode) and found.st_mode & STICKY == STICKY:
                return folder / NAME
    raise UserError(
        f"this machine cannot be locked: none of {', '.join(map(str, FOLDERS))} is a "
        "folder for all users; --ignore-lock measures without a lock"
    )


def _open(path: Path) -> int:
    """Open the lock's file, made if need be; never follow a link, nor wait for whatever stands there."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        for _ in range(10):
            # Not O_CREAT alone: the kernel may refuse it in such a folder for what another user has made.
            with contextlib.suppress(FileNotFoundError):
                return os.open(path, flags)
            with contextlib.suppress(FileExistsError):
                made = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o644)
                os.fchmod(made, 0o644)  # whatever the umask says: others must be able to lock it
                return made
    except OSError as error:
        raise UserError(
            f"the lock {path} cannot be opened ({error.strerror}); --ignore-lock measures without it"
        ) from error
    raise UserError(f"the lock {path} appears and disappears; --ignore-lock measures without it")


def _holder(descriptor: int) -> str:
    """The process that holds the lock, in words, as far as the system tells."""
    found = os.fstat(descriptor)
    place = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
    with contextlib.suppress(OSError):
        text = Path("/proc/locks").read_text(encoding="ascii", errors="replace")
        held = re.search(rf"FLOCK\s+ADVISORY\s+WRITE\s+(\d+)\s+{place}\s", text)
        if held:
            return f" (process {held.group(1)})"
    return ""


def other_run() -> str | None:
    """Tell who measures on this machine now: None if nobody does, else what is known of the process."""
    with contextlib.suppress(UserError), _held() as other:
        return other
    return None


@contextlib.contextmanager
def _held() -> Iterator[str | None]:
    """Hold the lock while the block lasts; yields None, or who else holds it. Raises UserError."""
    descriptor = _open(_lock_path())
    other = None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise UserError("the lock is not a file; --ignore-lock measures without it")
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            other = _holder(descriptor)
        yield other
    finally:
        os.close(descriptor)  # which also unlocks


@contextlib.contextmanager
def machine_lock(force: bool, *, counting: bool = False, waiting: bool = False) -> Iterator[list[str]]:
    """Keep every other run of this machine away while the block lasts.

    Raises UserError while there is one; with `force` it yields sentences that say so instead, and when
    `waiting` it waits for its end. A run that is `counting` needs no quiet machine, but makes none either.
    """
    with contextlib.ExitStack() as stack:
        other = None
        try:
            while (other := stack.enter_context(_held())) is not None and waiting and not force:
                stack.close()
                time.sleep(_AGAIN)
        except UserError:
            if not force:
                raise
        if other is not None and not force:
            why = _OTHER if counting else _EACH
            raise UserError(f"another run of serbench is active on this machine{other}, and {why}")
        yield [] if other is None else [_COUNTED if counting else _MEASURED]
