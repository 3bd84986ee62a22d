"""Files that somebody names: reading that ends, and writing that loses nothing."""

import contextlib
import errno
import fcntl
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from serbench.errors import UserError

SCRATCH = ".serbench-"
BLOCK = 1 << 20
"""Bytes that are read at once."""


def read_regular(path: Path, most: int) -> bytes:
    """The bytes of a regular file of at most `most` bytes.

    Raises OSError, also for anything larger and for whatever may never end, such as a device or a FIFO.
    """
    # A FIFO that nobody writes to would hold up an ordinary open.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        data = bytearray()
        # In blocks, as a read of up to `most` bytes would ask for memory of that size at once.
        while max(status.st_size, len(data)) <= most:
            block = file.read(BLOCK)
            if not block:
                return bytes(data)
            data += block
    raise OSError(errno.EFBIG, f"it is larger than {most / 1e6:g} MB", str(path))


def _claimed(folder: Path) -> int:
    """A descriptor of a folder of this user, locked. Raises OSError if another has it, or it is gone."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        status = os.fstat(descriptor)
        if status.st_uid != os.geteuid() or status.st_nlink == 0:
            raise FileNotFoundError(errno.ENOENT, "it is gone", str(folder))
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


@contextlib.contextmanager
def scratch(parent: Path | None = None) -> Iterator[Path]:
    """A new folder for the block, in `parent` or where the system keeps temporary files.

    It is locked meanwhile: one without a lock is of a process that was killed, and is removed.
    """
    place = parent or Path(tempfile.gettempdir())
    for left in place.glob(f"{SCRATCH}*"):
        with contextlib.suppress(OSError):
            descriptor = _claimed(left)
            shutil.rmtree(left, ignore_errors=True)
            os.close(descriptor)
    with contextlib.ExitStack() as stack:
        while True:
            folder = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=place))
            try:
                stack.callback(os.close, _claimed(folder))
            except (BlockingIOError, FileNotFoundError):  # another process took it for one that is left
                continue
            except OSError:  # a file system without locks
                pass
            break
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def sha256(path: Path) -> str:
    """The SHA-256 of a file's bytes, hexadecimal. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def failure_to_write(path: Path, error: OSError) -> UserError:
    """Return the message for a file at `path` that cannot be written."""
    return UserError(f"cannot write {path}: {error.strerror or error}")


def make_folder_of(path: Path) -> None:
    """Make the folder of the file `path`. Raises UserError when that cannot be done."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise UserError(f"cannot write {path}: {path.parent} is not a folder") from error
    except OSError as error:
        raise failure_to_write(path, error) from error


def refuse_existing(path: Path, force: bool, read: Iterable[Path | str] = ()) -> None:
    """Raise UserError if writing `path` would replace a file, unless `force`, or if it is a folder.

    One of the files that the command `read`s is never replaced; names in it that are no files do no harm.
    A device or a FIFO is written to, which replaces nothing.
    """
    if path.is_dir():
        raise UserError(f"cannot write {path}: it is a folder")
    if path.is_file() and not force:
        raise UserError(f"{path} exists: choose another name, or replace it with --force")
    for name in read if path.is_file() else ():
        with contextlib.suppress(OSError):
            if path.samefile(name):
                raise UserError(f"cannot write {path}: the command reads it, so choose another name")


@contextlib.contextmanager
def writing(path: Path, *, lasting: bool = True) -> Iterator[IO[bytes]]:
    """Write the file `path`, making its folder: after the block it holds all of it, or what it held before.

    A device or a FIFO is written to as it is, and of a link what it leads to is replaced. A file that is
    replaced keeps its permissions. One that is not `lasting`, as of a cache, may be lost in a power failure.
    Raises UserError when that cannot be done; the temporary folder beside it is then gone again.
    """
    make_folder_of(path)
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
            return
        target = Path(os.path.realpath(path))
        # Not SCRATCH: `scratch` would remove it, because it has no lock.
        with tempfile.TemporaryDirectory(prefix=".serbench_", dir=target.parent) as folder:
            made = Path(folder, "made")
            with made.open("wb") as file:
                if target.exists():
                    os.fchmod(file.fileno(), target.stat().st_mode & 0o777)
                yield file
                file.flush()
                if lasting:
                    os.fsync(file.fileno())
            made.replace(target)
        if lasting:
            descriptor = os.open(target.parent, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
    except OSError as error:
        raise failure_to_write(path, error) from error


def replace_file(path: Path, data: bytes, *, lasting: bool = True) -> None:
    """Put `data` at `path` as `writing` does. Raises UserError."""
    with writing(path, lasting=lasting) as file:
        file.write(data)
